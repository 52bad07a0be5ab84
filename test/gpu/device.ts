/** What most tests begin with: is there a GPU, a context, kernels, memory. */
import { existsSync } from "node:fs";
import { after, before } from "node:test";
import { fileURLToPath } from "node:url";
import type * as Cuda from "cuda-driver";
import { cuda } from "./count.ts";

const attribute = cuda.CUdevice_attribute;

export interface Gpu {
  /** How many GPUs there are. */
  readonly count: number;
  /** Compute capability of the first: 90 for Hopper. */
  readonly capability: number;
  /** cuDriverGetVersion's number. */
  readonly version: number;
  readonly name: string;
}

/* What comes from the cache of compiled PTX comes without a log. The driver reads this in cuInit. */
process.env.CUDA_CACHE_DISABLE = "1";

function look(): Gpu | string {
  try {
    cuda.cuInit(0);
    const count = cuda.cuDeviceGetCount();
    if (count === 0) return "this machine has no GPU";
    const device = cuda.cuDeviceGet(0);
    const major = cuda.cuDeviceGetAttribute(attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    const minor = cuda.cuDeviceGetAttribute(attribute.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
    const name = cuda.cuDeviceGetName(100, device);
    return { count, capability: 10 * major + minor, version: cuda.cuDriverGetVersion(), name };
  } catch (error) {
    if (error instanceof cuda.CudaDriverNotFoundError) return "no CUDA driver here";
    return `no GPU: ${(error as Error).message}`;
  }
}

const found = look();
const folder = fileURLToPath(new URL("kernels/build/", import.meta.url));
const built = existsSync(`${folder}kernels.cubin`);

/** The first GPU; only to be used where `skip` is false. */
export const gpu: Gpu = typeof found === "string" ? { count: 0, capability: 0, version: 0, name: "" } : found;

/** Why tests cannot run here, or false. */
export const skip: string | false =
  typeof found === "string"
    ? found
    : built
      ? false
      : "the kernels are not built: run test/gpu/kernels/build.sh where nvcc is";

/** Why a test that needs more than any GPU cannot run here, or false. */
export function unless(has: () => boolean, what: string): string | false {
  return skip || (has() ? false : `needs ${what}`);
}

export const skipBelowHopper = unless(() => gpu.capability >= 90, "compute capability 9.0");
export const skipOneGpu = unless(() => gpu.count >= 2, `two GPUs, and here is ${gpu.count}`);

/** Reads a device attribute of the first GPU; 0 where there is none. */
export function has(name: keyof typeof attribute): number {
  return skip ? 0 : cuda.cuDeviceGetAttribute(attribute[name] as number, cuda.cuDeviceGet(0));
}

/** Path of a file that build.sh made. */
export function kernelFile(name: string): string {
  return folder + name;
}

/** Makes the first GPU's primary context current for the tests of a file, and gives it back after them. */
export function usePrimaryContext(): { readonly device: Cuda.CUdevice; readonly context: Cuda.CUcontext } {
  const state = { device: 0 as Cuda.CUdevice, context: 0n as Cuda.CUcontext };
  if (skip) return state;
  before(() => {
    state.device = cuda.cuDeviceGet(0);
    state.context = cuda.cuDevicePrimaryCtxRetain(state.device);
    cuda.cuCtxSetCurrent(state.context);
  });
  after(() => {
    cuda.cuCtxSynchronize();
    cuda.cuDevicePrimaryCtxRelease(state.device);
  });
  return state;
}

let library: Cuda.CUlibrary | null = null;

/** A kernel of kernels.cu, from the cubin where this GPU is the one it was built for, else from PTX. */
export function kernel(name: string): Cuda.CUfunction {
  library ??= loadKernels();
  return cuda.cuKernelGetFunction(cuda.cuLibraryGetKernel(library, name));
}

export function loadKernels(): Cuda.CUlibrary {
  return cuda.cuLibraryLoadFromFile(kernelFile("kernels.fatbin"));
}

type Param = Cuda.KernelParam | Cuda.Struct;

export interface Shape {
  grid?: number;
  block?: number;
  shared?: number;
  stream?: Cuda.CUstream | null;
}

/** Launches in one dimension. */
export function launch(fn: Cuda.CUfunction, shape: Shape, ...params: Param[]): void {
  const { grid = 1, block = 1, shared = 0, stream = null } = shape;
  cuda.cuLaunchKernel(fn, grid, 1, 1, block, 1, 1, shared, stream, cuda.kernelParams(...params), null);
}

/** The grid for `count` threads in blocks of 128. */
export function blocks(count: number): Shape & { grid: number; block: number } {
  return { grid: Math.ceil(count / 128), block: 128 };
}

/** Numbers that no other code writes by chance: a small multiplicative generator. */
export function numbers(count: number, seed = 1): Uint32Array<ArrayBuffer> {
  let state = seed >>> 0;
  return Uint32Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state;
  });
}

/** Device memory with these contents. */
export function upload(data: ArrayBufferView): Cuda.CUdeviceptr {
  const pointer = cuda.cuMemAlloc(data.byteLength);
  cuda.cuMemcpyHtoD(pointer, data, data.byteLength);
  /* Other streams may read it next. */
  cuda.cuCtxSynchronize();
  return pointer;
}

/** Device memory of 32-bit words that hold a pattern no test expects. */
export function poisoned(words: number): Cuda.CUdeviceptr {
  const pointer = cuda.cuMemAlloc(4 * words);
  cuda.cuMemsetD32(pointer, 0xdeadbeef, words);
  cuda.cuCtxSynchronize();
  return pointer;
}

/** So many words from device memory, once all work before is done. */
export function words(pointer: Cuda.CUdeviceptr, count: number): Uint32Array<ArrayBuffer> {
  const data = new Uint32Array(count);
  cuda.cuCtxSynchronize();
  cuda.cuMemcpyDtoH(data, pointer, data.byteLength);
  return data;
}

export function floats(pointer: Cuda.CUdeviceptr, count: number): Float32Array<ArrayBuffer> {
  return new Float32Array(words(pointer, count).buffer);
}

/** What `iota` leaves. */
export function iota(count: number, value: number): Uint32Array<ArrayBuffer> {
  return Uint32Array.from({ length: count }, (_, i) => (value + i) >>> 0);
}

/** The value, or null where the driver answers one of these codes: for what not every GPU and system has. */
export function attempt<T>(call: () => T, ...codes: string[]): T | null {
  try {
    return call();
  } catch (error) {
    if (error instanceof cuda.CudaError && codes.includes(error.code)) return null;
    throw error;
  }
}

export const NOT_SUPPORTED = "CUDA_ERROR_NOT_SUPPORTED";
/** What a function that is newer than the driver answers. */
export const MISSING = "CUDA_ERROR_NOT_FOUND";
export const INVALID_VALUE = "CUDA_ERROR_INVALID_VALUE";

/** An assert.throws matcher for a CudaError with this code. */
export function cudaError(code: string): (error: unknown) => boolean {
  return (error) => error instanceof cuda.CudaError && error.code === code;
}
