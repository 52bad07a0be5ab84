/** Tensor maps: boxes that the copy engine brings to a kernel. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cuda } from "./count.ts";
import {
  cudaError,
  INVALID_VALUE,
  kernel,
  launch,
  numbers,
  poisoned,
  skipBelowHopper as skip,
  upload,
  usePrimaryContext,
  words,
} from "./device.ts";

const { ptr, i32 } = cuda.kernel;
const types = cuda.CUtensorMapDataType;
const none = [
  cuda.CUtensorMapInterleave.CU_TENSOR_MAP_INTERLEAVE_NONE,
  cuda.CUtensorMapSwizzle.CU_TENSOR_MAP_SWIZZLE_NONE,
  cuda.CUtensorMapL2promotion.CU_TENSOR_MAP_L2_PROMOTION_NONE,
  cuda.CUtensorMapFloatOOBfill.CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
] as const;
usePrimaryContext();

/* 160 KiB: drivers up to 13.1 encode a tensor below 128 KiB wrongly for Blackwell. */
const [width, height] = [512, 80];
const [boxWidth, boxHeight] = [16, 8];

/** What the kernel finds in the box at (x, y): zeros outside of the tensor. */
function box(data: Uint32Array, x: number, y: number): number[] {
  return Array.from({ length: boxWidth * boxHeight }, (_, i) => {
    const [column, row] = [x + (i % boxWidth), y + Math.floor(i / boxWidth)];
    const inside = column >= 0 && column < width && row >= 0 && row < height;
    return inside ? (data[row * width + column] as number) : 0;
  });
}

test("maps that cannot be, and other kinds of maps", { skip }, () => {
  const memory = upload(numbers(4096));
  const encode = (address: bigint, strides: number[], boxDim: number[]) =>
    cuda.cuTensorMapEncodeTiled(
      types.CU_TENSOR_MAP_DATA_TYPE_UINT32,
      2,
      address,
      [64, 40],
      strides,
      boxDim,
      [1, 1],
      ...none,
    );
  assert.throws(() => encode(memory + 4n, [256], [16, 8]), cudaError(INVALID_VALUE), "misaligned");
  assert.throws(() => encode(memory, [100], [16, 8]), cudaError(INVALID_VALUE), "a stride that is no multiple of 16");
  assert.throws(() => encode(memory, [256], [300, 8]), cudaError(INVALID_VALUE), "a box wider than 256");

  const im2col = cuda.cuTensorMapEncodeIm2col(
    types.CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
    4,
    memory,
    [16, 8, 8, 4],
    [64, 512, 4096],
    [-1, -1],
    [-1, -1],
    16,
    32,
    [1, 1, 1, 1],
    ...none,
  );
  assert.ok(im2col.$bytes.some((byte) => byte !== 0));
  assert.equal(im2col.$address % 64n, 0n);
  cuda.cuMemFree(memory);
});

test("a kernel loads boxes through a tensor map, also over the edge", { skip, timeout: 30_000 }, () => {
  const first = numbers(width * height, 1);
  const second = numbers(width * height, 2);
  const [here, there] = [upload(first), upload(second)];
  const map = cuda.cuTensorMapEncodeTiled(
    types.CU_TENSOR_MAP_DATA_TYPE_UINT32,
    2,
    here,
    [width, height],
    [4 * width],
    [boxWidth, boxHeight],
    [1, 1],
    ...none,
  );
  const out = poisoned(boxWidth * boxHeight);
  const load = (x: number, y: number) => {
    launch(kernel("load_box"), { block: 128 }, map, ptr(out), i32(x), i32(y));
    return [...words(out, boxWidth * boxHeight)];
  };
  /* A box must begin at a multiple of 16 bytes, or the GPU answers with an illegal instruction. */
  for (const [x, y] of [
    [0, 0],
    [20, 3],
    [width - 16, height - 8],
    [width - 8, height - 5],
    [-4, -2],
  ] as const) {
    assert.deepEqual(load(x, y), box(first, x, y), `box at ${x}, ${y}`);
  }
  cuda.cuTensorMapReplaceAddress(map, there);
  assert.deepEqual(load(8, 8), box(second, 8, 8));
  for (const pointer of [here, there, out]) cuda.cuMemFree(pointer);
});
