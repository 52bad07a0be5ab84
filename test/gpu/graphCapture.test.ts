/** Graphs captured from streams. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type * as Cuda from "cuda-driver";
import { cuda } from "./count.ts";
import {
  blocks,
  cudaError,
  gpu,
  iota,
  kernel,
  launch,
  poisoned,
  skip,
  unless,
  usePrimaryContext,
  words,
} from "./device.ts";
import { memset, run } from "./graph.ts";

const { ptr, u32 } = cuda.kernel;
const nodes = cuda.CUgraphNodeType;
const state = usePrimaryContext();

test("captured from streams that fork and join", { skip }, () => {
  const modes = cuda.CUstreamCaptureMode;
  const statuses = cuda.CUstreamCaptureStatus;
  const main = cuda.cuStreamCreate(cuda.CUstream_flags.CU_STREAM_NON_BLOCKING);
  const side = cuda.cuStreamCreate(cuda.CUstream_flags.CU_STREAM_NON_BLOCKING);
  const idle = cuda.cuStreamCreate(0);
  const [forked, joined] = [cuda.cuEventCreate(0), cuda.cuEventCreate(0)];
  const count = 1000;
  const [a, b] = [poisoned(count), poisoned(count)];

  const previous = cuda.cuThreadExchangeStreamCaptureMode(modes.CU_STREAM_CAPTURE_MODE_RELAXED);
  assert.equal(previous, modes.CU_STREAM_CAPTURE_MODE_GLOBAL);
  assert.equal(cuda.cuThreadExchangeStreamCaptureMode(previous), modes.CU_STREAM_CAPTURE_MODE_RELAXED);

  cuda.cuStreamBeginCapture(main, modes.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
  assert.equal(cuda.cuStreamIsCapturing(main), statuses.CU_STREAM_CAPTURE_STATUS_ACTIVE);
  launch(kernel("iota"), { ...blocks(count), stream: main }, ptr(a), u32(count), u32(1));
  cuda.cuEventRecord(forked, main);
  cuda.cuStreamWaitEvent(side, forked, 0);
  launch(kernel("scale"), { ...blocks(count), stream: main }, ptr(a), u32(count), u32(2), u32(0));
  cuda.cuMemsetD32Async(b, 77, count, side);
  cuda.cuEventRecord(joined, side);
  cuda.cuStreamWaitEvent(main, joined, 0);
  cuda.cuMemcpyDtoDAsync(b, a, 400, main);
  const [status, id, capturing, dependencies, edges] = cuda.cuStreamGetCaptureInfo_v3(main);
  assert.equal(status, statuses.CU_STREAM_CAPTURE_STATUS_ACTIVE);
  assert.ok(id > 0n);
  assert.equal(dependencies.length, 1);
  assert.equal(cuda.cuGraphNodeGetType(dependencies[0] as Cuda.CUgraphNode), nodes.CU_GRAPH_NODE_TYPE_MEMCPY);
  assert.ok(edges.length <= 1, `${edges.length} edges`);
  assert.deepEqual(cuda.cuStreamGetCaptureInfo_v2(main), [status, id, capturing, dependencies]);
  assert.deepEqual(cuda.cuStreamGetCaptureInfo_v3(idle).slice(3), [[], []], "nothing is captured there");
  const graph = cuda.cuStreamEndCapture(main);
  assert.equal(cuda.cuStreamIsCapturing(main), statuses.CU_STREAM_CAPTURE_STATUS_NONE);
  assert.equal(words(a, 1)[0], 0xdeadbeef, "captured, not run");

  const types = cuda.cuGraphGetNodes(graph).map((node) => cuda.cuGraphNodeGetType(node));
  assert.deepEqual(types.toSorted(), [
    nodes.CU_GRAPH_NODE_TYPE_KERNEL,
    nodes.CU_GRAPH_NODE_TYPE_KERNEL,
    nodes.CU_GRAPH_NODE_TYPE_MEMCPY,
    nodes.CU_GRAPH_NODE_TYPE_MEMSET,
  ]);
  assert.equal(cuda.cuGraphGetRootNodes(graph).length, 1);
  const [from, to] = cuda.cuGraphGetEdges(graph);
  assert.deepEqual([from.length, to.length], [4, 4]);

  const exec = cuda.cuGraphInstantiate(graph, 0);
  cuda.cuGraphUpload(exec, main);
  for (let round = 0; round < 3; round++) cuda.cuGraphLaunch(exec, main);
  cuda.cuStreamSynchronize(main);
  const doubled = iota(count, 1).map((x) => 2 * x);
  assert.deepEqual(words(a, count), doubled);
  assert.deepEqual([...words(b, count)], [...doubled.subarray(0, 100), ...Array(900).fill(77)]);

  assert.throws(() => {
    cuda.cuStreamBeginCapture(main, modes.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL);
    cuda.cuStreamSynchronize(main);
  }, cudaError("CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED"));
  assert.throws(() => cuda.cuStreamEndCapture(main), cudaError("CUDA_ERROR_STREAM_CAPTURE_INVALIDATED"));

  cuda.cuGraphExecDestroy(exec);
  cuda.cuGraphDestroy(graph);
  for (const event of [forked, joined]) cuda.cuEventDestroy(event);
  for (const stream of [main, side, idle]) cuda.cuStreamDestroy(stream);
  for (const pointer of [a, b]) cuda.cuMemFree(pointer);
});

test("captured into a graph that is there, and dependencies changed on the way", {
  skip: unless(() => gpu.version >= 12030, "CUDA 12.3"),
}, () => {
  const count = 100;
  const data = poisoned(count);
  const graph = cuda.cuGraphCreate(0);
  const set = cuda.cuGraphAddMemsetNode(graph, null, 0, memset(data, 6, count), state.context);
  const stream = cuda.cuStreamCreate(cuda.CUstream_flags.CU_STREAM_NON_BLOCKING);
  const local = cuda.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL;
  cuda.cuStreamBeginCaptureToGraph(stream, graph, [set], null, 1, local);
  launch(kernel("scale"), { ...blocks(count), stream }, ptr(data), u32(count), u32(6), u32(0));
  const empty = cuda.cuGraphAddEmptyNode(graph, [set], 1);
  const add = cuda.CUstreamUpdateCaptureDependencies_flags.CU_STREAM_ADD_CAPTURE_DEPENDENCIES;
  cuda.cuStreamUpdateCaptureDependencies(stream, [empty], null, 1, add);
  launch(kernel("scale"), { ...blocks(count), stream }, ptr(data), u32(count), u32(1), u32(6));
  assert.equal(cuda.cuStreamEndCapture(stream), graph);
  assert.equal(cuda.cuGraphGetNodes(graph).length, 4);
  const exec = cuda.cuGraphInstantiate(graph, 0);
  run(exec);
  assert.ok(words(data, count).every((word) => word === 42));
  cuda.cuGraphExecDestroy(exec);
  cuda.cuGraphDestroy(graph);
  cuda.cuStreamDestroy(stream);
  cuda.cuMemFree(data);
});
