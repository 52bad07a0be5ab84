/**
 * y = a * x + y on the GPU, from a cubin, a PTX and a fatbin: npx tsx examples/saxpy.ts [folder with saxpy.cubin, .ptx, .fatbin]
 * Without a folder it takes those of the three that lie in examples/kernels (kernels/build.sh makes the others).
 * Every result is compared with the same sum done here.
 */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as cuda from "cuda-driver";
import { library_load_from_file } from "cuda-driver/v2/driver";

const { f32, i32, ptr } = cuda.kernel;
const given = process.argv[2];
const folder = given ?? fileURLToPath(new URL("kernels", import.meta.url));
/* Who names a folder wants all three; one that is missing is the driver's error then. */
const formats = ["cubin", "ptx", "fatbin"].filter((format) => given || existsSync(`${folder}/saxpy.${format}`));
if (formats.length === 0) throw new Error(`${folder} has no saxpy.cubin, .ptx or .fatbin: run kernels/build.sh`);
const count = 1_000_000;
const a = 2.5;

const x = Float32Array.from({ length: count }, (_, i) => i % 1000);
const y = Float32Array.from({ length: count }, (_, i) => (i % 7) / 4);
const expected = x.map((value, i) => a * value + (y[i] ?? 0));

cuda.cuInit(0);
const device = cuda.cuDeviceGet(0);
const context = cuda.cuDevicePrimaryCtxRetain(device);
cuda.cuCtxSetCurrent(context);

const bytes = x.byteLength;
const dx = cuda.cuMemAlloc(bytes);
const dy = cuda.cuMemAlloc(bytes);
const result = new Float32Array(count);
let wrong = 0;

for (const format of formats) {
  const library = library_load_from_file(`${folder}/saxpy.${format}`);
  const kernel = cuda.cuLibraryGetKernel(library, "saxpy");
  const saxpy = cuda.cuKernelGetFunction(kernel);

  cuda.cuMemcpyHtoD(dx, x, bytes);
  cuda.cuMemcpyHtoD(dy, y, bytes);
  const params = cuda.kernelParams(i32(count), f32(a), ptr(dx), ptr(dy));
  cuda.cuLaunchKernel(saxpy, Math.ceil(count / 256), 1, 1, 256, 1, 1, 0, null, params, null);
  cuda.cuCtxSynchronize();
  cuda.cuMemcpyDtoH(result, dy, bytes);

  /* All values are small multiples of 1/4: exact in both, also where the kernel fuses its two operations. */
  const right = result.filter((value, i) => value === expected[i]).length;
  console.log(`${format}: ${right} of ${count} equal to JavaScript's sum`);
  wrong += count - right;
  cuda.cuLibraryUnload(library);
}

cuda.cuMemFree(dx);
cuda.cuMemFree(dy);
cuda.cuDevicePrimaryCtxRelease(device);
if (wrong > 0) {
  console.log(`wrong result: ${wrong} sums`);
  process.exitCode = 1;
}
