/** Green contexts: a part of the multiprocessors, with streams of its own. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cuda } from "./count.ts";
import {
  attempt,
  blocks,
  gpu,
  iota,
  kernel,
  launch,
  MISSING,
  NOT_SUPPORTED,
  poisoned,
  unless,
  usePrimaryContext,
  words,
} from "./device.ts";

const { ptr, u32 } = cuda.kernel;
const kinds = cuda.CUdevResourceType;
const state = usePrimaryContext();
const skip = unless(() => gpu.version >= 12040, "CUDA 12.4");

test("multiprocessors split in two, a context over one part", { skip }, (t) => {
  const whole = cuda.cuDeviceGetDevResource(state.device, kinds.CU_DEV_RESOURCE_TYPE_SM);
  const total = whole.sm.smCount;
  const [groups, remainder] = cuda.cuDevSmResourceSplitByCount(whole, 0, 16);
  assert.ok(groups.length >= 1);
  const first = groups[0];
  assert.ok(first !== undefined && first.sm.smCount >= 16 && first.sm.smCount < total);
  const parts = groups.reduce((sum, group) => sum + group.sm.smCount, remainder.sm.smCount);
  assert.ok(parts <= total, `${parts} of ${total}`);
  const [one, others] = cuda.cuDevSmResourceSplitByCount(whole, 0, 16, 1);
  assert.equal(one.length, 1);
  assert.equal((one[0]?.sm.smCount ?? 0) + others.sm.smCount, total);

  const description = cuda.cuDevResourceGenerateDesc([first], 1);
  const green = cuda.cuGreenCtxCreate(
    description,
    state.device,
    cuda.CUgreenCtxCreate_flags.CU_GREEN_CTX_DEFAULT_STREAM,
  );
  assert.equal(cuda.cuGreenCtxGetDevResource(green, kinds.CU_DEV_RESOURCE_TYPE_SM).sm.smCount, first.sm.smCount);
  const id = attempt(() => cuda.cuGreenCtxGetId(green), MISSING);
  assert.ok(id === null || id > 0n);

  const context = cuda.cuCtxFromGreenCtx(green);
  assert.equal(cuda.cuCtxGetDevResource(context, kinds.CU_DEV_RESOURCE_TYPE_SM).sm.smCount, first.sm.smCount);
  const stream = cuda.cuGreenCtxStreamCreate(green, cuda.CUstream_flags.CU_STREAM_NON_BLOCKING, 0);
  assert.equal(cuda.cuStreamGetGreenCtx(stream), green);
  const data = poisoned(100_000);
  launch(kernel("iota"), { ...blocks(100_000), stream }, ptr(data), u32(100_000), u32(17));
  cuda.cuStreamSynchronize(stream);
  assert.deepEqual(words(data, 100_000), iota(100_000, 17));

  const event = cuda.cuEventCreate(0);
  cuda.cuGreenCtxRecordEvent(green, event);
  cuda.cuGreenCtxWaitEvent(green, event);
  cuda.cuEventSynchronize(event);
  assert.equal(cuda.cuEventQuery(event), true);
  const resource = attempt(
    () => cuda.cuStreamGetDevResource(stream, kinds.CU_DEV_RESOURCE_TYPE_SM),
    MISSING,
    NOT_SUPPORTED,
  );
  assert.ok(resource === null || resource.sm.smCount === first.sm.smCount);

  /* As a context: what is launched while it is current runs on its part. */
  cuda.cuCtxPushCurrent(context);
  const own = cuda.cuMemAlloc(400);
  const back = new Uint32Array(100);
  const legacy = cuda.CU_STREAM_LEGACY;
  launch(kernel("iota"), { ...blocks(100), stream: legacy }, ptr(own), u32(100), u32(1));
  cuda.cuMemcpyDtoHAsync(back, own, back.byteLength, legacy);
  cuda.cuStreamSynchronize(legacy);
  assert.deepEqual(back, iota(100, 1));
  /* A green context has one default stream: driver 13.0 knows no stream per thread there. */
  const perThread = attempt(() => {
    launch(kernel("nothing"), { stream: cuda.CU_STREAM_PER_THREAD });
    return true;
  }, "CUDA_ERROR_INVALID_HANDLE");
  t.diagnostic(`a stream per thread in a green context: ${perThread ? "works" : "CUDA_ERROR_INVALID_HANDLE"}`);
  cuda.cuMemFree(own);
  cuda.cuCtxPopCurrent();

  cuda.cuEventDestroy(event);
  cuda.cuStreamDestroy(stream);
  cuda.cuMemFree(data);
  cuda.cuGreenCtxDestroy(green);
  assert.equal(cuda.cuCtxGetCurrent(), state.context);
});
