/** Linear memory: device, pinned, registered, managed; copies of bytes and memsets of each width. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cuda } from "./count.ts";
import {
  blocks,
  cudaError,
  has,
  iota,
  kernel,
  launch,
  numbers,
  poisoned,
  skip,
  unless,
  upload,
  usePrimaryContext,
  words,
} from "./device.ts";

const { ptr, u32 } = cuda.kernel;
const pointers = cuda.CUpointer_attribute;
const ranges = cuda.CUmem_range_attribute;
const state = usePrimaryContext();

test("device memory: there, zero bytes refused, freed", { skip }, () => {
  const [free] = cuda.cuMemGetInfo();
  const size = 256 * 2 ** 20;
  assert.ok(free > size);
  const pointer = cuda.cuMemAlloc(size);
  assert.deepEqual(cuda.cuMemGetAddressRange(pointer + 1000n), [pointer, BigInt(size)]);
  cuda.cuMemFree(pointer);
  assert.throws(() => cuda.cuMemFree(pointer), cudaError("CUDA_ERROR_INVALID_VALUE"), "freed twice");
  assert.throws(() => cuda.cuMemAlloc(0), cudaError("CUDA_ERROR_INVALID_VALUE"));
});

test("copies of bytes in every direction, at once and in a stream", { skip }, () => {
  const data = numbers(10_000);
  const bytes = data.byteLength;
  const stream = cuda.cuStreamCreate(cuda.CUstream_flags.CU_STREAM_NON_BLOCKING);
  const a = cuda.cuMemAlloc(bytes);
  const b = cuda.cuMemAlloc(bytes);
  const clear = () => {
    cuda.cuMemsetD8(a, 0, bytes);
    cuda.cuMemsetD8(b, 0, bytes);
    cuda.cuCtxSynchronize();
  };
  const back = new Uint32Array(data.length);

  clear();
  cuda.cuMemcpyHtoD(a, data, bytes);
  cuda.cuMemcpyDtoD(b, a, bytes);
  cuda.cuMemcpyDtoH(back, b, bytes);
  assert.deepEqual(back, data);

  clear();
  cuda.cuMemcpyHtoDAsync(a, data, bytes, stream);
  cuda.cuMemcpyDtoDAsync(b, a, bytes, stream);
  cuda.cuMemcpyDtoHAsync(back.fill(0), b, bytes, stream);
  cuda.cuStreamSynchronize(stream);
  assert.deepEqual(back, data);

  clear();
  cuda.cuMemcpy(a, cuda.addressOf(data), bytes);
  cuda.cuMemcpy(b, a, bytes);
  cuda.cuMemcpy(cuda.addressOf(back.fill(0)), b, bytes);
  assert.deepEqual(back, data);

  clear();
  cuda.cuMemcpyAsync(a, cuda.addressOf(data), bytes, stream);
  cuda.cuMemcpyAsync(b, a, bytes, stream);
  cuda.cuMemcpyAsync(cuda.addressOf(back.fill(0)), b, bytes, stream);
  cuda.cuStreamSynchronize(stream);
  assert.deepEqual(back, data);

  clear();
  cuda.cuMemcpyHtoD(a, data, bytes);
  cuda.cuMemcpyPeer(b, state.context, a, state.context, bytes);
  assert.deepEqual(words(b, data.length), data);
  cuda.cuMemsetD8(b, 0, bytes);
  cuda.cuCtxSynchronize();
  cuda.cuMemcpyPeerAsync(b, state.context, a, state.context, bytes, stream);
  assert.deepEqual(words(b, data.length), data);

  /* A part of a buffer, to a place within. */
  clear();
  cuda.cuMemcpyHtoD(a + 400n, data.subarray(10, 20), 40);
  assert.deepEqual([...words(a + 396n, 12)], [0, ...data.subarray(10, 20), 0]);
  assert.throws(() => cuda.cuMemcpyHtoD(a, data.subarray(0, 9), 40), RangeError, "more bytes than the buffer holds");

  cuda.cuMemFree(a);
  cuda.cuMemFree(b);
  cuda.cuStreamDestroy(stream);
});

test("several copies in one call", {
  skip: unless(() => has("CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR") >= 7, "7.0"),
}, () => {
  const stream = cuda.cuStreamCreate(cuda.CUstream_flags.CU_STREAM_NON_BLOCKING);
  const sources = [numbers(100, 1), numbers(200, 2), numbers(300, 3)];
  const from = sources.map(upload);
  const to = sources.map((source) => poisoned(source.length));
  const sizes = sources.map((source) => source.byteLength);
  const attributes = { srcAccessOrder: cuda.CUmemcpySrcAccessOrder.CU_MEMCPY_SRC_ACCESS_ORDER_STREAM };
  cuda.cuMemcpyBatchAsync(to, from, sizes, 3, attributes, [0], 1, stream);
  cuda.cuStreamSynchronize(stream);
  for (const [i, source] of sources.entries()) assert.deepEqual(words(to[i] as bigint, source.length), source);
  for (const pointer of [...from, ...to]) cuda.cuMemFree(pointer);
  cuda.cuStreamDestroy(stream);
});

test("memsets of 8, 16 and 32 bits, in one dimension and two, at once and in a stream", { skip }, () => {
  const stream = cuda.cuStreamCreate(cuda.CUstream_flags.CU_STREAM_NON_BLOCKING);
  const pitch = 64;
  const rows = 4;
  const memory = cuda.cuMemAlloc(pitch * rows);
  const check = (bits: 8 | 16 | 32, width: number, height: number, value: number, what: string) => {
    const bytes = new Uint8Array(words(memory, (pitch * rows) / 4).buffer);
    const view = new DataView(bytes.buffer);
    for (let row = 0; row < rows; row++) {
      for (let at = 0; at < pitch; at += bits / 8) {
        const offset = row * pitch + at;
        const expected =
          row < height && at < (width * bits) / 8 ? value : bits === 8 ? 0xee : bits === 16 ? 0xeeee : 0xeeeeeeee;
        const got =
          bits === 8
            ? view.getUint8(offset)
            : bits === 16
              ? view.getUint16(offset, true)
              : view.getUint32(offset, true);
        assert.equal(got, expected, `${what} at ${row}, ${at}`);
      }
    }
  };
  const clear = () => {
    cuda.cuMemsetD8(memory, 0xee, pitch * rows);
    cuda.cuCtxSynchronize();
  };
  const cases: [string, 8 | 16 | 32, number, number, number, () => void][] = [
    ["D8", 8, 33, 1, 0x5a, () => cuda.cuMemsetD8(memory, 0x5a, 33)],
    ["D16", 16, 17, 1, 0x1234, () => cuda.cuMemsetD16(memory, 0x1234, 17)],
    ["D32", 32, 9, 1, 0x89abcdef, () => cuda.cuMemsetD32(memory, 0x89abcdef, 9)],
    ["D8Async", 8, 33, 1, 0xa5, () => cuda.cuMemsetD8Async(memory, 0xa5, 33, stream)],
    ["D16Async", 16, 17, 1, 0x4321, () => cuda.cuMemsetD16Async(memory, 0x4321, 17, stream)],
    ["D32Async", 32, 9, 1, 0xfedcba98, () => cuda.cuMemsetD32Async(memory, 0xfedcba98, 9, stream)],
    ["D2D8", 8, 13, 3, 0x5a, () => cuda.cuMemsetD2D8(memory, pitch, 0x5a, 13, 3)],
    ["D2D16", 16, 7, 2, 0x1234, () => cuda.cuMemsetD2D16(memory, pitch, 0x1234, 7, 2)],
    ["D2D32", 32, 5, 4, 0x89abcdef, () => cuda.cuMemsetD2D32(memory, pitch, 0x89abcdef, 5, 4)],
    ["D2D8Async", 8, 13, 3, 0xa5, () => cuda.cuMemsetD2D8Async(memory, pitch, 0xa5, 13, 3, stream)],
    ["D2D16Async", 16, 7, 2, 0x4321, () => cuda.cuMemsetD2D16Async(memory, pitch, 0x4321, 7, 2, stream)],
    ["D2D32Async", 32, 5, 4, 0xfedcba98, () => cuda.cuMemsetD2D32Async(memory, pitch, 0xfedcba98, 5, 4, stream)],
  ];
  for (const [what, bits, width, height, value, set] of cases) {
    clear();
    set();
    check(bits, width, height, value, what);
  }
  assert.throws(() => cuda.cuMemsetD8(memory, 256, 1), RangeError);
  assert.throws(() => cuda.cuMemsetD32(memory + 2n, 1, 1), cudaError("CUDA_ERROR_INVALID_VALUE"), "misaligned");
  cuda.cuMemFree(memory);
  cuda.cuStreamDestroy(stream);
});

test("pinned memory: a kernel writes it, the host reads it", { skip }, () => {
  const count = 4096;
  const host = cuda.cuMemHostAlloc(4 * count, cuda.CU_MEMHOSTALLOC_DEVICEMAP | cuda.CU_MEMHOSTALLOC_PORTABLE);
  const flags = cuda.cuMemHostGetFlags(host);
  assert.ok(flags & cuda.CU_MEMHOSTALLOC_PORTABLE, `flags ${flags}`);
  const device = cuda.cuMemHostGetDevicePointer(host, 0);
  launch(kernel("iota"), blocks(count), ptr(device), u32(count), u32(77));
  cuda.cuCtxSynchronize();
  const back = new Uint32Array(count);
  cuda.cuMemcpy(cuda.addressOf(back), host, 4 * count);
  assert.deepEqual(back, iota(count, 77));
  assert.equal(
    cuda.cuPointerGetAttribute(pointers.CU_POINTER_ATTRIBUTE_MEMORY_TYPE, device),
    cuda.CUmemorytype.CU_MEMORYTYPE_HOST,
  );
  assert.equal(cuda.cuPointerGetAttribute(pointers.CU_POINTER_ATTRIBUTE_HOST_POINTER, device), host);
  cuda.cuMemFreeHost(host);

  const plain = cuda.cuMemAllocHost(4 * count);
  const source = upload(iota(count, 5));
  cuda.cuMemcpyDtoH(plain, source, 4 * count);
  cuda.cuMemcpy(cuda.addressOf(back.fill(0)), plain, 4 * count);
  assert.deepEqual(back, iota(count, 5));
  cuda.cuMemFreeHost(plain);
  cuda.cuMemFree(source);
});

test("registered memory: an ArrayBuffer of JavaScript's that kernels write", { skip }, () => {
  const count = 1 << 16;
  const data = new Uint32Array(count);
  cuda.cuMemHostRegister(data, data.byteLength, cuda.CU_MEMHOSTREGISTER_DEVICEMAP);
  const device = cuda.cuMemHostGetDevicePointer(data, 0);
  launch(kernel("iota"), blocks(count), ptr(device), u32(count), u32(123));
  cuda.cuCtxSynchronize();
  assert.deepEqual(data, iota(count, 123));
  data[7] = 99;
  launch(kernel("scale"), blocks(count), ptr(device), u32(count), u32(2), u32(1));
  cuda.cuCtxSynchronize();
  assert.deepEqual([data[6], data[7]], [2 * 129 + 1, 199]);
  assert.throws(
    () => cuda.cuMemHostRegister(data, data.byteLength, 0),
    cudaError("CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED"),
  );
  cuda.cuMemHostUnregister(data);
  assert.throws(() => cuda.cuMemHostUnregister(data), cudaError("CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED"));
});

test("managed memory: one pointer for both sides", {
  skip: unless(() => has("CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS") === 1, "concurrent managed access"),
}, () => {
  const count = 16_384;
  const bytes = 4 * count;
  const stream = cuda.cuStreamCreate(0);
  const memory = cuda.cuMemAllocManaged(bytes, cuda.CUmemAttach_flags.CU_MEM_ATTACH_GLOBAL);
  cuda.cuMemcpy(memory, cuda.addressOf(iota(count, 10)), bytes);
  const here = { type: cuda.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE, id: state.device };
  const host = { type: cuda.CUmemLocationType.CU_MEM_LOCATION_TYPE_HOST, id: 0 };

  cuda.cuMemAdvise(memory, bytes, cuda.CUmem_advise.CU_MEM_ADVISE_SET_PREFERRED_LOCATION, here);
  cuda.cuMemAdvise(memory, bytes, cuda.CUmem_advise.CU_MEM_ADVISE_SET_READ_MOSTLY, here);
  cuda.cuMemPrefetchAsync(memory, bytes, here, 0, stream);
  cuda.cuStreamSynchronize(stream);

  const ask = (attribute: number) => cuda.cuMemRangeGetAttribute(undefined, attribute, memory, bytes);
  assert.equal(ask(ranges.CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY), 1);
  assert.equal(ask(ranges.CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION), state.device);
  assert.equal(ask(ranges.CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION), state.device);
  assert.deepEqual(ask(ranges.CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY), []);
  cuda.cuMemAdvise(memory, bytes, cuda.CUmem_advise.CU_MEM_ADVISE_SET_ACCESSED_BY, here);
  assert.deepEqual(ask(ranges.CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY), [state.device]);
  const several = [ranges.CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY, ranges.CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY] as const;
  assert.deepEqual(cuda.cuMemRangeGetAttributes(null, several, memory, bytes), [1, [state.device]]);
  assert.deepEqual(cuda.cuMemRangeGetAttributes([4, 8n], several, memory, bytes), [1, [state.device]]);

  cuda.cuMemAdvise(memory, bytes, cuda.CUmem_advise.CU_MEM_ADVISE_UNSET_READ_MOSTLY, here);
  launch(kernel("scale"), { ...blocks(count), stream }, ptr(memory), u32(count), u32(3), u32(1));
  cuda.cuMemPrefetchBatchAsync([memory], [bytes], 1, host, [0], 1, 0, stream);
  cuda.cuStreamSynchronize(stream);
  const back = new Uint32Array(count);
  cuda.cuMemcpy(cuda.addressOf(back), memory, bytes);
  assert.deepEqual(
    back,
    iota(count, 10).map((x) => 3 * x + 1),
  );
  assert.equal(cuda.cuPointerGetAttribute(pointers.CU_POINTER_ATTRIBUTE_IS_MANAGED, memory), 1);
  cuda.cuStreamAttachMemAsync(stream, memory, 0, cuda.CUmemAttach_flags.CU_MEM_ATTACH_SINGLE);
  cuda.cuStreamSynchronize(stream);
  cuda.cuMemAdvise_v1(memory, bytes, cuda.CUmem_advise.CU_MEM_ADVISE_UNSET_PREFERRED_LOCATION, state.device);
  cuda.cuMemPrefetchAsync_v1(memory, bytes, state.device, stream);
  cuda.cuStreamSynchronize(stream);
  cuda.cuMemFree(memory);
  cuda.cuStreamDestroy(stream);
});

test("what a pointer says about itself", { skip }, () => {
  const memory = poisoned(1024);
  const inside = memory + 100n;
  const ask = cuda.cuPointerGetAttribute;
  assert.equal(ask(pointers.CU_POINTER_ATTRIBUTE_CONTEXT, inside), state.context);
  assert.equal(ask(pointers.CU_POINTER_ATTRIBUTE_MEMORY_TYPE, inside), cuda.CUmemorytype.CU_MEMORYTYPE_DEVICE);
  assert.equal(ask(pointers.CU_POINTER_ATTRIBUTE_DEVICE_POINTER, inside), inside);
  assert.equal(ask(pointers.CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, inside), state.device);
  assert.equal(ask(pointers.CU_POINTER_ATTRIBUTE_IS_MANAGED, inside), 0);
  assert.equal(ask(pointers.CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, inside), memory);
  assert.equal(ask(pointers.CU_POINTER_ATTRIBUTE_RANGE_SIZE, inside), 4096n);
  assert.equal(ask(pointers.CU_POINTER_ATTRIBUTE_MAPPED, inside), 1);
  assert.equal(ask(pointers.CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, inside), 0n);
  const other = poisoned(4);
  const id = ask(pointers.CU_POINTER_ATTRIBUTE_BUFFER_ID, memory);
  assert.notEqual(id, ask(pointers.CU_POINTER_ATTRIBUTE_BUFFER_ID, other));
  assert.equal(id, ask(pointers.CU_POINTER_ATTRIBUTE_BUFFER_ID, inside));

  cuda.cuPointerSetAttribute(1, pointers.CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory);
  assert.equal(ask(pointers.CU_POINTER_ATTRIBUTE_SYNC_MEMOPS, memory), 1);

  const several = [
    pointers.CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
    pointers.CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
    pointers.CU_POINTER_ATTRIBUTE_CONTEXT,
  ] as const;
  assert.deepEqual(cuda.cuPointerGetAttributes(several, inside), [
    cuda.CUmemorytype.CU_MEMORYTYPE_DEVICE,
    memory,
    state.context,
  ]);
  assert.throws(
    () => ask(pointers.CU_POINTER_ATTRIBUTE_CONTEXT, 0x1234n),
    cudaError("CUDA_ERROR_INVALID_VALUE"),
    "memory that the driver knows nothing of",
  );
  cuda.cuMemFree(memory);
  cuda.cuMemFree(other);
});
