import type { DirectionRow } from "./library.ts";

const split = "it says how many groups there is room for, and comes back as how many there are";
const owned = "the array stays the driver's; numDependencies_out says how many elements it has";
const several = "as many elements as the count says; the name does not tell that there are several";
const strides = "one for each dimension but the first, whose stride is the size of an element";
const corners = "one for each dimension of the image: neither the channels nor the batch";
const log = "NULL dumps all logs; otherwise the iterator is read and moved on";
const options =
  "results such as log sizes and the wall time are written into the slots of the options that ask for them";

/** What types and comments do not say of the driver's parameters. Each row was read in NVIDIA's documentation. */
export const driverDirections: readonly DirectionRow[] = [
  // One value, given without the words that the rules know.
  { function: "cuDeviceComputeCapability", parameter: "major", direction: "out", reason: "the major revision number" },
  { function: "cuDeviceComputeCapability", parameter: "minor", direction: "out", reason: "the minor revision number" },
  { function: "cuEventElapsedTime", parameter: "pMilliseconds", direction: "out", reason: "the time in ms" },
  { function: "cuGraphExecUpdate_v2", parameter: "resultInfo", direction: "out", reason: "the error info" },
  {
    function: ["cuTensorMapEncodeTiled", "cuTensorMapEncodeIm2col", "cuTensorMapEncodeIm2colWide"],
    parameter: "tensorMap",
    direction: "out",
    reason: "the object to create",
  },
  {
    function: "cuTensorMapSetAllocationClass",
    parameter: "outAllocClass",
    direction: "out",
    nullable: true,
    reason: "the class that results; optional",
  },
  {
    function: ["cuDevSmResourceSplit", "cuDevSmResourceSplitByCount"],
    parameter: "remainder",
    direction: "out",
    reason: "what no group took",
  },
  {
    function: "cuDevSmResourceSplitByCount",
    parameter: "remaining",
    direction: "out",
    reason: "what no group took; so called up to 13.0",
  },
  {
    function: ["cuMemcpyBatchAsync", "cuMemcpy3DBatchAsync"],
    parameter: "failIdx",
    direction: "out",
    reason: "the index of the failing copy; only the first variant has it, whose comment is gone from 13.0 on",
  },
  {
    function: "cuGraphInstantiate",
    parameter: "phErrorNode",
    direction: "out",
    nullable: true,
    reason: "the node that failed; only retired variants have it",
  },

  // Arrays of the driver's own.
  {
    function: "cuStreamGetCaptureInfo",
    parameter: ["dependencies_out", "edgeData_out"],
    direction: "out",
    nullable: true,
    count: "numDependencies_out",
    reason: owned,
  },
  {
    function: "cuLinkComplete",
    parameter: "cubinOut",
    direction: "out",
    count: "sizeOut",
    reason: "the image stays the driver's; sizeOut says how many bytes it has",
  },

  // Several values behind a parameter whose name is that of one, or whose count is not a parameter.
  {
    function: "cuTexRefGetBorderColor",
    parameter: "pBorderColor",
    direction: "inout",
    bytes: 16,
    reason: "four floats, in memory of the caller's",
  },
  {
    function: "cuDeviceGetLuid",
    parameter: "luid",
    direction: "inout",
    bytes: 8,
    reason: "eight bytes, in memory of the caller's",
  },
  {
    function: "cuMemGetLocationInfo",
    parameter: "location_out",
    direction: "inout",
    nullable: true,
    length: { of: "size", per: "summaryGranularity" },
    reason: "one entry for each summary region",
  },
  {
    function: "cuDeviceGetCliqueInfo",
    parameter: "cliqueInfo",
    direction: "inout",
    nullable: true,
    count: "count",
    reason: "an array of as many entries as count says",
  },
  {
    function: "cuDeviceGetCliqueInfo",
    parameter: "count",
    direction: "inout",
    reason: "it says how many entries there is room for, and comes back as how many there are",
  },
  {
    function: "cuDevSmResourceSplit",
    parameter: "result",
    direction: "inout",
    nullable: true,
    count: "nbGroups",
    reason: "an array of groups; NULL to ask only",
  },
  {
    function: "cuDevSmResourceSplit",
    parameter: "groupParams",
    direction: "inout",
    count: "nbGroups",
    reason: "one for each group; sizes that were asked for as 0 are filled in",
  },
  {
    function: "cuDevSmResourceSplitByCount",
    parameter: "result",
    direction: "inout",
    nullable: true,
    count: "nbGroups",
    reason: "an array of groups; NULL to ask for their number",
  },
  { function: "cuDevSmResourceSplitByCount", parameter: "nbGroups", direction: "inout", reason: split },
  {
    function: "cuLogsDumpToMemory",
    parameter: "buffer",
    direction: "inout",
    count: "size",
    bytes: 32768,
    reason: "the text goes into memory of the caller's; driver 580 writes more than size says where that is too little",
  },
  {
    function: "cuLogsDumpToMemory",
    parameter: "size",
    direction: "inout",
    reason: "it says how many bytes there is room for, and comes back as how many were written",
  },
  {
    function: "cuGraphInstantiate",
    parameter: "logBuffer",
    direction: "inout",
    nullable: true,
    count: "bufferSize",
    reason: "the text goes into memory of the caller's",
  },

  // Read and written.
  {
    function: "cuThreadExchangeStreamCaptureMode",
    parameter: "mode",
    direction: "inout",
    reason: "the new mode goes in, the old one comes out",
  },
  {
    function: "cuGraphInstantiateWithParams",
    parameter: "instantiateParams",
    direction: "inout",
    reason: "its fields result_out and hErrNode_out are written",
  },
  {
    function: ["cuTensorMapReplaceAddress", "cuTensorMapSetAllocationClass"],
    parameter: "tensorMap",
    direction: "inout",
    reason: "it is changed in place",
  },
  {
    function: ["cuLogsDumpToFile", "cuLogsDumpToMemory"],
    parameter: "iterator",
    direction: "inout",
    nullable: true,
    reason: log,
  },
  {
    function: ["cuLinkCreate", "cuLinkAddData", "cuLinkAddFile", "cuModuleLoadDataEx"],
    parameter: "optionValues",
    direction: "inout",
    nullable: true,
    reason: options,
  },
  {
    function: ["cuLibraryLoadData", "cuLibraryLoadFromFile"],
    parameter: "jitOptionsValues",
    direction: "inout",
    nullable: true,
    reason: options,
  },
  {
    function: ["cuCoredumpGetAttribute", "cuCoredumpGetAttributeGlobal"],
    parameter: "value",
    direction: "inout",
    count: "size",
    reason: "the attribute goes into memory of the caller's",
  },
  {
    function: "cuDeviceGetGraphMemAttribute",
    parameter: "value",
    direction: "inout",
    reason: "the attribute goes into memory of the caller's: 64 bits",
  },

  // Given, though the comment or the name says otherwise.
  {
    function: ["cuCoredumpSetAttribute", "cuCoredumpSetAttributeGlobal"],
    parameter: "size",
    direction: "in",
    reason: "the size of the value, only read",
  },
  {
    function: "cuEGLStreamConsumerAcquireFrame",
    parameter: "conn",
    direction: "in",
    reason: "the connection to acquire on",
  },
  {
    function: [
      ...["cuEGLStreamConsumerAcquireFrame", "cuEGLStreamConsumerReleaseFrame"],
      ...["cuEGLStreamProducerPresentFrame", "cuEGLStreamProducerReturnFrame"],
    ],
    parameter: "pStream",
    direction: "in",
    nullable: true,
    reason: "the stream to use; NULL is the default one, as NVIDIA's samples have it",
  },
  {
    function: "cuEGLStreamProducerReturnFrame",
    parameter: "eglframe",
    direction: "inout",
    reason: "the frame that the consumer gives back is written into it",
  },
  {
    function: "cuEGLStreamProducerReturnFrame",
    parameter: "conn",
    direction: "in",
    reason: "the connection to return on",
  },

  // NULL is a choice, and the comment says so elsewhere than at the parameter.
  {
    function: ["cuLaunchKernel", "cuLaunchKernelEx"],
    parameter: "kernelParams",
    direction: "in",
    nullable: true,
    reason: "NULL with extra",
  },
  {
    function: ["cuLaunchKernel", "cuLaunchKernelEx"],
    parameter: "extra",
    direction: "in",
    nullable: true,
    reason: "NULL with kernelParams",
  },
  {
    function: "cuLaunchCooperativeKernel",
    parameter: "kernelParams",
    direction: "in",
    nullable: true,
    reason: "a kernel without parameters",
  },
  {
    function: "cuCtxCreate_v4",
    parameter: "ctxCreateParams",
    direction: "in",
    nullable: true,
    reason: "NULL makes a regular context",
  },
  {
    function: "cuTexObjectCreate",
    parameter: "pResViewDesc",
    direction: "in",
    nullable: true,
    reason: "optional: the view of the resource",
  },
  {
    function: "cuGraphAddMemAllocNode",
    parameter: "nodeParams",
    direction: "inout",
    reason: "the address of the allocation comes back in dptr",
  },
  {
    function: "cuGraphAddNode",
    parameter: "nodeParams",
    direction: "inout",
    reason: "for a memory allocation node the address comes back in alloc.dptr",
  },
  {
    function: ["cuOccupancyMaxPotentialBlockSize", "cuOccupancyMaxPotentialBlockSizeWithFlags"],
    parameter: "blockSizeToDynamicSMemSize",
    direction: "in",
    nullable: true,
    reason: "NULL: dynamicSMemSize is needed whatever the block size",
  },
  { function: "cuMemPoolSetAccess", parameter: "map", direction: "in", count: "count", reason: several },
  { function: "cuMemSetAccess", parameter: "desc", direction: "in", count: "count", reason: several },
  { function: "cuParamSetv", parameter: "ptr", direction: "in", count: "numbytes", reason: several },
  {
    function: "cuTensorMapEncodeTiled",
    parameter: ["globalDim", "boxDim", "elementStrides"],
    direction: "in",
    count: "tensorRank",
    reason: several,
  },
  {
    function: ["cuTensorMapEncodeIm2col", "cuTensorMapEncodeIm2colWide"],
    parameter: ["globalDim", "elementStrides"],
    direction: "in",
    count: "tensorRank",
    reason: several,
  },
  {
    function: ["cuTensorMapEncodeTiled", "cuTensorMapEncodeIm2col", "cuTensorMapEncodeIm2colWide"],
    parameter: "globalStrides",
    direction: "in",
    length: { of: "tensorRank", minus: 1 },
    reason: strides,
  },
  {
    function: "cuTensorMapEncodeIm2col",
    parameter: ["pixelBoxLowerCorner", "pixelBoxUpperCorner"],
    direction: "in",
    length: { of: "tensorRank", minus: 2 },
    reason: corners,
  },
  {
    function: "cuTexRefSetBorderColor",
    parameter: "pBorderColor",
    direction: "in",
    bytes: 16,
    reason: "a color has four floats",
  },
];
