/** Graphs built by hand: their shape, their parameters, changes after instantiation, clones, DOT. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type * as Cuda from "cuda-driver";
import { cuda } from "./count.ts";
import {
  attempt,
  cudaError,
  INVALID_VALUE,
  MISSING,
  numbers,
  poisoned,
  skip,
  upload,
  usePrimaryContext,
  words,
} from "./device.ts";
import { copy, fromDevice, kernelNode, memset, run, toDevice, toHost } from "./graph.ts";

const { ptr, u32 } = cuda.kernel;
const nodes = cuda.CUgraphNodeType;
const state = usePrimaryContext();

test("built by hand: memset, kernel, copy; edges, parameters, changes", { skip }, () => {
  const count = 500;
  const [a, b] = [poisoned(count), poisoned(count)];
  const back = new Uint32Array(count);
  const graph = cuda.cuGraphCreate(0);
  const set = cuda.cuGraphAddMemsetNode(graph, null, 0, memset(a, 5, count), state.context);
  const scale = cuda.cuGraphAddKernelNode(
    graph,
    [set],
    1,
    kernelNode("scale", count, ptr(a), u32(count), u32(3), u32(1)),
  );
  const across = cuda.cuGraphAddMemcpyNode(
    graph,
    [scale],
    1,
    copy(fromDevice(a), toDevice(b), 4 * count),
    state.context,
  );
  const home = cuda.cuGraphAddMemcpyNode(
    graph,
    [across],
    1,
    copy(fromDevice(b), toHost(back), 4 * count),
    state.context,
  );
  const empty = cuda.cuGraphAddEmptyNode(graph, [home], 1);
  const all = [set, scale, across, home, empty];
  assert.deepEqual(cuda.cuGraphGetNodes(graph).toSorted(), all.toSorted());
  assert.deepEqual(cuda.cuGraphGetRootNodes(graph), [set]);
  assert.deepEqual(cuda.cuGraphNodeGetDependencies(across)[0], [scale]);
  assert.deepEqual(cuda.cuGraphNodeGetDependentNodes(across)[0], [home]);
  assert.deepEqual(cuda.cuGraphNodeGetDependencies_v1(scale), [set]);
  assert.deepEqual(cuda.cuGraphNodeGetDependentNodes_v1(scale), [across]);
  assert.equal(cuda.cuGraphGetEdges_v1(graph)[0].length, 4);
  assert.deepEqual(
    all.map((node) => cuda.cuGraphNodeGetType(node)),
    [
      nodes.CU_GRAPH_NODE_TYPE_MEMSET,
      nodes.CU_GRAPH_NODE_TYPE_KERNEL,
      nodes.CU_GRAPH_NODE_TYPE_MEMCPY,
      nodes.CU_GRAPH_NODE_TYPE_MEMCPY,
      nodes.CU_GRAPH_NODE_TYPE_EMPTY,
    ],
  );

  const exec = cuda.cuGraphInstantiateWithFlags(graph, 0);
  assert.equal(cuda.cuGraphExecGetFlags(exec), 0n);
  run(exec);
  assert.ok(back.every((word) => word === 16));

  /* What the nodes say of themselves. */
  const setParams = cuda.cuGraphMemsetNodeGetParams(set);
  assert.deepEqual([setParams.dst, setParams.value, setParams.width], [a, 5, BigInt(count)]);
  const kernelParams = cuda.cuGraphKernelNodeGetParams(scale);
  assert.deepEqual([kernelParams.gridDimX, kernelParams.blockDimX], [4, 128]);
  const copyParams = cuda.cuGraphMemcpyNodeGetParams(across);
  assert.deepEqual([copyParams.srcDevice, copyParams.dstDevice, copyParams.WidthInBytes], [a, b, BigInt(4 * count)]);

  /* Changed in the executable graph. */
  cuda.cuGraphExecMemsetNodeSetParams(exec, set, memset(a, 6, count), state.context);
  cuda.cuGraphExecKernelNodeSetParams(exec, scale, kernelNode("scale", count, ptr(a), u32(count), u32(10), u32(2)));
  run(exec);
  assert.ok(back.every((word) => word === 62));
  const other = upload(numbers(count));
  cuda.cuGraphExecMemcpyNodeSetParams(exec, across, copy(fromDevice(other), toDevice(b), 4 * count), state.context);
  run(exec);
  assert.deepEqual(back, numbers(count));
  cuda.cuGraphNodeSetEnabled(exec, across, 0);
  assert.equal(cuda.cuGraphNodeGetEnabled(exec, across), 0);
  cuda.cuMemsetD32(b, 8, count);
  cuda.cuCtxSynchronize();
  run(exec);
  assert.ok(back.every((word) => word === 8));

  /* Changed in the graph itself, and brought to the executable one by an update. */
  cuda.cuGraphMemsetNodeSetParams(set, memset(a, 1, count));
  cuda.cuGraphKernelNodeSetParams(scale, kernelNode("scale", count, ptr(a), u32(count), u32(7), u32(7)));
  cuda.cuGraphMemcpyNodeSetParams(across, copy(fromDevice(a), toDevice(b), 4 * count));
  const second = cuda.cuGraphInstantiate(graph, 0);
  run(second);
  assert.ok(back.every((word) => word === 14));
  cuda.cuGraphMemsetNodeSetParams(set, memset(a, 2, count));
  const { result } = cuda.cuGraphExecUpdate(second, graph);
  assert.equal(result, cuda.CUgraphExecUpdateResult.CU_GRAPH_EXEC_UPDATE_SUCCESS);
  run(second);
  assert.ok(back.every((word) => word === 21));

  /* A graph of another shape cannot update it. */
  cuda.cuGraphRemoveDependencies(graph, [home], [empty], null, 1);
  cuda.cuGraphDestroyNode(empty);
  assert.equal(cuda.cuGraphGetNodes(graph).length, 4);
  assert.throws(
    () => cuda.cuGraphExecUpdate(second, graph),
    (error: Cuda.CudaError) => {
      assert.equal(error.code, "CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE");
      const info = error.outputs?.resultInfo as Cuda.CUgraphExecUpdateResultInfo | undefined;
      assert.equal(info?.result, cuda.CUgraphExecUpdateResult.CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED);
      return true;
    },
  );
  const extra = cuda.cuGraphAddEmptyNode(graph, null, 0);
  cuda.cuGraphAddDependencies(graph, [home], [extra], null, 1);
  assert.equal(cuda.cuGraphGetEdges(graph)[0].length, 4);
  cuda.cuGraphRemoveDependencies_v1(graph, [home], [extra], 1);
  cuda.cuGraphAddDependencies_v1(graph, [home], [extra], 1);
  /* A circle is seen when the graph is made executable, not before. */
  cuda.cuGraphAddDependencies(graph, [extra], [set], null, 1);
  assert.throws(() => cuda.cuGraphInstantiate(graph, 0), cudaError(INVALID_VALUE), "a circle");

  for (const made of [exec, second]) cuda.cuGraphExecDestroy(made);
  cuda.cuGraphDestroy(graph);
  for (const pointer of [a, b, other]) cuda.cuMemFree(pointer);
});

test("child graphs and clones", { skip }, () => {
  const count = 300;
  const data = poisoned(count);
  const child = cuda.cuGraphCreate(0);
  const inner = cuda.cuGraphAddKernelNode(
    child,
    null,
    0,
    kernelNode("scale", count, ptr(data), u32(count), u32(2), u32(1)),
  );
  const parent = cuda.cuGraphCreate(0);
  const set = cuda.cuGraphAddMemsetNode(parent, null, 0, memset(data, 1, count), state.context);
  const first = cuda.cuGraphAddChildGraphNode(parent, [set], 1, child);
  const second = cuda.cuGraphAddChildGraphNode(parent, [first], 1, child);
  const copied = cuda.cuGraphChildGraphNodeGetGraph(second);
  assert.notEqual(copied, child, "a graph of its own");
  assert.equal(cuda.cuGraphGetNodes(copied).length, 1);
  const exec = cuda.cuGraphInstantiate(parent, 0);
  run(exec);
  assert.ok(words(data, count).every((word) => word === 7));

  cuda.cuGraphKernelNodeSetParams(inner, kernelNode("scale", count, ptr(data), u32(count), u32(5), u32(0)));
  cuda.cuGraphExecChildGraphNodeSetParams(exec, second, child);
  run(exec);
  assert.ok(words(data, count).every((word) => word === 15));

  const clone = cuda.cuGraphClone(parent);
  const twin = cuda.cuGraphNodeFindInClone(set, clone);
  assert.notEqual(twin, set);
  cuda.cuGraphMemsetNodeSetParams(twin, memset(data, 4, count));
  cuda.cuGraphDestroy(parent);
  const third = cuda.cuGraphInstantiate(clone, 0);
  run(third);
  assert.ok(
    words(data, count).every((word) => word === 19),
    "the clone outlives what it was made from",
  );
  for (const made of [exec, third]) cuda.cuGraphExecDestroy(made);
  for (const graph of [child, clone]) cuda.cuGraphDestroy(graph);
  cuda.cuMemFree(data);
});

test("a graph printed as DOT", { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), "gpu-"));
  const data = poisoned(16);
  const graph = cuda.cuGraphCreate(0);
  const set = cuda.cuGraphAddMemsetNode(graph, null, 0, memset(data, 1, 16), state.context);
  cuda.cuGraphAddKernelNode(graph, [set], 1, kernelNode("scale", 16, ptr(data), u32(16), u32(2), u32(0)));
  const path = join(folder, "graph.dot");
  cuda.cuGraphDebugDotPrint(graph, path, cuda.CUgraphDebugDot_flags.CU_GRAPH_DEBUG_DOT_FLAGS_VERBOSE);
  const text = readFileSync(path, "utf8");
  assert.match(text, /^\s*digraph/);
  assert.match(text, /scale/);
  assert.match(text, /->/);
  rmSync(folder, { recursive: true });
  cuda.cuGraphDestroy(graph);
  cuda.cuMemFree(data);
});

test("names of graphs, where the driver gives them", { skip }, () => {
  const graph = cuda.cuGraphCreate(0);
  const node = cuda.cuGraphAddEmptyNode(graph, null, 0);
  const id = attempt(() => cuda.cuGraphGetId(graph), MISSING);
  if (id !== null) {
    assert.equal(cuda.cuGraphNodeGetContainingGraph(node), graph);
    assert.ok(cuda.cuGraphNodeGetLocalId(node) >= 0);
    assert.ok(cuda.cuGraphNodeGetToolsId(node) >= 0n);
  }
  cuda.cuGraphDestroy(graph);
});
