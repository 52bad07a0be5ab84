import { driverAttributeLists, driverAttributes } from "./driver.attributes.ts";
import { driverCounters } from "./driver.counters.ts";
import { driverDirections } from "./driver.directions.ts";
import {
  driverCounts,
  driverDeviceFields,
  driverPitched,
  driverTextFields,
  driverUnions,
  driverWritten,
} from "./driver.fields.ts";
import { driverHandwritten } from "./driver.handwritten.ts";
import { driverNames } from "./driver.names.ts";
import type { Library } from "./library.ts";

export const driver: Library = {
  name: "driver",
  package: "cuda-driver",
  versionMacro: "CUDA_VERSION",
  prefix: "cu",
  headers: [
    { name: "cuda.h", required: true, typedefs: false },
    { name: "cudaProfiler.h", required: false, typedefs: false },
    { name: "cudaGL.h", required: false, typedefs: false },
    { name: "cudaEGL.h", required: false, typedefs: false },
    { name: "cudaVDPAU.h", required: false, typedefs: false },
    { name: "cudaTypedefs.h", required: false, typedefs: true },
    { name: "cudaProfilerTypedefs.h", required: false, typedefs: true },
    { name: "cudaGLTypedefs.h", required: false, typedefs: true },
    { name: "cudaEGLTypedefs.h", required: false, typedefs: true },
    { name: "cudaVDPAUTypedefs.h", required: false, typedefs: true },
  ],
  minimumFunctions: 100,
  wheel: "nvidia-cuda-runtime",
  configurations: [
    { name: "default", define: {} },
    { name: "perThread", define: { CUDA_API_PER_THREAD_DEFAULT_STREAM: "1" } },
    { name: "internal", define: { __CUDA_API_VERSION_INTERNAL: "1" } },
  ],
  externalTypes: [
    {
      name: "GLuint",
      type: "unsigned int",
      reason: "cudaGL.h takes it from GL/gl.h, which fixes it at 32 bits unsigned",
    },
    {
      name: "GLenum",
      type: "unsigned int",
      reason: "cudaGL.h takes it from GL/gl.h, which fixes it at 32 bits unsigned",
    },
    { name: "EGLint", type: "int", reason: "cudaEGL.h takes it from EGL/egl.h, which fixes it at 32 bits signed" },
    { name: "EGLImageKHR", type: "void *", reason: "cudaEGL.h takes it from EGL/eglext.h, an opaque pointer there" },
    { name: "EGLStreamKHR", type: "void *", reason: "cudaEGL.h takes it from EGL/eglext.h, an opaque pointer there" },
    { name: "EGLSyncKHR", type: "void *", reason: "cudaEGL.h takes it from EGL/eglext.h, an opaque pointer there" },
    {
      name: "VdpDevice",
      type: "unsigned int",
      reason: "cudaVDPAU.h takes it from vdpau/vdpau.h, a 32-bit handle there",
    },
    {
      name: "VdpVideoSurface",
      type: "unsigned int",
      reason: "cudaVDPAU.h takes it from vdpau/vdpau.h, a 32-bit handle there",
    },
    {
      name: "VdpOutputSurface",
      type: "unsigned int",
      reason: "cudaVDPAU.h takes it from vdpau/vdpau.h, a 32-bit handle there",
    },
    {
      name: "VdpGetProcAddress",
      type: "void",
      reason: "cudaVDPAU.h takes a pointer to it; vdpau/vdpau.h makes it a function type, opaque here",
    },
    {
      name: "CUoutput_mode",
      type: "unsigned int",
      reason:
        "the typedef headers take it from cudaProfiler.h, an enum of two values there; the runtime's wheels come without that header",
    },
  ],
  systemHeaders: ["stdlib.h", "stdint.h", "stddef.h", "GL/gl.h", "EGL/egl.h", "EGL/eglext.h", "vdpau/vdpau.h"],
  deprecatedMacro: "__CUDA_DEPRECATED",
  procTypedefPrefix: "PFN_",
  resultType: "CUresult",
  queries: {
    functions: ["cuEventQuery", "cuStreamQuery"],
    result: "CUDA_ERROR_NOT_READY",
    reason: "they ask whether work is done, and this says: not yet",
  },
  /* CUdeviceptr and its like; cuuint64_t and GLuint are just integers. */
  ownTypes: /^CU[a-z]/,
  reservedFields: /^(_|cuda_?reserved|reserved|rsvd|pad(ding)?\d*$)/i,
  options: {
    CUjit_option: { maker: "jitOptions", type: "JitOptions", answers: true },
    CUlibraryOption: { maker: "libraryOptions", type: "LibraryOptions", answers: false },
  },
  explained: [
    {
      function: "cuGraphExecUpdate",
      parameters: ["resultInfo", "hErrorNode_out", "updateResult_out"],
      result: "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE",
      reason: "which node could not be updated, and why",
    },
    {
      function: "cuGraphInstantiate",
      parameters: ["phErrorNode", "logBuffer"],
      reason: "which node could not be instantiated, and why; retired variants have them",
    },
    { function: "cuMemcpyBatchAsync", parameters: ["failIdx"], reason: "which copy failed; retired variants have it" },
    {
      function: "cuMemcpy3DBatchAsync",
      parameters: ["failIdx"],
      reason: "which copy failed; retired variants have it",
    },
    { function: "cuMemBatchDecompressAsync", parameters: ["errorIndex"], reason: "which operation failed" },
  ],
  alsoTaken: [
    {
      functions: [
        ...["cuLaunchKernel", "cuLaunchKernelEx", "cuLaunchCooperativeKernel"],
        ...["cuOccupancyMaxActiveBlocksPerMultiprocessor", "cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags"],
        ...["cuOccupancyMaxPotentialBlockSize", "cuOccupancyMaxPotentialBlockSizeWithFlags"],
        ...["cuOccupancyAvailableDynamicSMemPerBlock", "cuOccupancyMaxPotentialClusterSize"],
        "cuOccupancyMaxActiveClusters",
      ],
      declared: "CUfunction",
      type: "CUkernel",
      reason: "documented: a kernel stands for its function in the current context",
    },
  ],
  leftOut: [{ parameter: "extra", reason: "the other way to pass a kernel's arguments, which few programs go" }],
  paths: ["fname", "fileName", "path", "pathToFile"],
  streamType: "CUstream",
  captureStatus: "cuStreamIsCapturing",
  hostFunction: "CUhostFn",
  attributes: driverAttributes,
  attributeLists: driverAttributeLists,
  counters: driverCounters,
  numbersInPointers: [
    ["cuMemImportFromShareableHandle", "osHandle"],
    ["cuMemPoolImportFromShareableHandle", "handle"],
    ["cuLogicalEndpointImport", "handle"],
  ].map(([name = "", parameter = ""]) => ({
    function: name,
    parameter,
    reason: "a file descriptor travels in the pointer itself, a fabric handle behind it",
  })),
  deviceAddresses: [
    { parameter: "globalAddress", reason: "tensor maps describe memory of a device" },
    {
      function: "cuMemRetainAllocationHandle",
      parameter: "addr",
      reason: "it is asked which allocation is mapped there",
    },
    { function: "cuLogicalEndpointBindAddr", parameter: "ptr", reason: "the allocation that is bound is mapped there" },
  ],
  optionalLists: [{ of: "CUgraphEdgeData", reason: "edges without data are plain dependencies" }],
  unions: driverUnions,
  fieldCounts: driverCounts,
  written: driverWritten,
  pitched: driverPitched,
  deviceFields: driverDeviceFields,
  textFields: driverTextFields,
  handwritten: driverHandwritten,
  makers: [
    "cuExternalMemoryGetMappedMipmappedArray",
    "cuGraphicsResourceGetMappedMipmappedArray",
    "cuGraphicsSubResourceGetMappedArray",
  ].map((name) => ({
    function: name,
    reason: "what is mapped anew may have the handle that an array which was destroyed had",
  })),
  sharedLibrary: {
    linux: [
      "libcuda.so.1",
      "libcuda.so",
      /* Where a stub stands first on the search path, the driver is still in one of the usual places. */
      "/usr/lib/wsl/lib/libcuda.so.1",
      "/usr/lib/x86_64-linux-gnu/libcuda.so.1",
      "/usr/lib/aarch64-linux-gnu/libcuda.so.1",
      "/usr/lib64/libcuda.so.1",
      "/usr/lib/libcuda.so.1",
      "/usr/local/nvidia/lib64/libcuda.so.1",
      "/run/opengl-driver/lib/libcuda.so.1",
    ],
    win32: ["nvcuda.dll"],
  },
  directions: driverDirections,
  threadBound: {
    functions: [
      ...["cuCtxAttach", "cuCtxCreate", "cuCtxDestroy", "cuCtxDetach", "cuCtxPopCurrent", "cuCtxPushCurrent"],
      ...["cuCtxSetCurrent", "cuGLCtxCreate", "cuThreadExchangeStreamCaptureMode", "cuVDPAUCtxCreate"],
    ],
    reason: "each thread has a stack of contexts and a capture mode of its own",
  },
  limited: [
    {
      function: "cuDevSmResourceSplitByCount",
      reason: "what is not split off remains, so that fewer groups than there can be are a choice",
    },
  ],
  kernelParams: "kernelParams",
  nullableTypes: [
    { name: "CUstream", reason: "the default stream that this function works on" },
    { name: "CUcontext", reason: "no context, or the current one" },
  ],
  pythonNames: driverNames,
  pythonRetired: ["cuGraphGetEdges", "cuGraphNodeGetDependencies", "cuGraphNodeGetDependentNodes"].map((name) => ({
    function: name,
    reason: "cuda-python takes its names from 12.9 on, where these were not retired, and keeps them",
  })),
};
