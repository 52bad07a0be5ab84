/** Calls whose values have the types that attributes decide, where the size is told or there are several: as `invocation`. */
import { parseType } from "../../generator/api/ctype.ts";
import { notPassedByAttributes, unionMember } from "../../generator/emit/attributeForms.ts";
import type { PlannedFunction } from "../../generator/emit/planned.ts";
import type { AttributeRow } from "../../generator/libraries/library.ts";
import { type Invocation, type Passed, recordFrom, type World } from "./context.ts";
import { decode, type FunctionFacts, type ParameterFacts, type Scalar, scalarOf, sizeOf } from "./facts.ts";
import { patternBytes } from "./pattern.ts";
import type { Random } from "./random.ts";
import { numberBytes, randomScalar, rawBytes, rawOf } from "./scalars.ts";

/** A value as a program has it and as C has it. */
interface Value {
  value: unknown;
  /** What is no such value. */
  wrong: readonly unknown[];
  bytes: Uint8Array;
  /** Bytes of room that the package makes for it. */
  room: number;
}

const NO_SCALAR: readonly unknown[] = [
  undefined,
  null,
  "1",
  1.5,
  2 ** 32,
  1n,
  {},
  [],
  new Date(0),
  Symbol("wrong"),
  { valueOf: () => 1 },
];
const NO_BOOLEAN: readonly unknown[] = [undefined, null, 0, 1, "true", 1n, {}, [], Symbol("wrong"), () => true];
const NO_TEXT: readonly unknown[] = [
  undefined,
  null,
  0,
  true,
  1n,
  {},
  [],
  "a\0b",
  "\ud800",
  "x".repeat(1024),
  Symbol("wrong"),
];
const NO_SIZES: readonly unknown[] = [
  1,
  1n,
  "x",
  {},
  [-1],
  [1.5],
  ["1"],
  [null],
  new Uint8Array(8),
  Symbol("wrong"),
  Array(9).fill(4),
];
const NO_ATTRIBUTES: readonly unknown[] = [
  undefined,
  null,
  1,
  "x",
  {},
  ["1"],
  [1n],
  [{}],
  [null],
  [1.5],
  new Int32Array(1),
];

/** null: not one of these functions. */
export function attributeInvocation(world: World, fn: PlannedFunction, random: Random): Invocation | null {
  const { library } = world.package.plan;
  const member = unionMember(fn, world.package.plan);
  if (member !== null) return memberInvocation(world, fn, member, random);
  const several = library.attributeLists.find((row) => row.function === fn.api.base);
  const row = library.attributes.find((each) =>
    several === undefined ? each.function === fn.api.base && each.size !== undefined : each.function === several.one,
  );
  if (row === undefined) return null;
  const hidden = notPassedByAttributes(fn, world.package.plan).map(({ api }) => api.name);
  const special = several === undefined ? one(world, fn, row, random) : list(world, fn, row, several.sizes, random);
  const passed = fn.params.map(({ api }): Passed => {
    const own = special.get(api.name);
    if (own !== undefined) return own;
    const scalar = scalarOf(world.document, parseType(api.type)) as Scalar;
    const value = randomScalar(scalar, random);
    return { argument: { value }, raw: { value: rawOf(scalar, value) } };
  });
  const returned = passed.find((each) => each.returned !== undefined)?.returned?.value;
  for (const [at, { api }] of fn.params.entries()) if (hidden.includes(api.name)) delete passed[at]?.argument;
  return {
    args: passed.flatMap(({ argument }) => (argument === undefined ? [] : [argument.value])),
    passed,
    returned,
  };
}

/** The member of a union that an attribute selects; for one that no header names, the whole. */
function memberInvocation(
  world: World,
  fn: PlannedFunction,
  { value, attribute, union }: NonNullable<ReturnType<typeof unionMember>>,
  random: Random,
): Invocation {
  const { package: it, standin, document } = world;
  const table = Object.entries(it.plan.library.unions.find((row) => row.union === union)?.members ?? {});
  const known =
    document.enums.find(({ members: all }) => all.some(({ name }) => name === table[0]?.[0]))?.members ?? [];
  const selected = table.flatMap(([name, member]) => {
    const found = known.find((each) => each.name === name);
    return found === undefined ? [] : [{ id: found.value, member }];
  });
  const { id, member } = random.pick([...selected, { id: 0x7ffffff0, member: null }]);
  const facts = standin.byName.get(fn.api.name) as FunctionFacts;
  const own = facts.params.find(({ name }) => name === value.api.name) as ParameterFacts;
  const isGiven = own.direction === "in";
  const size = it.cuda[union].size;
  const whole = recordFrom(world, union, isGiven ? random.bytes(size) : patternBytes(own.content, own.seed, size));
  const part = member === null ? whole : whole[member];
  const raw = new it.cuda[union](member === null || !isGiven ? whole : { [member]: part });
  const passed = fn.params.map((param, at): Passed => {
    if (param === attribute) return { argument: { value: id }, raw: { value: BigInt(id) } };
    if (param !== value) {
      const scalar = scalarOf(document, parseType(param.api.type)) as Scalar;
      const given = randomScalar(scalar, random);
      const isNull = facts.params[at]?.nullable === true && random.below(4) === 0;
      return isNull
        ? { argument: { value: null }, raw: { value: 0n } }
        : { argument: { value: given }, raw: { value: rawOf(scalar, given) } };
    }
    if (!isGiven) return { raw: { value: null }, returned: { value: part } };
    const asWhole = member !== null && random.below(4) === 0;
    return {
      argument: { value: asWhole ? whole : part },
      raw: { value: null, bytes: (asWhole ? whole : raw).$bytes },
      wrong: [
        undefined,
        null,
        "1",
        Symbol("wrong"),
        [],
        { noSuchField: 1 },
        new Uint8Array(size),
        () => 1,
        new it.cuda.CUuuid(),
      ],
    };
  });
  return {
    args: passed.flatMap(({ argument }) => (argument === undefined ? [] : [argument.value])),
    passed,
    returned: isGiven ? undefined : part,
  };
}

function members({ document }: World, fn: PlannedFunction, row: AttributeRow): { value: number; type: string }[] {
  const type = fn.params.find(({ api }) => api.name === row.attribute || api.name === "attributes")?.api.type ?? "";
  const name = type.replace(/ \*$/, "");
  const known = document.enums.find((each) => each.name === name)?.members ?? [];
  return known.flatMap(({ name: member, value }) =>
    row.types[member] === undefined ? [] : [{ value, type: row.types[member].replace(/ flag$/, "") }],
  );
}

/** A value of a C type, as the rows of the library spell it. */
function randomValue({ document }: World, type: string, filler: number | undefined, random: Random): Value {
  const [, element, length] = /^(char|int)\[(\d+)\]$/.exec(type) ?? [];
  if (element === "char") {
    const value = random.pick(["", "core", "/tmp/\u00e9\u20ac", "x".repeat(1023)]);
    return { value, bytes: new TextEncoder().encode(`${value}\0`), room: Number(length), wrong: NO_TEXT };
  }
  if (element === "int") {
    const value = random.pick([[], [0], [-1, 0, 5], Array.from({ length: Number(length) }, (_, at) => at)]);
    const all = [...value, ...Array.from({ length: Number(length) - value.length }, () => filler ?? 0)];
    return { value, bytes: new Uint8Array(Int32Array.from(all).buffer), room: 4 * Number(length), wrong: [] };
  }
  if (type === "bool") {
    const value = random.bool();
    return { value, bytes: Uint8Array.of(Number(value)), room: 1, wrong: NO_BOOLEAN };
  }
  const scalar = scalarOf(document, parseType(type)) as Scalar;
  const value = randomScalar(scalar, random);
  return { value, bytes: rawBytes(scalar, value), room: scalar.bits / 8, wrong: NO_SCALAR };
}

function one(world: World, fn: PlannedFunction, row: AttributeRow, random: Random): Map<string, Passed> {
  const { standin } = world;
  const chosen = random.pick(members(world, fn, row));
  const value = randomValue(world, chosen.type, row.filler, random);
  const size = row.size ?? "";
  const facts = standin.byName.get(fn.api.name) as FunctionFacts;
  const own = facts.params.find(({ name }) => name === row.value);
  const isPointer = facts.params.find(({ name }) => name === size)?.type.endsWith("*") === true;
  const attribute: Passed = { argument: { value: chosen.value }, raw: { value: BigInt(chosen.value) } };
  if (own?.direction === "in") {
    return new Map([
      [row.attribute, attribute],
      [row.value, { argument: { value: value.value }, raw: { value: null, bytes: value.bytes }, wrong: value.wrong }],
      [size, { raw: { value: null, bytes: numberBytes(value.bytes.length, 8) } }],
    ]);
  }
  standin.output(fn.api.name, row.value, value.bytes);
  if (isPointer) standin.output(fn.api.name, size, numberBytes(value.bytes.length, 8));
  const told = isPointer || random.bool();
  const room = told ? value.room : Math.max(value.room, value.bytes.length);
  return new Map([
    [row.attribute, attribute],
    [row.value, { raw: { value: null }, returned: { value: value.value } }],
    [
      size,
      isPointer
        ? { raw: { value: null, bytes: numberBytes(value.room, 8) } }
        : {
            argument: { value: told ? undefined : room },
            raw: { value: BigInt(room) },
            wrong: [null, -1, 1.5, "4", {}, 2n ** 32n, -1n],
          },
    ],
  ]);
}

/** The stand-in driver writes k + 1 into the first four bytes of the k-th value. */
function list(
  world: World,
  fn: PlannedFunction,
  row: AttributeRow,
  sizes: string | undefined,
  random: Random,
): Map<string, Passed> {
  const { document } = world;
  const chosen = Array.from({ length: random.below(5) }, () => random.pick(members(world, fn, row)));
  const values = chosen.map(({ type }, at) => {
    const isList = /^int\[(\d+)\]$/.exec(type);
    const size = isList ? 4 * Number(isList[1]) : sizeOf(document, parseType(type));
    const bytes = new Uint8Array(size);
    bytes.set(numberBytes(at + 1, 4));
    const scalar = isList ? null : scalarOf(document, parseType(type));
    if (isList) return { size, value: Array.from(new Int32Array(bytes.buffer)) };
    if (scalar !== null) return { size, value: decode(scalar, bytes) };
    const record = new world.package.cuda[type]();
    record.$bytes.set(bytes);
    return { size, value: record };
  });
  const told =
    sizes === undefined ? null : random.pick([null, values.map(({ size }) => size), values.map(() => undefined)]);
  const numbers = chosen.map(({ value }) => value);
  return new Map<string, Passed>([
    ["data", { raw: { value: null }, returned: { value: values.map(({ value }) => value) } }],
    [
      "attributes",
      {
        argument: { value: numbers },
        raw: { value: null, bytes: new Uint8Array(Int32Array.from(numbers).buffer) },
        wrong: NO_ATTRIBUTES,
      },
    ],
    ["numAttributes", { raw: { value: BigInt(numbers.length) } }],
    ...(sizes === undefined
      ? []
      : [
          [
            sizes,
            {
              argument: { value: told },
              wrong: NO_SIZES,
              raw: {
                value: null,
                bytes: new Uint8Array(BigUint64Array.from(values, ({ size }) => BigInt(size)).buffer),
              },
            },
          ] as [string, Passed],
        ]),
  ]);
}
