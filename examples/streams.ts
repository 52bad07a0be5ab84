/**
 * Copies and kernels of several streams overlap, and events say what that gains: npx tsx examples/streams.ts
 * Eight chunks go to the GPU, through a kernel and back: first all in one stream, then spread over four.
 */
import { fileURLToPath } from "node:url";
import * as cuda from "cuda-driver";

const { ptr, u32 } = cuda.kernel;
const chunks = 8;
const words = 1 << 20; // of each chunk
const bytes = 4 * words;
const rounds = 2000;

cuda.cuInit(0);
const device = cuda.cuDeviceGet(0);
cuda.cuCtxSetCurrent(cuda.cuDevicePrimaryCtxRetain(device));
const library = cuda.cuLibraryLoadFromFile(fileURLToPath(new URL("kernels/churn.ptx", import.meta.url)));
const churn = cuda.cuKernelGetFunction(cuda.cuLibraryGetKernel(library, "churn"));

/* The GPU copies to and from page-locked memory by itself. From any other memory an asynchronous copy makes us wait. */
const input = Uint32Array.from({ length: chunks * words }, (_, i) => i);
const output = new Uint32Array(chunks * words);
for (const memory of [input, output]) cuda.cuMemHostRegister(memory, memory.byteLength, 0);

const buffers = Array.from({ length: chunks }, () => cuda.cuMemAlloc(bytes));
const streams = Array.from({ length: 4 }, () => cuda.cuStreamCreate(cuda.CUstream_flags.CU_STREAM_NON_BLOCKING));
const start = cuda.cuEventCreate(cuda.CUevent_flags.CU_EVENT_DEFAULT);
const end = cuda.cuEventCreate(cuda.CUevent_flags.CU_EVENT_DEFAULT);
/* An event that only orders work is cheaper without a clock. */
const turn = cuda.cuEventCreate(cuda.CUevent_flags.CU_EVENT_DISABLE_TIMING);

/** Sends all chunks through these streams. @returns milliseconds from the first to the last operation, by the GPU's clock */
function run([first, ...others]: [cuda.CUstream, ...cuda.CUstream[]]): number {
  const all = [first, ...others];
  output.fill(0);
  cuda.cuEventRecord(start, first);
  for (const other of others) cuda.cuStreamWaitEvent(other, start, 0); // nobody begins before the clock runs

  for (const [chunk, buffer] of buffers.entries()) {
    const stream = all[chunk % all.length] as cuda.CUstream;
    const [from, to] = [chunk * words, (chunk + 1) * words];
    cuda.cuMemcpyHtoDAsync(buffer, input.subarray(from, to), bytes, stream);
    const params = cuda.kernelParams(u32(words), u32(rounds), ptr(buffer));
    cuda.cuLaunchKernel(churn, words / 256, 1, 1, 256, 1, 1, 0, stream, params, null);
    cuda.cuMemcpyDtoHAsync(output.subarray(from, to), buffer, bytes, stream);
  }

  for (const other of others) {
    cuda.cuEventRecord(turn, other);
    cuda.cuStreamWaitEvent(first, turn, 0); // the first stream goes on when this one has come so far
  }
  cuda.cuEventRecord(end, first);
  cuda.cuEventSynchronize(end);
  return cuda.cuEventElapsedTime(start, end);
}

/* Any number of steps x -> a x + c is one such step again, with another a and another c: a quick way to the same numbers. */
let [a, c] = [1, 0];
for (let round = 0; round < rounds; round++) {
  a = Math.imul(a, 1664525);
  c = (Math.imul(c, 1664525) + 1013904223) | 0;
}
let wrong = 0;

function check(): void {
  for (let i = 0; i < output.length; i++) {
    if (output[i] !== (Math.imul(a, i) + c) >>> 0) wrong++;
  }
}

const [first, ...others] = streams as [cuda.CUstream, ...cuda.CUstream[]];
run([first]); // warms up
const alone = run([first]);
check();
const together = run([first, ...others]);
check();
console.log(`${chunks} chunks of ${bytes / 2 ** 20} MiB in one stream: ${alone.toFixed(3)} ms`);
console.log(`in ${streams.length} streams: ${together.toFixed(3)} ms, ${(alone / together).toFixed(2)} times as fast`);

for (const event of [start, end, turn]) cuda.cuEventDestroy(event);
for (const stream of streams) cuda.cuStreamDestroy(stream);
for (const buffer of buffers) cuda.cuMemFree(buffer);
for (const memory of [input, output]) cuda.cuMemHostUnregister(memory);
cuda.cuLibraryUnload(library);
cuda.cuDevicePrimaryCtxRelease(device);
if (wrong > 0) {
  console.log(`wrong result: ${wrong} words`);
  process.exitCode = 1;
}
