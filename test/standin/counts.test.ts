/** What a program may leave out, and what it may not: counts of lists and buffers, and the sizes of attributes. */
import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import { tellSizes, type World } from "./context.ts";
import { MODE } from "./control.ts";
import { openWorld } from "./world.ts";

describe("counts that are left out", () => {
  let world: World;
  let cuda: World["package"]["cuda"];

  before(async () => {
    world = await openWorld();
    ({ cuda } = world.package);
  });
  beforeEach(() => {
    world.standin.addon.reset();
    tellSizes(world);
  });

  /** What the driver got for one parameter of the only call that `act` makes. */
  function got(name: string, parameter: string, act: () => unknown): bigint | undefined {
    world.standin.take();
    act();
    /* The first call also looks the function up. */
    const calls = world.standin.take().filter((call) => call.name === name);
    assert.equal(calls.length, 1);
    const at = world.standin.byName.get(name)?.params.findIndex((param) => param.name === parameter) ?? -1;
    return calls[0]?.arguments[at]?.value;
  }

  function nothing(act: () => unknown, wanted: { name: string; message: RegExp }): void {
    world.standin.take();
    assert.throws(act, wanted);
    assert.deepEqual(world.standin.take(), []);
  }

  it("are the bytes of a buffer, in each of its forms", () => {
    const forms = [
      new Uint8Array(12),
      new Float32Array(3),
      new Uint8Array(100).subarray(4, 16),
      new DataView(new ArrayBuffer(20), 8),
      new ArrayBuffer(12),
      new SharedArrayBuffer(12),
      Buffer.alloc(12),
    ];
    for (const memory of forms) {
      assert.equal(
        got("cuMemcpyHtoD_v2", "ByteCount", () => cuda.cuMemcpyHtoD(64n, memory)),
        12n,
      );
      assert.equal(
        got("cuMemcpyDtoH_v2", "ByteCount", () => cuda.cuMemcpyDtoH(memory, 64n)),
        12n,
      );
      const copied = () => cuda.cuMemcpyHtoDAsync(64n, memory, undefined, null);
      assert.equal(got("cuMemcpyHtoDAsync_v2", "ByteCount", copied), 12n);
    }
    assert.equal(
      got("cuMemcpyHtoD_v2", "ByteCount", () => cuda.cuMemcpyHtoD(64n, new Uint8Array(0))),
      0n,
    );
  });

  it("are the elements of lists, records and typed arrays", () => {
    const nodes = (list: unknown) => () => cuda.cuGraphAddEmptyNode(1n, list);
    assert.equal(got("cuGraphAddEmptyNode", "numDependencies", nodes([1n, 2n, 3n])), 3n);
    assert.equal(got("cuGraphAddEmptyNode", "numDependencies", nodes(BigUint64Array.of(1n, 2n))), 2n);
    assert.equal(got("cuGraphAddEmptyNode", "numDependencies", nodes([])), 0n);
    assert.equal(got("cuGraphAddEmptyNode", "numDependencies", nodes(null)), 0n);
    const records = (list: unknown) => () => cuda.cuMemSetAccess(64n, 1, list);
    assert.equal(got("cuMemSetAccess", "count", records([{}, {}])), 2n);
    assert.equal(got("cuMemSetAccess", "count", records({})), 1n);
    assert.equal(got("cuMemSetAccess", "count", records(new cuda.CUmemAccessDesc())), 1n);
    assert.equal(got("cuMemSetAccess", "count", records(cuda.recordArray(cuda.CUmemAccessDesc, 4))), 4n);
  });

  it("stand in C's place where something follows", () => {
    const add = () => cuda.cuGraphAddChildGraphNode(1n, [2n, 3n], undefined, 4n);
    assert.equal(got("cuGraphAddChildGraphNode", "numDependencies", add), 2n);
    const map = () => cuda.cuGraphicsMapResources(undefined, [2n], null);
    assert.equal(got("cuGraphicsMapResources", "count", map), 1n);
    const edges = () => cuda.cuGraphAddDependencies_v2(1n, [2n, 3n], [3n, 2n], null);
    assert.equal(got("cuGraphAddDependencies_v2", "numDependencies", edges), 2n);
  });

  it("are refused where the lists do not agree, or do not say", () => {
    nothing(() => cuda.cuGraphAddDependencies_v2(1n, [2n], [3n, 4n], null), {
      name: "RangeError",
      message: /^cuGraphAddDependencies_v2: from has 1 elements and to has 2; give numDependencies/,
    });
    nothing(() => cuda.cuMemcpyHtoD(64n, 4096n), {
      name: "TypeError",
      message: /^cuMemcpyHtoD_v2: ByteCount must be given, since srcHost is an address/,
    });
    nothing(() => cuda.cuGraphAddEmptyNode(1n, new Uint8Array(12)), {
      name: "RangeError",
      message: /^cuGraphAddEmptyNode: dependencies holds 12 bytes, which are no whole number of elements of 8/,
    });
    nothing(() => cuda.cuMemcpyHtoD(64n, "text"), { name: "TypeError", message: /^cuMemcpyHtoD_v2: srcHost must be/ });
    nothing(() => cuda.cuMemcpyDtoDAsync(1n, 2n, undefined, null), { name: "TypeError", message: /ByteCount/ });
    nothing(() => cuda.cuMemcpyHtoD(64n, new Uint8Array(4), null), { name: "TypeError", message: /ByteCount/ });
  });

  it("are checked against the lists where they are given", () => {
    nothing(() => cuda.cuGraphAddEmptyNode(1n, [1n], 2), { name: "RangeError", message: /dependencies/ });
    nothing(() => cuda.cuMemcpyHtoD(64n, new Uint8Array(4), 5), { name: "RangeError", message: /srcHost/ });
    assert.equal(
      got("cuGraphAddEmptyNode", "numDependencies", () => cuda.cuGraphAddEmptyNode(1n, [1n, 2n], 1)),
      1n,
    );
  });

  it("hold for lists that some parameters only bound: a tensor's strides", () => {
    const encode = (strides: unknown[], rank: number | undefined = undefined) => {
      const list = [4, 4, 4];
      return () =>
        cuda.cuTensorMapEncodeTiled(0, rank, new Uint8Array(64), list, strides, list, list, 0, 0, 0, 0) as unknown;
    };
    assert.equal(got("cuTensorMapEncodeTiled", "tensorRank", encode([16, 64])), 3n);
    nothing(encode([16]), { name: "RangeError", message: /globalStrides has 1 elements, 2 are asked for/ });
    assert.equal(got("cuTensorMapEncodeTiled", "tensorRank", encode([16], 2)), 2n);
  });

  it("may be a small number where C takes a pointer for it: a file descriptor", () => {
    /* Nothing lies at that address. */
    world.standin.addon.mode(MODE.record | MODE.writeOut);
    const posix = cuda.CUmemAllocationHandleType.CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR;
    const take = (handle: unknown) => () => cuda.cuMemImportFromShareableHandle(handle, posix);
    assert.equal(got("cuMemImportFromShareableHandle", "osHandle", take(17)), 17n);
    assert.equal(got("cuMemImportFromShareableHandle", "osHandle", take(17n)), 17n);
    const pool = () => cuda.cuMemPoolImportFromShareableHandle(0, posix, 0);
    assert.equal(got("cuMemPoolImportFromShareableHandle", "handle", pool), 0n);
    for (const wrong of [-1, 1.5, 2 ** 32, "3", null]) {
      nothing(take(wrong), {
        name: typeof wrong === "number" ? "RangeError" : "TypeError",
        message: /osHandle must be/,
      });
    }
  });

  it("copies out an array of the driver's, and nothing where there is none", () => {
    const [status, , , dependencies, edges] = cuda.cuStreamGetCaptureInfo_v3(8n);
    assert.equal(typeof status, "number");
    assert.deepEqual([dependencies.length, edges.length], [3, 3]);
    const facts = world.standin.byName.get("cuStreamGetCaptureInfo_v3");
    const at = facts?.params.findIndex(({ name }) => name === "dependencies_out") ?? -1;
    const owned = new BigUint64Array(world.standin.addon.memory(world.standin.addon.owned(facts?.index ?? -1, at), 24));
    assert.deepEqual(dependencies, [...owned]);
    world.standin.output("cuStreamGetCaptureInfo_v3", "numDependencies_out", new Uint8Array(8));
    assert.deepEqual(cuda.cuStreamGetCaptureInfo_v3(8n).slice(3), [[], []]);
    world.standin.output("cuLinkComplete", "cubinOut", new Uint8Array(8));
    assert.deepEqual(cuda.cuLinkComplete(9n), new Uint8Array(0));
  });
});
