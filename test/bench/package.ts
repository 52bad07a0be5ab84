import { measure, type Row } from "./measure.ts";

/** Through cuda-driver. */
export async function throughPackage(kernels: string, rounds: number): Promise<Row[]> {
  const cuda = await import("cuda-driver");
  const { i32 } = cuda.kernel;
  cuda.cuInit(0);
  const device = cuda.cuDeviceGet(0);
  const context = cuda.cuDevicePrimaryCtxRetain(device);
  cuda.cuCtxSetCurrent(context);
  const stream = cuda.cuStreamCreate(0);
  const event = cuda.cuEventCreate(0);
  const memory = cuda.cuMemAlloc(4096);
  const module = cuda.cuModuleLoad(`${kernels}/kernels.cubin`);
  const kernel = (name: string) => cuda.cuModuleGetFunction(module, name);
  const [empty0, empty1, empty16, empty256] = [
    kernel("empty0"),
    kernel("empty1"),
    kernel("empty16"),
    kernel("empty256"),
  ];
  cuda.cuEventRecord(event, stream);
  cuda.cuStreamSynchronize(stream);

  const launches = Math.trunc(rounds / 20) + 1;
  const settle = () => cuda.cuCtxSynchronize();
  const host = new Uint8Array(4);
  const sixteen = Array.from({ length: 16 }, (_, i) => i);
  const packed1 = cuda.kernelParams(i32(1));
  const packed16 = cuda.kernelParams(...sixteen.map(i32));
  const packed256 = cuda.kernelParams(...Array.from({ length: 256 }, (_, i) => i32(i)));
  const config = new cuda.CUlaunchConfig({
    gridDimX: 1,
    gridDimY: 1,
    gridDimZ: 1,
    blockDimX: 1,
    blockDimY: 1,
    blockDimZ: 1,
    hStream: stream,
  });
  const { CU_DEVICE_ATTRIBUTE_WARP_SIZE } = cuda.CUdevice_attribute;
  const { CU_POINTER_ATTRIBUTE_MEMORY_TYPE } = cuda.CUpointer_attribute;
  let sink: unknown;
  const rows = [
    measure(
      "cuCtxGetCurrent",
      rounds,
      (n) => {
        for (let i = 0; i < n; i++) {
          sink = cuda.cuCtxGetCurrent();
        }
      },
      settle,
    ),
    measure(
      "cuDeviceGetAttribute",
      rounds,
      (n) => {
        for (let i = 0; i < n; i++) {
          sink = cuda.cuDeviceGetAttribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE, device);
        }
      },
      settle,
    ),
    measure(
      "cuPointerGetAttribute",
      rounds,
      (n) => {
        for (let i = 0; i < n; i++) {
          sink = cuda.cuPointerGetAttribute(CU_POINTER_ATTRIBUTE_MEMORY_TYPE, memory);
        }
      },
      settle,
    ),
    measure(
      "cuEventRecord",
      rounds / 4,
      (n) => {
        for (let i = 0; i < n; i++) cuda.cuEventRecord(event, stream);
      },
      settle,
    ),
    measure(
      "cuEventQuery",
      rounds,
      (n) => {
        for (let i = 0; i < n; i++) {
          sink = cuda.cuEventQuery(event);
        }
      },
      settle,
    ),
    measure(
      "cuStreamQuery",
      rounds,
      (n) => {
        for (let i = 0; i < n; i++) {
          sink = cuda.cuStreamQuery(stream);
        }
      },
      settle,
    ),
    measure(
      "cuMemAlloc+cuMemFree",
      launches,
      (n) => {
        for (let i = 0; i < n; i++) cuda.cuMemFree(cuda.cuMemAlloc(64));
      },
      settle,
    ),
    measure(
      "cuMemcpyHtoD 4 bytes",
      launches,
      (n) => {
        for (let i = 0; i < n; i++) cuda.cuMemcpyHtoD(memory, host, 4);
      },
      settle,
    ),
    measure(
      "launch 0 arguments",
      launches,
      (n) => {
        for (let i = 0; i < n; i++) cuda.cuLaunchKernel(empty0, 1, 1, 1, 1, 1, 1, 0, stream, null, null);
      },
      settle,
    ),
    measure(
      "launch 1 argument, packed before",
      launches,
      (n) => {
        for (let i = 0; i < n; i++) cuda.cuLaunchKernel(empty1, 1, 1, 1, 1, 1, 1, 0, stream, packed1, null);
      },
      settle,
    ),
    measure(
      "launch 1 argument, packed each time",
      launches,
      (n) => {
        for (let i = 0; i < n; i++)
          cuda.cuLaunchKernel(empty1, 1, 1, 1, 1, 1, 1, 0, stream, cuda.kernelParams(i32(1)), null);
      },
      settle,
    ),
    measure(
      "launch 16 arguments, packed before",
      launches,
      (n) => {
        for (let i = 0; i < n; i++) cuda.cuLaunchKernel(empty16, 1, 1, 1, 1, 1, 1, 0, stream, packed16, null);
      },
      settle,
    ),
    measure(
      "launch 16 arguments, packed each time",
      launches,
      (n) => {
        for (let i = 0; i < n; i++)
          cuda.cuLaunchKernel(empty16, 1, 1, 1, 1, 1, 1, 0, stream, cuda.kernelParams(...sixteen.map(i32)), null);
      },
      settle,
    ),
    measure(
      "launch 256 arguments, packed before",
      launches,
      (n) => {
        for (let i = 0; i < n; i++) cuda.cuLaunchKernel(empty256, 1, 1, 1, 1, 1, 1, 0, stream, packed256, null);
      },
      settle,
    ),
    measure(
      "cuLaunchKernelEx 16 arguments",
      launches,
      (n) => {
        for (let i = 0; i < n; i++) cuda.cuLaunchKernelEx(config, empty16, packed16, null);
      },
      settle,
    ),
  ];
  void sink;
  return rows;
}
