import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as cuda from "cuda-driver";

// biome-ignore lint/suspicious/noExplicitAny: what the compiler refuses, and classes by name
type Any = any;

const classes = Object.values(cuda as Any).filter(
  (type: Any): type is Any => typeof type === "function" && type.prototype instanceof cuda.Struct,
);

function fieldsOf(type: Any): string[] {
  const accessors = Object.entries(Object.getOwnPropertyDescriptors(type.prototype as object));
  return accessors.filter(([, { get, set }]) => get !== undefined && set !== undefined).map(([name]) => name);
}

/** A record whose bytes are all different from zero. No such float is a NaN. */
function filled(type: Any): Any {
  const record = new type();
  for (const at of record.$bytes.keys()) record.$bytes[at] = 1 + (at % 100);
  return record;
}

describe("a field that is set from the record itself", () => {
  it("changes no byte, in any record", () => {
    let looked = 0;
    const changed: string[] = [];
    for (const type of classes) {
      for (const field of fieldsOf(type)) {
        looked++;
        const record = filled(type);
        const before = record.$bytes.slice();
        const value = record[field];
        record[field] = value;
        if (!Buffer.from(before).equals(record.$bytes)) changed.push(`${type.name}.${field}`);
      }
    }
    assert.ok(looked > 800, `${looked} fields`);
    assert.deepEqual(changed, []);
  });

  it("takes an array that lies over its own", () => {
    const id = new cuda.CUuuid({ bytes: [1, 2, 3, 4] });
    id.bytes = id.bytes.subarray(1);
    assert.deepEqual([...id.bytes.subarray(0, 5)], [2, 3, 4, 0, 0]);
    id.bytes = new Uint8Array(id.$bytes.buffer, id.bytes.byteOffset, 2);
    assert.deepEqual([...id.bytes.subarray(0, 5)], [2, 3, 0, 0, 0]);
    const map = new cuda.CUtensorMap({ opaque: [1n, 2n] });
    map.opaque = [map.opaque[1] as bigint, ...map.opaque.slice(0, 2)];
    assert.deepEqual([...map.opaque.subarray(0, 4)], [2n, 1n, 2n, 0n]);
  });

  it("takes fields made of its own parts, and leaves the rest zero", () => {
    const record = new cuda.CUDA_RESOURCE_DESC({ res: { linear: { devPtr: 5n as cuda.CUdeviceptr, numChannels: 3 } } });
    record.res = { linear: record.res.linear };
    assert.deepEqual([record.res.linear.devPtr, record.res.linear.numChannels], [5n, 3]);
    record.res = { linear: { devPtr: record.res.linear.devPtr } };
    assert.deepEqual([record.res.linear.devPtr, record.res.linear.numChannels], [5n, 0]);
    const config = new cuda.CUlaunchAttribute({ id: 1, value: { accessPolicyWindow: { base_ptr: 8n, num_bytes: 4 } } });
    config.$assign({ value: { accessPolicyWindow: config.value.accessPolicyWindow } });
    assert.deepEqual([config.value.accessPolicyWindow.base_ptr, config.value.accessPolicyWindow.num_bytes], [8n, 4n]);
  });

  it("keeps what it points to", () => {
    const memory = new Uint8Array(8);
    const record = new cuda.CUlaunchAttribute({ id: 1, value: { accessPolicyWindow: { base_ptr: memory } } });
    record.value = { accessPolicyWindow: record.value.accessPolicyWindow };
    assert.equal(record.value.accessPolicyWindow.base_ptr, cuda.addressOf(memory));
    structuredClone(memory.buffer, { transfer: [memory.buffer] });
    assert.throws(() => record.$assign(new cuda.CUlaunchAttribute(record)), TypeError);
  });

  it("stays as it was where the new value does not fit", () => {
    const record = new cuda.CUDA_RESOURCE_DESC({ res: { linear: { numChannels: 3 } } });
    assert.throws(() => (record.res = { linear: { numChannels: -1 } }), RangeError);
    assert.throws(() => (record.res = undefined as Any), TypeError);
    assert.equal(record.res.linear.numChannels, 3);
    const id = new cuda.CUuuid({ bytes: [1, 2] });
    assert.throws(() => (id.bytes = [3, 256]), RangeError);
    assert.deepEqual([...id.bytes.subarray(0, 3)], [1, 2, 0]);
  });

  it("takes an array of records in another order", () => {
    const four = new Four();
    for (const [index, id] of four.ids.entries()) id.bytes = [index + 1];
    const firsts = () => four.ids.map((id) => id.bytes[0]);
    four.ids = [...four.ids].reverse();
    assert.deepEqual(firsts(), [4, 3, 2, 1]);
    four.ids = [four.ids[1] as cuda.CUuuid, { bytes: (four.ids[0] as cuda.CUuuid).bytes }];
    assert.deepEqual(firsts(), [3, 4, 0, 0]);
    assert.throws(() => (four.ids = [{}, new cuda.CUmemLocation() as Any]), TypeError);
    assert.throws(() => (four.ids = [{}, null] as Any), TypeError);
    assert.deepEqual(firsts(), [3, 4, 0, 0]);
    assert.deepEqual(
      new Four({ ids: [{ bytes: [9] }, four.ids[1]] }).ids.map((id) => id.bytes[0]),
      [9, 4, 0, 0],
    );
  });
});

/** No record of this toolkit holds an array of records; one that does would be so. */
class Four extends cuda.Struct {
  static readonly size = 64;
  static readonly align = 1;

  get ids(): readonly cuda.CUuuid[] {
    return this.$parts(cuda.CUuuid, 0, 4);
  }
  set ids(value: readonly (cuda.CUuuid | cuda.CUuuidFields)[]) {
    this.$setParts(this.$parts(cuda.CUuuid, 0, 4), value, "ids");
  }
}

describe("fixed arrays", () => {
  const bytes = (value: unknown) => () => new cuda.CUuuid({ bytes: value } as Any);
  const opaque = (value: unknown) => () => new cuda.CUtensorMap({ opaque: value } as Any);
  const type = (what: string) => ({ name: "TypeError", message: new RegExp(`^${what}(\\[\\d\\])? must be `) });
  const range = (what: string) => ({ name: "RangeError", message: new RegExp(`^${what}(\\[\\d\\])? must be `) });

  it("refuse what does not fit, naming record and field", () => {
    for (const value of [300, -129, -1, 256, 1.5, NaN, Infinity]) {
      assert.throws(bytes([1, value]), range("CUuuid: bytes"));
      assert.throws(bytes(Float64Array.of(1, value)), range("CUuuid: bytes"));
    }
    const foreign = { valueOf: () => assert.fail("code of its own") };
    for (const value of ["7", {}, null, undefined, true, 1n, [], foreign, new Uint8Array(1)])
      assert.throws(bytes([1, value]), type("CUuuid: bytes"));
    for (const value of [-1n, 2n ** 64n, 1.5, 2 ** 53, NaN, -1])
      assert.throws(opaque([1n, value]), range("CUtensorMap: opaque"));
    for (const value of ["7", {}, null, undefined, new Uint8Array(1)])
      assert.throws(opaque([value]), type("CUtensorMap: opaque"));
    for (const value of ["text", null, 1, new ArrayBuffer(4), {}]) assert.throws(bytes(value), type("CUuuid: bytes"));
    const color = (value: unknown) => () => new cuda.CUDA_TEXTURE_DESC({ borderColor: value } as Any);
    for (const value of [1n, "1", null]) assert.throws(color([value]), type("CUDA_TEXTURE_DESC_v1: borderColor"));
  });

  it("refuse more elements than there are", () => {
    for (const value of [
      new Array(17).fill(0),
      new Uint8Array(17),
      { length: 17 },
      { length: -1 },
      { length: 1.5 },
      { length: "1" },
    ])
      assert.throws(
        bytes(value),
        /^(TypeError: CUuuid: bytes must be an array of|RangeError: CUuuid: bytes must have) at most 16 elements/,
      );
    const posing = Object.defineProperty(new Uint8Array(64).fill(1), "length", { value: 1 });
    assert.throws(bytes(posing), RangeError);
    const gone = new Uint8Array(4);
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    assert.throws(bytes(gone), { name: "TypeError", message: /^CUuuid: bytes points to memory that was transferred/ });
  });

  it("take numbers for 64-bit integers, any 32 bits for enums, floats as they are", () => {
    assert.deepEqual(
      [...new cuda.CUtensorMap({ opaque: [1, 2n ** 64n - 1n] }).opaque.subarray(0, 3)],
      [1n, 2n ** 64n - 1n, 0n],
    );
    const desc = new cuda.CUDA_TEXTURE_DESC({
      addressMode: [-1, 2 ** 32 - 1, 3] as Any,
      borderColor: [0.5, NaN, Infinity],
    });
    assert.deepEqual([...desc.addressMode], [-1, -1, 3]);
    assert.deepEqual([...desc.borderColor], [0.5, NaN, Infinity, 0]);
    desc.borderColor = Float64Array.of(1.5);
    assert.deepEqual([...desc.borderColor], [1.5, 0, 0, 0]);
    assert.deepEqual([...new cuda.CUuuid({ bytes: Buffer.from("ab") }).bytes.subarray(0, 3)], [97, 98, 0]);
    assert.deepEqual([...new cuda.CUuuid({ bytes: { length: 2, 0: 5, 1: 6 } }).bytes.subarray(0, 3)], [5, 6, 0]);
    /* Other bits of a NaN stay. */
    const bits = new Float32Array(Uint32Array.of(0x7fa00001).buffer);
    desc.borderColor = bits;
    assert.equal(new Uint32Array(desc.borderColor.slice(0, 1).buffer)[0], 0x7fa00001);
  });
});

describe("records in records", () => {
  it("refuse what is none, naming record and field, and what it is", () => {
    const refused = (set: () => unknown, message: string) => assert.throws(set, { name: "TypeError", message });
    const location = "a CUmemLocation_v1 or its fields";
    refused(
      () => new cuda.CUmemAccessDesc({ location: 3 } as Any),
      `CUmemAccessDesc_v1: location must be ${location}, not 3`,
    );
    refused(
      () => new cuda.CUmemAccessDesc({ location: new cuda.CUuuid() } as Any),
      `CUmemAccessDesc_v1: location must be ${location}, not CUuuid`,
    );
    refused(
      () => new cuda.CUmemLocation(null as Any),
      "CUmemLocation_v1: fields must be a plain object or a CUmemLocation_v1, not null",
    );
    refused(
      () => new cuda.CUmemLocation(new cuda.CUuuid() as Any),
      "CUmemLocation_v1: fields must be a plain object or a CUmemLocation_v1, not CUuuid",
    );
    refused(() => new Four({ ids: [{}, 3] }), "Four: ids[1] must be a CUuuid or its fields, not 3");
  });
});

describe("lists of handles", () => {
  it("take no plain numbers, as a handle does not", () => {
    const set = (value: unknown) => () => new cuda.CUDA_EXT_SEM_SIGNAL_NODE_PARAMS({ extSemArray: value } as Any);
    for (const value of [5, 0, new Uint8Array(8)])
      assert.throws(set([value]), {
        name: "TypeError",
        message: /^CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v1: extSemArray\[0\] must be a handle \(a bigint\) or null/,
      });
    assert.throws(() => new cuda.CUDA_KERNEL_NODE_PARAMS({ kernelParams: [5] } as Any), TypeError);
    assert.throws(() => cuda.cuGraphAddEmptyNode(1n as cuda.CUgraph, [5] as Any), TypeError);
  });
});

describe("arrays of int and of enums", () => {
  it("take what fits 32 signed bits; enums are open, so that they take 32 bits of either kind", () => {
    const ints = new cuda.CUdevprop_v1();
    const enums = new cuda.CUDA_TEXTURE_DESC_v1();
    ints.maxThreadsDim = [-(2 ** 31), 2 ** 31 - 1, 0];
    assert.deepEqual([...ints.maxThreadsDim], [-(2 ** 31), 2 ** 31 - 1, 0]);
    enums.addressMode = [2 ** 32 - 1, -1, 2 ** 31];
    assert.deepEqual([...enums.addressMode], [-1, -1, -(2 ** 31)]);
    for (const wrong of [2 ** 31, 3e9, 2 ** 32, -(2 ** 31) - 1, 0.5, Number.NaN]) {
      const error = {
        name: "RangeError",
        message: /^CUdevprop_v1: maxThreadsDim\[1\] must be an integer that fits i32/,
      };
      assert.throws(() => (ints.maxThreadsDim = [0, wrong, 0]), error);
    }
    for (const wrong of [2 ** 32, -(2 ** 31) - 1, 0.5, Number.NaN]) {
      const error = { name: "RangeError", message: /^CUDA_TEXTURE_DESC_v1: addressMode\[\d\] must be a member/ };
      assert.throws(() => (enums.addressMode = [0, wrong, 0]), error);
    }
  });
});
