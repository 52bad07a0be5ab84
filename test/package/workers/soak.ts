/** Calls and calls: a mixed set with callbacks, on this thread or on eight of them, against the driver fixtures/soak.c. */
import { strict as assert } from "node:assert";
import { once } from "node:events";
import { setImmediate as turn } from "node:timers/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import * as cuda from "cuda-driver";
import { answer, question } from "../child.ts";

declare const gc: () => void;

export interface Soak {
  threads: number;
  /** Calls of each thread: the answer tells what is resident after each of these counts. */
  counts: number[];
}

export interface Soaked {
  calls: number;
  callbacks: number;
  promises: number;
  errors: number;
  /** Bytes that the process has after each count; measured on one thread alone. */
  resident: number[];
}

type Context = ReturnType<typeof cuda.cuCtxGetCurrent>;
type Module = Parameters<typeof cuda.cuModuleGetFunction>[0];
type Graph = Parameters<typeof cuda.cuGraphGetNodes>[0];

/** What the process keeps when all that can be collected is. */
async function resident(): Promise<number> {
  for (let round = 0; round < 5; round++) {
    await turn();
    gc();
  }
  cuda.cuCtxSynchronize();
  return process.memoryUsage.rss();
}

/** One thread's calls; every answer is checked. `me` is in every question, so that another's answer shows. */
async function soak(me: number, counts: readonly number[], measure: boolean): Promise<Soaked> {
  const told: Soaked = { calls: 0, callbacks: 0, promises: 0, errors: 0, resident: [] };
  const context = BigInt(0x1000 + me) as Context;
  cuda.cuCtxSetCurrent(context);
  const streams = [0, 1].map((odd) => cuda.cuStreamCreate(odd));
  const sum = BigUint64Array.of(0n);
  const place = cuda.addressOf(sum);
  const bytes = new Uint8Array(16);
  const long = `${"x".repeat(600)}${me}`;
  told.calls += 3;
  let round = 0;
  let expected = 0;

  function someCalls(): void {
    round++;
    const small = round % 1000;
    const stream = streams[round & 1] as (typeof streams)[0];
    assert.equal(cuda.cuCtxGetCurrent(), context);
    assert.equal(cuda.cuCtxGetId(context), context * 4n);
    assert.equal(cuda.cuStreamGetId(stream), stream ^ 0xffff0000ffff0000n);
    assert.equal(cuda.cuStreamQuery(stream), (round & 1) === 0);
    assert.equal(cuda.cuMemAlloc(small + 100), BigInt(small + 100) * 4096n + context);
    assert.throws(() => cuda.cuMemAlloc(13), { code: "CUDA_ERROR_OUT_OF_MEMORY" });
    assert.throws(() => cuda.cuMemAlloc(-small - 1), RangeError);
    told.errors += 2;
    assert.equal(cuda.cuDeviceGetName(64, small), `device ${small} of ${context}`);
    const name = round % 8 === 0 ? long : `kernel${me}`;
    const handle = (BigInt(name.length) << 32n) | (BigInt(name.charCodeAt(name.length - 1)) << 24n) | BigInt(me + 1);
    assert.equal(cuda.cuModuleGetFunction(BigInt(me + 1) as Module, name), handle);
    const array = cuda.cuArray3DCreate({ Width: small, Height: me, NumChannels: 4 });
    const { Width, Height, NumChannels } = cuda.cuArray3DGetDescriptor(array);
    assert.ok(Width === BigInt(small) && Height === BigInt(me) && NumChannels === 4);
    const graph = BigInt(me * 16 + (round & 7));
    const nodes = cuda.cuGraphGetNodes(graph as Graph);
    assert.ok(nodes.length === (round & 7) && nodes.every((node, at) => node === graph * 100n + BigInt(at)));
    cuda.cuMemcpyDtoH(bytes, BigInt(me + small) as ReturnType<typeof cuda.cuMemAlloc>, 16);
    assert.equal(bytes[15], (me + small + 15) & 255);
    const before = sum[0] as bigint;
    const params = cuda.kernelParams(cuda.kernel.ptr(place), cuda.kernel.i32(me));
    cuda.cuLaunchKernel(
      handle as ReturnType<typeof cuda.cuModuleGetFunction>,
      3,
      1,
      1,
      1,
      1,
      1,
      0,
      stream,
      params,
      null,
    );
    assert.equal(sum[0], before + BigInt(3 * me) + stream);
    const kept = round;
    expected += 2;
    cuda.cuLaunchHostFunc(stream, () => {
      told.callbacks++;
      assert.ok(kept <= round && cuda.cuCtxGetCurrent() === context);
    });
    const called = (from: unknown, status: number) => {
      told.callbacks++;
      assert.ok(from === stream && status === 0);
    };
    cuda.cuStreamAddCallback(stream, called, null, 0);
    /* 15 above, and the host function's own. */
    told.calls += 17;
  }

  async function promised(): Promise<void> {
    const devices = Array.from({ length: 8 }, (_, at) => at * 1000 + me);
    const names = await Promise.all(devices.map((device) => cuda.promises.cuDeviceGetName(64, device)));
    for (const [at, name] of names.entries()) assert.equal(name, `device ${devices[at]} of ${context}`);
    told.promises += names.length;
    told.calls += names.length;
  }

  for (const count of counts) {
    while (told.calls < count) {
      for (let n = 0; n < 32 && told.calls < count; n++) someCalls();
      await promised();
      while (told.callbacks < expected) await turn();
    }
    if (measure) told.resident.push(await resident());
  }
  assert.equal(told.callbacks, expected);
  return told;
}

if (isMainThread) {
  const { threads, counts } = await question<Soak>();
  if (threads === 1) answer([await soak(1, counts, true)]);
  else {
    /* Node 20's threads do not take tsx over. */
    const self = JSON.stringify(import.meta.url);
    const start = `import("tsx/esm/api").then(({ register }) => { register(); return import(${self}); })`;
    const workers = Array.from(
      { length: threads },
      (_, at) => new Worker(start, { eval: true, execArgv: [], workerData: { me: at + 1, counts } }),
    );
    const told = workers.map(async (worker): Promise<Soaked> => {
      const [value] = await Promise.race([
        once(worker, "message"),
        once(worker, "error").then(([error]) => Promise.reject(error)),
      ]);
      return value as Soaked;
    });
    answer(await Promise.all(told));
  }
} else {
  const { me, counts } = workerData as { me: number; counts: number[] };
  parentPort?.postMessage(await soak(me, counts, false));
}
