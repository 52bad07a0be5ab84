/** Streams and events: order, priorities, time, waiting, callbacks, memory operations. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type * as Cuda from "cuda-driver";
import { cuda } from "./count.ts";
import {
  attempt,
  blocks,
  cudaError,
  gpu,
  has,
  iota,
  kernel,
  launch,
  MISSING,
  numbers,
  poisoned,
  skip,
  unless,
  upload,
  usePrimaryContext,
  words,
} from "./device.ts";

const { ptr, u32, u64 } = cuda.kernel;
const flags = cuda.CUstream_flags;
const state = usePrimaryContext();

/** Keeps a stream busy for so many milliseconds, and then writes `value`. */
function busy(stream: Cuda.CUstream, milliseconds: number, out: bigint | null = null, value = 0): void {
  launch(kernel("spin"), { stream }, u64(milliseconds * 1e6), ptr(out), u32(value));
}

function promise<T = void>(): { done: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => {};
  const done = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { done, resolve };
}

test("streams: flags, priorities, identity, context", { skip }, () => {
  const [least, greatest] = cuda.cuCtxGetStreamPriorityRange();
  const plain = cuda.cuStreamCreate(flags.CU_STREAM_DEFAULT);
  const urgent = cuda.cuStreamCreateWithPriority(flags.CU_STREAM_NON_BLOCKING, greatest);
  assert.deepEqual([cuda.cuStreamGetFlags(plain), cuda.cuStreamGetFlags(urgent)], [0, flags.CU_STREAM_NON_BLOCKING]);
  assert.deepEqual([cuda.cuStreamGetPriority(plain), cuda.cuStreamGetPriority(urgent)], [0, greatest]);
  const outside = cuda.cuStreamCreateWithPriority(0, greatest - 100);
  assert.equal(cuda.cuStreamGetPriority(outside), greatest, "priorities are clamped");
  assert.ok(least >= greatest);
  assert.equal(new Set([plain, urgent, outside].map((stream) => cuda.cuStreamGetId(stream))).size, 3);
  assert.equal(cuda.cuStreamGetCtx(plain), state.context);
  const both = attempt(() => cuda.cuStreamGetCtx_v2(plain), MISSING);
  if (both !== null) assert.equal(both[0], state.context);
  assert.equal(attempt(() => cuda.cuStreamGetDevice(plain), MISSING) ?? state.device, state.device);

  const attributes = cuda.CUlaunchAttributeID;
  const policy = attributes.CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY;
  cuda.cuStreamSetAttribute(plain, policy, cuda.CUsynchronizationPolicy.CU_SYNC_POLICY_BLOCKING_SYNC);
  assert.equal(cuda.cuStreamGetAttribute(plain, policy), cuda.CUsynchronizationPolicy.CU_SYNC_POLICY_BLOCKING_SYNC);
  cuda.cuStreamCopyAttributes(outside, plain);
  assert.equal(cuda.cuStreamGetAttribute(outside, policy), cuda.CUsynchronizationPolicy.CU_SYNC_POLICY_BLOCKING_SYNC);
  for (const stream of [plain, urgent, outside]) cuda.cuStreamDestroy(stream);
  assert.throws(() => cuda.cuStreamCreate(0x1234), cudaError("CUDA_ERROR_INVALID_VALUE"));
});

test("queries say whether work is done; not ready is a value", { skip }, () => {
  const stream = cuda.cuStreamCreate(flags.CU_STREAM_NON_BLOCKING);
  const event = cuda.cuEventCreate(cuda.CUevent_flags.CU_EVENT_DISABLE_TIMING);
  const out = poisoned(1);
  busy(stream, 200, out, 5);
  cuda.cuEventRecord(event, stream);
  assert.deepEqual([cuda.cuStreamQuery(stream), cuda.cuEventQuery(event)], [false, false]);
  cuda.cuEventSynchronize(event);
  assert.deepEqual([cuda.cuStreamQuery(stream), cuda.cuEventQuery(event)], [true, true]);
  assert.equal(words(out, 1)[0], 5);
  cuda.cuEventDestroy(event);
  cuda.cuStreamDestroy(stream);
  cuda.cuMemFree(out);
});

test("events measure time", { skip }, () => {
  const stream = cuda.cuStreamCreate(0);
  const start = cuda.cuEventCreate(0);
  const end = cuda.cuEventCreate(cuda.CUevent_flags.CU_EVENT_BLOCKING_SYNC);
  busy(stream, 1);
  cuda.cuEventRecord(start, stream);
  busy(stream, 30);
  cuda.cuEventRecordWithFlags(end, stream, 0);
  cuda.cuEventSynchronize(end);
  for (const elapsed of [cuda.cuEventElapsedTime(start, end), cuda.cuEventElapsedTime_v1(start, end)]) {
    assert.ok(elapsed >= 29 && elapsed < 1000, `${elapsed} ms`);
  }
  const silent = cuda.cuEventCreate(cuda.CUevent_flags.CU_EVENT_DISABLE_TIMING);
  cuda.cuEventRecord(silent, stream);
  cuda.cuStreamSynchronize(stream);
  assert.throws(() => cuda.cuEventElapsedTime(start, silent), cudaError("CUDA_ERROR_INVALID_HANDLE"));
  for (const event of [start, end, silent]) cuda.cuEventDestroy(event);
  cuda.cuStreamDestroy(stream);
});

test("a stream waits for an event of another", { skip }, () => {
  const first = cuda.cuStreamCreate(flags.CU_STREAM_NON_BLOCKING);
  const second = cuda.cuStreamCreate(flags.CU_STREAM_NON_BLOCKING);
  const event = cuda.cuEventCreate(cuda.CUevent_flags.CU_EVENT_DISABLE_TIMING);
  const count = 1000;
  const data = poisoned(count);
  for (let round = 0; round < 10; round++) {
    busy(first, 2);
    launch(kernel("iota"), { ...blocks(count), stream: first }, ptr(data), u32(count), u32(round));
    cuda.cuEventRecord(event, first);
    cuda.cuStreamWaitEvent(second, event, 0);
    launch(kernel("scale"), { ...blocks(count), stream: second }, ptr(data), u32(count), u32(10), u32(1));
    cuda.cuStreamSynchronize(second);
    assert.deepEqual(
      words(data, count),
      iota(count, round).map((x) => 10 * x + 1),
    );
  }
  cuda.cuEventDestroy(event);
  for (const stream of [first, second]) cuda.cuStreamDestroy(stream);
  cuda.cuMemFree(data);
});

test("the default streams by name", { skip }, () => {
  const data = poisoned(100);
  for (const stream of [null, cuda.CU_STREAM_LEGACY, cuda.CU_STREAM_PER_THREAD]) {
    launch(kernel("iota"), { ...blocks(100), stream }, ptr(data), u32(100), u32(3));
    cuda.cuStreamSynchronize(stream);
    assert.equal(cuda.cuStreamQuery(stream), true);
    assert.deepEqual(words(data, 100), iota(100, 3));
  }
  /* What the null stream means is the program's choice: it was made by the environment. */
  const mode = process.env.CUDA_API_PER_THREAD_DEFAULT_STREAM === "1" ? "perThread" : "legacy";
  assert.equal(cuda.streamMode(), mode);
  const named = mode === "perThread" ? cuda.CU_STREAM_PER_THREAD : cuda.CU_STREAM_LEGACY;
  assert.equal(cuda.cuStreamGetId(null), cuda.cuStreamGetId(named));
  launch(kernel("iota"), { ...blocks(100), stream: cuda.CU_STREAM_PER_THREAD }, ptr(data), u32(100), u32(4));
  cuda.cuStreamSynchronize_ptsz(null);
  assert.equal(cuda.cuStreamQuery_ptsz(null), true);
  const back = new Uint32Array(100);
  cuda.cuMemcpyDtoH_v2_ptds(back, data, 400);
  assert.deepEqual(back, iota(100, 4));
  cuda.cuMemFree(data);
});

test("callbacks run on the thread that made them, in the order of the stream", { skip, timeout: 30_000 }, async () => {
  const stream = cuda.cuStreamCreate(flags.CU_STREAM_NON_BLOCKING);
  const seen: string[] = [];
  const last = promise();
  busy(stream, 20);
  cuda.cuLaunchHostFunc(stream, () => seen.push("host function"));
  cuda.cuStreamAddCallback(
    stream,
    (hStream, status) => {
      assert.deepEqual([hStream, status], [stream, 0]);
      seen.push("callback");
    },
    null,
    0,
  );
  cuda.cuLaunchHostFunc(stream, () => {
    seen.push("last");
    last.resolve();
  });
  assert.deepEqual(seen, [], "none before its turn");
  await last.done;
  assert.deepEqual(seen, ["host function", "callback", "last"]);

  const many = promise();
  let count = 0;
  for (let i = 0; i < 1000; i++) {
    cuda.cuLaunchHostFunc(stream, () => {
      count += 1;
      if (count === 1000) many.resolve();
    });
  }
  await many.done;
  assert.equal(cuda.cuStreamQuery(stream), true);

  const nested = promise<number>();
  const data = poisoned(10);
  cuda.cuLaunchHostFunc(stream, () => {
    /* A callback may call the API: it runs here, not on a thread of the driver's. */
    cuda.cuMemsetD32(data, 9, 10);
    nested.resolve(words(data, 10)[9] as number);
  });
  assert.equal(await nested.done, 9);
  cuda.cuMemFree(data);
  cuda.cuStreamDestroy(stream);
});

const canWait = unless(() => gpu.version >= 12000, "stream memory operations as CUDA 12 has them");

test("stream memory operations: write, wait, batches", { skip: canWait, timeout: 30_000 }, () => {
  const waits = cuda.CUstreamWaitValue_flags;
  const operations = cuda.CUstreamBatchMemOpType;
  const first = cuda.cuStreamCreate(flags.CU_STREAM_NON_BLOCKING);
  const second = cuda.cuStreamCreate(flags.CU_STREAM_NON_BLOCKING);
  const flag = cuda.cuMemAlloc(64);
  const out = poisoned(4);
  cuda.cuMemsetD32(flag, 0, 16);
  cuda.cuCtxSynchronize();

  cuda.cuStreamWaitValue32(first, flag, 7, waits.CU_STREAM_WAIT_VALUE_EQ);
  launch(kernel("iota"), { block: 4, stream: first }, ptr(out), u32(4), u32(1));
  assert.equal(cuda.cuStreamQuery(first), false, "waits");
  cuda.cuStreamWriteValue32(second, flag, 7, 0);
  cuda.cuStreamSynchronize(first);
  assert.deepEqual(words(out, 4), iota(4, 1));
  assert.equal(words(flag, 1)[0], 7);

  const wide = 2n ** 40n + 3n;
  cuda.cuStreamWriteValue64(second, flag + 8n, wide, 0);
  cuda.cuStreamWaitValue64(first, flag + 8n, wide, waits.CU_STREAM_WAIT_VALUE_GEQ);
  cuda.cuStreamSynchronize(first);
  const both = words(flag + 8n, 2);
  assert.equal(BigInt(both[0] as number) + (BigInt(both[1] as number) << 32n), wide);

  const batch = [
    {
      writeValue: { operation: operations.CU_STREAM_MEM_OP_WRITE_VALUE_32, address: flag + 16n, value: 21 },
    },
    {
      writeValue: { operation: operations.CU_STREAM_MEM_OP_WRITE_VALUE_64, address: flag + 24n, value64: wide },
    },
    {
      waitValue: {
        operation: operations.CU_STREAM_MEM_OP_WAIT_VALUE_32,
        address: flag + 16n,
        value: 21,
        flags: waits.CU_STREAM_WAIT_VALUE_EQ,
      },
    },
  ];
  cuda.cuStreamBatchMemOp(first, batch.length, batch, 0);
  cuda.cuStreamSynchronize(first);
  assert.equal(words(flag + 16n, 1)[0], 21);
  assert.equal(words(flag + 24n, 1)[0], 3);

  if (has("CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_MEM_OPS_V1") === 1) {
    cuda.cuStreamWriteValue32_v1(first, flag, 70, 0);
    cuda.cuStreamWaitValue32_v1(first, flag, 70, waits.CU_STREAM_WAIT_VALUE_EQ);
    cuda.cuStreamSynchronize(first);
    assert.equal(words(flag, 1)[0], 70);
  }
  for (const stream of [first, second]) cuda.cuStreamDestroy(stream);
  for (const pointer of [flag, out]) cuda.cuMemFree(pointer);
});

test("persisting accesses: a window over memory on a stream", {
  skip: unless(() => has("CU_DEVICE_ATTRIBUTE_MAX_ACCESS_POLICY_WINDOW_SIZE") > 0, "access policy windows"),
}, () => {
  const stream = cuda.cuStreamCreate(0);
  const data = upload(numbers(1 << 16));
  const id = cuda.CUlaunchAttributeID.CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW;
  cuda.cuStreamSetAttribute(stream, id, {
    base_ptr: data,
    num_bytes: 1 << 18,
    hitRatio: 0.5,
    hitProp: cuda.CUaccessProperty.CU_ACCESS_PROPERTY_PERSISTING,
    missProp: cuda.CUaccessProperty.CU_ACCESS_PROPERTY_STREAMING,
  });
  const accessPolicyWindow = cuda.cuStreamGetAttribute(stream, id);
  assert.deepEqual(
    [accessPolicyWindow.base_ptr, accessPolicyWindow.num_bytes, accessPolicyWindow.hitRatio],
    [data, 2n ** 18n, 0.5],
  );
  launch(kernel("scale"), { ...blocks(1 << 16), stream }, ptr(data), u32(1 << 16), u32(1), u32(1));
  assert.deepEqual(
    words(data, 1 << 16),
    numbers(1 << 16).map((x) => x + 1),
  );
  cuda.cuCtxResetPersistingL2Cache();
  cuda.cuStreamDestroy(stream);
  cuda.cuMemFree(data);
});
