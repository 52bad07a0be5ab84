/** Contexts: the primary one, several at once, one in each worker. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { cuda } from "./count.ts";
import {
  attempt,
  blocks,
  cudaError,
  INVALID_VALUE,
  iota,
  kernel,
  launch,
  NOT_SUPPORTED,
  poisoned,
  skip,
  words,
} from "./device.ts";

const { ptr, u32 } = cuda.kernel;
const flags = cuda.CUctx_flags;
const limits = cuda.CUlimit;

test("the primary context: flags, state, retain, release, reset", { skip }, () => {
  const device = cuda.cuDeviceGet(0);
  assert.deepEqual(cuda.cuDevicePrimaryCtxGetState(device), [0, 0]);
  cuda.cuDevicePrimaryCtxSetFlags(device, flags.CU_CTX_SCHED_BLOCKING_SYNC);
  const context = cuda.cuDevicePrimaryCtxRetain(device);
  assert.equal(cuda.cuDevicePrimaryCtxRetain(device), context, "there is only one");
  const [set, active] = cuda.cuDevicePrimaryCtxGetState(device);
  assert.deepEqual([set & flags.CU_CTX_SCHED_MASK, active], [flags.CU_CTX_SCHED_BLOCKING_SYNC, 1]);
  cuda.cuDevicePrimaryCtxRelease(device);
  assert.equal(cuda.cuDevicePrimaryCtxGetState(device)[1], 1, "retained twice, released once");
  cuda.cuDevicePrimaryCtxRelease(device);
  assert.equal(cuda.cuDevicePrimaryCtxGetState(device)[1], 0);

  cuda.cuDevicePrimaryCtxRetain(device);
  cuda.cuDevicePrimaryCtxReset(device);
  assert.equal(cuda.cuDevicePrimaryCtxGetState(device)[1], 0, "reset");
  cuda.cuDevicePrimaryCtxSetFlags(device, 0);
});

test("several contexts: a stack, each with its own memory and identity", { skip }, () => {
  const device = cuda.cuDeviceGet(0);
  assert.equal(cuda.cuCtxGetCurrent(), 0n);
  assert.throws(() => cuda.cuMemAlloc(16), cudaError("CUDA_ERROR_INVALID_CONTEXT"));

  const first = cuda.cuCtxCreate(null, flags.CU_CTX_SCHED_YIELD, device);
  const second = cuda.cuCtxCreate_v2(flags.CU_CTX_SCHED_SPIN, device);
  const third = cuda.cuCtxCreate_v3(null, 0, 0, device);
  assert.equal(new Set([first, second, third]).size, 3);
  assert.equal(new Set([first, second, third].map((context) => cuda.cuCtxGetId(context))).size, 3);
  assert.equal(cuda.cuCtxGetCurrent(), third, "the newest is current");
  assert.equal(cuda.cuCtxPopCurrent(), third);
  assert.equal(cuda.cuCtxGetCurrent(), second);
  assert.equal(cuda.cuCtxGetFlags() & flags.CU_CTX_SCHED_MASK, flags.CU_CTX_SCHED_SPIN);

  const inSecond = poisoned(256);
  cuda.cuCtxPushCurrent(first);
  assert.equal(cuda.cuCtxGetFlags() & flags.CU_CTX_SCHED_MASK, flags.CU_CTX_SCHED_YIELD);
  assert.equal(cuda.cuCtxGetDevice(), device);
  const inFirst = poisoned(256);
  launch(kernel("iota"), blocks(256), ptr(inFirst), u32(256), u32(1000));
  const owner = cuda.CUpointer_attribute.CU_POINTER_ATTRIBUTE_CONTEXT;
  assert.equal(cuda.cuPointerGetAttribute(owner, inFirst), first);
  assert.equal(cuda.cuPointerGetAttribute(owner, inSecond), second);
  assert.deepEqual(words(inFirst, 256), iota(256, 1000));
  assert.equal(cuda.cuCtxPopCurrent(), first);

  launch(kernel("iota"), blocks(256), ptr(inSecond), u32(256), u32(2000));
  assert.deepEqual(words(inSecond, 256), iota(256, 2000));
  assert.ok(cuda.cuCtxGetApiVersion(second) >= 3020);
  assert.equal(attempt(() => cuda.cuCtxGetDevice_v2(first), "CUDA_ERROR_NOT_FOUND") ?? device, device);
  attempt(() => cuda.cuCtxSynchronize_v2(first), "CUDA_ERROR_NOT_FOUND");

  assert.equal(cuda.cuCtxGetCurrent(), second);
  cuda.cuCtxDestroy(third);
  assert.equal(cuda.cuCtxGetCurrent(), second, "another one was destroyed");
  /* The current one is also taken off the stack; one that lies deeper would stay there, destroyed. */
  cuda.cuCtxDestroy(second);
  assert.equal(cuda.cuCtxGetCurrent(), first, "what lay under it is current");
  cuda.cuCtxDestroy(first);
  assert.equal(cuda.cuCtxGetCurrent(), 0n, "nothing lay under it");
});

test("the settings of a context", { skip }, (t) => {
  const context = cuda.cuCtxCreate(null, 0, cuda.cuDeviceGet(0));
  cuda.cuCtxSetLimit(limits.CU_LIMIT_STACK_SIZE, 4096);
  assert.equal(cuda.cuCtxGetLimit(limits.CU_LIMIT_STACK_SIZE), 4096n);
  cuda.cuCtxSetLimit(limits.CU_LIMIT_PRINTF_FIFO_SIZE, 2n ** 20n);
  assert.ok(cuda.cuCtxGetLimit(limits.CU_LIMIT_PRINTF_FIFO_SIZE) >= 2n ** 20n);
  assert.throws(() => cuda.cuCtxGetLimit(9999 as number), cudaError(INVALID_VALUE), "no limit that there is");

  cuda.cuCtxSetCacheConfig(cuda.CUfunc_cache.CU_FUNC_CACHE_PREFER_L1);
  assert.ok(cuda.cuCtxGetCacheConfig() in cuda.CUfunc_cache);
  attempt(() => cuda.cuCtxSetSharedMemConfig(0), NOT_SUPPORTED, "CUDA_ERROR_NOT_FOUND");
  const bank = attempt(() => cuda.cuCtxGetSharedMemConfig(), NOT_SUPPORTED, "CUDA_ERROR_NOT_FOUND");
  assert.ok(bank === null || bank in cuda.CUsharedconfig);
  const [least, greatest] = cuda.cuCtxGetStreamPriorityRange();
  assert.ok(least === 0 && greatest < 0, `priorities from ${least} to ${greatest}`);
  cuda.cuCtxResetPersistingL2Cache();

  cuda.cuCtxSetFlags(flags.CU_CTX_SCHED_BLOCKING_SYNC);
  assert.equal(cuda.cuCtxGetFlags() & flags.CU_CTX_SCHED_MASK, flags.CU_CTX_SCHED_BLOCKING_SYNC);
  const support = cuda.cuDeviceGetExecAffinitySupport(
    cuda.CUexecAffinityType.CU_EXEC_AFFINITY_TYPE_SM_COUNT,
    cuda.cuDeviceGet(0),
  );
  const affinity = attempt(
    () => cuda.cuCtxGetExecAffinity(cuda.CUexecAffinityType.CU_EXEC_AFFINITY_TYPE_SM_COUNT),
    "CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY",
    NOT_SUPPORTED,
  );
  assert.ok(affinity === null || affinity.param.smCount.val > 0, `affinity supported: ${support}`);

  const event = cuda.cuEventCreate(0);
  const recorded = attempt(
    () => {
      cuda.cuCtxRecordEvent(context, event);
      cuda.cuCtxWaitEvent(context, event);
      return true;
    },
    NOT_SUPPORTED,
    "CUDA_ERROR_INVALID_CONTEXT",
  );
  t.diagnostic(`an event of a context that is neither primary nor green: ${recorded ? "recorded" : "refused"}`);
  cuda.cuCtxSynchronize();
  assert.equal(cuda.cuEventQuery(event), true);
  cuda.cuEventDestroy(event);

  const attached = attempt(() => cuda.cuCtxAttach(0), NOT_SUPPORTED, "CUDA_ERROR_NOT_FOUND");
  if (attached !== null) {
    assert.equal(attached, context);
    cuda.cuCtxDetach(attached);
  }
  cuda.cuCtxDestroy(context);
});

test("each worker has a current context of its own", { skip, timeout: 60_000 }, async () => {
  const device = cuda.cuDeviceGet(0);
  const context = cuda.cuDevicePrimaryCtxRetain(device);
  cuda.cuCtxSetCurrent(context);
  const results = await Promise.all(
    [1, 2, 3].map(
      (number) =>
        new Promise<{ before: bigint; context: bigint; right: boolean }>((resolve, reject) => {
          const worker = new Worker(new URL("children/context.worker.ts", import.meta.url), { workerData: number });
          worker.once("message", resolve);
          worker.once("error", reject);
        }),
    ),
  );
  for (const { before, right } of results) {
    assert.equal(before, 0n, "a new thread has no current context");
    assert.equal(right, true);
  }
  assert.equal(new Set([context, ...results.map((result) => result.context)]).size, 4);
  assert.equal(cuda.cuCtxGetCurrent(), context, "the main thread's stayed");
  cuda.cuDevicePrimaryCtxRelease(device);
});
