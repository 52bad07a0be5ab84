/** Memory in the order of a stream: pools, their attributes and access, allocation and freeing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cuda } from "./count.ts";
import {
  attempt,
  blocks,
  has,
  iota,
  kernel,
  launch,
  MISSING,
  NOT_SUPPORTED,
  unless,
  usePrimaryContext,
  words,
} from "./device.ts";

const { ptr, u32 } = cuda.kernel;
const ids = cuda.CUmemPool_attribute;
const state = usePrimaryContext();
const skip = unless(() => has("CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED") === 1, "memory pools");

function onDevice() {
  return { type: cuda.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE, id: state.device };
}

function properties() {
  return { allocType: cuda.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED, location: onDevice() };
}

test("allocation and freeing in a stream", { skip }, () => {
  const stream = cuda.cuStreamCreate(cuda.CUstream_flags.CU_STREAM_NON_BLOCKING);
  const count = 50_000;
  const pool = cuda.cuDeviceGetDefaultMemPool(state.device);
  assert.equal(cuda.cuDeviceGetMemPool(state.device), pool);
  const memory = cuda.cuMemAllocAsync(4 * count, stream);
  launch(kernel("iota"), { ...blocks(count), stream }, ptr(memory), u32(count), u32(3));
  const back = new Uint32Array(count);
  cuda.cuMemcpyDtoHAsync(back, memory, back.byteLength, stream);
  assert.ok(cuda.cuMemPoolGetAttribute(pool, ids.CU_MEMPOOL_ATTR_USED_MEM_CURRENT) >= 4 * count);
  assert.equal(cuda.cuPointerGetAttribute(cuda.CUpointer_attribute.CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, memory), pool);
  cuda.cuMemFreeAsync(memory, stream);
  cuda.cuStreamSynchronize(stream);
  assert.deepEqual(back, iota(count, 3));
  cuda.cuStreamDestroy(stream);
});

test("a pool of one's own: attributes, trimming, access", { skip }, () => {
  const stream = cuda.cuStreamCreate(0);
  const pool = cuda.cuMemPoolCreate(properties());
  cuda.cuMemPoolSetAttribute(pool, ids.CU_MEMPOOL_ATTR_RELEASE_THRESHOLD, 2n ** 64n - 1n);
  assert.equal(cuda.cuMemPoolGetAttribute(pool, ids.CU_MEMPOOL_ATTR_RELEASE_THRESHOLD), 2n ** 64n - 1n);
  cuda.cuMemPoolSetAttribute(pool, ids.CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC, false);
  assert.equal(cuda.cuMemPoolGetAttribute(pool, ids.CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC), 0);
  assert.equal(cuda.cuMemPoolGetAttribute(pool, ids.CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES), 1);

  const memory = cuda.cuMemAllocFromPoolAsync(2 ** 20, pool, stream);
  cuda.cuMemsetD32Async(memory, 42, 2 ** 18, stream);
  cuda.cuStreamSynchronize(stream);
  assert.ok(words(memory, 2 ** 18).every((word) => word === 42));
  assert.equal(cuda.cuMemPoolGetAttribute(pool, ids.CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 2n ** 20n);
  cuda.cuMemFreeAsync(memory, stream);
  cuda.cuStreamSynchronize(stream);
  assert.equal(cuda.cuMemPoolGetAttribute(pool, ids.CU_MEMPOOL_ATTR_USED_MEM_CURRENT), 0n);
  assert.equal(cuda.cuMemPoolGetAttribute(pool, ids.CU_MEMPOOL_ATTR_USED_MEM_HIGH), 2n ** 20n);
  assert.ok(cuda.cuMemPoolGetAttribute(pool, ids.CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT) > 0n, "kept for the next time");
  cuda.cuMemPoolTrimTo(pool, 0);
  assert.equal(cuda.cuMemPoolGetAttribute(pool, ids.CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT), 0n);

  const both = cuda.CUmemAccess_flags.CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  cuda.cuMemPoolSetAccess(pool, { location: onDevice(), flags: both }, 1);
  assert.equal(cuda.cuMemPoolGetAccess(pool, onDevice()), both);

  cuda.cuDeviceSetMemPool(state.device, pool);
  assert.equal(cuda.cuDeviceGetMemPool(state.device), pool);
  cuda.cuDeviceSetMemPool(state.device, cuda.cuDeviceGetDefaultMemPool(state.device));
  cuda.cuMemPoolDestroy(pool);
  cuda.cuStreamDestroy(stream);
});

test("pools by place and kind of memory", { skip }, () => {
  const pinned = cuda.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED;
  const usual = attempt(() => cuda.cuMemGetDefaultMemPool(onDevice(), pinned), MISSING, NOT_SUPPORTED);
  if (usual === null) return;
  assert.equal(usual, cuda.cuDeviceGetDefaultMemPool(state.device));
  const pool = cuda.cuMemPoolCreate(properties());
  cuda.cuMemSetMemPool(onDevice(), pinned, pool);
  assert.equal(cuda.cuMemGetMemPool(onDevice(), pinned), pool);
  cuda.cuMemSetMemPool(onDevice(), pinned, usual);
  cuda.cuMemPoolDestroy(pool);
});
