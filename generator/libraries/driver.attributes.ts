import type { AttributeRow } from "./library.ts";

const size = "cuuint64_t";

/** CUpointer_attribute. The C types are those that NVIDIA's documentation of cuPointerGetAttribute and its enum name. */
const pointer: Record<string, string> = {
  CU_POINTER_ATTRIBUTE_CONTEXT: "CUcontext",
  CU_POINTER_ATTRIBUTE_MEMORY_TYPE: "CUmemorytype",
  CU_POINTER_ATTRIBUTE_DEVICE_POINTER: "CUdeviceptr",
  CU_POINTER_ATTRIBUTE_HOST_POINTER: "void *",
  CU_POINTER_ATTRIBUTE_P2P_TOKENS: "CUDA_POINTER_ATTRIBUTE_P2P_TOKENS",
  CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: "unsigned int",
  CU_POINTER_ATTRIBUTE_BUFFER_ID: "unsigned long long",
  CU_POINTER_ATTRIBUTE_IS_MANAGED: "unsigned int",
  CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL: "int",
  CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE: "unsigned int",
  CU_POINTER_ATTRIBUTE_RANGE_START_ADDR: "CUdeviceptr",
  CU_POINTER_ATTRIBUTE_RANGE_SIZE: "size_t",
  CU_POINTER_ATTRIBUTE_MAPPED: "unsigned int",
  CU_POINTER_ATTRIBUTE_ALLOWED_HANDLE_TYPES: "unsigned long long",
  CU_POINTER_ATTRIBUTE_IS_GPU_DIRECT_RDMA_CAPABLE: "unsigned int",
  CU_POINTER_ATTRIBUTE_ACCESS_FLAGS: "unsigned int",
  CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE: "CUmemoryPool",
  CU_POINTER_ATTRIBUTE_MAPPING_SIZE: "size_t",
  CU_POINTER_ATTRIBUTE_MAPPING_BASE_ADDR: "CUdeviceptr",
  CU_POINTER_ATTRIBUTE_MEMORY_BLOCK_ID: "unsigned long long",
  CU_POINTER_ATTRIBUTE_IS_HW_DECOMPRESS_CAPABLE: "unsigned int",
  CU_POINTER_ATTRIBUTE_LOCALITY_DOMAIN_ORDINAL: "int",
};

/** CUmemPool_attribute: the value types that its documentation states. */
const pool: Record<string, string> = {
  CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES: "int",
  CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC: "int",
  CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES: "int",
  CU_MEMPOOL_ATTR_RELEASE_THRESHOLD: size,
  CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT: size,
  CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH: size,
  CU_MEMPOOL_ATTR_USED_MEM_CURRENT: size,
  CU_MEMPOOL_ATTR_USED_MEM_HIGH: size,
  CU_MEMPOOL_ATTR_ALLOCATION_TYPE: "CUmemAllocationType",
  CU_MEMPOOL_ATTR_EXPORT_HANDLE_TYPES: "CUmemAllocationHandleType",
  CU_MEMPOOL_ATTR_LOCATION_ID: "int",
  CU_MEMPOOL_ATTR_LOCATION_TYPE: "CUmemLocationType",
  CU_MEMPOOL_ATTR_MAX_POOL_SIZE: size,
  CU_MEMPOOL_ATTR_HW_DECOMPRESS_ENABLED: "int",
  CU_MEMPOOL_ATTR_LOCALITY_DOMAIN_ID: "int",
};

/** CUgraphMem_attribute: amounts of memory in bytes. */
const graphMemory: Record<string, string> = {
  CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT: size,
  CU_GRAPH_MEM_ATTR_USED_MEM_HIGH: size,
  CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT: size,
  CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH: size,
};

/** Functions whose `void *` is a value of the type that an attribute decides. */
export const driverAttributes: readonly AttributeRow[] = [
  { function: "cuPointerGetAttribute", value: "data", attribute: "attribute", types: pointer },
  { function: "cuPointerSetAttribute", value: "value", attribute: "attribute", types: pointer },
  { function: "cuMemPoolGetAttribute", value: "value", attribute: "attr", types: pool },
  { function: "cuMemPoolSetAttribute", value: "value", attribute: "attr", types: pool },
  { function: "cuDeviceGetGraphMemAttribute", value: "value", attribute: "attr", types: graphMemory },
  { function: "cuDeviceSetGraphMemAttribute", value: "value", attribute: "attr", types: graphMemory },
];
