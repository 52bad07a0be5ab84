/** A `float`, wherever a program passes one: it holds what is infinite or no number, but no finite number beyond its range. */
import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import { parseType } from "../../generator/api/ctype.ts";
import type { PlannedFunction } from "../../generator/emit/planned.ts";
import type { PlannedParameter } from "../../generator/emit/roles.ts";
import { invocation } from "./arguments.ts";
import { tellSizes, type World } from "./context.ts";
import { type Scalar, scalarOf } from "./facts.ts";
import { type Leaf, leavesOf, ownRecords } from "./leaves.ts";
import type { Spelling } from "./package.ts";
import { random } from "./random.ts";
import { BEYOND_F32, rawBytes, rawOf } from "./scalars.ts";
import { openWorld } from "./world.ts";

const LARGEST = 2 ** 128 - 2 ** 104;
/** The largest of JavaScript's numbers whose nearest `float` is finite. */
const ROUNDED_DOWN = 2 ** 128 - 2 ** 103 - 2 ** 75;
const WITHIN: readonly number[] = [
  ...[LARGEST, -LARGEST, ROUNDED_DOWN, -ROUNDED_DOWN, 0.1, -0, 1e-46],
  ...[Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN],
];

describe("floats", () => {
  let world: World;

  before(async () => {
    world = await openWorld();
  });
  beforeEach(() => {
    world.standin.addon.reset();
    tellSizes(world);
  });

  const isFloat = (scalar: Scalar | null): scalar is Scalar => scalar?.kind === "float" && scalar.bits === 32;
  const FLOAT: Scalar = { kind: "float", bits: 32, signed: true };

  /** A call that is right but for one argument, and what the driver got for that; null: the driver was not called. */
  function caller(fn: PlannedFunction, param: PlannedParameter) {
    const position = fn.params.indexOf(param);
    const { passed } = invocation(world, fn, random(fn.index));
    return async (spelling: Spelling, value: unknown) => {
      const args = passed.flatMap(({ argument }, at) =>
        argument === undefined ? [] : [at === position ? value : argument.value],
      );
      world.standin.take();
      const error = await (async () => spelling.fn(...args))().then(
        () => null,
        (error: Error) => error,
      );
      const [call] = world.standin.take().filter(({ name }) => name === fn.api.name);
      return { error, got: call?.arguments[position] ?? null };
    };
  }

  function refusal({ api }: PlannedFunction, parameter: string, value: number): [name: string, message: string] {
    return ["RangeError", `${api.name}: ${parameter} must be a number that fits f32, not ${value}`];
  }

  it("by value reach the driver as C has them, or are refused", async () => {
    const taking = world.package.plan.functions.flatMap((fn) =>
      fn.params
        .filter(({ api, role }) => role.kind === "value" && isFloat(scalarOf(world.document, parseType(api.type))))
        .map((param) => ({ fn, param })),
    );
    assert.deepEqual(
      taking.map(({ fn, param }) => `${fn.api.name} ${param.api.name}`),
      [
        "cuParamSetf value",
        "cuTexRefSetMipmapLevelBias bias",
        "cuTexRefSetMipmapLevelClamp minMipmapLevelClamp",
        "cuTexRefSetMipmapLevelClamp maxMipmapLevelClamp",
      ],
    );
    for (const { fn, param } of taking) {
      const call = caller(fn, param);
      for (const spelling of world.package.spellings(fn)) {
        for (const value of BEYOND_F32) {
          const { error, got } = await call(spelling, value);
          assert.deepEqual([error?.name, error?.message], refusal(fn, param.api.name, value), spelling.module);
          assert.equal(got, null);
        }
        for (const value of WITHIN) {
          const { error, got } = await call(spelling, value);
          assert.equal(error, null);
          assert.equal(got?.value, rawOf(FLOAT, value), `${spelling.module} ${fn.api.name}: ${value}`);
        }
      }
    }
  });

  it("in lists reach the driver as C has them, or are refused", async () => {
    const taking = world.package.plan.functions.flatMap((fn) =>
      fn.params.filter(({ role }) => role.kind === "list" && isFloat(elementOf(role))).map((param) => ({ fn, param })),
    );
    assert.deepEqual(
      taking.map(({ fn, param }) => `${fn.api.name} ${param.api.name}`),
      ["cuTexRefSetBorderColor pBorderColor"],
    );
    for (const { fn, param } of taking) {
      const call = caller(fn, param);
      for (const spelling of world.package.spellings(fn)) {
        for (const value of BEYOND_F32) {
          const { error, got } = await call(spelling, [0, 1, value, 3]);
          assert.deepEqual([error?.name, error?.message], refusal(fn, `${param.api.name}[2]`, value), spelling.module);
          assert.equal(got, null);
        }
        for (const value of WITHIN) {
          const { error, got } = await call(spelling, [0, 1, value, 3]);
          assert.equal(error, null);
          const wanted = [0, 1, value, 3].map((each) => Buffer.from(rawBytes(FLOAT, each)));
          assert.deepEqual(Buffer.from(got?.bytes ?? []), Buffer.concat(wanted), `${spelling.module}: ${value}`);
        }
      }
    }
  });

  it("in records are as C has them, or are refused", () => {
    const leaves = ownRecords(world.document)
      .flatMap((record) => leavesOf(world.document, record))
      .filter(({ scalar }) => isFloat(scalar));
    assert.ok(leaves.length > 8, `${leaves.length} fields`);
    for (const leaf of leaves) {
      const type = world.package.cuda[leaf.record.name];
      const title = `${leaf.record.name} ${leaf.path.join(".")}`;
      for (const value of BEYOND_F32) {
        const message = new RegExp(`must be a number that fits f32, not ${value}$`.replace("+", "\\+"));
        const record = new type();
        assert.throws(() => set(record, leaf, value), { name: "RangeError", message }, title);
        assert.ok(
          record.$bytes.every((byte: number) => byte === 0),
          `${title}: was written to`,
        );
        assert.throws(() => new type(literal(leaf.path, value)), { name: "RangeError", message }, title);
      }
      for (const value of WITHIN) {
        const record = new type();
        set(record, leaf, value);
        const bytes = record.$bytes.subarray(leaf.offset, leaf.offset + leaf.size);
        assert.deepEqual(Buffer.from(bytes), Buffer.from(rawBytes(FLOAT, value)), `${title}: ${value}`);
        assert.deepEqual(new type(literal(leaf.path, value)).$bytes, record.$bytes, `${title}: ${value}`);
      }
    }
  });

  function elementOf(role: PlannedParameter["role"]): Scalar | null {
    return role.kind === "list" && role.of.kind === "float" && role.of.bits === 32 ? FLOAT : null;
  }
});

/** The elements of an array of numbers up to one. */
function elements(at: number, value: number): number[] {
  return [...Array(at).fill(0), value];
}

/** Sets a field; of an array of numbers the whole, since its elements are a typed array's. */
// biome-ignore lint/suspicious/noExplicitAny: fields by name
function set(record: any, { path }: Leaf, value: number): void {
  const isElement = typeof path.at(-1) === "number";
  const way = isElement ? path.slice(0, -1) : path;
  const holder = way.slice(0, -1).reduce((at, step) => at[step], record);
  holder[way.at(-1) as string] = isElement ? elements(path.at(-1) as number, value) : value;
}

/** A record as an object with this field. */
function literal(path: Leaf["path"], value: number): unknown {
  return path.reduceRight<unknown>(
    (inner, step) => (typeof step === "number" ? elements(step, inner as number) : { [step]: inner }),
    value,
  );
}
