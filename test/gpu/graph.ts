/** What the tests of graphs share: running one, and the parameters of its nodes. */
import type * as Cuda from "cuda-driver";
import { cuda } from "./count.ts";
import { blocks, kernel } from "./device.ts";

const device = cuda.CUmemorytype.CU_MEMORYTYPE_DEVICE;
const host = cuda.CUmemorytype.CU_MEMORYTYPE_HOST;

/** Launches a graph in a stream of its own and waits for it. */
export function run(exec: Cuda.CUgraphExec): void {
  const stream = cuda.cuStreamCreate(cuda.CUstream_flags.CU_STREAM_NON_BLOCKING);
  cuda.cuGraphLaunch(exec, stream);
  cuda.cuStreamSynchronize(stream);
  cuda.cuStreamDestroy(stream);
}

/** What a kernel node needs: `name` in one dimension. */
export function kernelNode(
  name: string,
  count: number,
  ...params: Cuda.KernelParam[]
): Cuda.CUDA_KERNEL_NODE_PARAMSFields {
  const { grid, block } = blocks(count);
  return {
    func: kernel(name),
    gridDimX: grid,
    gridDimY: 1,
    gridDimZ: 1,
    blockDimX: block,
    blockDimY: 1,
    blockDimZ: 1,
    kernelParams: cuda.kernelParams(...params),
  };
}

export function memset(dst: bigint, value: number, width: number): Cuda.CUDA_MEMSET_NODE_PARAMSFields {
  return { dst, value, elementSize: 4, width, height: 1 };
}

/** A copy of bytes as a three-dimensional one. */
export function copy(from: Partial<Cuda.CUDA_MEMCPY3DFields>, to: Partial<Cuda.CUDA_MEMCPY3DFields>, bytes: number) {
  return { ...from, ...to, WidthInBytes: bytes, Height: 1, Depth: 1 };
}

export const fromDevice = (srcDevice: bigint) => ({ srcMemoryType: device, srcDevice });
export const toDevice = (dstDevice: bigint) => ({ dstMemoryType: device, dstDevice });
export const toHost = (dstHost: ArrayBufferView) => ({ dstMemoryType: host, dstHost });
