/** Records on their way to people: console.log and JSON. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { inspect } from "node:util";
import * as cuda from "cuda-driver";

const { CUgraphEdgeData } = cuda;
const edge = () => new CUgraphEdgeData({ from_port: 1, type: 3 });
const access = () => new cuda.CUmemAccessDesc({ location: { type: 1, id: 4 }, flags: 3 });

// biome-ignore lint/suspicious/noExplicitAny: what the compiler refuses
type Any = any;

describe("a record that is printed", () => {
  it("shows its fields, and nothing else", () => {
    assert.equal(inspect(edge()), "CUgraphEdgeData { from_port: 1, to_port: 0, type: 3 }");
    assert.equal(inspect(edge(), { showHidden: true }).includes("$bytes"), false);
  });

  it("shows records and arrays in it, as deep as is asked for, and all members of a union", () => {
    const lines = [
      "CUmemAccessDesc_v1 {",
      "  location: CUmemLocation_v1 {",
      "    type: 1,",
      "    id: 4,",
      "    localized: CUmemLocation_v1_1_localized { deviceId: 4, localityDomainId: 0 }",
      "  },",
      "  flags: 3",
      "}",
    ];
    assert.equal(inspect(access()), lines.join("\n"));
    assert.equal(inspect(access(), { depth: 0 }), "CUmemAccessDesc_v1 { location: [CUmemLocation_v1], flags: 3 }");
    assert.equal(inspect([[edge()]], { depth: 1 }), "[ [ [CUgraphEdgeData] ] ]");
    assert.match(inspect(new cuda.CUuuid()), /^CUuuid \{\n {2}bytes: Uint8Array\(16\) \[/);
    const several = new cuda.CUctxCreateParams({ execAffinityParams: [{ type: 0 }] });
    assert.match(
      inspect(several),
      /^CUctxCreateParams \{\n {2}execAffinityParams: \d+n,\n {2}numExecAffinityParams: 1,/,
    );
  });

  it("shows every record, whatever its bytes are", () => {
    const classes = Object.values(cuda).filter((each): each is Any => {
      return typeof each === "function" && each.prototype instanceof cuda.Struct;
    });
    assert.ok(classes.length > 100);
    for (const Class of classes) {
      const record = new Class();
      record.$bytes.fill(0xff);
      const accessors = Object.entries(Object.getOwnPropertyDescriptors(Class.prototype)).filter(([, { set }]) => set);
      const names = accessors.map(([name]) => name);
      const text = inspect(record, { depth: null, maxArrayLength: 0 });
      assert.ok(text.startsWith(`${Class.name} {`), Class.name);
      for (const name of names) assert.ok(text.includes(` ${name}: `), `${Class.name}: ${name}`);
      assert.deepEqual(Object.keys(record.toJSON()), names);
    }
  });

  it("runs no code of the program's", () => {
    let runs = 0;
    class Mine extends CUgraphEdgeData {
      override get type(): number {
        return ++runs;
      }
      override set type(value: number) {
        super.type = value;
      }
      get more(): number {
        return ++runs;
      }
      set more(_: number) {}
    }
    const record = new Mine({ type: 7 });
    Object.defineProperty(record, "to_port", { get: () => ++runs });
    assert.equal(inspect(record), "Mine { from_port: 0, to_port: 0, type: 7 }");
    assert.deepEqual(record.toJSON(), { from_port: 0, to_port: 0, type: 7 });
    assert.equal(runs, 0);
  });

  it("is shown as it is where it is no record, but looks like one", () => {
    assert.equal(inspect(Object.create(CUgraphEdgeData.prototype)), "CUgraphEdgeData {}");
    assert.match(inspect(new Proxy(edge(), {})), /^(Proxy\()?CUgraphEdgeData \{/);
    assert.equal(JSON.stringify(Object.create(CUgraphEdgeData.prototype)), "{}");
    assert.match(inspect(CUgraphEdgeData.prototype), /^Struct \{/);
  });

  it("shows pointers as addresses, those to memory that is gone too", () => {
    const memory = new Uint8Array(8);
    const copy = new cuda.CUDA_MEMCPY2D({ srcHost: memory });
    const address = cuda.addressOf(memory);
    structuredClone(memory.buffer, { transfer: [memory.buffer] });
    assert.match(inspect(copy), new RegExp(`srcHost: ${address}n,`));
    assert.equal(copy.toJSON().srcHost, address);
  });
});

describe("the JSON of a record", () => {
  it("has its fields, those of its parts, and arrays as such", () => {
    assert.equal(JSON.stringify([edge()]), '[{"from_port":1,"to_port":0,"type":3}]');
    const { location } = access().toJSON();
    assert.deepEqual(location, { type: 1, id: 4, localized: { deviceId: 4, localityDomainId: 0 } });
    assert.equal(Object.getPrototypeOf(location), Object.prototype);
    const uuid = new cuda.CUuuid({ bytes: [1, 2] });
    assert.deepEqual(uuid.toJSON(), { bytes: [1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] });
    assert.deepEqual(new CUgraphEdgeData(edge().toJSON()).$bytes, edge().$bytes);
  });

  it("keeps bigints, of which JavaScript makes none", () => {
    const copy = new cuda.CUDA_MEMCPY2D({ WidthInBytes: 5 });
    assert.equal(copy.toJSON().WidthInBytes, 5n);
    assert.throws(() => JSON.stringify(copy), { name: "TypeError", message: /BigInt/ });
  });
});

describe("a record that is spread", () => {
  it("is no set of fields: they are not its own properties", () => {
    const refused = { name: "TypeError", message: /^CUgraphEdgeData: has no field "\$bytes" to set$/ };
    assert.throws(() => new CUgraphEdgeData({ ...edge() } as Any), refused);
    assert.throws(() => edge().$assign({ ...edge() } as Any), refused);
    const spread = { location: { ...access().location } as Any };
    assert.throws(
      () => new cuda.CUmemAccessDesc(spread),
      /^TypeError: CUmemLocation_v1: has no field "\$bytes" to set$/,
    );
  });
});
