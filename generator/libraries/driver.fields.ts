import type { UnionRow } from "./library.ts";

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
];
