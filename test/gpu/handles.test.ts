/** Handles that are given back twice, and code without an end: where C crashes, there is an error. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { cuda } from "./count.ts";
import { kernelFile, poisoned, skip, usePrimaryContext, words } from "./device.ts";

usePrimaryContext();

const gone = { name: "CudaError", errno: 400, message: /was destroyed, unloaded or unregistered before/ };

test("what was destroyed is not destroyed again", { skip }, () => {
  const format = cuda.CUarray_format.CU_AD_FORMAT_FLOAT;
  const array = { Width: 16, Height: 16, Format: format, NumChannels: 1 };
  const module = cuda.cuModuleLoad(kernelFile("kernels.cubin"));
  const library = cuda.cuLibraryLoadFromFile(kernelFile("kernels.cubin"));
  const link = cuda.cuLinkCreate();
  const ends: [end: (handle: never) => void, handle: bigint][] = [
    [cuda.cuStreamDestroy, cuda.cuStreamCreate(0)],
    [cuda.cuEventDestroy, cuda.cuEventCreate(0)],
    [cuda.cuArrayDestroy, cuda.cuArrayCreate(array)],
    [cuda.cuMipmappedArrayDestroy, cuda.cuMipmappedArrayCreate({ ...array, Depth: 0, Flags: 0 }, 2)],
    [cuda.cuTexRefDestroy, cuda.cuTexRefCreate()],
    [cuda.cuModuleUnload, module],
    [cuda.cuLibraryUnload, library],
    [cuda.cuLinkDestroy, link],
  ];
  for (const [end, handle] of ends) {
    end(handle as never);
    assert.throws(() => end(handle as never), gone, end.name);
  }
  assert.throws(() => cuda.cuModuleGetFunction(module, "iota"), gone);
  assert.throws(() => cuda.cuLibraryGetKernel(library, "iota"), gone);
  assert.throws(() => cuda.cuLinkComplete(link), gone);
});

test("a value that the driver gives out again is good again", { skip }, () => {
  const seen = new Map<bigint, number>();
  for (let round = 0; round < 200; round++) {
    const stream = cuda.cuStreamCreate(0);
    const event = cuda.cuEventCreate(0);
    for (const handle of [stream, event]) seen.set(handle, (seen.get(handle) ?? 0) + 1);
    cuda.cuEventRecord(event, stream);
    cuda.cuStreamSynchronize(stream);
    cuda.cuEventDestroy(event);
    cuda.cuStreamDestroy(stream);
  }
  assert.ok(
    [...seen.values()].some((times) => times > 1),
    "no value came twice: this shows nothing",
  );
});

test("PTX needs no end, and a cubin must have one", { skip }, () => {
  const ptx = readFileSync(kernelFile("kernels.ptx"), "utf8");
  const bytes = new TextEncoder().encode(ptx);
  const load = [
    () => cuda.cuModuleLoadData(ptx),
    () => cuda.cuModuleLoadData(bytes),
    () => cuda.cuModuleLoadDataEx(bytes.slice().buffer),
  ];
  for (const each of load) {
    const module = each();
    const memory = poisoned(4);
    cuda.cuMemsetD32(memory, 3, 4);
    assert.deepEqual([...words(memory, 4)], [3, 3, 3, 3]);
    assert.equal(typeof cuda.cuModuleGetFunction(module, "iota"), "bigint");
    cuda.cuMemFree(memory);
    cuda.cuModuleUnload(module);
  }
  const library = cuda.cuLibraryLoadData(bytes);
  assert.ok(cuda.cuLibraryEnumerateKernels(library).length > 10);
  cuda.cuLibraryUnload(library);

  const state = cuda.cuLinkCreate();
  cuda.cuLinkAddData(state, cuda.CUjitInputType.CU_JIT_INPUT_PTX, bytes, undefined, "no end");
  assert.ok(cuda.cuLinkComplete(state).length > 1000);
  cuda.cuLinkDestroy(state);

  const cubin = readFileSync(kernelFile("kernels.cubin"));
  for (const length of [8, 64, cubin.length / 2, cubin.length - 400].map(Math.floor)) {
    assert.throws(() => cuda.cuModuleLoadData(cubin.subarray(0, length)), { name: "RangeError" }, `${length} bytes`);
    assert.throws(() => cuda.cuLibraryLoadData(cubin.subarray(0, length)), { name: "RangeError" });
  }
});
