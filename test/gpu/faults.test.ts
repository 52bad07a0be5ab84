/** What goes wrong on the GPU, each in a process of its own: the right error where the driver reports it, and both live on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { child } from "./children/child.ts";
import { cuda } from "./count.ts";
import { iota, kernel, launch, poisoned, skip, usePrimaryContext, words } from "./device.ts";

interface Answer {
  where: string;
  code: string;
  errno: number;
  /** What the next call said: the same error where the context is lost. */
  after: string;
}

usePrimaryContext();

/** [fault, where it is reported, code, errno, whether the context is lost] */
const faults: [string, string, string, number, boolean][] = [
  ["illegalAddress", "synchronize", "CUDA_ERROR_ILLEGAL_ADDRESS", 700, true],
  ["trap", "synchronize", "CUDA_ERROR_LAUNCH_FAILED", 719, true],
  ["misaligned", "synchronize", "CUDA_ERROR_MISALIGNED_ADDRESS", 716, true],
  ["blockTooLarge", "launch", "CUDA_ERROR_INVALID_VALUE", 1, false],
  ["gridOfZero", "launch", "CUDA_ERROR_INVALID_VALUE", 1, false],
  ["sharedTooLarge", "launch", "CUDA_ERROR_INVALID_VALUE", 1, false],
  ["outOfMemory", "cuMemAlloc", "CUDA_ERROR_OUT_OF_MEMORY", 2, false],
  ["outOfMemoryAsync", "cuMemAllocAsync", "CUDA_ERROR_OUT_OF_MEMORY", 2, false],
  ["otherArchitectureModule", "cuModuleLoad", "CUDA_ERROR_NO_BINARY_FOR_GPU", 209, false],
  ["newerPtx", "cuModuleLoadData", "CUDA_ERROR_INVALID_PTX", 218, false],
  ["illegalAddressInCopy", "cuMemcpyDtoD", "CUDA_ERROR_INVALID_VALUE", 1, false],
];

for (const [fault, where, code, errno, lost] of faults) {
  test(`${fault}: ${code} from ${where}`, { skip, timeout: 120_000 }, async () => {
    const { answer, errors, ...end } = await child<Answer>("fault.ts", fault);
    assert.ok(answer !== null, `the child gave no answer (${JSON.stringify(end)}): ${errors}`);
    assert.deepEqual({ ...answer }, { where, code, errno, after: lost ? code : "fine" });
    assert.equal(end.code, 0, `the child lived on to its end: ${JSON.stringify(end)} ${errors}`);
  });
}

for (const loading of ["EAGER", "LAZY"]) {
  test(`a library for another architecture, ${loading}`, { skip, timeout: 120_000 }, async () => {
    const { answer } = await child<Answer>("fault.ts", "otherArchitectureLibrary", [], {
      CUDA_MODULE_LOADING: loading,
    });
    /* Eager loading does not bring it forward: a library may hold code for another GPU of this machine. */
    const where = "cuLibraryGetModule";
    assert.deepEqual({ ...answer }, { where, code: "CUDA_ERROR_NO_BINARY_FOR_GPU", errno: 209, after: "fine" });
  });
}

test("none of this touched this process", { skip }, () => {
  const { ptr, u32 } = cuda.kernel;
  const data = poisoned(32);
  launch(kernel("iota"), { block: 32 }, ptr(data), u32(32), u32(1));
  assert.deepEqual(words(data, 32), iota(32, 1));
  cuda.cuMemFree(data);
});
