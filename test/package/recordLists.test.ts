import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as cuda from "cuda-driver";
import { collect } from "./collect.ts";

const semaphores = [3n, 4n, 5n] as cuda.CUexternalSemaphore[];
const id = cuda.CUlaunchAttributeID;
const { CUlaunchConfig, CUDA_EXT_SEM_SIGNAL_NODE_PARAMS, CUDA_CONDITIONAL_NODE_PARAMS } = cuda;

// biome-ignore lint/suspicious/noExplicitAny: what the compiler refuses
type Any = any;

function range(pattern: RegExp) {
  return { name: "RangeError", message: pattern };
}

describe("pointer fields of records", () => {
  it("take an array of records, as instances or fields, and set the count", () => {
    const config = new CUlaunchConfig({
      gridDimX: 1,
      attrs: [
        { id: id.CU_LAUNCH_ATTRIBUTE_COOPERATIVE, value: { cooperative: 1 } },
        cuda.launchAttribute(id.CU_LAUNCH_ATTRIBUTE_PRIORITY, -2),
      ],
    });
    assert.equal(config.numAttrs, 2);
    const bytes = cuda.copyFrom(config.attrs, 2 * cuda.CUlaunchAttribute.size);
    const [first, second] = config.$list("attrs");
    assert.deepEqual(Buffer.concat([first?.$bytes ?? [], second?.$bytes ?? []] as Uint8Array[]), Buffer.from(bytes));
    assert.deepEqual([first?.value.cooperative, second?.value.priority], [1, -2]);
  });

  it("take an array of handles or numbers", () => {
    const params = new CUDA_EXT_SEM_SIGNAL_NODE_PARAMS({
      extSemArray: semaphores,
      paramsArray: semaphores.map((_, flags) => ({ flags })),
    });
    assert.equal(params.numExtSems, 3);
    assert.deepEqual(params.$list("extSemArray"), semaphores);
    assert.deepEqual(
      params.$list("paramsArray").map(({ flags }) => flags),
      [0, 1, 2],
    );
    const batch = new cuda.CUDA_MEMCPY_BATCH_NODE_PARAMS({ sizes: [1, 2n], attrsIdxs: [0] });
    assert.deepEqual([batch.count, batch.$list("sizes"), batch.numAttrs], [2n, [1n, 2n], 1n]);
  });

  it("still take an address, memory, one record, null", () => {
    const memory = new BigUint64Array([1n, 2n]);
    const params = new CUDA_CONDITIONAL_NODE_PARAMS({ size: 2, phGraph_out: memory });
    assert.deepEqual([params.phGraph_out, params.size], [cuda.addressOf(memory), 2]);
    params.phGraph_out = 4096n;
    assert.deepEqual([params.phGraph_out, params.size], [4096n, 2]);
    params.phGraph_out = null;
    assert.deepEqual([params.phGraph_out, params.size, params.$list("phGraph_out")], [0n, 2, []]);
    const attribute = cuda.launchAttribute(id.CU_LAUNCH_ATTRIBUTE_PRIORITY, 1);
    const config = new CUlaunchConfig({ attrs: attribute });
    assert.deepEqual([config.attrs, config.numAttrs], [attribute.$address, 1]);
    attribute.value.priority = 9;
    assert.equal(config.$list("attrs")[0]?.value.priority, 9);
    assert.equal(new CUlaunchConfig({ attrs: { id: 8 } }).$list("attrs")[0]?.id, 8);
    const [first, second] = [new Int32Array([1]), new Float32Array([2])];
    const kernel = new cuda.CUDA_KERNEL_NODE_PARAMS({ kernelParams: [first, second, null, 7n] });
    const pointers = new BigUint64Array(cuda.copyFrom(kernel.kernelParams, 32).buffer);
    assert.deepEqual([...pointers], [cuda.addressOf(first), cuda.addressOf(second), 0n, 7n]);
    kernel.kernelParams = cuda.kernelParams(cuda.kernel.i32(1));
  });

  it("refuse what C cannot hold, naming record and field", () => {
    const set = (value: unknown) => () => new CUDA_EXT_SEM_SIGNAL_NODE_PARAMS({ extSemArray: value } as Any);
    const type = { name: "TypeError", message: /^CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v1: extSemArray(\[0\])? must be / };
    for (const value of ["text", 1, true, {}, [{}], ["1"], [undefined], new cuda.CUlaunchConfig(), () => 1])
      assert.throws(set(value), type);
    assert.throws(set([2n ** 64n]), { ...type, name: "RangeError" });
    assert.throws(set(-1n), { ...type, name: "RangeError" });
    const attrs = (value: unknown) => () => new CUlaunchConfig({ attrs: value } as Any);
    const record = { name: "TypeError", message: /^CUlaunchConfig: attrs must be / };
    for (const value of ["text", 1, [null], [1], [[]], new CUlaunchConfig(), [new CUlaunchConfig()]])
      assert.throws(attrs(value), record);
    assert.throws(attrs([{ nothing: 1 }]), {
      name: "TypeError",
      message: /^CUlaunchAttribute: has no field "nothing"/,
    });
    const written = { name: "TypeError", message: /^CUmemDecompressParams: dstActBytes must be / };
    for (const value of [[1], "text", new CUlaunchConfig()])
      assert.throws(() => new cuda.CUmemDecompressParams({ dstActBytes: value } as Any), written);
  });

  it("keep what they point to alive, however the record is copied", async () => {
    const page = () => new Uint8Array(65536).fill(0x5a);
    const fields = () => ({ id: 1, value: { accessPolicyWindow: { base_ptr: page() } } });
    const bases = (config: cuda.CUlaunchConfig) =>
      config.$list("attrs").map(({ value }) => value.accessPolicyWindow.base_ptr);
    const ways: (() => [holder: unknown, address: bigint | undefined])[] = [
      () => {
        const kernel = new cuda.CUDA_LAUNCH_PARAMS({ kernelParams: [page()] });
        return [kernel, new BigUint64Array(cuda.copyFrom(kernel.kernelParams, 8).buffer)[0]];
      },
      () => {
        const config = new CUlaunchConfig({ attrs: [fields(), fields()] });
        return [config, bases(config)[1]];
      },
      () => {
        const config = new CUlaunchConfig({ attrs: [new cuda.CUlaunchAttribute(fields())] });
        return [config, bases(config)[0]];
      },
      () => {
        const config = new CUlaunchConfig(new CUlaunchConfig({ attrs: [fields()] }));
        return [config, bases(config)[0]];
      },
      () => {
        const [, attribute] = new CUlaunchConfig({ attrs: [fields(), fields()] }).$list("attrs");
        return [attribute, attribute?.value.accessPolicyWindow.base_ptr];
      },
      () => {
        const [made] = cuda.recordArray(cuda.CUlaunchAttribute, [fields()]);
        return [made, made?.value.accessPolicyWindow.base_ptr];
      },
      () => {
        const node = new cuda.CUgraphNodeParams({ type: 0 });
        node.kernel = new cuda.CUDA_KERNEL_NODE_PARAMS_v3({ kernelParams: [page()] });
        return [node, new BigUint64Array(cuda.copyFrom(node.kernel.kernelParams, 8).buffer)[0]];
      },
    ];
    const made = ways.flatMap((way, number) => Array.from({ length: 20 }, () => ({ number, made: way() })));
    for (let round = 0; round < 4; round++) {
      await collect();
      Array.from({ length: 200 }, () => new Uint8Array(65536).fill(1));
    }
    const lost = made.filter(({ made: [, address] }) =>
      cuda.copyFrom(address as bigint, 65536).some((b) => b !== 0x5a),
    );
    assert.deepEqual([...new Set(lost.map(({ number }) => number))], []);
  });

  it("let go of what a record that is copied later points to", () => {
    const source = new CUlaunchConfig({ attrs: [{ id: 8, value: { priority: 3 } }] });
    const copy = new CUlaunchConfig(source);
    source.attrs = [{ id: 8 }, { id: 8 }];
    assert.deepEqual([copy.numAttrs, copy.$list("attrs")[0]?.value.priority, source.numAttrs], [1, 3, 2]);
    assert.throws(() => (copy.numAttrs = 2), range(/^CUlaunchConfig: attrs holds 1 elements, numAttrs asks for 2$/));
  });
});

/** What test/standin/recordLists.test.ts does not do with every field. */
describe("counts", () => {
  const two = semaphores.slice(0, 2);
  const Params = CUDA_EXT_SEM_SIGNAL_NODE_PARAMS;

  it("are none for an empty list", () => {
    const none = range(/holds 0 elements, numExtSems asks for 1/);
    assert.throws(() => new Params({ extSemArray: [], numExtSems: 1 }), none);
    const params = new Params({ extSemArray: two });
    params.extSemArray = [];
    assert.deepEqual([params.extSemArray, params.numExtSems, params.$list("extSemArray")], [0n, 0, []]);
  });

  it("follow the list that is there now", () => {
    const params = new Params({ extSemArray: two, numExtSems: 1 });
    params.extSemArray = semaphores;
    assert.equal(params.numExtSems, 3);
    params.extSemArray = 4096n;
    params.numExtSems = 7;
    assert.equal(params.numExtSems, 7);
  });

  it("are shared by lists of one length, or say how many of each count", () => {
    const paramsArray = [{}, {}, {}];
    assert.equal(new Params({ extSemArray: two, paramsArray, numExtSems: 2 }).numExtSems, 2);
    const params = new Params({ extSemArray: two, paramsArray: [{}, {}] });
    const pattern = /extSemArray holds 2 elements and paramsArray 3, which numExtSems counts both$/;
    assert.throws(() => (params.paramsArray = paramsArray), range(pattern));
    assert.equal(params.numExtSems, 2);
    params.$assign({ extSemArray: semaphores, paramsArray });
    assert.equal(params.numExtSems, 3);
  });

  it("stay safe after a failure", () => {
    const params = new Params({ extSemArray: semaphores, numExtSems: 3 });
    assert.throws(() => params.$assign({ numExtSems: 5, paramsArray: "wrong" } as Any), TypeError);
    assert.equal(params.numExtSems, 3);
    assert.throws(() => params.$assign({ numExtSems: 5, extSemArray: two }), RangeError);
    assert.equal(params.numExtSems, 2);
  });

  it("are those of the record that the field is in", () => {
    const node = new cuda.CUgraphNodeParams({ type: 8, extSemSignal: { extSemArray: two } });
    assert.equal(node.extSemSignal.numExtSems, 2);
    assert.deepEqual(node.extSemSignal.$list("extSemArray"), two);
    assert.throws(() => (node.extSemSignal.numExtSems = 3), RangeError);
    node.extSemSignal = {};
    node.extSemSignal.numExtSems = 3;
    assert.equal(node.extSemSignal.numExtSems, 3);
    const copy = new cuda.CUgraphNodeParams({ type: 8 });
    copy.extSemSignal = new cuda.CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2({ extSemArray: two });
    assert.throws(() => (copy.extSemSignal.numExtSems = 3), RangeError);
  });

  it("that cannot be are refused when the list is read", () => {
    const params = new CUDA_CONDITIONAL_NODE_PARAMS({ phGraph_out: 4096n, size: 2 ** 28 + 1 });
    const absurd = /^CUDA_CONDITIONAL_NODE_PARAMS.\$list: phGraph_out cannot hold 268435457 elements, as size says$/;
    assert.throws(() => params.$list("phGraph_out"), range(absurd));
    const last = new CUDA_CONDITIONAL_NODE_PARAMS({ phGraph_out: 2n ** 64n - 8n, size: 2 });
    assert.throws(() => last.$list("phGraph_out"), RangeError);
    const create = new cuda.CUctxCreateParams({ execAffinityParams: 4096n, numExecAffinityParams: -1 });
    assert.throws(() => create.$list("execAffinityParams"), RangeError);
    const own = new CUDA_CONDITIONAL_NODE_PARAMS({ phGraph_out: [1n as cuda.CUgraph] });
    own.$bytes[12] = 2;
    assert.throws(() => own.$list("phGraph_out"), range(/cannot hold 2 elements/));
    assert.throws(() => own.$list("size" as Any), {
      name: "TypeError",
      message: /size is no field that another counts/,
    });
    assert.throws(() => own.$list("toString" as Any), TypeError);
  });
});

describe("lists of the driver's", () => {
  it("become the record's own", () => {
    const driver = new BigUint64Array([5n, 6n]);
    const params = new CUDA_CONDITIONAL_NODE_PARAMS({ size: 2, phGraph_out: cuda.addressOf(driver) });
    assert.equal(params.$own(), params);
    driver.fill(0n);
    assert.notEqual(params.phGraph_out, cuda.addressOf(driver));
    assert.deepEqual(params.$list("phGraph_out"), [5n, 6n]);
    assert.throws(() => (params.size = 3), RangeError);
    const { phGraph_out: address } = params;
    assert.equal(params.$own().phGraph_out, address, "what is its own stays");
  });

  it("are copied in the member that the type of a node selects, in no other", () => {
    const driver = new BigUint64Array([5n, 6n]);
    const address = cuda.addressOf(driver);
    const { CU_GRAPH_NODE_TYPE_EXT_SEMAS_WAIT: wait, CU_GRAPH_NODE_TYPE_KERNEL: kernel } = cuda.CUgraphNodeType;
    const extSemWait = { extSemArray: address, numExtSems: 2 };
    const node = new cuda.CUgraphNodeParams({ type: wait, extSemWait }).$own();
    driver.fill(0n);
    assert.deepEqual(node.extSemWait.$list("extSemArray"), [5n, 6n]);
    const other = new cuda.CUgraphNodeParams({ type: kernel, extSemWait }).$own();
    assert.equal(other.extSemWait.extSemArray, address);
    const unknown = new cuda.CUgraphNodeParams({ type: 99 as typeof kernel, extSemWait }).$own();
    assert.equal(unknown.extSemWait.extSemArray, address);
  });

  it("stay where they are when there cannot be so many", () => {
    const params = new CUDA_CONDITIONAL_NODE_PARAMS({ size: 2 ** 32 - 1, phGraph_out: 4096n }).$own();
    assert.deepEqual([params.phGraph_out, params.size], [4096n, 2 ** 32 - 1]);
  });
});

describe("recordArray", () => {
  it("makes records side by side", () => {
    const three = cuda.recordArray(cuda.CUmemLocation, 3);
    const [first] = three;
    assert.ok(first instanceof cuda.CUmemLocation);
    for (const [at, record] of three.entries())
      assert.equal(record.$address, first.$address + BigInt(at * cuda.CUmemLocation.size));
    const filled = cuda.recordArray(cuda.CUmemLocation, [{ id: 1 }, new cuda.CUmemLocation({ id: 2 })]);
    assert.deepEqual(
      filled.map((record) => record.id),
      [1, 2],
    );
    assert.deepEqual(cuda.recordArray(cuda.CUmemLocation, 0), []);
  });

  it("refuses what is no class of records, or no length", () => {
    const type = { name: "TypeError", message: /^recordArray: type must be / };
    for (const wrong of [Map, cuda.Struct, "CUmemLocation", null]) {
      assert.throws(() => cuda.recordArray(wrong as Any, 1), type);
    }
    for (const wrong of [-1, 1.5, 2 ** 32, NaN]) {
      assert.throws(() => cuda.recordArray(cuda.CUmemLocation, wrong), range(/^recordArray: records must be /));
    }
    for (const wrong of ["1", null, {}, undefined]) {
      assert.throws(() => cuda.recordArray(cuda.CUmemLocation, wrong as Any), TypeError);
    }
  });
});
