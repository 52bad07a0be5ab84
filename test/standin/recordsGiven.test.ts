/** Records as the driver gets them where more is to be said than that they are passed. */
import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import type { World } from "./context.ts";
import { MODE } from "./control.ts";
import { openWorld } from "./world.ts";

describe("records that are given", () => {
  let world: World;
  let cuda: World["package"]["cuda"];

  before(async () => {
    world = await openWorld();
    ({ cuda } = world.package);
  });
  beforeEach(() => {
    world.standin.addon.reset();
    world.standin.take();
  });

  /** One argument of the only call that `act` makes. */
  async function argument(name: string, parameter: string, act: () => unknown) {
    world.standin.take();
    await act();
    const [call, ...others] = world.standin.take().filter((each) => each.name === name);
    assert.deepEqual(others, []);
    const at = world.standin.byName.get(name)?.params.findIndex((each) => each.name === parameter) ?? -1;
    return call?.arguments[at];
  }

  it("may be host functions, whole or spread", async () => {
    const given = cuda.hostFunction(() => {});
    for (const params of [given, { ...given }, new cuda.CUDA_HOST_NODE_PARAMS(given)]) {
      const got = await argument("cuGraphAddHostNode", "nodeParams", () =>
        cuda.cuGraphAddHostNode(1n, [2n], 1, params),
      );
      assert.deepEqual([...new BigUint64Array(got?.bytes?.slice().buffer as ArrayBuffer)], [given.fn, given.userData]);
    }
    const node = new cuda.CUgraphNodeParams({ type: cuda.CUgraphNodeType.CU_GRAPH_NODE_TYPE_HOST, host: given });
    assert.deepEqual([node.host.fn, node.host.userData], [given.fn, given.userData]);
    given.release();
    given.release();
  });

  it("are records where the driver writes into them, and the message says so", () => {
    const one = "which the driver writes into: new CUgraphNodeParams\\(\\{ \\.\\.\\. \\}\\); or memory, or an address";
    const message = new RegExp(`^cuGraphAddNode_v2: nodeParams must be a CUgraphNodeParams, ${one}, not Object$`);
    assert.throws(() => cuda.cuGraphAddNode(1n, [], null, undefined, { type: 1 }), { name: "TypeError", message });
    const type = "CU_DEV_SM_RESOURCE_GROUP_PARAMS";
    const several = new RegExp(
      `^cuDevSmResourceSplit: groupParams must be a ${type} or an array of them, which the driver writes into: ` +
        `recordArray\\(${type}, \\[\\{ \\.\\.\\. \\}\\]\\); or memory, or an address, not Object$`,
    );
    for (const wrong of [{ smCount: 2 }, [{ smCount: 2 }]]) {
      assert.throws(() => cuda.cuDevSmResourceSplit(1, {}, 0, wrong), { name: "TypeError", message: several });
    }
    assert.deepEqual(world.standin.take(), []);
  });

  it("are what a pointer that may be a number points to", async () => {
    world.standin.addon.mode(MODE.record | MODE.writeOut);
    const fabric = cuda.CUmemAllocationHandleType.CU_MEM_HANDLE_TYPE_FABRIC;
    const handle = new cuda.CUmemFabricHandle({ data: [1, 2, 3] });
    for (const { cuMemImportFromShareableHandle, cuMemPoolImportFromShareableHandle } of [cuda, cuda.promises]) {
      const whole = () => cuMemImportFromShareableHandle(handle, fabric);
      assert.equal((await argument("cuMemImportFromShareableHandle", "osHandle", whole))?.value, handle.$address);
      const pool = () => cuMemPoolImportFromShareableHandle(handle, fabric, 0);
      assert.equal((await argument("cuMemPoolImportFromShareableHandle", "handle", pool))?.value, handle.$address);
    }
    const endpoint = new cuda.CUlogicalEndpointFabricHandle({ data: [1, 2, 3] });
    const fabricEndpoint = cuda.CUlogicalEndpointIpcHandleType.CU_LOGICAL_ENDPOINT_IPC_HANDLE_TYPE_FABRIC;
    const imported = () => cuda.cuLogicalEndpointImport(1, endpoint, fabricEndpoint);
    assert.equal((await argument("cuLogicalEndpointImport", "handle", imported))?.value, endpoint.$address);
    assert.throws(() => cuda.cuMemImportFromShareableHandle({ data: [1] }, fabric), {
      name: "TypeError",
      message: /^cuMemImportFromShareableHandle: osHandle must be .*a record.*, not Object$/,
    });
  });

  it("are the program's own where the driver may answer in a whole union: the node that a kernel node is on the device", async () => {
    const { CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE: updatable } = cuda.CUlaunchAttributeID;
    const value = new cuda.CUlaunchAttributeValue({ deviceUpdatableKernelNode: { deviceUpdatable: 1 } });
    for (const { cuGraphKernelNodeSetAttribute, cuStreamSetAttribute } of [cuda, cuda.promises]) {
      const ofNode = () => cuGraphKernelNodeSetAttribute(5n, updatable, value);
      assert.equal((await argument("cuGraphKernelNodeSetAttribute", "value", ofNode))?.value, value.$address);
      const ofStream = () => cuStreamSetAttribute(5n, updatable, value);
      assert.equal((await argument("cuStreamSetAttribute", "value", ofStream))?.value, value.$address);
    }
  });

  it("are read after a launch where the driver may answer in their lists", async () => {
    const { CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE: updatable } = cuda.CUlaunchAttributeID;
    const attribute = cuda.launchAttribute(updatable, { deviceUpdatable: 1 });
    const config = new cuda.CUlaunchConfig({ attrs: [attribute] });
    const passed = await argument("cuLaunchKernelEx", "config", () => cuda.cuLaunchKernelEx(config, 1n, null));
    assert.equal(passed?.value, config.$address);
    const read = config.$list("attrs").map((each: { $bytes: Uint8Array }) => [...each.$bytes]);
    assert.deepEqual(read, [[...cuda.copyFrom(config.attrs, cuda.CUlaunchAttribute.size)]]);
  });

  it("are refused where such a pointer leads to them and theirs leads nowhere", () => {
    const memory = new Uint8Array(8);
    const record = new cuda.CUDA_MEMCPY2D({ srcHost: memory });
    structuredClone(memory.buffer, { transfer: [memory.buffer] });
    assert.throws(() => cuda.cuMemImportFromShareableHandle(record, 0), {
      name: "TypeError",
      message:
        /^cuMemImportFromShareableHandle: osHandle does not fit: CUDA_MEMCPY2D_v2: srcHost points to memory that was transferred/,
    });
    assert.deepEqual(world.standin.take(), []);
  });

  it("have fields where all of their bytes are reserved: those are what is sent to another process", async () => {
    const bytes = Uint8Array.from({ length: 64 }, (_, at) => at);
    const handle = new cuda.CUipcMemHandle({ reserved: bytes });
    assert.deepEqual(handle.reserved, bytes);
    const got = await argument("cuIpcOpenMemHandle_v2", "handle", () => cuda.cuIpcOpenMemHandle(handle, 1));
    assert.deepEqual(got?.bytes, bytes);
    for (const name of ["CUipcEventHandle", "CUmemPoolPtrExportData"]) {
      const record = new cuda[name]({ reserved: bytes });
      assert.deepEqual(record.$bytes, bytes, name);
      assert.deepEqual(record.toJSON(), { reserved: [...bytes] }, name);
    }
  });
});
