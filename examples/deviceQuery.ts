/**
 * What the driver and each GPU say of themselves: npx tsx examples/deviceQuery.ts
 * No context is made and no memory is taken; each GPU is found again by its place on the bus, as a check.
 */
import * as cuda from "cuda-driver";

const id = cuda.CUdevice_attribute;

cuda.cuInit(0);
const version = cuda.cuDriverGetVersion();
const count = cuda.cuDeviceGetCount();
console.log(`CUDA ${Math.floor(version / 1000)}.${Math.floor((version % 1000) / 10)}, ${cuda.driverInfo().path}`);
console.log(`${count} ${count === 1 ? "device" : "devices"}`);

/** The bytes of a CUuuid as nvidia-smi writes them. */
function uuidText({ bytes }: cuda.CUuuid): string {
  const digits = Buffer.from(bytes).toString("hex");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "GPU-$1-$2-$3-$4-$5");
}

function mebibytes(bytes: number | bigint): string {
  return `${(Number(bytes) / 2 ** 20).toLocaleString("en", { maximumFractionDigits: 1 })} MiB`;
}

let lost = 0;

for (let ordinal = 0; ordinal < count; ordinal++) {
  const device = cuda.cuDeviceGet(ordinal);
  const get = (attribute: cuda.CUdevice_attribute) => cuda.cuDeviceGetAttribute(attribute, device);
  const yes = (attribute: cuda.CUdevice_attribute) => (get(attribute) === 0 ? "no" : "yes");

  const busId = cuda.cuDeviceGetPCIBusId(32, device);
  const major = get(id.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  const minor = get(id.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  const block = [
    get(id.CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X),
    get(id.CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y),
    get(id.CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z),
  ];
  const grid = [
    get(id.CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X),
    get(id.CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y),
    get(id.CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z),
  ];

  const facts = {
    "place on the bus": busId,
    identity: uuidText(cuda.cuDeviceGetUuid(device)),
    "compute capability": `${major}.${minor}`,
    memory: mebibytes(cuda.cuDeviceTotalMem(device)),
    "memory bus": `${get(id.CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH)} bits`,
    "L2 cache": mebibytes(get(id.CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE)),
    multiprocessors: get(id.CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT),
    "clock, at most": `${get(id.CU_DEVICE_ATTRIBUTE_CLOCK_RATE) / 1000} MHz`,
    "threads a multiprocessor": get(id.CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR),
    "threads a block": `${get(id.CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK)}, at most ${block.join(" x ")}`,
    "blocks a grid": `at most ${grid.join(" x ")}`,
    "threads a warp": get(id.CU_DEVICE_ATTRIBUTE_WARP_SIZE),
    "registers a block": get(id.CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK),
    "shared memory a block": `${get(id.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK)} bytes, on request ${get(
      id.CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN,
    )}`,
    "copy engines": get(id.CU_DEVICE_ATTRIBUTE_ASYNC_ENGINE_COUNT),
    "kernels side by side": yes(id.CU_DEVICE_ATTRIBUTE_CONCURRENT_KERNELS),
    "error correction": yes(id.CU_DEVICE_ATTRIBUTE_ECC_ENABLED),
    "managed memory": yes(id.CU_DEVICE_ATTRIBUTE_MANAGED_MEMORY),
    "memory pools": yes(id.CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED),
    "cooperative launches": yes(id.CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH),
  };

  console.log(`\ndevice ${ordinal}: ${cuda.cuDeviceGetName(256, device)}`);
  for (const [name, value] of Object.entries(facts)) console.log(`  ${name.padEnd(26)}${value}`);
  if (cuda.cuDeviceGetByPCIBusId(busId) !== device) lost++;
}

if (lost > 0) {
  console.log(`wrong result: ${lost} devices are not where they say they are`);
  process.exitCode = 1;
}
