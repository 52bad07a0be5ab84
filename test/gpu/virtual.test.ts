/** Virtual memory management: addresses, physical memory, and the mapping between them. */
import assert from "node:assert/strict";
import { closeSync } from "node:fs";
import { test } from "node:test";
import { cuda } from "./count.ts";
import {
  attempt,
  blocks,
  cudaError,
  has,
  INVALID_VALUE,
  iota,
  kernel,
  launch,
  NOT_SUPPORTED,
  unless,
  usePrimaryContext,
  words,
} from "./device.ts";

const { ptr, u32 } = cuda.kernel;
const state = usePrimaryContext();
const skip = unless(
  () => has("CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED") === 1,
  "virtual memory management",
);

function properties() {
  return new cuda.CUmemAllocationProp({
    type: cuda.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED,
    requestedHandleTypes: cuda.CUmemAllocationHandleType.CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
    location: { type: cuda.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE, id: state.device },
  });
}

test("two pieces of memory side by side, then the one twice", { skip }, () => {
  const prop = properties();
  const size = Number(
    cuda.cuMemGetAllocationGranularity(prop, cuda.CUmemAllocationGranularity_flags.CU_MEM_ALLOC_GRANULARITY_MINIMUM),
  );
  assert.ok(size > 0 && size % 65536 === 0, `granularity ${size}`);
  const count = size / 4;
  const range = cuda.cuMemAddressReserve(2 * size, 0, 0n, 0);
  const upper = range + BigInt(size);
  const pieces = [cuda.cuMemCreate(size, prop, 0), cuda.cuMemCreate(size, prop, 0)] as const;
  cuda.cuMemMap(range, size, 0, pieces[0], 0);
  cuda.cuMemMap(upper, size, 0, pieces[1], 0);
  const both = cuda.CUmemAccess_flags.CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  const access = { location: prop.location, flags: both };
  cuda.cuMemSetAccess(range, 2 * size, access, 1);
  assert.equal(cuda.cuMemGetAccess(prop.location, range), BigInt(both));

  launch(kernel("iota"), blocks(2 * count), ptr(range), u32(2 * count), u32(9));
  assert.deepEqual(words(range, 2 * count), iota(2 * count, 9));

  const again = cuda.cuMemRetainAllocationHandle(upper);
  assert.equal(again, pieces[1]);
  const { location, type } = cuda.cuMemGetAllocationPropertiesFromHandle(again);
  assert.deepEqual([location.id, type], [state.device, prop.type]);
  cuda.cuMemRelease(again);

  /* The lower memory also at the upper address. */
  cuda.cuMemUnmap(upper, size);
  cuda.cuMemMap(upper, size, 0, pieces[0], 0);
  cuda.cuMemSetAccess(upper, size, access, 1);
  assert.deepEqual(words(upper, count), iota(count, 9));
  cuda.cuMemsetD32(upper, 5, count);
  assert.ok(words(range, count).every((word) => word === 5));

  const fd = cuda.CUmemAllocationHandleType.CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
  const descriptor = cuda.cuMemExportToShareableHandle(pieces[1], fd, 0);
  const imported = cuda.cuMemImportFromShareableHandle(descriptor, fd);
  closeSync(descriptor);
  cuda.cuMemUnmap(upper, size);
  cuda.cuMemMap(upper, size, 0, imported, 0);
  cuda.cuMemSetAccess(upper, size, access, 1);
  assert.deepEqual(words(upper, count), iota(count, 9 + count), "what the second piece held");

  const { CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD } = cuda.CUmemRangeHandleType;
  const exported = attempt(
    () => cuda.cuMemGetHandleForAddressRange(range, size, CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD, 0),
    NOT_SUPPORTED,
    INVALID_VALUE,
    "CUDA_ERROR_OPERATING_SYSTEM",
  );
  if (exported !== null) closeSync(exported);

  cuda.cuMemUnmap(range, 2 * size);
  for (const piece of [...pieces, imported]) cuda.cuMemRelease(piece);
  cuda.cuMemAddressFree(range, 2 * size);
  assert.throws(() => cuda.cuMemcpyDtoH(new Uint8Array(4), range, 4), cudaError(INVALID_VALUE), "nothing is there");
});

test("memory from the outside: an exported piece as external memory", { skip }, () => {
  const prop = properties();
  const size = Number(
    cuda.cuMemGetAllocationGranularity(
      prop,
      cuda.CUmemAllocationGranularity_flags.CU_MEM_ALLOC_GRANULARITY_RECOMMENDED,
    ),
  );
  const piece = cuda.cuMemCreate(size, prop, 0);
  const descriptor = cuda.cuMemExportToShareableHandle(
    piece,
    cuda.CUmemAllocationHandleType.CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR,
    0,
  );
  const external = attempt(
    () =>
      cuda.cuImportExternalMemory({
        type: cuda.CUexternalMemoryHandleType.CU_EXTERNAL_MEMORY_HANDLE_TYPE_OPAQUE_FD,
        handle: { fd: descriptor },
        size,
      }),
    INVALID_VALUE,
    NOT_SUPPORTED,
    "CUDA_ERROR_UNKNOWN",
    "CUDA_ERROR_OPERATING_SYSTEM",
    "CUDA_ERROR_INVALID_HANDLE",
  );
  if (external !== null) {
    const buffer = cuda.cuExternalMemoryGetMappedBuffer(external, { offset: 0, size });
    cuda.cuMemsetD32(buffer, 17, 1024);
    assert.ok(words(buffer, 1024).every((word) => word === 17));
    cuda.cuMemFree(buffer);
    cuda.cuDestroyExternalMemory(external);
  } else closeSync(descriptor);
  cuda.cuMemRelease(piece);
});
