import type { DirectionRow } from "./library.ts";

const split = "it says how many groups there is room for, and comes back as how many there are";
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
  { function: "cuTensorMapEncodeTiled", parameter: "tensorMap", direction: "out", reason: "the object to create" },
  { function: "cuTensorMapEncodeIm2col", parameter: "tensorMap", direction: "out", reason: "the object to create" },
  { function: "cuTensorMapEncodeIm2colWide", parameter: "tensorMap", direction: "out", reason: "the object to create" },
  {
    function: "cuTensorMapSetAllocationClass",
    parameter: "outAllocClass",
    direction: "out",
    nullable: true,
    reason: "the class that results; optional",
  },
  { function: "cuDevSmResourceSplit", parameter: "remainder", direction: "out", reason: "what no group took" },
  { function: "cuDevSmResourceSplitByCount", parameter: "remainder", direction: "out", reason: "what no group took" },
  {
    function: "cuDevSmResourceSplitByCount",
    parameter: "remaining",
    direction: "out",
    reason: "what no group took; so called up to 13.0",
  },
  {
    function: "cuMemcpyBatchAsync",
    parameter: "failIdx",
    direction: "out",
    reason: "the index of the failing copy; only the first variant has it, whose comment is gone from 13.0 on",
  },
  {
    function: "cuMemcpy3DBatchAsync",
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

  // Several values behind a parameter whose name is that of one, or whose count is not a parameter.
  {
    function: "cuTexRefGetBorderColor",
    parameter: "pBorderColor",
    direction: "inout",
    reason: "four floats, in memory of the caller's",
  },
  {
    function: "cuDeviceGetLuid",
    parameter: "luid",
    direction: "inout",
    reason: "eight bytes, in memory of the caller's",
  },
  {
    function: "cuMemGetLocationInfo",
    parameter: "location_out",
    direction: "inout",
    reason: "one entry for each summary region: size / summaryGranularity, rounded up",
  },
  {
    function: "cuDeviceGetCliqueInfo",
    parameter: "cliqueInfo",
    direction: "inout",
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
    reason: "the text goes into memory of the caller's",
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
    function: "cuTensorMapReplaceAddress",
    parameter: "tensorMap",
    direction: "inout",
    reason: "it is changed in place",
  },
  {
    function: "cuTensorMapSetAllocationClass",
    parameter: "tensorMap",
    direction: "inout",
    reason: "it is changed in place",
  },
  { function: "cuLogsDumpToFile", parameter: "iterator", direction: "inout", nullable: true, reason: log },
  { function: "cuLogsDumpToMemory", parameter: "iterator", direction: "inout", nullable: true, reason: log },
  { function: "cuLinkCreate", parameter: "optionValues", direction: "inout", nullable: true, reason: options },
  { function: "cuLinkAddData", parameter: "optionValues", direction: "inout", nullable: true, reason: options },
  { function: "cuLinkAddFile", parameter: "optionValues", direction: "inout", nullable: true, reason: options },
  { function: "cuModuleLoadDataEx", parameter: "optionValues", direction: "inout", nullable: true, reason: options },
  { function: "cuLibraryLoadData", parameter: "jitOptionsValues", direction: "inout", nullable: true, reason: options },
  {
    function: "cuLibraryLoadFromFile",
    parameter: "jitOptionsValues",
    direction: "inout",
    nullable: true,
    reason: options,
  },
  {
    function: "cuCoredumpGetAttribute",
    parameter: "value",
    direction: "inout",
    count: "size",
    reason: "the attribute goes into memory of the caller's",
  },
  {
    function: "cuCoredumpGetAttributeGlobal",
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
    function: "cuCoredumpSetAttribute",
    parameter: "size",
    direction: "in",
    reason: "the size of the value, only read",
  },
  {
    function: "cuCoredumpSetAttributeGlobal",
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
  { function: "cuEGLStreamConsumerAcquireFrame", parameter: "pStream", direction: "in", reason: "the stream to use" },
  {
    function: "cuEGLStreamProducerReturnFrame",
    parameter: "conn",
    direction: "in",
    reason: "the connection to return on",
  },
  { function: "cuEGLStreamProducerReturnFrame", parameter: "pStream", direction: "in", reason: "the stream to use" },

  // NULL is a choice, and the comment says so elsewhere than at the parameter.
  { function: "cuLaunchKernel", parameter: "kernelParams", direction: "in", nullable: true, reason: "NULL with extra" },
  { function: "cuLaunchKernel", parameter: "extra", direction: "in", nullable: true, reason: "NULL with kernelParams" },
  {
    function: "cuLaunchKernelEx",
    parameter: "kernelParams",
    direction: "in",
    nullable: true,
    reason: "NULL with extra",
  },
  {
    function: "cuLaunchKernelEx",
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
    function: "cuOccupancyMaxPotentialBlockSize",
    parameter: "blockSizeToDynamicSMemSize",
    direction: "in",
    nullable: true,
    reason: "NULL: dynamicSMemSize is needed whatever the block size",
  },
  {
    function: "cuOccupancyMaxPotentialBlockSizeWithFlags",
    parameter: "blockSizeToDynamicSMemSize",
    direction: "in",
    nullable: true,
    reason: "NULL: dynamicSMemSize is needed whatever the block size",
  },
];
