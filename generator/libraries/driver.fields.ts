import type { CountRow, FieldRow, UnionRow } from "./library.ts";

/** Unions whose member in use another value selects. */
export const driverUnions: readonly UnionRow[] = [
  {
    union: "CUlaunchAttributeValue",
    by: "CUlaunchAttributeID",
    field: null,
    members: {
      CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW: "accessPolicyWindow",
      CU_LAUNCH_ATTRIBUTE_COOPERATIVE: "cooperative",
      CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY: "syncPolicy",
      CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION: "clusterDim",
      CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE: "clusterSchedulingPolicyPreference",
      CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION: "programmaticStreamSerializationAllowed",
      CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_EVENT: "programmaticEvent",
      CU_LAUNCH_ATTRIBUTE_PRIORITY: "priority",
      CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP: "memSyncDomainMap",
      CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN: "memSyncDomain",
      CU_LAUNCH_ATTRIBUTE_PREFERRED_CLUSTER_DIMENSION: "preferredClusterDim",
      CU_LAUNCH_ATTRIBUTE_LAUNCH_COMPLETION_EVENT: "launchCompletionEvent",
      CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE: "deviceUpdatableKernelNode",
      CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: "sharedMemCarveout",
      CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING: "nvlinkUtilCentricScheduling",
      CU_LAUNCH_ATTRIBUTE_PORTABLE_CLUSTER_SIZE_MODE: "portableClusterSizeMode",
      CU_LAUNCH_ATTRIBUTE_SHARED_MEMORY_MODE: "sharedMemoryMode",
    },
    maker: { name: "launchAttribute", record: "CUlaunchAttribute", by: "id", value: "value" },
    reason: "each attribute's documentation names its member",
  },
  {
    union: "CUkernelNodeAttrValue_v1",
    by: "CUkernelNodeAttrID",
    field: null,
    members: {
      CU_KERNEL_NODE_ATTRIBUTE_ACCESS_POLICY_WINDOW: "accessPolicyWindow",
      CU_KERNEL_NODE_ATTRIBUTE_COOPERATIVE: "cooperative",
      CU_KERNEL_NODE_ATTRIBUTE_PRIORITY: "priority",
    },
    reason: "a union of its own before 11.8; since then another name of CUlaunchAttributeValue",
  },
  {
    union: "CUstreamAttrValue_v1",
    by: "CUstreamAttrID",
    field: null,
    members: {
      CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW: "accessPolicyWindow",
      CU_STREAM_ATTRIBUTE_SYNCHRONIZATION_POLICY: "syncPolicy",
    },
    reason: "a union of its own before 11.8; since then another name of CUlaunchAttributeValue",
  },
  {
    union: "CUgraphNodeParams",
    by: "CUgraphNodeType",
    field: "type",
    members: {
      CU_GRAPH_NODE_TYPE_KERNEL: "kernel",
      CU_GRAPH_NODE_TYPE_MEMCPY: "memcpy",
      CU_GRAPH_NODE_TYPE_MEMSET: "memset",
      CU_GRAPH_NODE_TYPE_HOST: "host",
      CU_GRAPH_NODE_TYPE_GRAPH: "graph",
      CU_GRAPH_NODE_TYPE_WAIT_EVENT: "eventWait",
      CU_GRAPH_NODE_TYPE_EVENT_RECORD: "eventRecord",
      CU_GRAPH_NODE_TYPE_EXT_SEMAS_SIGNAL: "extSemSignal",
      CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT: "extSemWait",
      CU_GRAPH_NODE_TYPE_MEM_ALLOC: "alloc",
      CU_GRAPH_NODE_TYPE_MEM_FREE: "free",
      CU_GRAPH_NODE_TYPE_BATCH_MEM_OP: "memOp",
      CU_GRAPH_NODE_TYPE_CONDITIONAL: "conditional",
      CU_GRAPH_NODE_TYPE_MEMCPY_BATCH: "memcpyBatch",
      CU_GRAPH_NODE_TYPE_FABRIC_CPY_BATCH: "fabricCpyBatch",
    },
    reason: "the node's type says which parameters it has; empty nodes have none",
  },
];

const documented = "the header's comments on the fields say so";

/** Kernel parameters (`void **`) are counted by the kernel itself, and are no rows here. */
export const driverCounts: readonly CountRow[] = [
  { record: "CUlaunchConfig", fields: ["attrs"], count: "numAttrs", reason: documented },
  {
    record: "CUDA_EXT_SEM_SIGNAL_NODE_PARAMS",
    fields: ["extSemArray", "paramsArray"],
    count: "numExtSems",
    reason: documented,
  },
  {
    record: "CUDA_EXT_SEM_WAIT_NODE_PARAMS",
    fields: ["extSemArray", "paramsArray"],
    count: "numExtSems",
    reason: documented,
  },
  {
    record: "CUDA_BATCH_MEM_OP_NODE_PARAMS",
    fields: ["paramArray"],
    count: "count",
    reason: "as the parameters of the same names of cuStreamBatchMemOp",
  },
  { record: "CUDA_MEM_ALLOC_NODE_PARAMS", fields: ["accessDescs"], count: "accessDescCount", reason: documented },
  { record: "CUDA_CONDITIONAL_NODE_PARAMS", fields: ["phGraph_out"], count: "size", reason: documented },
  { record: "CUDA_MEMCPY_BATCH_NODE_PARAMS", fields: ["dsts", "srcs", "sizes"], count: "count", reason: documented },
  { record: "CUDA_MEMCPY_BATCH_NODE_PARAMS", fields: ["attrs", "attrsIdxs"], count: "numAttrs", reason: documented },
  { record: "CUDA_FABRIC_CPY_BATCH_NODE_PARAMS", fields: ["opList"], count: "numOps", reason: documented },
  { record: "CUctxCreateParams", fields: ["execAffinityParams"], count: "numExecAffinityParams", reason: documented },
  { record: "CUcheckpointRestoreArgs", fields: ["gpuPairs"], count: "gpuPairsCount", reason: documented },
  { record: "CUcheckpointCustomStorageInfo", fields: ["perDeviceData"], count: "deviceCount", reason: documented },
];

export const driverWritten: readonly FieldRow[] = [
  { record: "CUmemDecompressParams", field: "dstActBytes", reason: "how many bytes came out, once it is done" },
  { record: "CUcheckpointCheckpointArgs", field: "customStorageInfo_out", reason: "where the driver's record lies" },
  { record: "CUcheckpointRestoreArgs", field: "customStorageInfo_out", reason: "where the driver's record lies" },
];

/** Pointers to memory of a device whose type does not say so. */
export const driverDeviceFields: readonly FieldRow[] = [
  { record: "CUaccessPolicyWindow", field: "base_ptr", reason: "the window lies in memory of a device" },
  { record: "CUmemDecompressParams", field: "src", reason: "the device reads it" },
  { record: "CUmemDecompressParams", field: "dst", reason: "the device writes it" },
  { record: "CUmemDecompressParams", field: "dstActBytes", reason: "the device writes it" },
];

/** Rows, and slices of rows, lie a pitch apart. */
const PITCHED = ["CUDA_MEMCPY2D", "CUDA_MEMCPY3D", "CUDA_MEMCPY3D_PEER"];

/** What may be given as a string. */
export const driverTextFields: readonly (FieldRow & { encoding: "UTF-8" | "UTF-16" })[] = [
  ...["CUDA_EXTERNAL_MEMORY_HANDLE_DESC", "CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC"].map((record) => ({
    record: `${record}.handle.win32`,
    field: "name",
    encoding: "UTF-16" as const,
    reason: "documented: the name of an NT object, in UTF-16",
  })),
  ...PITCHED.map((record) => ({
    record,
    field: "srcHost",
    encoding: "UTF-8" as const,
    reason: "bytes to copy, as the source of cuMemcpyHtoD",
  })),
];

export const driverPitched: readonly (FieldRow & { side: "src" | "dst" })[] = PITCHED.flatMap((record) =>
  (["src", "dst"] as const).map((side) => ({ record, field: `${side}Host`, side, reason: documented })),
);
