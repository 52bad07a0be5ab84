import assert from "node:assert/strict";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { type DriverBuild, driver } from "../support/drivers.ts";
import { ask } from "./child.ts";
import { fakeDriver, scratchFolder } from "./fakes.ts";

const env: Record<string, string> = {};
let build: DriverBuild;

before(async () => {
  const folder = await scratchFolder();
  env.CUDA_DRIVER_LIBRARY = await fakeDriver(join(folder, "libcuda.so.1"));
  build = await driver(12020);
});

interface Told {
  info: { path: string; version: number; lookUp: string };
  version: number;
  alloc: [bigint, number];
  none: [bigint, number];
  lacks: string;
}

/** Cases 11 and 41. */
describe("threads, contexts and caches (case 41)", () => {
  it("works in the main thread, in a worker, in a second one, and in two at once", async () => {
    const { answers, main } = await ask<{ answers: Told[]; main: [Told["info"], number] }>("node", {
      driver: build,
      input: "threads",
    });
    assert.equal(answers.length, 4);
    for (const told of answers) assert.deepEqual(told, answers[0]);
    const [first] = answers;
    assert.deepEqual(first?.info, { path: build.path, version: 12020, lookUp: "cuGetProcAddress_v2" });
    assert.equal(first?.version, 12020);
    assert.ok((first?.alloc[0] ?? 0n) > 0n);
    assert.deepEqual(first?.none, [0n, 1]);
    assert.equal(first?.lacks, "CudaSymbolError");
    assert.deepEqual(main, [first?.info, 12020]);
  });

  for (const cuda of [12020, 11040, 11020]) {
    it(`eight workers initialise together and call at once, driver ${cuda} (case 11)`, async () => {
      const chosen = await driver(cuda);
      const answers = await ask<Record<string, unknown>[]>("node", { driver: chosen, input: "together" });
      assert.equal(answers.length, 8);
      for (const told of answers) assert.deepEqual(told, answers[0]);
      const [first] = answers;
      assert.deepEqual(first?.missing, [0n, 1]);
      assert.deepEqual(first?.promised, [cuda]);
      assert.deepEqual(first?.calls, [cuda, "CUDA_ERROR_NOT_FOUND", "TypeError"]);
    });
  }

  it("is one driver after the require cache was cleared", async () => {
    const told = await ask<Record<string, unknown>>("node", { driver: build, input: "cache" });
    const { path, version, lookUp } = { path: build.path, version: 12020, lookUp: "cuGetProcAddress_v2" };
    assert.equal(told.distinct, true);
    assert.deepEqual(told.info, [{ path, version, lookUp }, [path, version, 2], [path, version, 2]]);
    const [first, second] = told.symbols as bigint[];
    assert.ok(first !== 0n && first === second);
    assert.equal(told.version, 12020);
  });

  it("works from a vm context, with that context's buffers and arrays", async () => {
    const told = await ask<Record<string, unknown>>("node", { env, input: "context" });
    assert.deepEqual(told, {
      ...{
        addon: [env.CUDA_DRIVER_LIBRARY, 12040, 0],
        version: 12040,
        copies: [null, null, null, null],
        library: "bigint",
        slots: 3n,
        array: 3,
      },
      refused: "cuMemcpyHtoD_v2: srcHost holds 1 bytes, 2 are asked for",
    });
  });

  it("survives threads that end while their calls are under way", async () => {
    assert.deepEqual(await ask("node", { env, input: "terminate" }), { ended: 20, version: 12040 });
  });

  it("keeps calls in promises' reactions apart", async () => {
    const rows = await ask<string[]>("node", { env, input: "reenter" });
    assert.equal(rows.length, 50);
    const most = 18446744073709551615n;
    for (const [i, row] of rows.entries()) {
      assert.equal(row, [i === 7 ? most : 0x7f0000000000n, most, 0xdeadbeefn, most - 1n].join(" "));
    }
  });

  it("is loaded inside a worker only, ended and collected, a hundred times", async (t) => {
    const { memory, answers } = await ask<{ memory: number[]; answers: number[] }>("node", {
      driver: build,
      input: "hundred",
    });
    t.diagnostic(`resident after each ten: ${memory.join(", ")} MiB`);
    assert.deepEqual(answers, [12020]);
    assert.ok((memory.at(-1) ?? 0) - (memory[2] ?? 0) < 60, `grows: ${memory.join(", ")} MiB`);
  });

  it("leaves nothing behind a million calls", async (t) => {
    const memory = await ask<number[]>("node", { driver: build, input: "leaks" });
    t.diagnostic(`resident after each fifth: ${memory.join(", ")} MiB`);
    assert.ok((memory.at(-1) ?? 0) - (memory[1] ?? 0) < 40, `grows: ${memory.join(", ")} MiB`);
  });
});
