/** What Node does with addons: threads that come and go, contexts, caches. One scenario a process. */
import { once } from "node:events";
import { createRequire } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import vm from "node:vm";
import { Worker, type WorkerOptions } from "node:worker_threads";
import { answer, question } from "../child.ts";

const ADDON = fileURLToPath(new URL("../../../generated/build/Release/cuda_driver.node", import.meta.url));
const require = createRequire(import.meta.url);
declare const gc: () => void;

/** A thread that runs JavaScript with the package as `cuda` and `driver`, `tell` to answer and `data`. */
function thread(code: string, options: WorkerOptions = {}): Worker {
  const head = `
    const { parentPort, workerData: data } = require("node:worker_threads");
    const tell = (value) => parentPort.postMessage(value);
    Promise.all([import("cuda-driver"), import("cuda-driver/v2/driver")]).then(async ([cuda, driver]) => {`;
  return new Worker(`${head}${code}})`, { eval: true, execArgv: [], ...options });
}

async function told(worker: Worker): Promise<unknown> {
  const [value] = await Promise.race([
    once(worker, "message"),
    once(worker, "error").then(([error]) => Promise.reject(error)),
  ]);
  return value;
}

const ANSWER = `tell({
  info: (({ path, version, lookUp }) => ({ path, version, lookUp }))(cuda.driverInfo()), version: cuda.cuDriverGetVersion(),
  alloc: driver.get_proc_address_v2("cuMemAlloc", 12000, 0n), none: driver.get_proc_address_v2("cuNoSuchThing", 12000, 0n),
  lacks: (() => { try { cuda.cuGreenCtxDestroy(1n) } catch (error) { return error.name } })(),
});`;

const scenarios: Record<string, () => Promise<unknown>> = {
  /** Main thread, a worker, a second one after the first has ended, one beside it. */
  async threads() {
    const first = thread(ANSWER);
    const answers = [await told(first)];
    await first.terminate();
    const main = await import("cuda-driver");
    answers.push(await told(thread(ANSWER)));
    answers.push(...(await Promise.all([told(thread(ANSWER)), told(thread(ANSWER))])));
    const { path, version, lookUp } = main.driverInfo();
    return { answers, main: [{ path, version, lookUp }, main.cuDriverGetVersion()] };
  },

  /** Eight threads that meet at a barrier before the first look-up of the process. */
  async together() {
    const gate = new Int32Array(new SharedArrayBuffer(4));
    const code = `
      const names = Object.keys(cuda.symbols);
      Atomics.add(data, 0, 1); while (Atomics.load(data, 0) < 8);
      const calls = [];
      for (let round = 0; round < 200; round++) {
        calls.push(cuda.cuDriverGetVersion());
        try { cuda.cuGreenCtxDestroy(1n); calls.push("called") } catch (error) { calls.push(error.code) }
        try { cuda.cuDevSmResourceSplit(null, 0, null, 0, 0, null); } catch (error) { calls.push(error.name) }
      }
      const answers = names.map((name) => driver.get_proc_address_v2(name, 12000, 0n));
      const missing = names.map((name) => driver.get_proc_address_v2(name + "x", 12000, 0n));
      const promised = await Promise.all(Array.from({ length: 50 }, () => cuda.promises.cuDriverGetVersion()));
      tell({ info: cuda.driverInfo(), calls: [...new Set(calls)], answers, missing: [...new Set(missing.flat())], promised: [...new Set(promised)] });`;
    const threads = Array.from({ length: 8 }, () => thread(code, { workerData: gate }));
    return Promise.all(threads.map(told));
  },

  /** The addon loaded again after the cache was cleared: another door to the same driver. */
  async cache() {
    const first = require(ADDON);
    delete require.cache[ADDON];
    const second = require(ADDON);
    const cuda = await import("cuda-driver");
    const { path, version, lookUp } = cuda.driverInfo();
    return {
      distinct: first !== second && first.frame !== second.frame,
      info: [{ path, version, lookUp }, first.info(), second.info()],
      symbols: [first.symbol("cuInit"), second.symbol("cuInit")],
      version: cuda.cuDriverGetVersion(),
    };
  },

  /** The addon and the package used from a vm context, with that context's own buffers. */
  async context() {
    const cuda = await import("cuda-driver");
    const inside = vm.createContext({ cuda, require, addon: ADDON });
    const run = (code: string): unknown => {
      try {
        return vm.runInContext(code, inside);
      } catch (error) {
        return String(error);
      }
    };
    cuda.driverInfo();
    return {
      addon: run("delete require.cache[addon]; require(addon).info()"),
      version: run("cuda.cuDriverGetVersion()"),
      copies: [
        run("cuda.cuMemcpyHtoD(1n, new Uint8Array([1, 2]), 2)"),
        run("cuda.cuMemcpyHtoD(1n, new Uint8Array([3, 4]).buffer, 2)"),
        run("cuda.cuMemcpyHtoD(1n, new DataView(new Uint8Array([5, 6]).buffer), 2)"),
        run("var b = new SharedArrayBuffer(2); new Uint8Array(b).set([7, 8]); cuda.cuMemcpyHtoD(1n, b, 2)"),
      ],
      library: typeof run("cuda.cuLibraryLoadFromFile('a', [0, 4], [16, 64])"),
      slots: run("var s = new BigUint64Array([64n]); cuda.cuLibraryLoadFromFile('a', new Int32Array([4]), s); s[0]"),
      array: run("var v = [64]; cuda.cuLibraryLoadFromFile('a', [4], v); v[0]"),
      refused: run("try { cuda.cuMemcpyHtoD(1n, new Uint8Array(1), 2) } catch (error) { error.message }"),
    };
  },

  /** A thread that ends while its calls are under way. */
  async terminate() {
    let ended = 0;
    for (let round = 0; round < 20; round++) {
      const worker = thread(`
        for (let i = 0; i < 8; i++) cuda.promises.cuStreamSynchronize(150n).then(() => tell("late"), () => {});
        cuda.promises.cuMemcpyHtoD(1n, new Uint8Array(1000000), 1000000);
        tell("under way");`);
      await told(worker);
      if (round % 2 === 0) await sleep(round);
      await worker.terminate();
      gc();
      ended++;
    }
    const cuda = await import("cuda-driver");
    return { ended, version: await cuda.promises.cuDriverGetVersion() };
  },

  /** A call that re-enters JavaScript: the outcome of a promise and calls of its own. */
  async reenter() {
    const cuda = await import("cuda-driver");
    const results = await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        const first = await cuda.promises.cuMemAlloc(i === 7 ? 44 : 100);
        const direct = cuda.cuMemAlloc(44);
        const second = await cuda.promises.cuMemGetInfo();
        return [first, direct, ...second];
      }),
    );
    return results.map((row) => row.map(String).join(" "));
  },

  /** Loaded only inside a worker that ends, a hundred times. */
  async hundred() {
    const memory: number[] = [];
    const answers = new Set<unknown>();
    for (let round = 0; round < 100; round++) {
      const worker = thread(`cuda.cuDriverGetVersion(); cuda.promises.cuDriverGetVersion().then(tell)`);
      answers.add(await told(worker));
      await worker.terminate();
      gc();
      if (round % 10 === 9) memory.push(Math.round(process.memoryUsage.rss() / 1024 / 1024));
    }
    return { memory, answers: [...answers] };
  },

  /** Every record and string of a thread goes with it; a million calls leave nothing behind. */
  async leaks() {
    const cuda = await import("cuda-driver");
    const measure: number[] = [];
    for (let round = 0; round < 5; round++) {
      for (let i = 0; i < 200_000; i++) {
        cuda.cuDriverGetVersion();
        try {
          cuda.cuMemAlloc(-1);
        } catch {}
      }
      for (let i = 0; i < 2_000; i++) await cuda.promises.cuDriverGetVersion();
      for (let i = 0; i < 2_000; i++) cuda.cuGetProcAddress_v2(`cu${"x".repeat(5000)}`, 12000, 0);
      gc();
      measure.push(Math.round(process.memoryUsage.rss() / 1024 / 1024));
    }
    return measure;
  },
};

const name = await question<string>();
answer(await (scenarios[name] ?? (() => Promise.reject(new Error(`no scenario ${name}`))))());
process.exit(0);
