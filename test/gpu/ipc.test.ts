/** Memory and events of one process, used by another. */
import assert from "node:assert/strict";
import { closeSync } from "node:fs";
import { test } from "node:test";
import type * as Cuda from "cuda-driver";
import { child } from "./children/child.ts";
import { cuda } from "./count.ts";
import { has, kernel, launch, skip, unless, upload, usePrimaryContext, words } from "./device.ts";

const { u32, u64, ptr } = cuda.kernel;
const state = usePrimaryContext();
const count = 10_000;
const data = Uint32Array.from({ length: count }, (_, i) => 3 * i + 1);
const total = data.reduce((sum, word) => sum + word, 0);
const doubled = data.map((word) => 2 * word);
const posix = cuda.CUmemAllocationHandleType.CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;

interface Answer {
  sum?: number;
  error?: string;
}

async function ask(request: object, descriptors: number[] = []): Promise<number | undefined> {
  const { answer, code, signal, errors } = await child<Answer>("ipc.ts", request, descriptors);
  assert.ok(answer !== null, `the child ended with ${code ?? signal}: ${errors}`);
  assert.equal(answer.error, undefined, answer.error);
  return answer.sum;
}

function hex(record: Cuda.Struct): string {
  return Buffer.from(record.$bytes).toString("hex");
}

test("memory by its handle", { skip, timeout: 120_000 }, async () => {
  const memory = upload(data);
  const handle = cuda.cuIpcGetMemHandle(memory);
  assert.equal(await ask({ kind: "memory", words: count, handle: hex(handle) }), total);
  assert.deepEqual(words(memory, count), doubled);
  cuda.cuMemFree(memory);
});

test("physical memory by a descriptor", {
  skip: unless(
    () => has("CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED") === 1,
    "handles that are descriptors",
  ),
  timeout: 120_000,
}, async () => {
  const location = { type: cuda.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE, id: state.device };
  const prop = new cuda.CUmemAllocationProp({
    type: cuda.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED,
    requestedHandleTypes: posix,
    location,
  });
  const size = Number(
    cuda.cuMemGetAllocationGranularity(prop, cuda.CUmemAllocationGranularity_flags.CU_MEM_ALLOC_GRANULARITY_MINIMUM),
  );
  const piece = cuda.cuMemCreate(size, prop, 0);
  const memory = cuda.cuMemAddressReserve(size, 0, 0n, 0);
  cuda.cuMemMap(memory, size, 0, piece, 0);
  cuda.cuMemSetAccess(memory, size, { location, flags: cuda.CUmemAccess_flags.CU_MEM_ACCESS_FLAGS_PROT_READWRITE }, 1);
  cuda.cuMemcpyHtoD(memory, data, data.byteLength);
  cuda.cuCtxSynchronize();
  const descriptor = cuda.cuMemExportToShareableHandle(piece, posix, 0);
  assert.equal(await ask({ kind: "physical", words: count, size }, [descriptor]), total);
  closeSync(descriptor);
  assert.deepEqual(words(memory, count), doubled);
  cuda.cuMemUnmap(memory, size);
  cuda.cuMemRelease(piece);
  cuda.cuMemAddressFree(memory, size);
});

test("a pool and a pointer of it", {
  skip: unless(
    () => (has("CU_DEVICE_ATTRIBUTE_MEMPOOL_SUPPORTED_HANDLE_TYPES") & posix) !== 0,
    "pools that can be exported",
  ),
  timeout: 120_000,
}, async () => {
  const pool = cuda.cuMemPoolCreate({
    allocType: cuda.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED,
    handleTypes: posix,
    location: { type: cuda.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE, id: state.device },
  });
  const stream = cuda.cuStreamCreate(0);
  const memory = cuda.cuMemAllocFromPoolAsync(data.byteLength, pool, stream);
  cuda.cuStreamSynchronize(stream);
  cuda.cuMemcpyHtoD(memory, data, data.byteLength);
  cuda.cuCtxSynchronize();
  const descriptor = cuda.cuMemPoolExportToShareableHandle(pool, posix, 0);
  const pointer = cuda.cuMemPoolExportPointer(memory);
  assert.equal(await ask({ kind: "pool", words: count, handle: hex(pointer) }, [descriptor]), total);
  closeSync(descriptor);
  assert.deepEqual(words(memory, count), doubled);
  cuda.cuMemFreeAsync(memory, stream);
  cuda.cuStreamSynchronize(stream);
  cuda.cuMemPoolDestroy(pool);
  cuda.cuStreamDestroy(stream);
});

test("an event", { skip, timeout: 120_000 }, async () => {
  const flags = cuda.CUevent_flags;
  const event = cuda.cuEventCreate(flags.CU_EVENT_INTERPROCESS | flags.CU_EVENT_DISABLE_TIMING);
  const stream = cuda.cuStreamCreate(0);
  launch(kernel("spin"), { stream }, u64(1_000_000), ptr(null), u32(0));
  cuda.cuEventRecord(event, stream);
  const handle = cuda.cuIpcGetEventHandle(event);
  assert.equal(await ask({ kind: "event", words: 0, handle: hex(handle) }), 1);
  cuda.cuEventDestroy(event);
  cuda.cuStreamDestroy(stream);
});
