/**
 * Conway's Game of Life, once launch by launch and once as a graph that is captured and replayed: npx tsx examples/graph.ts
 * One launch of the graph stands for twenty of the kernel's, and costs this thread little more than one.
 */
import { fileURLToPath } from "node:url";
import * as cuda from "cuda-driver";

const { i32, ptr } = cuda.kernel;
const size = 256; // cells in a row, and rows
const generations = 500;
const inGraph = 20; // even, so that the last generation lies where the first one was
const cells = size * size;

/* A random world, the same each time. */
let state = 1;
const world = Uint8Array.from({ length: cells }, () => {
  state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
  return state >>> 31;
});

cuda.cuInit(0);
const device = cuda.cuDeviceGet(0);
cuda.cuCtxSetCurrent(cuda.cuDevicePrimaryCtxRetain(device));
const library = cuda.cuLibraryLoadFromFile(fileURLToPath(new URL("kernels/life.ptx", import.meta.url)));
const life = cuda.cuKernelGetFunction(cuda.cuLibraryGetKernel(library, "life"));
const stream = cuda.cuStreamCreate(cuda.CUstream_flags.CU_STREAM_NON_BLOCKING);
const start = cuda.cuEventCreate(cuda.CUevent_flags.CU_EVENT_DEFAULT);
const end = cuda.cuEventCreate(cuda.CUevent_flags.CU_EVENT_DEFAULT);
const even = cuda.cuMemAlloc(cells);
const odd = cuda.cuMemAlloc(cells);

/* Packed once, launched as often as one likes. */
const evenToOdd = cuda.kernelParams(i32(size), i32(size), ptr(even), ptr(odd));
const oddToEven = cuda.kernelParams(i32(size), i32(size), ptr(odd), ptr(even));

function live(count: number): void {
  for (let generation = 0; generation < count; generation++) {
    const params = generation % 2 === 0 ? evenToOdd : oddToEven;
    cuda.cuLaunchKernel(life, size / 32, size / 8, 1, 32, 8, 1, 0, stream, params, null);
  }
}

/** Lets the world live by `work`, between two events. @returns what became of it, and the milliseconds that it took */
function timed(work: () => void): [after: Uint8Array, ms: number] {
  const after = new Uint8Array(cells);
  cuda.cuMemcpyHtoDAsync(even, world, cells, stream);
  cuda.cuEventRecord(start, stream);
  work();
  cuda.cuEventRecord(end, stream);
  cuda.cuMemcpyDtoHAsync(after, even, cells, stream);
  cuda.cuStreamSynchronize(stream);
  return [after, cuda.cuEventElapsedTime(start, end)];
}

/* Between these two calls the stream notes down what it is given, and runs nothing. */
cuda.cuStreamBeginCapture(stream, cuda.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
live(inGraph);
const graph = cuda.cuStreamEndCapture(stream);
const replay = cuda.cuGraphInstantiate(graph, 0);
console.log(`captured a graph of ${cuda.cuGraphGetNodes(graph).length} nodes`);

timed(() => live(inGraph)); // both ways once, to warm up
timed(() => cuda.cuGraphLaunch(replay, stream));
const [byLaunches, launchesMs] = timed(() => live(generations));
const [byGraph, graphMs] = timed(() => {
  for (let done = 0; done < generations; done += inGraph) cuda.cuGraphLaunch(replay, stream);
});
console.log(
  `${generations} generations: ${launchesMs.toFixed(3)} ms by launches, ${graphMs.toFixed(3)} ms by the graph`,
);

/** The same world, here. */
function expected(): Uint8Array {
  let [now, next] = [world, new Uint8Array(cells)];
  for (let generation = 0; generation < generations; generation++) {
    for (let y = 0; y < size; y++) {
      const rows = [((y + size - 1) % size) * size, y * size, ((y + 1) % size) * size];
      for (let x = 0; x < size; x++) {
        const [left, right] = [(x + size - 1) % size, (x + 1) % size];
        let neighbours = 0;
        for (const row of rows) {
          neighbours += (now[row + left] as number) + (now[row + x] as number) + (now[row + right] as number);
        }
        const alive = now[y * size + x] as number;
        neighbours -= alive;
        next[y * size + x] = neighbours === 3 || (neighbours === 2 && alive === 1) ? 1 : 0;
      }
    }
    /* The first world is kept. */
    [now, next] = [next, now === world ? new Uint8Array(cells) : now];
  }
  return now;
}

const wanted = expected();
console.log(`${wanted.filter((cell) => cell === 1).length} of ${cells} cells are alive`);

cuda.cuGraphExecDestroy(replay);
cuda.cuGraphDestroy(graph);
for (const event of [start, end]) cuda.cuEventDestroy(event);
cuda.cuStreamDestroy(stream);
for (const memory of [even, odd]) cuda.cuMemFree(memory);
cuda.cuLibraryUnload(library);
cuda.cuDevicePrimaryCtxRelease(device);
if (Buffer.compare(byLaunches, wanted) !== 0 || Buffer.compare(byGraph, wanted) !== 0) {
  console.log("wrong result: another world than JavaScript's");
  process.exitCode = 1;
}
