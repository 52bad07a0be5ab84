/** A worker with a context of its own: computes there, and says what it found. */
import { isDeepStrictEqual } from "node:util";
import { parentPort, workerData } from "node:worker_threads";
import { cuda } from "../count.ts";
import { blocks, iota, kernel, launch, poisoned, words } from "../device.ts";

const { ptr, u32 } = cuda.kernel;
const number = workerData as number;

const before = cuda.cuCtxGetCurrent();
const context = cuda.cuCtxCreate(null, 0, cuda.cuDeviceGet(0));
const data = poisoned(1024);
let right = true;
for (let round = 0; round < 20; round++) {
  launch(kernel("iota"), blocks(1024), ptr(data), u32(1024), u32(number * 1000 + round));
  right &&= isDeepStrictEqual(words(data, 1024), iota(1024, number * 1000 + round));
}
cuda.cuMemFree(data);
parentPort?.postMessage({ before, context, right });
