import type { AttributeListRow, AttributeRow } from "./library.ts";

const size = "cuuint64_t";
const documented = "the header's comment on each member says the type of its value";
const handles = "the header says what each kind of handle is made of";

/** CUpointer_attribute. The C types are those that NVIDIA's documentation of cuPointerGetAttribute and its enum name. */
const pointer: Record<string, string> = {
  CU_POINTER_ATTRIBUTE_CONTEXT: "CUcontext",
  CU_POINTER_ATTRIBUTE_MEMORY_TYPE: "CUmemorytype",
  CU_POINTER_ATTRIBUTE_DEVICE_POINTER: "CUdeviceptr",
  CU_POINTER_ATTRIBUTE_HOST_POINTER: "void *",
  CU_POINTER_ATTRIBUTE_P2P_TOKENS: "CUDA_POINTER_ATTRIBUTE_P2P_TOKENS",
  CU_POINTER_ATTRIBUTE_SYNC_MEMOPS: "unsigned int flag",
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
  CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES: "int flag",
  CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC: "int flag",
  CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES: "int flag",
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
  CU_MEMPOOL_ATTR_HW_DECOMPRESS_ENABLED: "int flag",
  CU_MEMPOOL_ATTR_LOCALITY_DOMAIN_ID: "int",
};

/** CUgraphMem_attribute: amounts of memory in bytes. */
const graphMemory: Record<string, string> = {
  CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT: size,
  CU_GRAPH_MEM_ATTR_USED_MEM_HIGH: size,
  CU_GRAPH_MEM_ATTR_RESERVED_MEM_CURRENT: size,
  CU_GRAPH_MEM_ATTR_RESERVED_MEM_HIGH: size,
};

/** CUmem_range_attribute. Lists end where the driver has put CU_DEVICE_INVALID; more devices than 256 no process has. */
const range: Record<string, string> = {
  CU_MEM_RANGE_ATTRIBUTE_READ_MOSTLY: "int",
  CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION: "int",
  CU_MEM_RANGE_ATTRIBUTE_ACCESSED_BY: "int[256]",
  CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION: "int",
  CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_TYPE: "CUmemLocationType",
  CU_MEM_RANGE_ATTRIBUTE_PREFERRED_LOCATION_ID: "int",
  CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_TYPE: "CUmemLocationType",
  CU_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION_ID: "int",
};
const CU_DEVICE_INVALID = -2;

/** CUcoredumpSettings: texts have at most 1023 bytes and their NUL. */
const coredump: Record<string, string> = {
  CU_COREDUMP_ENABLE_ON_EXCEPTION: "bool",
  CU_COREDUMP_TRIGGER_HOST: "bool",
  CU_COREDUMP_LIGHTWEIGHT: "bool",
  CU_COREDUMP_ENABLE_USER_TRIGGER: "bool",
  CU_COREDUMP_FILE: "char[1024]",
  CU_COREDUMP_PIPE: "char[1024]",
  CU_COREDUMP_GENERATION_FLAGS: "unsigned int",
};

/** CUmemAllocationHandleType: what the operating system shares allocations and pools by. */
const shareable: Record<string, string> = {
  CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR: "int",
  CU_MEM_HANDLE_TYPE_WIN32: "void *",
  CU_MEM_HANDLE_TYPE_WIN32_KMT: "unsigned int",
  CU_MEM_HANDLE_TYPE_FABRIC: "CUmemFabricHandle",
};

/** Functions whose `void *` is a value of the type that an attribute decides. */
export const driverAttributes: readonly AttributeRow[] = [
  { function: "cuPointerGetAttribute", value: "data", attribute: "attribute", types: pointer, reason: documented },
  { function: "cuPointerSetAttribute", value: "value", attribute: "attribute", types: pointer, reason: documented },
  { function: "cuMemPoolGetAttribute", value: "value", attribute: "attr", types: pool, reason: documented },
  { function: "cuMemPoolSetAttribute", value: "value", attribute: "attr", types: pool, reason: documented },
  {
    function: "cuDeviceGetGraphMemAttribute",
    value: "value",
    attribute: "attr",
    types: graphMemory,
    reason: documented,
  },
  {
    function: "cuDeviceSetGraphMemAttribute",
    value: "value",
    attribute: "attr",
    types: graphMemory,
    reason: documented,
  },
  {
    function: "cuMemRangeGetAttribute",
    value: "data",
    attribute: "attribute",
    size: "dataSize",
    types: range,
    filler: CU_DEVICE_INVALID,
    reason: documented,
  },
  {
    function: "cuCoredumpGetAttribute",
    value: "value",
    attribute: "attrib",
    size: "size",
    types: coredump,
    reason: documented,
  },
  {
    function: "cuCoredumpGetAttributeGlobal",
    value: "value",
    attribute: "attrib",
    size: "size",
    types: coredump,
    reason: documented,
  },
  {
    function: "cuCoredumpSetAttribute",
    value: "value",
    attribute: "attrib",
    size: "size",
    types: coredump,
    reason: documented,
  },
  {
    function: "cuCoredumpSetAttributeGlobal",
    value: "value",
    attribute: "attrib",
    size: "size",
    types: coredump,
    reason: documented,
  },
  {
    function: "cuMemExportToShareableHandle",
    value: "shareableHandle",
    attribute: "handleType",
    types: shareable,
    reason: handles,
  },
  {
    function: "cuMemPoolExportToShareableHandle",
    value: "handle_out",
    attribute: "handleType",
    types: shareable,
    reason: handles,
  },
  {
    function: "cuMemGetHandleForAddressRange",
    value: "handle",
    attribute: "handleType",
    types: { CU_MEM_RANGE_HANDLE_TYPE_DMA_BUF_FD: "int" },
    reason: handles,
  },
  {
    function: "cuLogicalEndpointExport",
    value: "handle",
    attribute: "handleType",
    types: { CU_LOGICAL_ENDPOINT_IPC_HANDLE_TYPE_FABRIC: "CUlogicalEndpointFabricHandle" },
    reason: handles,
  },
];

/** Functions that give several attributes at once. */
export const driverAttributeLists: readonly AttributeListRow[] = [
  {
    function: "cuPointerGetAttributes",
    one: "cuPointerGetAttribute",
    values: "data",
    attributes: "attributes",
    count: "numAttributes",
    reason: documented,
  },
  {
    function: "cuMemRangeGetAttributes",
    one: "cuMemRangeGetAttribute",
    values: "data",
    attributes: "attributes",
    count: "numAttributes",
    sizes: "dataSizes",
    reason: documented,
  },
];
