/** The same functions on pool threads: the event loop goes on, the context comes along, errors reject. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cuda } from "./count.ts";
import { blocks, cudaError, iota, kernelFile, numbers, skip, usePrimaryContext } from "./device.ts";

const { ptr, u32, u64 } = cuda.kernel;
const { promises } = cuda;
const state = usePrimaryContext();

test("a program in promises from loading to unloading", { skip, timeout: 60_000 }, async () => {
  assert.equal(await promises.cuCtxGetCurrent(), state.context);
  assert.equal(await promises.cuDeviceGetCount(), cuda.cuDeviceGetCount());
  assert.equal(await promises.cuDriverGetVersion(), cuda.cuDriverGetVersion());
  const count = 10_000;
  const bytes = 4 * count;
  const stream = await promises.cuStreamCreate(cuda.CUstream_flags.CU_STREAM_NON_BLOCKING);
  const event = await promises.cuEventCreate(0);
  const module = await promises.cuModuleLoad(kernelFile("kernels.fatbin"));
  const fn = await promises.cuModuleGetFunction(module, "iota");
  const memory = await promises.cuMemAlloc(bytes);
  const other = await promises.cuMemAlloc(bytes);
  await promises.cuMemsetD32Async(memory, 0, count, stream);
  const { grid, block } = blocks(count);
  const params = cuda.kernelParams(ptr(memory), u32(count), u32(25));
  await promises.cuLaunchKernel(fn, grid, 1, 1, block, 1, 1, 0, stream, params, null);
  await promises.cuMemcpyDtoDAsync(other, memory, bytes, stream);
  await promises.cuEventRecord(event, stream);
  await promises.cuEventSynchronize(event);
  assert.equal(await promises.cuEventQuery(event), true);
  const back = new Uint32Array(count);
  await promises.cuMemcpyDtoH(back, other, bytes);
  assert.deepEqual(back, iota(count, 25));

  await promises.cuMemcpyHtoD(memory, numbers(count), bytes);
  /* A small copy from pageable memory may return before it has arrived, and this stream does not wait for others. */
  await promises.cuCtxSynchronize();
  await promises.cuMemcpyDtoHAsync(back, memory, bytes, stream);
  await promises.cuStreamSynchronize(stream);
  assert.deepEqual(back, numbers(count));
  assert.deepEqual(await promises.cuMemGetAddressRange(memory), [memory, BigInt(bytes)]);
  const type = cuda.CUpointer_attribute.CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
  assert.equal(await promises.cuPointerGetAttribute(type, memory), cuda.CUmemorytype.CU_MEMORYTYPE_DEVICE);

  await promises.cuMemFree(memory);
  await promises.cuMemFree(other);
  await promises.cuModuleUnload(module);
  await promises.cuEventDestroy(event);
  await promises.cuStreamDestroy(stream);
  await promises.cuCtxSynchronize();
});

test("the event loop goes on while the GPU works", { skip, timeout: 60_000 }, async () => {
  const library = cuda.cuLibraryLoadFromFile(kernelFile("kernels.fatbin"));
  const spin = cuda.cuKernelGetFunction(cuda.cuLibraryGetKernel(library, "spin"));
  const stream = cuda.cuStreamCreate(cuda.CUstream_flags.CU_STREAM_NON_BLOCKING);
  const params = cuda.kernelParams(u64(300_000_000), ptr(null), u32(0));
  cuda.cuLaunchKernel(spin, 1, 1, 1, 1, 1, 1, 0, stream, params, null);
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
  }, 10);
  await promises.cuStreamSynchronize(stream);
  clearInterval(timer);
  assert.ok(ticks >= 10, `${ticks} ticks in 300 ms`);
  cuda.cuStreamDestroy(stream);
  cuda.cuLibraryUnload(library);
});

test("many calls at once, each with its own arguments and results", { skip, timeout: 60_000 }, async () => {
  const sizes = Array.from({ length: 64 }, (_, i) => 256 * (i + 1));
  const pointers = await Promise.all(sizes.map((size) => promises.cuMemAlloc(size)));
  assert.equal(new Set(pointers).size, sizes.length);
  await Promise.all(pointers.map((pointer, i) => promises.cuMemsetD8(pointer, i, sizes[i] as number)));
  const ranges = await Promise.all(pointers.map((pointer) => promises.cuMemGetAddressRange(pointer)));
  assert.deepEqual(
    ranges.map(([base, size]) => [base, size]),
    pointers.map((pointer, i) => [pointer, BigInt(sizes[i] as number)]),
  );
  await promises.cuCtxSynchronize();
  const contents = await Promise.all(
    pointers.map(async (pointer, i) => {
      const data = new Uint8Array(sizes[i] as number);
      await promises.cuMemcpyDtoH(data, pointer, data.length);
      return data;
    }),
  );
  for (const [i, data] of contents.entries())
    assert.ok(
      data.every((byte) => byte === i),
      `buffer ${i}`,
    );
  await Promise.all(pointers.map((pointer) => promises.cuMemFree(pointer)));
});

test("the context is the caller's, call by call", { skip, timeout: 60_000 }, async () => {
  const other = cuda.cuCtxCreate(null, 0, state.device);
  const inOther = promises.cuCtxGetCurrent();
  cuda.cuCtxSetCurrent(state.context);
  const inPrimary = promises.cuCtxGetCurrent();
  /* NULL takes the top off the stack, and what lies under it is current then. */
  cuda.cuCtxSetCurrent(null);
  assert.equal(cuda.cuCtxGetCurrent(), state.context);
  const inPrimaryAgain = promises.cuCtxGetCurrent();
  cuda.cuCtxSetCurrent(null);
  assert.equal(cuda.cuCtxGetCurrent(), 0n);
  const inNone = promises.cuCtxGetCurrent();
  assert.deepEqual(await Promise.all([inOther, inPrimary, inPrimaryAgain, inNone]), [
    other,
    state.context,
    state.context,
    0n,
  ]);
  await assert.rejects(promises.cuMemAlloc(16), cudaError("CUDA_ERROR_INVALID_CONTEXT"));
  cuda.cuCtxSetCurrent(state.context);
  cuda.cuCtxDestroy(other);
});

test("errors reject with the same error that a plain call throws", { skip, timeout: 60_000 }, async () => {
  await assert.rejects(promises.cuModuleLoad("/nonexistent"), (error) => {
    assert.ok(error instanceof cuda.CudaError);
    assert.deepEqual(
      [error.code, error.syscall, error.path],
      ["CUDA_ERROR_FILE_NOT_FOUND", "cuModuleLoad", "/nonexistent"],
    );
    return true;
  });
  await assert.rejects(promises.cuMemAlloc(2n ** 50n), cudaError("CUDA_ERROR_OUT_OF_MEMORY"));
});
