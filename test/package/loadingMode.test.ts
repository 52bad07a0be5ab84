/** CUDA_MODULE_LOADING, which the driver reads itself. On a real one: test/gpu/modules.test.ts. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { evaluate, valuesOf } from "./child.ts";
import { fakeEnvironment } from "./fakes.ts";

const SET = `process.env.CUDA_MODULE_LOADING = "EAGER"`;
const INIT = "cuda.cuInit(0)";
const MODE = "cuda.CUmoduleLoadingMode[cuda.cuModuleGetLoadingMode()]";
const SET_IN_A_WORKER = `new Promise((resolve) => {
  const { Worker } = process.getBuiltinModule("worker_threads");
  new Worker(\`${SET}\`, { eval: true }).on("exit", resolve);
})`;

describe("CUDA_MODULE_LOADING (case 39)", () => {
  const mode = async (...expressions: string[]) =>
    valuesOf(await evaluate([...expressions, MODE], { env: await fakeEnvironment() })).at(-1);

  it("counts as it is at cuInit: not at the import, not at calls before or after", async () => {
    const eager = "CU_MODULE_EAGER_LOADING";
    const lazy = "CU_MODULE_LAZY_LOADING";
    assert.equal(await mode(INIT), lazy);
    assert.equal(await mode(SET, INIT), eager);
    assert.equal(await mode("cuda.cuDriverGetVersion()", "cuda.driverInfo()", SET, INIT), eager);
    assert.equal(await mode(INIT, SET), lazy);
    assert.equal(await mode(INIT, SET, INIT), lazy);
  });

  it("is set by the main thread only: a worker has a copy of the environment", async () => {
    assert.equal(await mode(SET_IN_A_WORKER, INIT), "CU_MODULE_LAZY_LOADING");
  });
});
