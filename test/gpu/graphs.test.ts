/** Graphs: captured and built by hand, every kind of node, changed after instantiation, cloned, printed. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type * as Cuda from "cuda-driver";
import { cuda } from "./count.ts";
import { attempt, blocks, cudaError, gpu, INVALID_VALUE, iota, kernel, kernelFile, launch, MISSING, numbers, poisoned, skip, unless, upload, usePrimaryContext, words } from "./device.ts";

const { ptr, u32, u64 } = cuda.kernel;
const nodes = cuda.CUgraphNodeType;
const device = cuda.CUmemorytype.CU_MEMORYTYPE_DEVICE;
const host = cuda.CUmemorytype.CU_MEMORYTYPE_HOST;
const state = usePrimaryContext();

/** Launches a graph in a stream of its own and waits for it. */
function run(exec: Cuda.CUgraphExec): void {
  const stream = cuda.cuStreamCreate(cuda.CUstream_flags.CU_STREAM_NON_BLOCKING);
  cuda.cuGraphLaunch(exec, stream);
  cuda.cuStreamSynchronize(stream);
  cuda.cuStreamDestroy(stream);
}

/** What a kernel node needs: `name` in one dimension. */
function kernelNode(name: string, count: number, ...params: Cuda.KernelParam[]): Cuda.CUDA_KERNEL_NODE_PARAMSFields {
  const { grid, block } = blocks(count);
  return {
    func: kernel(name),
    gridDimX: grid,
    gridDimY: 1,
    gridDimZ: 1,
    blockDimX: block,
    blockDimY: 1,
    blockDimZ: 1,
    kernelParams: cuda.kernelParams(...params),
  };
}

function memset(dst: bigint, value: number, width: number): Cuda.CUDA_MEMSET_NODE_PARAMSFields {
  return { dst, value, elementSize: 4, width, height: 1 };
}

/** A copy of bytes as a three-dimensional one. */
function copy(from: Partial<Cuda.CUDA_MEMCPY3DFields>, to: Partial<Cuda.CUDA_MEMCPY3DFields>, bytes: number) {
  return { ...from, ...to, WidthInBytes: bytes, Height: 1, Depth: 1 };
}

const fromDevice = (srcDevice: bigint) => ({ srcMemoryType: device, srcDevice });
const toDevice = (dstDevice: bigint) => ({ dstMemoryType: device, dstDevice });
const toHost = (dstHost: ArrayBufferView) => ({ dstMemoryType: host, dstHost });

test("captured from streams that fork and join", { skip }, () => {
  const modes = cuda.CUstreamCaptureMode;
  const statuses = cuda.CUstreamCaptureStatus;
  const main = cuda.cuStreamCreate(cuda.CUstream_flags.CU_STREAM_NON_BLOCKING);
  const side = cuda.cuStreamCreate(cuda.CUstream_flags.CU_STREAM_NON_BLOCKING);
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
  const [status, id, , , , dependencies] = cuda.cuStreamGetCaptureInfo_v3(main);
  assert.deepEqual([status, dependencies], [statuses.CU_STREAM_CAPTURE_STATUS_ACTIVE, 1n]);
  assert.ok(id > 0n);
  assert.equal(cuda.cuStreamGetCaptureInfo_v2(main)[1], id);
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
  for (const stream of [main, side]) cuda.cuStreamDestroy(stream);
  for (const pointer of [a, b]) cuda.cuMemFree(pointer);
});

test("built by hand: memset, kernel, copy; edges, parameters, changes", { skip }, () => {
  const count = 500;
  const [a, b] = [poisoned(count), poisoned(count)];
  const back = new Uint32Array(count);
  const graph = cuda.cuGraphCreate(0);
  const set = cuda.cuGraphAddMemsetNode(graph, null, 0, memset(a, 5, count), state.context);
  const scale = cuda.cuGraphAddKernelNode(graph, [set], 1, kernelNode("scale", count, ptr(a), u32(count), u32(3), u32(1)));
  const across = cuda.cuGraphAddMemcpyNode(graph, [scale], 1, copy(fromDevice(a), toDevice(b), 4 * count), state.context);
  const home = cuda.cuGraphAddMemcpyNode(graph, [across], 1, copy(fromDevice(b), toHost(back), 4 * count), state.context);
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
  assert.throws(() => cuda.cuGraphExecUpdate(second, graph), cudaError("CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE"));
  const extra = cuda.cuGraphAddEmptyNode(graph, null, 0);
  cuda.cuGraphAddDependencies(graph, [home], [extra], null, 1);
  assert.equal(cuda.cuGraphGetEdges(graph)[0].length, 4);
  cuda.cuGraphRemoveDependencies_v1(graph, [home], [extra], 1);
  cuda.cuGraphAddDependencies_v1(graph, [home], [extra], 1);
  assert.throws(() => cuda.cuGraphAddDependencies(graph, [extra], [set], null, 1), cudaError(INVALID_VALUE), "a circle");

  for (const made of [exec, second]) cuda.cuGraphExecDestroy(made);
  cuda.cuGraphDestroy(graph);
  for (const pointer of [a, b, other]) cuda.cuMemFree(pointer);
});

test("host nodes call JavaScript; events within graphs", { skip, timeout: 30_000 }, async () => {
  let calls = 0;
  let wake: () => void = () => {};
  const called = (times: number) =>
    new Promise<void>((resolve) => {
      wake = () => {
        if (calls === times) resolve();
      };
      wake();
    });
  const callback = cuda.hostFunction(() => {
    calls += 1;
    wake();
  });
  const other = cuda.hostFunction(() => {
    calls += 10;
    wake();
  });
  const event = cuda.cuEventCreate(cuda.CUevent_flags.CU_EVENT_DISABLE_TIMING);
  const second = cuda.cuEventCreate(cuda.CUevent_flags.CU_EVENT_DISABLE_TIMING);
  const graph = cuda.cuGraphCreate(0);
  const hostNode = cuda.cuGraphAddHostNode(graph, null, 0, { fn: callback.fn, userData: callback.userData });
  const record = cuda.cuGraphAddEventRecordNode(graph, [hostNode], 1, event);
  const wait = cuda.cuGraphAddEventWaitNode(graph, [record], 1, event);
  assert.equal(cuda.cuGraphEventRecordNodeGetEvent(record), event);
  assert.equal(cuda.cuGraphEventWaitNodeGetEvent(wait), event);
  const params = cuda.cuGraphHostNodeGetParams(hostNode);
  assert.equal(params.fn, callback.fn);

  const exec = cuda.cuGraphInstantiate(graph, 0);
  for (let round = 0; round < 5; round++) run(exec);
  await called(5);
  assert.equal(cuda.cuEventQuery(event), true);
  cuda.cuGraphExecHostNodeSetParams(exec, hostNode, { fn: other.fn, userData: other.userData });
  cuda.cuGraphExecEventRecordNodeSetEvent(exec, record, second);
  cuda.cuGraphExecEventWaitNodeSetEvent(exec, wait, second);
  run(exec);
  await called(15);
  cuda.cuGraphHostNodeSetParams(hostNode, { fn: other.fn, userData: other.userData });
  cuda.cuGraphEventRecordNodeSetEvent(record, second);
  cuda.cuGraphEventWaitNodeSetEvent(wait, second);
  const again = cuda.cuGraphInstantiate(graph, 0);
  run(again);
  await called(25);
  for (const made of [exec, again]) cuda.cuGraphExecDestroy(made);
  cuda.cuGraphDestroy(graph);
  for (const made of [event, second]) cuda.cuEventDestroy(made);
  callback.release();
  other.release();
});

test("child graphs and clones", { skip }, () => {
  const count = 300;
  const data = poisoned(count);
  const child = cuda.cuGraphCreate(0);
  const inner = cuda.cuGraphAddKernelNode(child, null, 0, kernelNode("scale", count, ptr(data), u32(count), u32(2), u32(1)));
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
  assert.ok(words(data, count).every((word) => word === 19), "the clone outlives what it was made from");
  for (const made of [exec, third]) cuda.cuGraphExecDestroy(made);
  for (const graph of [child, clone]) cuda.cuGraphDestroy(graph);
  cuda.cuMemFree(data);
});

test("memory of a graph: allocated, used and freed by nodes", { skip }, () => {
  const count = 1 << 18;
  const back = new Uint32Array(count);
  const graph = cuda.cuGraphCreate(0);
  const params = new cuda.CUDA_MEM_ALLOC_NODE_PARAMS_v1({
    poolProps: {
      allocType: cuda.CUmemAllocationType.CU_MEM_ALLOCATION_TYPE_PINNED,
      location: { type: cuda.CUmemLocationType.CU_MEM_LOCATION_TYPE_DEVICE, id: state.device },
    },
    bytesize: 4 * count,
  });
  const allocate = cuda.cuGraphAddMemAllocNode(graph, null, 0, params);
  const memory = params.dptr;
  assert.notEqual(memory, 0n);
  assert.equal(cuda.cuGraphMemAllocNodeGetParams(allocate).bytesize, BigInt(4 * count));
  const fill = cuda.cuGraphAddKernelNode(graph, [allocate], 1, kernelNode("iota", count, ptr(memory), u32(count), u32(50)));
  const home = cuda.cuGraphAddMemcpyNode(graph, [fill], 1, copy(fromDevice(memory), toHost(back), 4 * count), state.context);
  const free = cuda.cuGraphAddMemFreeNode(graph, [home], 1, memory);
  assert.equal(cuda.cuGraphMemFreeNodeGetParams(free), memory);
  const exec = cuda.cuGraphInstantiate(graph, 0);
  run(exec);
  assert.deepEqual(back, iota(count, 50));
  const used = cuda.CUgraphMem_attribute.CU_GRAPH_MEM_ATTR_USED_MEM_HIGH;
  assert.ok(cuda.cuDeviceGetGraphMemAttribute(state.device, used) >= 4 * count);
  cuda.cuGraphExecDestroy(exec);
  cuda.cuGraphDestroy(graph);
  cuda.cuDeviceGraphMemTrim(state.device);
});

test("batches of memory operations as nodes", { skip }, () => {
  const flag = cuda.cuMemAlloc(16);
  cuda.cuMemsetD32(flag, 0, 4);
  cuda.cuCtxSynchronize();
  const write = (value: number) =>
    new cuda.CUstreamBatchMemOpParams({
      writeValue: { operation: cuda.CUstreamBatchMemOpType.CU_STREAM_MEM_OP_WRITE_VALUE_32, address: flag, value },
    });
  const batch = (value: number) => ({ ctx: state.context, count: 1, paramArray: write(value) });
  const graph = cuda.cuGraphCreate(0);
  const node = cuda.cuGraphAddBatchMemOpNode(graph, null, 0, batch(33));
  assert.equal(cuda.cuGraphBatchMemOpNodeGetParams(node).count, 1);
  const exec = cuda.cuGraphInstantiate(graph, 0);
  run(exec);
  assert.equal(words(flag, 1)[0], 33);
  cuda.cuGraphExecBatchMemOpNodeSetParams(exec, node, batch(34));
  run(exec);
  assert.equal(words(flag, 1)[0], 34);
  cuda.cuGraphBatchMemOpNodeSetParams(node, batch(35));
  const again = cuda.cuGraphInstantiate(graph, 0);
  run(again);
  assert.equal(words(flag, 1)[0], 35);
  for (const made of [exec, again]) cuda.cuGraphExecDestroy(made);
  cuda.cuGraphDestroy(graph);
  cuda.cuMemFree(flag);
});

test("nodes of any kind by one function; attributes of kernel nodes", { skip: unless(() => gpu.version >= 12030, "CUDA 12.3") }, () => {
  const count = 200;
  const data = poisoned(count);
  const graph = cuda.cuGraphCreate(0);
  const setParams = new cuda.CUgraphNodeParams({
    type: nodes.CU_GRAPH_NODE_TYPE_MEMSET,
    memset: { ...memset(data, 3, count), ctx: state.context },
  });
  const set = cuda.cuGraphAddNode_v2(graph, null, null, 0, setParams);
  const kernelNodeParams = (factor: number) =>
    new cuda.CUgraphNodeParams({
      type: nodes.CU_GRAPH_NODE_TYPE_KERNEL,
      kernel: kernelNode("scale", count, ptr(data), u32(count), u32(factor), u32(0)),
    });
  const first = cuda.cuGraphAddNode_v2(graph, [set], null, 1, kernelNodeParams(4));
  const second = cuda.cuGraphAddNode_v1(graph, [first], 1, kernelNodeParams(5));
  const priority = cuda.CU_KERNEL_NODE_ATTRIBUTE_PRIORITY;
  const [, greatest] = cuda.cuCtxGetStreamPriorityRange();
  cuda.cuGraphKernelNodeSetAttribute(first, priority, { priority: greatest });
  cuda.cuGraphKernelNodeCopyAttributes(second, first);
  assert.equal(cuda.cuGraphKernelNodeGetAttribute(second, priority).priority, greatest);

  const params = new cuda.CUDA_GRAPH_INSTANTIATE_PARAMS();
  const exec = cuda.cuGraphInstantiateWithParams(graph, params);
  assert.equal(params.result_out, cuda.CUgraphInstantiateResult.CUDA_GRAPH_INSTANTIATE_SUCCESS);
  run(exec);
  assert.ok(words(data, count).every((word) => word === 60));
  cuda.cuGraphExecNodeSetParams(exec, second, kernelNodeParams(7));
  run(exec);
  assert.ok(words(data, count).every((word) => word === 84));
  cuda.cuGraphNodeSetParams(second, kernelNodeParams(1));
  const again = cuda.cuGraphInstantiate(graph, 0);
  run(again);
  assert.ok(words(data, count).every((word) => word === 12));

  /* A kernel that may start before the one it depends on has ended. */
  const edge = {
    from_port: cuda.CU_GRAPH_KERNEL_NODE_PORT_PROGRAMMATIC,
    type: cuda.CUgraphDependencyType.CU_GRAPH_DEPENDENCY_TYPE_PROGRAMMATIC,
  };
  const programmatic = attempt(
    () => cuda.cuGraphAddNode_v2(graph, [second], edge, 1, kernelNodeParams(1)),
    INVALID_VALUE,
    "CUDA_ERROR_NOT_SUPPORTED",
  );
  if (programmatic !== null) {
    const [, edges] = cuda.cuGraphNodeGetDependencies(programmatic);
    assert.equal(edges[0]?.type, edge.type);
  }
  for (const made of [exec, again]) cuda.cuGraphExecDestroy(made);
  cuda.cuGraphDestroy(graph);
  cuda.cuMemFree(data);
});

const conditional = unless(() => gpu.version >= 12040, "CUDA 12.4");

test("conditional nodes: if, while, switch", { skip: conditional, timeout: 30_000 }, () => {
  const types = cuda.CUgraphConditionalNodeType;
  const library = cuda.cuLibraryLoadFromFile(kernelFile("conditional.cubin"));
  const fn = (name: string) => cuda.cuKernelGetFunction(cuda.cuLibraryGetKernel(library, name));
  const word = poisoned(1);
  const out = poisoned(8);
  const one = (func: Cuda.CUfunction, ...params: Cuda.KernelParam[]) => ({
    func,
    gridDimX: 1,
    gridDimY: 1,
    gridDimZ: 1,
    blockDimX: 1,
    blockDimY: 1,
    blockDimZ: 1,
    kernelParams: cuda.kernelParams(...params),
  });

  /** A conditional node of `size` bodies after a kernel that chooses by `word`. */
  function build(type: number, size: number) {
    const graph = cuda.cuGraphCreate(0);
    const handle = cuda.cuGraphConditionalHandleCreate(graph, state.context, 0, cuda.CU_GRAPH_COND_ASSIGN_DEFAULT);
    const chooser = cuda.cuGraphAddKernelNode(graph, null, 0, one(fn("choose"), u64(handle), ptr(word)));
    const params = new cuda.CUgraphNodeParams({
      type: nodes.CU_GRAPH_NODE_TYPE_CONDITIONAL,
      conditional: { handle, type, size, ctx: state.context },
    });
    const node = cuda.cuGraphAddNode_v2(graph, [chooser], null, 1, params);
    assert.equal(cuda.cuGraphNodeGetType(node), nodes.CU_GRAPH_NODE_TYPE_CONDITIONAL);
    const bodies = new BigUint64Array(size);
    const list = params.conditional.phGraph_out;
    assert.notEqual(list, 0n);
    /* The driver's own array of the bodies, in host memory. */
    cuda.cuMemcpy(cuda.addressOf(bodies), list as bigint, 8 * size);
    return { graph, handle, bodies: [...bodies] as Cuda.CUgraph[] };
  }

  const choose = (value: number) => {
    cuda.cuMemsetD32(word, value, 1);
    cuda.cuMemsetD32(out, 0, 8);
    cuda.cuCtxSynchronize();
  };

  const branch = build(types.CU_GRAPH_COND_TYPE_IF, 1);
  cuda.cuGraphAddMemsetNode(branch.bodies[0] as Cuda.CUgraph, null, 0, memset(out, 5, 1), state.context);
  const branchExec = cuda.cuGraphInstantiate(branch.graph, 0);
  for (const [value, expected] of [
    [0, 0],
    [1, 5],
  ] as const) {
    choose(value);
    run(branchExec);
    assert.equal(words(out, 1)[0], expected, `if ${value}`);
  }

  const loop = build(types.CU_GRAPH_COND_TYPE_WHILE, 1);
  const count = one(fn("count_down"), u64(loop.handle), ptr(word), ptr(out));
  cuda.cuGraphAddKernelNode(loop.bodies[0] as Cuda.CUgraph, null, 0, count);
  const loopExec = cuda.cuGraphInstantiate(loop.graph, 0);
  choose(13);
  run(loopExec);
  assert.equal(words(out, 1)[0], 13, "rounds of the loop");

  const made = [branchExec, loopExec];
  const graphs = [branch.graph, loop.graph];
  if (gpu.version >= 12080) {
    const choice = build(types.CU_GRAPH_COND_TYPE_SWITCH, 3);
    for (const [i, body] of choice.bodies.entries()) {
      cuda.cuGraphAddMemsetNode(body, null, 0, memset(out, 100 + i, 1), state.context);
    }
    const exec = cuda.cuGraphInstantiate(choice.graph, 0);
    for (const [value, expected] of [
      [0, 100],
      [2, 102],
      [7, 0],
    ] as const) {
      choose(value);
      run(exec);
      assert.equal(words(out, 1)[0], expected, `switch ${value}`);
    }
    made.push(exec);
    graphs.push(choice.graph);
  }
  for (const exec of made) cuda.cuGraphExecDestroy(exec);
  for (const graph of graphs) cuda.cuGraphDestroy(graph);
  for (const pointer of [word, out]) cuda.cuMemFree(pointer);
  cuda.cuLibraryUnload(library);
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

test("captured into a graph that is there, and dependencies changed on the way", { skip: unless(() => gpu.version >= 12030, "CUDA 12.3") }, () => {
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
