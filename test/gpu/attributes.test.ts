/** What the driver says about itself, its devices and its functions. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cuda } from "./count.ts";
import { attempt, cudaError, gpu, INVALID_VALUE, kernel, NOT_SUPPORTED, skip, usePrimaryContext } from "./device.ts";

const attributes = cuda.CUdevice_attribute;
const state = usePrimaryContext();

test("the device: name, identity, capability, memory", { skip }, () => {
  const { device } = state;
  assert.ok(cuda.cuDeviceGetCount() >= 1);
  assert.match(cuda.cuDeviceGetName(256, device), /\w/);

  const busId = cuda.cuDeviceGetPCIBusId(32, device);
  assert.match(busId, /^[0-9A-F]{4,8}:[0-9A-F]{2}:[0-9A-F]{2}\.[0-9A-F]$/i);
  assert.equal(cuda.cuDeviceGetByPCIBusId(busId), device);

  const uuid = cuda.cuDeviceGetUuid(device);
  assert.ok(uuid.$bytes.some((byte) => byte !== 0));
  assert.deepEqual(cuda.cuDeviceGetUuid_v1(device).$bytes.length, 16);

  const get = (name: keyof typeof attributes) => cuda.cuDeviceGetAttribute(attributes[name] as number, device);
  const major = get("CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR");
  const minor = get("CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR");
  assert.deepEqual(cuda.cuDeviceComputeCapability(device), [major, minor]);
  assert.equal(get("CU_DEVICE_ATTRIBUTE_WARP_SIZE"), 32);
  assert.equal(cuda.cuMemGetInfo()[1], cuda.cuDeviceTotalMem(device));

  const properties = cuda.cuDeviceGetProperties(device);
  assert.equal(properties.maxThreadsPerBlock, get("CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK"));
  assert.equal(properties.maxThreadsDim[2], get("CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z"));
  assert.equal(properties.maxGridSize[0], get("CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X"));
  assert.equal(properties.SIMDWidth, 32);
  assert.equal(properties.sharedMemPerBlock, get("CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK"));

  assert.throws(() => cuda.cuDeviceGet(gpu.count), cudaError("CUDA_ERROR_INVALID_DEVICE"));
  assert.throws(() => cuda.cuDeviceGet(-1), cudaError("CUDA_ERROR_INVALID_DEVICE"));
});

test("every device attribute that the driver knows can be read", { skip }, () => {
  const ids = Object.values(attributes).filter((value) => typeof value === "number");
  const known = [...new Set(ids)].filter(
    (id) => attempt(() => cuda.cuDeviceGetAttribute(id, state.device), INVALID_VALUE, NOT_SUPPORTED) !== null,
  );
  assert.ok(known.length > 100, `${known.length} attributes`);
});

test("textures, atomics, peers, affinity", { skip }, () => {
  const { device } = state;
  const format = cuda.CUarray_format.CU_AD_FORMAT_FLOAT;
  assert.ok(cuda.cuDeviceGetTexture1DLinearMaxWidth(format, 1, device) > 2n ** 20n);
  assert.equal(cuda.cuDeviceCanAccessPeer(device, device), 0, "a device is no peer of itself");
  assert.throws(
    () => cuda.cuDeviceGetLuid(device),
    (error) => error instanceof cuda.CudaError,
    "only Windows has one",
  );
  const operations = [cuda.CUatomicOperation.CU_ATOMIC_OPERATION_INTEGER_ADD];
  const atomics = attempt(
    () => cuda.cuDeviceGetHostAtomicCapabilities(operations, undefined, device),
    NOT_SUPPORTED,
    "CUDA_ERROR_NOT_FOUND",
  );
  assert.ok(atomics === null || atomics.length === 1);
  const resource = cuda.cuDeviceGetDevResource(device, cuda.CUdevResourceType.CU_DEV_RESOURCE_TYPE_SM);
  assert.equal(
    resource.sm.smCount,
    cuda.cuDeviceGetAttribute(attributes.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device),
  );
  const inContext = cuda.cuCtxGetDevResource(state.context, cuda.CUdevResourceType.CU_DEV_RESOURCE_TYPE_SM);
  assert.equal(inContext.sm.smCount, resource.sm.smCount);
});

test("memory of graphs", { skip }, () => {
  const { device } = state;
  const ids = cuda.CUgraphMem_attribute;
  cuda.cuDeviceGraphMemTrim(device);
  assert.equal(cuda.cuDeviceGetGraphMemAttribute(device, ids.CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT), 0n);
  cuda.cuDeviceSetGraphMemAttribute(device, ids.CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, 0);
  assert.equal(cuda.cuDeviceGetGraphMemAttribute(device, ids.CU_GRAPH_MEM_ATTR_USED_MEM_HIGH), 0n);
});

test("functions: attributes, parameters, names", { skip }, () => {
  const fn = kernel("scalars");
  const ids = cuda.CUfunction_attribute;
  assert.equal(cuda.cuFuncGetName(fn), "scalars");
  assert.ok(cuda.cuFuncGetAttribute(ids.CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, fn) >= 256);
  assert.ok(cuda.cuFuncGetAttribute(ids.CU_FUNC_ATTRIBUTE_NUM_REGS, fn) > 0);
  assert.equal(cuda.cuFuncGetAttribute(ids.CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, fn), 0);
  const layout = Array.from({ length: 12 }, (_, i) => cuda.cuFuncGetParamInfo(fn, i).map(Number));
  assert.deepEqual(layout, [
    [0, 8],
    [8, 1],
    [9, 1],
    [10, 2],
    [12, 2],
    [16, 4],
    [20, 4],
    [24, 8],
    [32, 8],
    [40, 4],
    [48, 8],
    [56, 1],
  ]);
  assert.throws(() => cuda.cuFuncGetParamInfo(fn, 13), cudaError(INVALID_VALUE));
  cuda.cuFuncSetCacheConfig(fn, cuda.CUfunc_cache.CU_FUNC_CACHE_PREFER_SHARED);
  cuda.cuFuncSetAttribute(fn, ids.CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50);
  assert.equal(cuda.cuFuncGetAttribute(ids.CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, fn), 50);
  assert.notEqual(cuda.cuFuncGetModule(fn), 0n);
});
