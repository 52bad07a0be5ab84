import assert from "node:assert/strict";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { attempt, command } from "../support/command.ts";
import { ADDON, errorOf, evaluate, type Mode, type Outcome, PACKAGE, valuesOf } from "./child.ts";
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

function run(library: string, code: string) {
  return attempt(process.execPath, ["--import", "tsx", "--input-type=module", "-e", code], {
    env: {
      CUDA_DRIVER_LIBRARY: library,
      CUDA_API_PER_THREAD_DEFAULT_STREAM: undefined,
      NODE_TEST_CONTEXT: undefined,
    },
  });
}

/** What a program says that ends when nothing keeps it. */
async function program(library: string, code: string): Promise<string> {
  const { code: exit, stdout, stderr } = await run(library, code);
  assert.equal(exit, 0, stderr);
  return stdout;
}

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
  it("keeps the program alive until it was called, on a driver that captures nothing too", async () => {
    const code = `
      import * as cuda from "cuda-driver";
      cuda.cuStreamAddCallback(null, () => console.log("called"), null, 0);`;
    assert.equal(await program(old, code), "called\n");
  });

  it("may come when the only thread that had the package has ended", async () => {
    const code = `
      import { once } from "node:events";
      import { setTimeout as sleep } from "node:timers/promises";
      import { Worker } from "node:worker_threads";
      const given = 'import("cuda-driver").then((cuda) => cuda.cuStreamAddCallback(null, () => {}, null, 0)).finally(process.exit)';
      await once(new Worker(given, { eval: true }), "exit");
      await sleep(600);
      console.log("alive");`;
    assert.equal(await program(old, code), "alive\n");
  });

  it("is called for every launch of its graph before the program ends, though it keeps no program alive", async () => {
    const code = `
      import("cuda-driver").then((cuda) => {
        const { AsyncLocalStorage } = process.getBuiltinModule("async_hooks");
        const storage = new AsyncLocalStorage();
        let launches = 0;
        cuda.cuStreamBeginCapture_v2(0x50n, 0);
        storage.run("its context", () => cuda.cuLaunchHostFunc(0x50n, () => {
          console.log("called", ++launches, storage.getStore());
          if (launches === 1) throw new Error("from the callback");
        }));
        const graph = cuda.cuStreamEndCapture(0x50n);
        process.on("uncaughtException", (error) => console.log("uncaught:", error.message));
        cuda.cuGraphLaunch(graph, null);
        cuda.cuGraphLaunch(graph, null);
        console.log("end of program");
      });`;
    /* By the event loop, or when there is nothing left for it. */
    const told = async (code: string) => {
      const [first, ...lines] = (await program(capturing, code)).trim().split("\n");
      assert.equal(first, "end of program");
      assert.deepEqual(lines.sort(), ["called 1 its context", "called 2 its context", "uncaught: from the callback"]);
    };
    await told(code);
    const inWorker = `
      import { Worker } from "node:worker_threads";
      new Worker(${JSON.stringify(code)}, { eval: true });`;
    await told(inWorker);
  });

  it("is called for it also where the program is ended, and no program is kept by calls that lead to calls", async () => {
    const code = (end: string) => `
      import * as cuda from "cuda-driver";
      let launches = 0;
      cuda.cuStreamBeginCapture_v2(0x50n, 0);
      cuda.cuLaunchHostFunc(0x50n, () => {
        if (++launches === 1) console.log("called");
        /* The event loop may take a thousand at a time. */
        if (launches < 100_000) cuda.cuGraphLaunch(graph, null);
        else console.log("too often");
      });
      const graph = cuda.cuStreamEndCapture(0x50n);
      cuda.cuGraphLaunch(graph, null);
      ${end}`;
    for (const end of ["", "process.exit(0);"]) assert.equal(await program(capturing, code(end)), "called\n");
    const throws = code("process.exit(0);").replace('console.log("called")', 'throw new Error("at the end")');
    assert.match((await run(capturing, throws)).stderr, /Error: at the end/);
  });

  it("keeps nothing where the stream can neither be asked nor used", async () => {
    const code = `
      import * as cuda from "cuda-driver";
      cuda.cuStreamBeginCapture_v2(0x50n, 0);
      try { cuda.cuLaunchHostFunc(null, () => console.log("called")) } catch (error) { console.log(error.errno) }`;
    assert.equal(await program(capturing, code), "906\n");
  });
});

describe("the destructor of a user object", () => {
  it("keeps no program alive, and has been called for what ended before the program", async () => {
    const code = (create: string, end: string) => `
      import * as cuda from "cuda-driver";
      const create = (name) => ${create}(null, () => console.log("destroyed", name), 1, 1);
      await create("never");
      const object = await create("once");
      cuda.cuUserObjectRelease(object, 1);
      console.log("end of program");
      ${end}`;
    for (const create of ["cuda.cuUserObjectCreate", "cuda.promises.cuUserObjectCreate"]) {
      for (const end of ["", "process.exit(0);"]) {
        assert.equal(await program(capturing, code(create, end)), "end of program\ndestroyed once\n");
      }
    }
  });

  it("is let go of when it has been called", async () => {
    const [calls] = valuesOf(
      await evaluate(
        [
          `(async () => {
            const calls = [];
            const ended = [];
            const make = (name) => {
              const destroy = () => calls.push(name);
              ended.push(new WeakRef(destroy));
              cuda.cuUserObjectRelease(cuda.cuUserObjectCreate(null, destroy, 1, 1), 1);
            };
            for (const name of ["a", "b"]) make(name);
            for (let turn = 0; turn < 100 && ended.some((each) => each.deref()); turn++) {
              await new Promise((done) => setTimeout(done, 2));
              global.gc();
            }
            return [calls.sort(), ended.filter((each) => each.deref()).length];
          })()`,
        ],
        { env: { CUDA_DRIVER_LIBRARY: capturing, NODE_OPTIONS: "--expose-gc" } },
      ),
    );
    assert.deepEqual(calls, [["a", "b"], 0]);
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

  it("refuses callbacks that it has not", async () => {
    const told = await evaluate(["native.hook(99, () => {}, true)", "native.enter(99, () => 1n)"], { env: env() });
    assert.deepEqual(
      told.map(({ error }) => [error?.name, error?.message]),
      [
        ["RangeError", "hook: no such callback"],
        ["RangeError", "enter: no such callback"],
      ],
    );
  });

  it("takes names as C does, or not at all", async () => {
    const told = await evaluate(
      [
        "(cuda.openDriver(), native.symbol('cuLaunchHostFunc') !== 0n)",
        "native.symbol('cuLaunchHostFunc\\0x')",
        "native.symbol('x'.repeat(300))",
      ],
      { env: env() },
    );
    assert.deepEqual(valuesOf(told), [true, 0n, 0n]);
    const [long, cut] = valuesOf(
      await evaluate(
        [
          `native.open("${"/".repeat(5000)}" + ${JSON.stringify(capturing)}, false)`,
          `native.open(${JSON.stringify(capturing)} + "\\0x", false)`,
        ],
        { env: env() },
      ),
    );
    assert.match(String(long), /too long/);
    assert.match(String(cut), /NUL/);
  });

  it("settles a promise whose outcome cannot be asked for", async () => {
    const [told] = valuesOf(await evaluate(["settled(() => native.callAsync({}, []))"], { env: env() }));
    assert.equal(errorOf(told as Outcome<unknown>).message, "Invalid argument");
  });

  it("knows whom a call in progress calls back after another copy of the package was at work", async () => {
    const told = await evaluate(
      [
        `(async () => {
          const { index } = (await import(${JSON.stringify(`${PACKAGE}/dist/hooks.js`)})).CUoccupancyB2DSize;
          const { createRequire } = process.getBuiltinModule("module");
          const require = createRequire(${JSON.stringify(ADDON)});
          delete require.cache[${JSON.stringify(ADDON)}];
          const other = require(${JSON.stringify(ADDON)});
          const sizes = [];
          const result = cuda.cuOccupancyMaxPotentialBlockSize(1n, (size) => {
            sizes.push(size);
            for (const addon of [other, native]) {
              addon.enter(index, () => 0n);
              addon.leave();
            }
            return 7;
          }, 0, 100);
          return [sizes, ...result];
        })()`,
      ],
      { env: env() },
    );
    assert.deepEqual(valuesOf(told), [[[100, 101], 7, 7]]);
  });
});

describe("a callback that is gone", () => {
  it("has been called for what the driver did before, and is not by a driver that still has it", async () => {
    const [calls] = valuesOf(
      await evaluate(
        [
          `(async () => {
            let calls = 0;
            const held = cuda.hostFunction(() => calls++);
            cuda.cuStreamBeginCapture_v2(0x50n, 0);
            cuda.cuLaunchHostFunc(0x50n, held.fn, held.userData);
            const graph = cuda.cuStreamEndCapture(0x50n);
            const wait = async () => { for (let i = 0; i < 50; i++) await new Promise((done) => setTimeout(done, 2)) };
            cuda.cuGraphLaunch(graph, null);
            await wait();
            cuda.cuGraphLaunch(graph, null);
            held.release();
            for (let i = 0; i < 1000; i++) cuda.hostFunction(() => (calls += 1000)).release();
            const another = cuda.hostFunction(() => (calls += 100));
            cuda.cuGraphLaunch(graph, null);
            await wait();
            another.release();
            another.release();
            return calls;
          })()`,
        ],
        { env: { CUDA_DRIVER_LIBRARY: capturing } },
      ),
    );
    assert.equal(calls, 2);
  });
});
