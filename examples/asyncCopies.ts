/**
 * Copies that nobody waits for: npx tsx examples/asyncCopies.ts
 * Four round trips through the GPU's memory at once. `cuda.promises` has every function, made on a pool thread with our
 * context: also calls that wait (for a stream, for pages to be locked) leave the event loop free.
 */
import * as cuda from "cuda-driver";

const { promises } = cuda;
const trips = 4;
const words = 1 << 23;
const bytes = 4 * words;

cuda.cuInit(0);
const device = cuda.cuDeviceGet(0);
cuda.cuCtxSetCurrent(await promises.cuDevicePrimaryCtxRetain(device));

/** Host to device, device to device, device to host. @returns how many words came back wrong */
async function trip(number: number): Promise<number> {
  const sent = new Uint32Array(words);
  for (let i = 0; i < words; i++) sent[i] = Math.imul(i, 2 * number + 1);
  const received = new Uint32Array(words);

  /* Page-locked, the memory can be read and written by the GPU while everybody here does something else. */
  await Promise.all([sent, received].map((memory) => promises.cuMemHostRegister(memory, bytes, 0)));
  const stream = await promises.cuStreamCreate(cuda.CUstream_flags.CU_STREAM_NON_BLOCKING);
  const [near, far] = await Promise.all([promises.cuMemAlloc(bytes), promises.cuMemAlloc(bytes)]);

  /* Each await says only that the copy stands in the stream; the stream keeps their order. */
  await promises.cuMemcpyHtoDAsync(near, sent, bytes, stream);
  await promises.cuMemcpyDtoDAsync(far, near, bytes, stream);
  await promises.cuMemcpyDtoHAsync(received, far, bytes, stream);
  /* Now they are done. Until here `received` must be left alone. */
  await promises.cuStreamSynchronize(stream);

  await Promise.all([near, far].map((memory) => promises.cuMemFree(memory)));
  await promises.cuStreamDestroy(stream);
  await Promise.all([sent, received].map((memory) => promises.cuMemHostUnregister(memory)));

  let wrong = 0;
  for (let i = 0; i < words; i++) {
    if (received[i] !== sent[i]) wrong++;
  }
  return wrong;
}

/* Something else that this thread does meanwhile. */
let turns = 0;
let resting = false;
function turn(): void {
  turns++;
  if (!resting) setImmediate(turn);
}
turn();

const began = performance.now();
const wrong = await Promise.all(Array.from({ length: trips }, (_, number) => trip(number)));
resting = true;
console.log(`${trips} round trips of ${bytes / 2 ** 20} MiB in ${(performance.now() - began).toFixed(0)} ms`);
console.log(`meanwhile the event loop went round ${turns} times`);

cuda.cuDevicePrimaryCtxRelease(device);
if (wrong.some((words) => words > 0)) {
  console.log(`wrong result: ${wrong.join(", ")} words differ`);
  process.exitCode = 1;
}
