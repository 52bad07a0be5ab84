import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { ApiRecord } from "../../generator/api/document.ts";
import { driver } from "../../generator/libraries/driver.ts";
import { checkReturned } from "./checks.ts";
import type { World } from "./context.ts";
import { openStandin } from "./control.ts";
import { type CountedPointer, countedPointers, writeNumber } from "./counted.ts";
import { parseType, resolve } from "./ctext.ts";
import { decode } from "./facts.ts";
import { newestDocument } from "./library.ts";
import { openPackage } from "./package.ts";
import { type Random, random, seedOfRun } from "./random.ts";
import { randomScalar, rawBytes } from "./scalars.ts";

/** Pointers to something known that no other field counts, each with the reason. */
const NOT_COUNTED: Readonly<Record<string, string>> = {
  "CUDA_KERNEL_NODE_PARAMS.kernelParams": "the kernel counts them",
  "CUDA_KERNEL_NODE_PARAMS.extra": "a marker ends it",
  "CUDA_LAUNCH_PARAMS.kernelParams": "the kernel counts them",
  "CUctxCreateParams.cigParams": "one record",
  "CUstreamCigCaptureParams.streamCigParams": "one record",
  "CUdevResource.nextResource": "one record",
};

const ROUNDS = 20;
const document = newestDocument();
const lists = document.records
  .map((record) => ({ record, pointers: countedPointers(document, record) }))
  .filter(({ pointers }) => pointers.length > 0);

let world: World;
before(async () => {
  const standin = await openStandin();
  world = { standin, package: await openPackage(), document };
});

function classOf({ name }: ApiRecord) {
  return world.package.cuda[name.replaceAll(".", "_")];
}

/** Elements of a list: as TypeScript gives them, in C's bytes, and as they are read. */
function elements({ element }: CountedPointer, length: number, rng: Random) {
  const bytes = new Uint8Array(length * element.size);
  const values = Array.from({ length }, (_, at): unknown => {
    if (element.scalar !== null) {
      const value = randomScalar(element.scalar, rng);
      bytes.set(rawBytes(element.scalar, value), at * element.size);
      return value;
    }
    const type = classOf(element.record as ApiRecord);
    const record = new type();
    record.$bytes.set(rng.bytes(element.size));
    bytes.set(record.$bytes, at * element.size);
    return record;
  });
  return { values, bytes };
}

/** The elements in these bytes. */
function wanted({ element }: CountedPointer, bytes: Uint8Array): unknown[] {
  return Array.from({ length: bytes.length / element.size }, (_, at) => {
    const one = bytes.slice(at * element.size, (at + 1) * element.size);
    if (element.scalar !== null) return decode(element.scalar, one);
    const record = new (classOf(element.record as ApiRecord))();
    record.$bytes.set(one);
    return record;
  });
}

/** Every counted field of every record, several times over. */
function each(body: (record: ApiRecord, pointer: CountedPointer, rng: Random, round: number) => void): number {
  let looked = 0;
  for (const { record, pointers } of lists) {
    for (const pointer of pointers) {
      for (let round = 0; round < ROUNDS; round++) body(record, pointer, random(seedOfRun() * 1009 + looked++), round);
    }
  }
  return looked;
}

describe("lists in records", () => {
  it("are known: no pointer to numbers, handles or records is forgotten", () => {
    const base = ({ name }: { name: string }) => name.replace(/_v\d+$/i, "");
    const unknown = document.records.flatMap((record) =>
      record.fields.flatMap(({ name, type }) => {
        const resolved = resolve(document, parseType(type));
        const isPointer = resolved.kind === "pointer" && type.includes("*");
        const target = isPointer ? resolve(document, resolved.to) : null;
        if (target === null || (target.kind === "name" && target.name === "void")) return [];
        const row = driver.fieldCounts.some((each) => each.record === base(record) && each.fields.includes(name));
        const written = driver.written.some((each) => each.record === base(record) && each.field === name);
        const key = `${base(record)}.${name}`;
        return row || written || Object.hasOwn(NOT_COUNTED, key) ? [] : [key];
      }),
    );
    assert.deepEqual(unknown, []);
  });

  it("stand in rows that are all of use", () => {
    for (const { record } of driver.fieldCounts)
      assert.ok(
        document.records.some(({ name }) => name.replace(/_v\d+$/i, "") === record),
        record,
      );
    for (const { record, field } of driver.written) {
      const type = classOf({ name: record } as ApiRecord);
      assert.throws(() => new type({ [field]: [] }), {
        name: "TypeError",
        message: new RegExp(`^${record}: ${field} must be `),
      });
    }
  });

  it("are set from arrays, with their count", () => {
    const looked = each((record, pointer, rng, round) => {
      const { values, bytes } = elements(pointer, round % 6, rng);
      const made = new (classOf(record))({ [pointer.field]: values });
      const title = `${record.name}.${pointer.field}`;
      assert.equal(Number(made[pointer.count.field]), values.length, title);
      const raw = new Uint8Array(record.size);
      writeNumber(raw, pointer.at, 8, made[pointer.field]);
      writeNumber(raw, pointer.count.at, pointer.count.size, BigInt(values.length));
      assert.deepEqual(Buffer.from(made.$bytes), Buffer.from(raw), title);
      if (values.length === 0) assert.equal(made[pointer.field], 0n, title);
      else
        assert.deepEqual(
          Buffer.from(world.package.cuda.copyFrom(made[pointer.field], bytes.length)),
          Buffer.from(bytes),
          title,
        );
      checkReturned(title, made.$list(pointer.field), wanted(pointer, bytes));
    });
    assert.ok(looked >= 17 * ROUNDS, `${looked} lists`);
  });

  it("are as long as is counted, in whatever order", () => {
    each((record, pointer, rng) => {
      const type = classOf(record);
      const title = `${record.name}.${pointer.field}`;
      const { values } = elements(pointer, 1 + rng.below(4), rng);
      const more = values.length + 1 + rng.below(3);
      const list = { [pointer.field]: values };
      const error = {
        name: "RangeError",
        message: new RegExp(`^${record.name}: ${pointer.field} holds ${values.length} `),
      };
      for (const count of [values.length, rng.below(values.length)]) {
        for (const fields of [
          { [pointer.count.field]: count, ...list },
          { ...list, [pointer.count.field]: count },
        ])
          assert.equal(new type(fields).$list(pointer.field).length, count, title);
      }
      assert.throws(() => new type({ [pointer.count.field]: more, ...list }), error);
      assert.throws(() => new type({ ...list, [pointer.count.field]: more }), error);
      const made = new type({ [pointer.count.field]: more });
      made[pointer.field] = values;
      assert.equal(Number(made[pointer.count.field]), values.length, title);
      assert.throws(() => {
        made[pointer.count.field] = more;
      }, error);
      assert.equal(Number(made[pointer.count.field]), values.length, title);
    });
  });

  it("leave their count alone as an address or memory, which must be large enough", () => {
    each((record, pointer, rng) => {
      const type = classOf(record);
      const count = 1 + rng.below(5);
      const memory = rng.bytes(count * pointer.element.size);
      for (const value of [memory, memory.buffer, rng.bits(62), null]) {
        const made = new type({ [pointer.count.field]: count });
        made[pointer.field] = value;
        assert.equal(Number(made[pointer.count.field]), count, `${record.name}.${pointer.field}`);
      }
      assert.throws(() => new type({ [pointer.count.field]: count, [pointer.field]: memory.subarray(1) }), {
        name: "RangeError",
        message: new RegExp(`^${record.name}: ${pointer.field} holds ${count - 1} elements`),
      });
    });
  });

  it("are not taken from memory of elements of another width", () => {
    each((record, pointer) => {
      const { element } = pointer;
      if (element.scalar === null) return;
      const wrong = element.size === 2 ? new Uint32Array(4) : new Uint16Array(16);
      assert.throws(() => new (classOf(record))({ [pointer.field]: wrong }), {
        name: "TypeError",
        message: new RegExp(
          `^${record.name}: ${pointer.field} must hold elements of ${8 * element.size} bits \\(\\w+\\), or bytes$`,
        ),
      });
    });
  });

  it("that share a count are of one length", () => {
    let looked = 0;
    for (const { record, pointers } of lists) {
      for (const one of pointers) {
        for (const other of pointers.filter(
          ({ count, field }) => count.field === one.count.field && field !== one.field,
        )) {
          const rng = random(seedOfRun() + looked++);
          const fields = (length: number) => ({
            [one.field]: elements(one, 2, rng).values,
            [other.field]: elements(other, length, rng).values,
          });
          assert.throws(() => new (classOf(record))(fields(3)), {
            name: "RangeError",
            message: /which \w+ counts both$/,
          });
          assert.equal(Number(new (classOf(record))(fields(2))[one.count.field]), 2);
        }
      }
    }
    assert.ok(looked === 16, `${looked} pairs`);
  });

  it("of the driver's are copied: what it does with its memory afterwards changes nothing", () => {
    each((record, pointer, rng, round) => {
      const length = 1 + (round % 5);
      const memory = rng.bytes(length * pointer.element.size);
      const before = memory.slice();
      const made = new (classOf(record))();
      writeNumber(made.$bytes, pointer.at, 8, world.standin.addon.address(memory));
      writeNumber(made.$bytes, pointer.count.at, pointer.count.size, BigInt(length));
      assert.equal(made.$own(), made);
      memory.fill(0xee);
      checkReturned(`${record.name}.${pointer.field}`, made.$list(pointer.field), wanted(pointer, before));
    });
  });
});

describe("cuGraphNodeGetParams", () => {
  const members = driver.unions.find(({ union }) => union === "CUgraphNodeParams")?.members ?? {};
  const union = document.records.find(({ name }) => name === "CUgraphNodeParams.2");
  const types = document.enums.find(({ name }) => name === "CUgraphNodeType")?.members ?? [];
  const offset = document.records
    .find(({ name }) => name === "CUgraphNodeParams")
    ?.fields.find(({ name }) => name === "")?.offset;

  it("returns records whose lists are their own, for every type of node", async () => {
    const rng = random(seedOfRun());
    const seen: string[] = [];
    for (const { name, value } of types) {
      const field = union?.fields.find((each) => each.name === members[name]);
      const inner = lists.find(({ record }) => record.name === field?.type);
      const memory = rng.bytes(3 * 256);
      const bytes = new Uint8Array(256);
      writeNumber(bytes, 0, 4, BigInt(value));
      const at = offset ?? 0;
      for (const pointer of inner?.pointers ?? []) {
        writeNumber(bytes, at + pointer.at, 8, world.standin.addon.address(memory));
        writeNumber(bytes, at + pointer.count.at, pointer.count.size, 3n);
      }
      world.standin.output("cuGraphNodeGetParams", "nodeParams", bytes);
      for (const call of [world.package.cuda.cuGraphNodeGetParams, world.package.cuda.promises.cuGraphNodeGetParams]) {
        const got = await call(16n);
        const before = memory.slice();
        memory.fill(0xee);
        for (const pointer of inner?.pointers ?? []) {
          const list = got[members[name] as string].$list(pointer.field);
          checkReturned(`${name}.${pointer.field}`, list, wanted(pointer, before.slice(0, 3 * pointer.element.size)));
          seen.push(name);
        }
        memory.set(before);
      }
    }
    world.standin.output("cuGraphNodeGetParams", "nodeParams", null);
    const kinds = [
      "BATCH_MEM_OP",
      "CONDITIONAL",
      "EXT_SEMAS_SIGNAL",
      "EXT_SEMAS_WAIT",
      "FABRIC_CPY_BATCH",
      "MEMCPY_BATCH",
      "MEM_ALLOC",
    ];
    assert.deepEqual(
      [...new Set(seen)].sort(),
      kinds.map((kind) => `CU_GRAPH_NODE_TYPE_${kind}`),
    );
  });
});

describe("records that a function writes, several of them", () => {
  const params = (value: unknown, count = 2) => {
    const { cuda } = world.package;
    return () => cuda.cuDevSmResourceSplit(count, new cuda.CUdevResource(), 0, value);
  };

  it("are passed where they lie, in the order of the array", () => {
    const { cuda } = world.package;
    const three = cuda.recordArray(cuda.CU_DEV_SM_RESOURCE_GROUP_PARAMS, 3);
    for (const records of [three, three.slice(1)]) {
      world.standin.take();
      params(records)();
      const [call] = world.standin.take();
      assert.equal(call?.arguments[5]?.value, records[0].$address);
      assert.ok(
        records[1].$bytes.some((byte: number) => byte !== 0),
        "what the driver wrote is there",
      );
    }
  });

  it("are refused where they do not lie side by side, or are too few", () => {
    const { cuda } = world.package;
    const type = cuda.CU_DEV_SM_RESOURCE_GROUP_PARAMS;
    const [a, b, c] = cuda.recordArray(type, 3);
    const apart = {
      name: "TypeError",
      message: /^cuDevSmResourceSplit: groupParams must be records that lie side by side/,
    };
    const [other] = cuda.recordArray(type, 1);
    for (const wrong of [
      [a, c],
      [b, a],
      [a, a],
      [new type(), new type()],
      [a, other],
    ]) {
      assert.throws(params(wrong), apart);
    }
    const wrongType = { name: "TypeError", message: /^cuDevSmResourceSplit: groupParams must be a CU_DEV_SM_/ };
    for (const wrong of [[{}, {}], [a, null], [a, new cuda.CUmemLocation()], {}, "x", null]) {
      assert.throws(params(wrong), wrongType);
    }
    const few = { name: "RangeError", message: /^cuDevSmResourceSplit: groupParams holds [01] records, 2 are/ };
    for (const wrong of [[], [a], a]) assert.throws(params(wrong), few);
    params([], 0)();
  });
});
