/**
 * A process that does one thing wrong on the GPU. Answers {where, code, errno, after}: the call that reported it, the
 * error, and what a call after it said ("fine" where the context was still good).
 */
import { readFileSync } from "node:fs";
import type * as Cuda from "cuda-driver";
import { cuda } from "../count.ts";
import { kernel, kernelFile, launch } from "../device.ts";
import { answer, argument } from "./child.ts";

const { ptr, u32 } = cuda.kernel;
const context = cuda.cuDevicePrimaryCtxRetain(cuda.cuDeviceGet(0));
cuda.cuCtxSetCurrent(context);

let where = "";
function step<T>(name: string, call: () => T): T {
  where = name;
  return call();
}

/** A kernel that fails: its launch is fine, waiting for it is not. */
function failing(name: string, ...params: Cuda.KernelParam[]): void {
  const fn = kernel(name);
  step("launch", () => launch(fn, {}, ...params));
  step("synchronize", () => cuda.cuCtxSynchronize());
}

const faults: Record<string, () => void> = {
  illegalAddress: () => failing("write_to", ptr(0x10n)),
  trap: () => failing("trap"),
  misaligned: () => {
    const memory = cuda.cuMemAlloc(64);
    failing("misaligned", ptr(memory));
  },
  blockTooLarge: () => step("launch", () => launch(kernel("nothing"), { block: 2048 })),
  gridOfZero: () => step("launch", () => launch(kernel("nothing"), { grid: 0 })),
  sharedTooLarge: () => step("launch", () => launch(kernel("reverse"), { shared: 10 * 2 ** 20 }, ptr(1n), u32(4))),
  outOfMemory: () => step("cuMemAlloc", () => cuda.cuMemAlloc(2n ** 46n)),
  outOfMemoryAsync: () => step("cuMemAllocAsync", () => cuda.cuMemAllocAsync(2n ** 46n, null)),
  otherArchitectureModule: () => step("cuModuleLoad", () => cuda.cuModuleLoad(kernelFile("other.cubin"))),
  otherArchitectureLibrary: () => {
    const library = step("cuLibraryLoadFromFile", () => cuda.cuLibraryLoadFromFile(kernelFile("other.cubin")));
    step("cuLibraryGetModule", () => cuda.cuLibraryGetModule(library));
  },
  newerPtx: () => {
    const text = Buffer.concat([readFileSync(kernelFile("newest.ptx")), Buffer.alloc(1)]);
    step("cuModuleLoadData", () => cuda.cuModuleLoadData(text));
  },
  illegalAddressInCopy: () => {
    const memory = cuda.cuMemAlloc(64);
    step("cuMemcpyDtoD", () => cuda.cuMemcpyDtoD(memory, 0x10n, 64));
  },
};

const fault = argument<string>();
try {
  faults[fault]?.();
  answer({ where: "nowhere", code: "CUDA_SUCCESS", errno: 0, after: "" });
} catch (error) {
  const { code, errno } = error as Cuda.CudaError;
  const name = error instanceof cuda.CudaError ? code : (error as Error).stack;
  let after = "fine";
  try {
    cuda.cuMemFree(cuda.cuMemAlloc(16));
  } catch (second) {
    after = (second as Cuda.CudaError).code;
  }
  answer({ where, code: name, errno, after });
}
