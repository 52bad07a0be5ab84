import assert from "node:assert/strict";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { attempt, command } from "../support/command.ts";
import { evaluate, type Mode, valuesOf } from "./child.ts";
import { fixture, scratchFolder } from "./fakes.ts";

let capturing: string;
let old: string;

before(async () => {
  const folder = await scratchFolder();
  capturing = join(folder, "libcuda.so.1");
  old = join(folder, "old", "libcuda.so.1");
  await command("mkdir", [join(folder, "old")]);
  const flags = ["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", fixture("capture.c")];
  await command("cc", [...flags, "-o", capturing]);
  await command("cc", [...flags, "-DOLD", "-o", old]);
});

describe("a callback that a capturing stream takes", () => {
  /** How often the graph that it became part of called it, in two launches. */
  async function calls(give: string, suffix: "" | "_ptsz", mode: Mode, stream = "null"): Promise<unknown[]> {
    const [given] = valuesOf(
      await evaluate(
        [
          `(async () => {
            const calls = [];
            const give = (callback) => ${give};
            cuda.cuStreamBeginCapture_v2${suffix}(${stream}, 0);
            await give(() => calls.push("in the graph"));
            const graph = cuda.cuStreamEndCapture${suffix}(${stream});
            for (const launch of [1, 2]) {
              cuda.cuGraphLaunch${suffix}(graph, null);
              for (let i = 0; i < 200 && calls.length < launch; i++) await new Promise((done) => setTimeout(done, 2));
            }
            return calls;
          })()`,
        ],
        { env: { CUDA_DRIVER_LIBRARY: capturing }, mode },
      ),
    );
    return given as unknown[];
  }

  const TWICE = ["in the graph", "in the graph"];

  it("is called at every launch of the graph", async () => {
    assert.deepEqual(await calls("cuda.cuLaunchHostFunc(0x50n, callback)", "", "legacy", "0x50n"), TWICE);
    assert.deepEqual(await calls("cuda.promises.cuLaunchHostFunc(0x50n, callback)", "", "legacy", "0x50n"), TWICE);
  });

  it("is so where that is the thread's own default stream", async () => {
    assert.deepEqual(await calls("cuda.cuLaunchHostFunc_ptsz(null, callback)", "_ptsz", "legacy"), TWICE);
    assert.deepEqual(await calls("cuda.cuLaunchHostFunc_ptsz(0n, callback)", "_ptsz", "legacy"), TWICE);
    assert.deepEqual(await calls("cuda.cuLaunchHostFunc(2n, callback)", "_ptsz", "legacy"), TWICE);
    assert.deepEqual(await calls("cuda.promises.cuLaunchHostFunc_ptsz(null, callback)", "_ptsz", "legacy"), TWICE);
    assert.deepEqual(await calls("cuda.cuStreamAddCallback_ptsz(null, callback, null, 0)", "_ptsz", "legacy"), TWICE);
  });

  it("is so where the program chose that stream for all its functions", async () => {
    assert.deepEqual(await calls("cuda.cuLaunchHostFunc(null, callback)", "", "perThread"), TWICE);
    assert.deepEqual(await calls("cuda.cuLaunchHostFunc_ptsz(null, callback)", "_ptsz", "perThread"), TWICE);
  });
});

describe("a callback for a stream", () => {
  /** What a program says that ends when nothing keeps it. */
  async function program(library: string, code: string): Promise<string> {
    const args = ["--import", "tsx", "--input-type=module", "-e", `import * as cuda from "cuda-driver";${code}`];
    const {
      code: exit,
      stdout,
      stderr,
    } = await attempt(process.execPath, args, {
      env: {
        CUDA_DRIVER_LIBRARY: library,
        CUDA_API_PER_THREAD_DEFAULT_STREAM: undefined,
        NODE_TEST_CONTEXT: undefined,
      },
    });
    assert.equal(exit, 0, stderr);
    return stdout;
  }

  it("keeps the program alive until it was called, on a driver that captures nothing too", async () => {
    const code = "cuda.cuStreamAddCallback(null, () => console.log('called'), null, 0);";
    assert.equal(await program(old, code), "called\n");
  });

  it("keeps nothing where the stream can neither be asked nor used", async () => {
    const code = `
      cuda.cuStreamBeginCapture_v2(0x50n, 0);
      try { cuda.cuLaunchHostFunc(null, () => console.log("called")) } catch (error) { console.log(error.errno) }`;
    assert.equal(await program(capturing, code), "906\n");
  });
});

describe("the addon's door", () => {
  const env = () => ({ CUDA_DRIVER_LIBRARY: capturing });

  it("says what Node-API says of a wrong argument", async () => {
    const told = await evaluate(["native.open(5, true)", "native.unhook(1)", "native.address({})"], { env: env() });
    assert.deepEqual(
      told.map(({ error }) => error?.message),
      ["A string was expected", "A bigint was expected", "Invalid argument"],
    );
  });
});
