/** A worker on a GPU of its own. */
import { isDeepStrictEqual } from "node:util";
import { parentPort, workerData } from "node:worker_threads";
import { cuda } from "../count.ts";
import { blocks, iota, kernel, launch, poisoned, words } from "../device.ts";

const { ptr, u32 } = cuda.kernel;
const ordinal = workerData as number;
const device = cuda.cuDeviceGet(ordinal);
cuda.cuCtxSetCurrent(cuda.cuDevicePrimaryCtxRetain(device));
const data = poisoned(10_000);
let right = cuda.cuCtxGetDevice() === device;
for (let round = 0; round < 50; round++) {
  launch(kernel("iota"), blocks(10_000), ptr(data), u32(10_000), u32(round));
  right &&= isDeepStrictEqual(words(data, 10_000), iota(10_000, round));
}
cuda.cuMemFree(data);
cuda.cuDevicePrimaryCtxRelease(device);
parentPort?.postMessage({ ordinal, right });
