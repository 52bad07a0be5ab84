import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as cuda from "cuda-driver";
import { repoint } from "../../generated/dist/runtime/struct.js";

const { CUDA_EXT_SEM_SIGNAL_NODE_PARAMS: Signal, CUDA_MEMCPY3D, CUlaunchConfig } = cuda;

function detach(buffer: ArrayBuffer): void {
  structuredClone(buffer, { transfer: [buffer] });
}

function resizable(length: number, maxByteLength: number): ArrayBuffer & { resize(length: number): void } {
  // biome-ignore lint/suspicious/noExplicitAny: younger than the library that this is compiled with
  return new (ArrayBuffer as any)(length, { maxByteLength });
}

function gone(what: string) {
  return {
    name: "TypeError",
    message: new RegExp(
      `^${what} points to memory that was transferred to another thread, detached or cut off its buffer$`,
    ),
  };
}

/** Uses of a record that read what it points to. */
const uses: Record<string, (record: cuda.Struct) => unknown> = {
  repoint: (record) => repoint(record),
  $own: (record) => record.$own(),
  copy: (record) => new (record.constructor as cuda.StructClass)(record),
};

describe("a record's own bytes", () => {
  it("are not another's: what shows those is refused when it is used", () => {
    const copy = new CUDA_MEMCPY3D({ Height: 5n });
    const shown = Object.assign(new CUDA_MEMCPY3D(), copy);
    const replaced = {
      name: "TypeError",
      message: /^CUDA_MEMCPY3D_v2: its \$bytes were replaced; set it .* with \$assign$/,
    };
    assert.throws(() => shown.$address, replaced);
    assert.throws(() => cuda.cuMemcpy3D(shown), replaced);
  });

  it("lie where no other record's do, whatever a class of the program's does", () => {
    class Throwing extends cuda.CUuuid {
      constructor(init?: object) {
        if (init === undefined) throw new Error("not made");
        super(init);
      }
    }
    class Busy extends cuda.CUuuid {
      constructor(init?: object) {
        new CUDA_MEMCPY3D({ Height: 7n });
        super(init);
      }
    }
    assert.throws(() => cuda.recordArray(Throwing, 1), /not made/);
    const [one, other] = [new CUDA_MEMCPY3D({ srcXInBytes: 1n }), new CUDA_MEMCPY3D({ srcXInBytes: 2n })];
    assert.ok(other.$address >= one.$address + 200n || one.$address >= other.$address + 200n);
    const [first, second] = cuda.recordArray(Busy, 2);
    assert.equal((second?.$address ?? 0n) - (first?.$address ?? 0n), 16n);
  });

  it("are of a struct of C's: a class without a layout is refused, and spoils nothing", () => {
    // biome-ignore lint/suspicious/noExplicitAny: what the compiler refuses
    const Struct = cuda.Struct as any;
    class Mine extends Struct {}
    for (const make of [() => new Struct(), () => new Mine()])
      assert.throws(make, { name: "TypeError", message: /^Struct is abstract/ });
    assert.equal(new CUDA_MEMCPY3D({ Height: 5n }).Height, 5n);
  });
});

describe("memory of the program's that a record points to", () => {
  it("is never read where it is detached", () => {
    const make = () => {
      const list = new BigUint64Array(4096).fill(7n);
      return { list, record: new Signal({ extSemArray: list, numExtSems: 4096 }) };
    };
    const all = {
      ...uses,
      $list: (record: cuda.Struct) => (record as cuda.CUDA_EXT_SEM_SIGNAL_NODE_PARAMS).$list("extSemArray"),
    };
    for (const [name, use] of Object.entries(all)) {
      const { list, record } = make();
      use(record);
      detach(list.buffer);
      assert.throws(() => use(record), gone("CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v1: extSemArray"), name);
      record.extSemArray = [1n as cuda.CUexternalSemaphore];
      use(record);
    }
  });

  it("is refused when it is set detached already", () => {
    const buffer = new ArrayBuffer(64);
    const views = [buffer, new Uint8Array(buffer), new DataView(buffer)];
    detach(buffer);
    for (const view of views) {
      assert.throws(() => new CUDA_MEMCPY3D({ srcHost: view }), gone("CUDA_MEMCPY3D_v2: srcHost"));
      assert.throws(() => new Signal({ extSemArray: view }), gone("CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v1: extSemArray"));
      assert.throws(
        () => new cuda.CUDA_LAUNCH_PARAMS({ kernelParams: [1n, view] }),
        gone("CUDA_LAUNCH_PARAMS_v1: kernelParams\\[1\\]"),
      );
    }
  });

  it("is followed in every place that points to it", () => {
    const cases: ((memory: ArrayBuffer) => [record: cuda.Struct, what: string])[] = [
      (memory) => [new CUDA_MEMCPY3D({ srcHost: memory }), "CUDA_MEMCPY3D_v2: srcHost"],
      (memory) => [new CUDA_MEMCPY3D({ dstHost: new DataView(memory, 8) }), "CUDA_MEMCPY3D_v2: dstHost"],
      (memory) => [
        new cuda.CUgraphNodeParams({
          type: 8,
          extSemSignal: { extSemArray: new BigUint64Array(memory), numExtSems: 1 },
        }),
        "CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v2: extSemArray",
      ],
      (memory) => [
        new cuda.CUDA_KERNEL_NODE_PARAMS({ kernelParams: [null, memory] }),
        "CUDA_KERNEL_NODE_PARAMS_v2: kernelParams\\[1\\]",
      ],
      (memory) => [
        new CUlaunchConfig({ attrs: [{ id: 0 }, { id: 1, value: { accessPolicyWindow: { base_ptr: memory } } }] }),
        "CUaccessPolicyWindow_v1: base_ptr",
      ],
      (memory) => [
        new CUlaunchConfig({
          attrs: new cuda.CUlaunchAttribute({ id: 1, value: { accessPolicyWindow: { base_ptr: memory } } }),
        }),
        "CUaccessPolicyWindow_v1: base_ptr",
      ],
      (memory) => {
        const record = new CUlaunchConfig();
        record.attrs = [{ id: 1 }];
        record.attrs = new cuda.CUlaunchAttribute();
        const copied = new CUlaunchConfig({ attrs: [{ value: { accessPolicyWindow: { base_ptr: memory } } }] });
        return [new CUlaunchConfig(record).$assign(copied), "CUaccessPolicyWindow_v1: base_ptr"];
      },
    ];
    for (const [index, make] of cases.entries()) {
      for (const [name, use] of Object.entries(uses)) {
        const memory = new ArrayBuffer(64);
        const [record, what] = make(memory);
        use(record);
        detach(memory);
        assert.throws(() => use(record), gone(what), `${index} ${name}`);
      }
    }
  });

  it("may grow and shrink, as far as the count allows", () => {
    const buffer = resizable(64, 1 << 16);
    const record = new Signal({ extSemArray: new BigUint64Array(buffer), numExtSems: 8 });
    const few = (there: number, asked: number) => ({
      name: "RangeError",
      message: `CUDA_EXT_SEM_SIGNAL_NODE_PARAMS_v1: extSemArray holds ${there} elements, numExtSems asks for ${asked}`,
    });
    assert.throws(() => (record.numExtSems = 9), few(8, 9));
    buffer.resize(1 << 16);
    record.numExtSems = 8192;
    assert.equal(record.$list("extSemArray").length, 8192);
    for (const length of [8192 * 8 - 1, 8, 0]) {
      buffer.resize(length);
      const there = Math.floor(length / 8);
      for (const use of Object.values(uses)) assert.throws(() => use(record), few(there, 8192));
      assert.throws(() => record.$list("extSemArray"), few(there, 8192));
    }
    buffer.resize(80);
    record.numExtSems = 10;
    assert.equal(record.$list("extSemArray").length, 10);
    repoint(record);
  });

  it("may not shrink to nothing where nothing counts it", () => {
    const nothing = (what: string) => (error: Error) =>
      error.message.startsWith(`${what} points to memory that `) &&
      /(shrunk to nothing|cut off its buffer)$/.test(error.message);
    for (const view of [
      (buffer: ArrayBuffer) => buffer,
      (buffer: ArrayBuffer) => new Uint8Array(buffer, 8),
      (buffer: ArrayBuffer) => new DataView(buffer, 8, 8),
    ]) {
      const buffer = resizable(64, 64);
      const copy = new CUDA_MEMCPY3D({ srcHost: view(buffer) });
      const launch = new cuda.CUDA_LAUNCH_PARAMS({ kernelParams: [view(buffer)] });
      const before = copy.srcHost;
      buffer.resize(16);
      repoint(copy);
      assert.equal(copy.srcHost, before);
      buffer.resize(0);
      assert.throws(() => repoint(copy), nothing("CUDA_MEMCPY3D_v2: srcHost"));
      assert.throws(() => repoint(launch), nothing("CUDA_LAUNCH_PARAMS_v1: kernelParams[0]"));
      buffer.resize(64);
      repoint(copy);
      assert.equal(copy.srcHost, before);
    }
    repoint(new CUDA_MEMCPY3D({ srcHost: new ArrayBuffer(0), dstHost: new Uint8Array(5) }));
  });

  it("is none of the record's once the field points elsewhere", () => {
    const memory = new ArrayBuffer(64);
    const record = new CUDA_MEMCPY3D({ srcHost: memory });
    const other = new CUDA_MEMCPY3D(record);
    const third = new CUDA_MEMCPY3D(record);
    record.srcHost = 4096n;
    other.srcHost = null;
    third.$bytes.fill(0);
    detach(memory);
    for (const each of [record, other, third]) repoint(each);
    assert.deepEqual([record.srcHost, other.srcHost, third.srcHost], [4096n, 0n, 0n]);
  });

  it("stays alive, and counted, when the field is set to the address that it has", () => {
    const setToItself = (record: cuda.CUDA_EXT_SEM_SIGNAL_NODE_PARAMS) =>
      record.$assign({ extSemArray: record.extSemArray });
    const buffer = new ArrayBuffer(16);
    const record = new Signal({ extSemArray: new BigUint64Array(buffer), numExtSems: 2 });
    setToItself(record);
    assert.throws(() => (record.numExtSems = 3), RangeError);
    detach(buffer);
    assert.throws(() => repoint(record), TypeError);
    const listed = new Signal({ extSemArray: [1n, 2n] as cuda.CUexternalSemaphore[], numExtSems: 1 });
    setToItself(listed);
    assert.equal(listed.numExtSems, 1);
  });

  it("is found however many records stand between, in a ring too", () => {
    const memory = new ArrayBuffer(64);
    let chain = new CUDA_MEMCPY3D({ srcHost: memory });
    const first = chain;
    for (let step = 0; step < 20_000; step++) chain = new CUDA_MEMCPY3D({ srcHost: chain, dstHost: chain });
    first.dstHost = chain;
    repoint(chain);
    detach(memory);
    assert.throws(() => repoint(chain), gone("CUDA_MEMCPY3D_v2: srcHost"));
  });
});
