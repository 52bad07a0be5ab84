import type { CounterRow } from "./library.ts";

/** Functions that fill a list whose length another function says. */
export const driverCounters: readonly CounterRow[] = [
  {
    function: "cuLibraryEnumerateKernels",
    counter: "cuLibraryGetKernelCount",
    reason: "it has as many kernels, and no more come later",
  },
  {
    function: "cuModuleEnumerateFunctions",
    counter: "cuModuleGetFunctionCount",
    reason: "it has as many functions, and no more come later",
  },
  {
    function: "cuDeviceGetCliqueInfo",
    counter: "cuDeviceGetCliqueCount",
    listed: "count",
    reason: "the device is part of as many cliques",
  },
  {
    function: "cuGLGetDevices",
    counter: "cuDeviceGetCount",
    listed: "pCudaDeviceCount",
    reason: "a context of OpenGL's has at most all devices",
  },
];
