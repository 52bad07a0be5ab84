/** Nodes of graphs: of the host, of events, of memory, of memory operations, conditional ones. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type * as Cuda from "cuda-driver";
import { cuda } from "./count.ts";
import {
  attempt,
  gpu,
  INVALID_VALUE,
  iota,
  kernelFile,
  poisoned,
  skip,
  unless,
  usePrimaryContext,
  words,
} from "./device.ts";
import { copy, fromDevice, kernelNode, memset, run, toHost } from "./graph.ts";

const { ptr, u32, u64 } = cuda.kernel;
const nodes = cuda.CUgraphNodeType;
const state = usePrimaryContext();

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
  const fill = cuda.cuGraphAddKernelNode(
    graph,
    [allocate],
    1,
    kernelNode("iota", count, ptr(memory), u32(count), u32(50)),
  );
  const home = cuda.cuGraphAddMemcpyNode(
    graph,
    [fill],
    1,
    copy(fromDevice(memory), toHost(back), 4 * count),
    state.context,
  );
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
  const batch = (value: number) => ({ ctx: state.context, paramArray: [write(value)] });
  const graph = cuda.cuGraphCreate(0);
  const node = cuda.cuGraphAddBatchMemOpNode(graph, null, 0, batch(33));
  const params = cuda.cuGraphBatchMemOpNodeGetParams(node);
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
  /* A copy: the node is gone. */
  assert.deepEqual(
    params.$list("paramArray").map(({ writeValue }) => [writeValue.address, writeValue.value]),
    [[flag, 33]],
  );
  cuda.cuMemFree(flag);
});

test("nodes of any kind by one function; attributes of kernel nodes", {
  skip: unless(() => gpu.version >= 12030, "CUDA 12.3"),
}, () => {
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
  cuda.cuGraphKernelNodeSetAttribute(first, priority, greatest);
  cuda.cuGraphKernelNodeCopyAttributes(second, first);
  assert.equal(cuda.cuGraphKernelNodeGetAttribute(second, priority), greatest);

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
    const bodies = params.conditional.$list("phGraph_out");
    assert.equal(bodies.length, size);
    return { graph, handle, bodies };
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
