/** Launches: arguments of every type, buffers of arguments, cooperative, clusters, shared memory, attributes; occupancy. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cuda } from "./count.ts";
import {
  cudaError,
  gpu,
  has,
  INVALID_VALUE,
  iota,
  kernel,
  launch,
  loadKernels,
  poisoned,
  skip,
  skipBelowHopper,
  unless,
  usePrimaryContext,
  words,
} from "./device.ts";

const { i8, u8, i16, u16, i32, u32, i64, u64, f32, f64, ptr, bytes } = cuda.kernel;
const ids = cuda.CUfunction_attribute;
const attributes = cuda.CUlaunchAttributeID;
usePrimaryContext();

/** The bytes of `struct Scalars`. */
function scalarsOf(pointer: bigint): Record<string, number | bigint> {
  const view = new DataView(words(pointer, 18).buffer);
  return {
    a: view.getInt8(0),
    b: view.getUint8(1),
    c: view.getInt16(2, true),
    d: view.getUint16(4, true),
    e: view.getInt32(8, true),
    f: view.getUint32(12, true),
    g: view.getBigInt64(16, true),
    h: view.getBigUint64(24, true),
    i: view.getFloat32(32, true),
    j: view.getFloat64(40, true),
    k: view.getUint8(48),
    l: view.getBigUint64(56, true),
  };
}

test("arguments of every scalar type arrive as they were, at both ends of their ranges", { skip }, () => {
  const out = poisoned(18);
  const fn = kernel("scalars");
  const cases = [
    {
      a: -128,
      b: 255,
      c: -32768,
      d: 65535,
      e: -2147483648,
      f: 4294967295,
      g: -(2n ** 63n),
      h: 2n ** 64n - 1n,
      i: -1.5,
      j: Math.PI,
      k: 1,
      l: 2n ** 64n - 1n,
    },
    {
      a: 127,
      b: 0,
      c: 32767,
      d: 0,
      e: 2147483647,
      f: 0,
      g: 2n ** 63n - 1n,
      h: 0n,
      i: 2 ** -149,
      j: Number.MIN_VALUE,
      k: 0,
      l: 0n,
    },
    { a: 1, b: 2, c: 3, d: 4, e: 5, f: 6, g: 7n, h: 8n, i: 9, j: -1e300, k: 1, l: 0x1234567890abcdefn },
  ];
  for (const value of cases) {
    const { a, b, c, d, e, f, g, h, i, j, k, l } = value;
    launch(
      fn,
      {},
      ptr(out),
      i8(a),
      u8(b),
      i16(c),
      u16(d),
      i32(e),
      u32(f),
      i64(g),
      u64(h),
      f32(i),
      f64(j),
      u8(k),
      ptr(l),
    );
    assert.deepEqual(scalarsOf(out), value);
  }
  launch(
    fn,
    {},
    ptr(out),
    i8(0),
    u8(0),
    i16(0),
    u16(0),
    i32(0),
    u32(0),
    i64(5),
    u64(6),
    f32(Number.NaN),
    f64(Number.POSITIVE_INFINITY),
    u8(0),
    ptr(null),
  );
  const odd = scalarsOf(out);
  assert.deepEqual([odd.g, odd.h, odd.i, odd.j, odd.l], [5n, 6n, Number.NaN, Number.POSITIVE_INFINITY, 0n]);
  cuda.cuMemFree(out);
});

/** The three structs of `structs`, laid out by hand, and what the kernel writes. */
function structArguments() {
  const small = new DataView(new ArrayBuffer(4));
  small.setUint8(0, 11);
  small.setUint16(2, 222, true);
  const wide = Float32Array.of(1.5, 2.5, 3.5, 4.5);
  const mixed = new DataView(new ArrayBuffer(48));
  mixed.setUint8(0, 33);
  mixed.setFloat64(8, -7.25, true);
  mixed.setUint8(16, 44);
  mixed.setUint16(18, 555, true);
  for (const [i, value] of [-1n, 2n, 3n].entries()) mixed.setBigInt64(24 + 8 * i, value, true);
  const view = (data: ArrayBufferView) => new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return {
    /** The bytes of each. */
    raw: [Uint8Array.of(200), view(small), view(wide), Uint8Array.of(201), view(mixed), view(Float32Array.of(0.125))],
    params: [u8(200), bytes(view(small), 2), bytes(view(wide), 16), u8(201), bytes(view(mixed), 8), f32(0.125)],
    expected: [200, 11, 222, 1.5, 2.5, 3.5, 4.5, 201, 33, -7.25, 44, 555, -1, 2, 3, 0.125],
  };
}

test("structs by value between scalars, in an array of pointers", { skip }, () => {
  const out = poisoned(32);
  const { params, expected } = structArguments();
  launch(kernel("structs"), {}, ptr(out), ...params);
  assert.deepEqual([...new Float64Array(words(out, 32).buffer)], expected);
  cuda.cuMemFree(out);
});

test("the same arguments in one buffer, by `extra`", { skip }, () => {
  const out = poisoned(32);
  const { raw, expected } = structArguments();
  const fn = kernel("structs");
  const all = [new Uint8Array(BigUint64Array.of(out).buffer), ...raw];
  const buffer = new Uint8Array(96);
  let end = 0;
  for (const [index, argument] of all.entries()) {
    const [offset, size] = cuda.cuFuncGetParamInfo(fn, index);
    assert.equal(Number(size), argument.length);
    buffer.set(argument, Number(offset));
    end = Number(offset + size);
  }
  /* The size must be that of the arguments, to the byte: no padding behind the last. */
  assert.equal(end, 92);
  const size = BigUint64Array.of(BigInt(end));
  const extra = [
    cuda.CU_LAUNCH_PARAM_BUFFER_POINTER,
    buffer,
    cuda.CU_LAUNCH_PARAM_BUFFER_SIZE,
    size,
    cuda.CU_LAUNCH_PARAM_END,
  ];
  cuda.cuLaunchKernel(fn, 1, 1, 1, 1, 1, 1, 0, null, null, extra);
  assert.deepEqual([...new Float64Array(words(out, 32).buffer)], expected);

  size[0] = 96n;
  assert.throws(
    () => cuda.cuLaunchKernel(fn, 1, 1, 1, 1, 1, 1, 0, null, null, extra),
    cudaError("CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES"),
    "a size that is not that of the arguments",
  );
  size[0] = 92n;

  cuda.cuMemsetD32(out, 0, 32);
  const config = { gridDimX: 1, gridDimY: 1, gridDimZ: 1, blockDimX: 1, blockDimY: 1, blockDimZ: 1 };
  cuda.cuLaunchKernelEx(config, fn, null, extra);
  assert.deepEqual([...new Float64Array(words(out, 32).buffer)], expected);
  cuda.cuMemFree(out);
});

test("arguments of 4,008 bytes", { skip }, () => {
  const out = poisoned(1);
  const values = iota(1000, 1);
  launch(kernel("large"), {}, ptr(out), bytes(new Uint8Array(values.buffer), 4));
  assert.equal(words(out, 1)[0], 500_500);
  cuda.cuMemFree(out);
});

test("no arguments; packed once, launched often", { skip }, () => {
  const fn = kernel("nothing");
  for (let i = 0; i < 1000; i++) cuda.cuLaunchKernel(fn, 1, 1, 1, 1, 1, 1, 0, null, null, null);
  const out = poisoned(1);
  /* An array of values or of memory is packed for the launch. */
  cuda.cuLaunchKernel(kernel("iota"), 1, 1, 1, 32, 1, 1, 0, null, [ptr(out), u32(1), u32(77)], null);
  cuda.cuCtxSynchronize();
  assert.deepEqual(words(out, 1), iota(1, 77));
  const values = [BigUint64Array.of(out), Uint32Array.of(1), Uint32Array.of(78)];
  cuda.cuLaunchKernel(kernel("iota"), 1, 1, 1, 32, 1, 1, 0, null, values, null);
  cuda.cuCtxSynchronize();
  assert.deepEqual(words(out, 1), iota(1, 78));
  cuda.cuMemsetD32(out, 1, 1);
  const params = cuda.kernelParams(ptr(out), u32(1), u32(3), u32(1));
  for (let i = 0; i < 15; i++) cuda.cuLaunchKernel(kernel("scale"), 1, 1, 1, 1, 1, 1, 0, null, params, null);
  let expected = 1;
  for (let i = 0; i < 15; i++) expected = (3 * expected + 1) >>> 0;
  assert.equal(words(out, 1)[0], expected);
  cuda.cuMemFree(out);
});

test("dynamic shared memory, up to the most that a block may have", { skip }, () => {
  const fn = kernel("reverse");
  const most = has("CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN");
  const threads = 256;
  const out = poisoned(threads + 1);
  const expected = [...iota(threads, 0).reverse(), 0xabcd];
  launch(fn, { block: threads, shared: 2048 }, ptr(out), u32(2048));
  assert.deepEqual([...words(out, threads + 1)], expected);
  assert.throws(
    () => launch(fn, { block: threads, shared: most }, ptr(out), u32(most)),
    cudaError(INVALID_VALUE),
    "not without asking",
  );
  cuda.cuFuncSetAttribute(fn, ids.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, most);
  assert.equal(cuda.cuFuncGetAttribute(ids.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, fn), most);
  cuda.cuMemsetD32(out, 0, threads + 1);
  launch(fn, { block: threads, shared: most }, ptr(out), u32(most));
  assert.deepEqual([...words(out, threads + 1)], expected);
  assert.throws(
    () => cuda.cuFuncSetAttribute(fn, ids.CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, most + 1),
    cudaError(INVALID_VALUE),
  );
  cuda.cuMemFree(out);
});

const cooperative = unless(() => has("CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH") === 1, "cooperative launches");

test("cooperative launches: every block waits for all", { skip: cooperative, timeout: 30_000 }, () => {
  const fn = kernel("grid_sum");
  const perUnit = cuda.cuOccupancyMaxActiveBlocksPerMultiprocessor(fn, 32, 0);
  const most = perUnit * has("CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT");
  const out = poisoned(most);
  const sum = cuda.cuMemAlloc(8);
  const check = (blocks: number) =>
    assert.deepEqual(new Set(words(out, blocks)), new Set([(blocks * (blocks + 1)) / 2]), `${blocks} blocks`);
  for (const blocks of [1, 7, most]) {
    cuda.cuMemsetD32(sum, 0, 2);
    cuda.cuLaunchCooperativeKernel(fn, blocks, 1, 1, 32, 1, 1, 0, null, cuda.kernelParams(ptr(sum), ptr(out)));
    check(blocks);
  }
  cuda.cuMemsetD32(sum, 0, 2);
  const config = new cuda.CUlaunchConfig({
    gridDimX: 64,
    gridDimY: 1,
    gridDimZ: 1,
    blockDimX: 32,
    blockDimY: 1,
    blockDimZ: 1,
    attrs: [cuda.launchAttribute(attributes.CU_LAUNCH_ATTRIBUTE_COOPERATIVE, 1)],
  });
  cuda.cuLaunchKernelEx(config, fn, cuda.kernelParams(ptr(sum), ptr(out)), null);
  check(64);
  assert.throws(
    () => cuda.cuLaunchCooperativeKernel(fn, most + 1, 1, 1, 32, 1, 1, 0, null, cuda.kernelParams(ptr(sum), ptr(out))),
    cudaError("CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE"),
  );
  cuda.cuMemFree(out);
  cuda.cuMemFree(sum);
});

test("clusters by launch attributes: blocks read each other's shared memory", { skip: skipBelowHopper }, () => {
  const fn = kernel("neighbours");
  const blocks = 24;
  const out = poisoned(blocks);
  for (const size of [1, 2, 4, 8]) {
    const config = new cuda.CUlaunchConfig({
      gridDimX: blocks,
      gridDimY: 1,
      gridDimZ: 1,
      blockDimX: 32,
      blockDimY: 1,
      blockDimZ: 1,
      attrs: [cuda.launchAttribute(attributes.CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION, { x: size, y: 1, z: 1 })],
    });
    assert.ok(cuda.cuOccupancyMaxActiveClusters(fn, config) > 0);
    cuda.cuLaunchKernelEx(config, fn, cuda.kernelParams(ptr(out)), null);
    const expected = Array.from({ length: blocks }, (_, i) => size * 1000 + i - (i % size) + (((i % size) + 1) % size));
    assert.deepEqual([...words(out, blocks)], expected, `clusters of ${size}`);
  }
  const plain = { gridDimX: 16, gridDimY: 1, gridDimZ: 1, blockDimX: 32, blockDimY: 1, blockDimZ: 1 };
  assert.equal(cuda.cuOccupancyMaxPotentialClusterSize(fn, plain), 8);
  cuda.cuFuncSetAttribute(fn, ids.CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
  assert.ok(cuda.cuOccupancyMaxPotentialClusterSize(fn, plain) >= 8);
  cuda.cuMemFree(out);
});

test("several launch attributes at once", { skip: skipBelowHopper }, () => {
  const [, greatest] = cuda.cuCtxGetStreamPriorityRange();
  const stream = cuda.cuStreamCreate(0);
  const event = cuda.cuEventCreate(cuda.CUevent_flags.CU_EVENT_DISABLE_TIMING);
  const out = poisoned(100);
  const config = new cuda.CUlaunchConfig({
    gridDimX: 1,
    gridDimY: 1,
    gridDimZ: 1,
    blockDimX: 100,
    blockDimY: 1,
    blockDimZ: 1,
    hStream: stream,
    attrs: [
      cuda.launchAttribute(attributes.CU_LAUNCH_ATTRIBUTE_PRIORITY, greatest),
      cuda.launchAttribute(attributes.CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION, 1),
      { id: attributes.CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT, value: { launchCompletionEvent: { event } } },
    ],
  });
  cuda.cuLaunchKernelEx(config, kernel("iota"), cuda.kernelParams(ptr(out), u32(100), u32(12)), null);
  cuda.cuEventSynchronize(event);
  cuda.cuStreamSynchronize(stream);
  assert.deepEqual(words(out, 100), iota(100, 12));
  cuda.cuEventDestroy(event);
  cuda.cuStreamDestroy(stream);
  cuda.cuMemFree(out);
});

test("launches that the driver refuses leave the context whole", { skip }, () => {
  const fn = kernel("nothing");
  assert.throws(() => launch(fn, { block: 1025 }), cudaError(INVALID_VALUE));
  assert.throws(() => launch(fn, { grid: 0 }), cudaError(INVALID_VALUE));
  assert.throws(
    () => cuda.cuLaunchKernel(0n as typeof fn, 1, 1, 1, 1, 1, 1, 0, null, null, null),
    cudaError("CUDA_ERROR_INVALID_HANDLE"),
  );
  launch(fn, {});
  cuda.cuCtxSynchronize();
});

test("a kernel of a library stands for its function", { skip }, () => {
  const library = loadKernels();
  const iotaKernel = cuda.cuLibraryGetKernel(library, "iota");
  const out = poisoned(64);
  const params = [ptr(out), u32(64), u32(5)];
  cuda.cuLaunchKernel(iotaKernel, 2, 1, 1, 32, 1, 1, 0, null, params);
  assert.deepEqual(words(out, 64), iota(64, 5));
  const config = { gridDimX: 2, gridDimY: 1, gridDimZ: 1, blockDimX: 32, blockDimY: 1, blockDimZ: 1 };
  cuda.cuLaunchKernelEx(config, iotaKernel, [ptr(out), u32(64), u32(6)]);
  assert.deepEqual(words(out, 64), iota(64, 6));
  const function_ = cuda.cuKernelGetFunction(iotaKernel);
  assert.equal(
    cuda.cuOccupancyMaxActiveBlocksPerMultiprocessor(iotaKernel, 256, 0),
    cuda.cuOccupancyMaxActiveBlocksPerMultiprocessor(function_, 256, 0),
  );
  cuda.cuMemFree(out);
  cuda.cuLibraryUnload(library);
});

test("occupancy", { skip }, () => {
  const fn = kernel("reverse");
  const units = has("CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT");
  const perUnit = cuda.cuOccupancyMaxActiveBlocksPerMultiprocessor(fn, 256, 0);
  const threads = has("CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR");
  assert.ok(perUnit >= 1 && perUnit * 256 <= threads, `${perUnit} blocks of 256`);
  assert.equal(cuda.cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(fn, 256, 0, 0), perUnit);
  const crowded = cuda.cuOccupancyMaxActiveBlocksPerMultiprocessor(fn, 256, 32 * 1024);
  assert.ok(crowded <= perUnit, `${crowded} with 32 KiB each`);
  const room = cuda.cuOccupancyAvailableDynamicSMemPerBlock(fn, 1, 256);
  assert.ok(room >= 32n * 1024n, `${room} bytes for one block`);

  const [grid, block] = cuda.cuOccupancyMaxPotentialBlockSize(fn, null, 0, 0);
  assert.ok(block >= 32 && block % 32 === 0 && grid >= units, `${grid} blocks of ${block}`);
  const asked: number[] = [];
  const [, limited] = cuda.cuOccupancyMaxPotentialBlockSize(
    fn,
    (blockSize) => {
      asked.push(blockSize);
      return 64 * blockSize;
    },
    0,
    512,
  );
  assert.ok(asked.length > 0 && asked.every((size) => size > 0 && size <= 512));
  assert.ok(limited <= 512 && limited % 32 === 0);
  const [sameGrid, sameBlock] = cuda.cuOccupancyMaxPotentialBlockSizeWithFlags(fn, null, 0, 0, 0);
  assert.deepEqual([sameGrid, sameBlock], [grid, block]);
  assert.ok(gpu.capability > 0);
});
