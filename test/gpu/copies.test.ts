/** Copies in two and three dimensions, and arrays. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cuda } from "./count.ts";
import {
  attempt,
  cudaError,
  floats,
  INVALID_VALUE,
  NOT_SUPPORTED,
  numbers,
  poisoned,
  skip,
  upload,
  usePrimaryContext,
  words,
} from "./device.ts";

const type = cuda.CUmemorytype;
const formats = cuda.CUarray_format;
const state = usePrimaryContext();

test("two dimensions: host to device to device to host, with pitches and offsets", { skip }, () => {
  const stream = cuda.cuStreamCreate(cuda.CUstream_flags.CU_STREAM_NON_BLOCKING);
  const width = 20; // words
  const height = 11;
  const source = numbers(width * height);
  const [memory, pitch] = cuda.cuMemAllocPitch(4 * width, height, 4);
  assert.ok(pitch >= 4 * width && pitch % 32n === 0n, `pitch ${pitch}`);
  const other = poisoned(64 * height);

  cuda.cuMemcpy2D({
    srcMemoryType: type.CU_MEMORYTYPE_HOST,
    srcHost: source,
    srcPitch: 4 * width,
    dstMemoryType: type.CU_MEMORYTYPE_DEVICE,
    dstDevice: memory,
    dstPitch: pitch,
    WidthInBytes: 4 * width,
    Height: height,
  });
  /* A window of 5 by 4 words from (3, 2) to (1, 6). */
  cuda.cuMemcpy2DUnaligned({
    srcMemoryType: type.CU_MEMORYTYPE_DEVICE,
    srcDevice: memory,
    srcPitch: pitch,
    srcXInBytes: 12,
    srcY: 2,
    dstMemoryType: type.CU_MEMORYTYPE_DEVICE,
    dstDevice: other,
    dstPitch: 256,
    dstXInBytes: 4,
    dstY: 6,
    WidthInBytes: 20,
    Height: 4,
  });
  cuda.cuCtxSynchronize();
  const back = new Uint32Array(7 * 6);
  cuda.cuMemcpy2DAsync(
    {
      srcMemoryType: type.CU_MEMORYTYPE_DEVICE,
      srcDevice: other,
      srcPitch: 256,
      srcY: 5,
      dstMemoryType: type.CU_MEMORYTYPE_HOST,
      dstHost: back,
      dstPitch: 28,
      WidthInBytes: 28,
      Height: 6,
    },
    stream,
  );
  cuda.cuStreamSynchronize(stream);
  for (let y = 0; y < 6; y++) {
    for (let x = 0; x < 7; x++) {
      const inside = y >= 1 && y < 5 && x >= 1 && x < 6;
      assert.equal(back[7 * y + x], inside ? source[(y + 1) * width + x + 2] : 0xdeadbeef, `${x}, ${y}`);
    }
  }
  assert.throws(
    () =>
      cuda.cuMemcpy2D({
        srcMemoryType: type.CU_MEMORYTYPE_DEVICE,
        srcDevice: memory,
        srcPitch: 4,
        dstMemoryType: type.CU_MEMORYTYPE_DEVICE,
        dstDevice: other,
        dstPitch: 256,
        WidthInBytes: 80,
        Height: 2,
      }),
    cudaError(INVALID_VALUE),
    "rows wider than their pitch",
  );
  cuda.cuMemFree(memory);
  cuda.cuMemFree(other);
  cuda.cuStreamDestroy(stream);
});

test("three dimensions: boxes between host, device and peer", { skip }, () => {
  const stream = cuda.cuStreamCreate(cuda.CUstream_flags.CU_STREAM_NON_BLOCKING);
  const [width, height, depth] = [6, 5, 4];
  const source = numbers(width * height * depth);
  const at = (x: number, y: number, z: number) => source[(z * height + y) * width + x];
  const memory = poisoned(8 * 8 * 8);
  const box = { WidthInBytes: 4 * width, Height: height, Depth: depth };
  const inDevice = { dstMemoryType: type.CU_MEMORYTYPE_DEVICE, dstDevice: memory, dstPitch: 32, dstHeight: 8 };
  cuda.cuMemcpy3D({
    srcMemoryType: type.CU_MEMORYTYPE_HOST,
    srcHost: source,
    srcPitch: 4 * width,
    srcHeight: height,
    ...inDevice,
    dstXInBytes: 4,
    dstY: 2,
    dstZ: 3,
    ...box,
  });
  const whole = words(memory, 512);
  for (let z = 0; z < 8; z++) {
    for (let y = 0; y < 8; y++) {
      for (let x = 0; x < 8; x++) {
        const inside = x >= 1 && x < 7 && y >= 2 && y < 7 && z >= 3 && z < 7;
        const expected = inside ? at(x - 1, y - 2, z - 3) : 0xdeadbeef;
        assert.equal(whole[(z * 8 + y) * 8 + x], expected, `${x}, ${y}, ${z}`);
      }
    }
  }

  const back = new Uint32Array(source.length);
  const toHost = { dstMemoryType: type.CU_MEMORYTYPE_HOST, dstHost: back, dstPitch: 4 * width, dstHeight: height };
  const fromDevice = {
    srcMemoryType: type.CU_MEMORYTYPE_DEVICE,
    srcDevice: memory,
    srcPitch: 32,
    srcHeight: 8,
    srcXInBytes: 4,
    srcY: 2,
    srcZ: 3,
  };
  cuda.cuMemcpy3DAsync({ ...fromDevice, ...toHost, ...box }, stream);
  cuda.cuStreamSynchronize(stream);
  assert.deepEqual(back, source);

  const other = poisoned(source.length);
  const contexts = { srcContext: state.context, dstContext: state.context };
  const toOther = { dstMemoryType: type.CU_MEMORYTYPE_DEVICE, dstDevice: other, dstPitch: 24, dstHeight: height };
  cuda.cuMemcpy3DPeer({ ...fromDevice, ...toOther, ...contexts, ...box });
  assert.deepEqual(words(other, source.length), source);
  cuda.cuMemsetD32(other, 0, source.length);
  cuda.cuCtxSynchronize();
  cuda.cuMemcpy3DPeerAsync({ ...fromDevice, ...toOther, ...contexts, ...box }, stream);
  assert.deepEqual(words(other, source.length), source);

  /* The same by the newer call: several boxes at once. */
  const pointer = cuda.CUmemcpy3DOperandType.CU_MEMCPY_OPERAND_TYPE_POINTER;
  const here = { type: cuda.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE, id: state.device };
  const again = poisoned(source.length);
  /* Between pointers an element is one byte. */
  const tight = { rowLength: 4 * width, layerHeight: height, locHint: here };
  const operation = {
    src: { type: pointer, op: { ptr: { ptr: other, ...tight } } },
    dst: { type: pointer, op: { ptr: { ptr: again, ...tight } } },
    extent: { width: 4 * width, height, depth },
    srcAccessOrder: cuda.CUmemcpySrcAccessOrder.CU_MEMCPY_SRC_ACCESS_ORDER_STREAM,
  };
  const done = attempt(
    () => {
      cuda.cuMemcpy3DBatchAsync(1, [operation], 0, stream);
      return true;
    },
    NOT_SUPPORTED,
    "CUDA_ERROR_NOT_FOUND",
  );
  if (done) assert.deepEqual(words(again, source.length), source);
  for (const pointer of [memory, other, again]) cuda.cuMemFree(pointer);
  cuda.cuStreamDestroy(stream);
});

test("arrays of one and two dimensions: bytes in and out", { skip }, () => {
  const stream = cuda.cuStreamCreate(cuda.CUstream_flags.CU_STREAM_NON_BLOCKING);
  const count = 64;
  const source = numbers(count);
  const line = { Width: count, Height: 0, Format: formats.CU_AD_FORMAT_UNSIGNED_INT32, NumChannels: 1 };
  const a = cuda.cuArrayCreate(line);
  const b = cuda.cuArrayCreate(line);
  const descriptor = cuda.cuArrayGetDescriptor(a);
  assert.deepEqual(
    [descriptor.Width, descriptor.Height, descriptor.Format, descriptor.NumChannels],
    [64n, 0n, formats.CU_AD_FORMAT_UNSIGNED_INT32, 1],
  );
  const bytes = 4 * count;
  const back = new Uint32Array(count);

  cuda.cuMemcpyHtoA(a, 0, source, bytes);
  cuda.cuMemcpyAtoA(b, 16, a, 0, bytes - 16);
  cuda.cuMemcpyAtoH(back, b, 16, bytes - 16);
  assert.deepEqual(back.subarray(0, count - 4), source.subarray(0, count - 4));

  cuda.cuMemcpyHtoAAsync(b, 0, source, bytes, stream);
  cuda.cuMemcpyAtoHAsync(back.fill(0), b, 0, bytes, stream);
  cuda.cuStreamSynchronize(stream);
  assert.deepEqual(back, source);

  const memory = poisoned(count);
  cuda.cuMemcpyAtoD(memory, a, 0, bytes);
  assert.deepEqual(words(memory, count), source);
  const reversed = upload(source.toReversed());
  cuda.cuMemcpyDtoA(a, 0, reversed, bytes);
  cuda.cuMemcpyAtoH(back, a, 0, bytes);
  assert.deepEqual(back, source.toReversed());
  for (const array of [a, b]) cuda.cuArrayDestroy(array);
  for (const pointer of [memory, reversed]) cuda.cuMemFree(pointer);
  cuda.cuStreamDestroy(stream);
});

test("arrays of three dimensions: descriptors, requirements, boxes", { skip }, () => {
  const [width, height, depth] = [8, 4, 3];
  const source = Float32Array.from(numbers(width * height * depth), (word) => word % 1000);
  const array = cuda.cuArray3DCreate({
    Width: width,
    Height: height,
    Depth: depth,
    Format: formats.CU_AD_FORMAT_FLOAT,
    NumChannels: 1,
    Flags: cuda.CUDA_ARRAY3D_SURFACE_LDST,
  });
  const { Width, Depth, Flags, Format } = cuda.cuArray3DGetDescriptor(array);
  assert.deepEqual([Width, Depth, Flags, Format], [8n, 3n, cuda.CUDA_ARRAY3D_SURFACE_LDST, formats.CU_AD_FORMAT_FLOAT]);
  const box = { WidthInBytes: 4 * width, Height: height, Depth: depth };
  cuda.cuMemcpy3D({
    srcMemoryType: type.CU_MEMORYTYPE_HOST,
    srcHost: source,
    srcPitch: 4 * width,
    srcHeight: height,
    dstMemoryType: type.CU_MEMORYTYPE_ARRAY,
    dstArray: array,
    ...box,
  });
  const memory = poisoned(source.length);
  cuda.cuMemcpy3D({
    srcMemoryType: type.CU_MEMORYTYPE_ARRAY,
    srcArray: array,
    dstMemoryType: type.CU_MEMORYTYPE_DEVICE,
    dstDevice: memory,
    dstPitch: 4 * width,
    dstHeight: height,
    ...box,
  });
  assert.deepEqual(floats(memory, source.length), source);
  cuda.cuArrayDestroy(array);
  cuda.cuMemFree(memory);

  const deferred = attempt(
    () =>
      cuda.cuArray3DCreate({
        Width: 64,
        Height: 64,
        Depth: 0,
        Format: formats.CU_AD_FORMAT_FLOAT,
        NumChannels: 1,
        Flags: cuda.CUDA_ARRAY3D_DEFERRED_MAPPING,
      }),
    NOT_SUPPORTED,
  );
  if (deferred !== null) {
    const { size, alignment } = cuda.cuArrayGetMemoryRequirements(deferred, state.device);
    assert.ok(size >= 64n * 64n * 4n && alignment > 0n);
    cuda.cuArrayDestroy(deferred);
  }

  const sparse = attempt(
    () =>
      cuda.cuArray3DCreate({
        Width: 1024,
        Height: 1024,
        Depth: 0,
        Format: formats.CU_AD_FORMAT_UNSIGNED_INT8,
        NumChannels: 4,
        Flags: cuda.CUDA_ARRAY3D_SPARSE,
      }),
    NOT_SUPPORTED,
  );
  if (sparse !== null) {
    const { tileExtent } = cuda.cuArrayGetSparseProperties(sparse);
    assert.ok(tileExtent.width > 0 && tileExtent.height > 0);
    cuda.cuArrayDestroy(sparse);
  }

  const planar = attempt(
    () =>
      cuda.cuArray3DCreate({
        Width: 64,
        Height: 32,
        Depth: 0,
        Format: formats.CU_AD_FORMAT_NV12,
        NumChannels: 3,
        Flags: 0,
      }),
    NOT_SUPPORTED,
    INVALID_VALUE,
  );
  if (planar !== null) {
    const chroma = cuda.cuArrayGetDescriptor(cuda.cuArrayGetPlane(planar, 1));
    assert.deepEqual([chroma.Width, chroma.Height], [32n, 16n]);
    cuda.cuArrayDestroy(planar);
  }
});

/** What the package says a copy touches is what the driver touches: pitches, heights and sizes of 0 too. */
test("copies of random shapes need exactly the host memory that they touch", { skip }, () => {
  const room = 1 << 13;
  const ones = cuda.cuMemAlloc(room);
  cuda.cuMemsetD8(ones, 1, room);
  let seed = 1;
  const pick = (...values: number[]): number => {
    seed = (seed * 48271) % 0x7fffffff;
    return values[seed % values.length] as number;
  };
  let [done, refused] = [0, 0];
  for (let round = 0; round < 1500; round++) {
    const isDeep = round % 2 === 1;
    const shape = {
      ...{ srcMemoryType: type.CU_MEMORYTYPE_DEVICE, srcDevice: ones, dstMemoryType: type.CU_MEMORYTYPE_HOST },
      ...{ WidthInBytes: pick(0, 1, 4, 8, 16), Height: pick(0, 1, 2, 3), dstPitch: pick(0, 0, 4, 8, 16, 20, 32) },
      ...{ dstXInBytes: pick(0, 1, 4), dstY: pick(0, 1, 2) },
    };
    const deep = { Depth: pick(0, 1, 1, 2, 3), dstZ: pick(0, 0, 1, 2), dstHeight: pick(0, 0, 1, 2, 3, 5) };
    const copy = (dstHost: Uint8Array) =>
      isDeep ? cuda.cuMemcpy3D({ ...shape, ...deep, dstHost }) : cuda.cuMemcpy2D({ ...shape, dstHost });
    const roomy = new Uint8Array(room);
    const isDone = attempt(() => {
      copy(roomy);
      return true;
    }, INVALID_VALUE);
    if (isDone === null) {
      refused++;
      continue;
    }
    const touched = roomy.lastIndexOf(1) + 1;
    const exact = new Uint8Array(touched);
    copy(exact);
    assert.deepEqual(exact, roomy.subarray(0, touched), JSON.stringify({ ...shape, ...deep, srcDevice: 0 }));
    if (touched > 0) assert.throws(() => copy(new Uint8Array(touched - 1)), RangeError);
    done++;
  }
  assert.ok(done > 500 && refused > 50, `${done} done, ${refused} refused`);
  cuda.cuMemFree(ones);
});
