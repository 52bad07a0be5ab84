/**
 * Valid arguments for any function, by the role that the package's plan gives each parameter, with what must then reach the
 * driver and come back. A new role is one new case here.
 */
import assert from "node:assert/strict";
import { type ApiType, parseType } from "../../generator/api/ctype.ts";
import type { ApiDocument } from "../../generator/api/document.ts";
import { type Comfort, hiddenByComfort } from "../../generator/emit/comfort.ts";
import { countedBy } from "../../generator/emit/counts.ts";
import type { PlannedFunction, PlannedParameter } from "../../generator/emit/plan.ts";
import { attributeInvocation } from "./attributeCalls.ts";
import type { Standin } from "./control.ts";
import { resolve } from "./ctext.ts";
import { checkLists, listsOf, tellLists } from "./driverLists.ts";
import { decode, type FunctionFacts, type ParameterFacts, recordOf, type Scalar, scalarOf, sizeOf } from "./facts.ts";
import type { Package } from "./package.ts";
import { patternBytes, patternText } from "./pattern.ts";
import type { Random } from "./random.ts";
import { little, numberBytes, randomScalar, rawBytes, rawOf } from "./scalars.ts";

/** Bytes behind a pointer whose type does not say how many; the stand-in driver is told so too. */
export const UNKNOWN_SIZE = 48;
/** Elements that the driver has for "how many, and which". */
export const TOTAL = 3;

/** One parameter of one call. */
export interface Passed {
  /** In the argument list; absent for what is only returned. */
  argument?: { value: unknown };
  /** What the driver must have got. */
  raw: {
    /** The value; null: an address that only has to be one. */
    value: bigint | null;
    /** What lay behind it; undefined: not to be looked at. */
    bytes?: Uint8Array | null;
  };
  /** Values that are wrong for it, where its type alone does not say. */
  wrong?: readonly unknown[];
  /** In what is returned. */
  returned?: { value: unknown };
  /** Once the call has been made. */
  after?: () => void;
}

export interface Invocation {
  args: unknown[];
  passed: Passed[];
  /** What the function gives back: undefined, a value, or several. */
  returned: unknown;
}

export interface World {
  standin: Standin;
  package: Package;
  document: ApiDocument;
}

/** Tells the stand-in driver how much lies behind the pointers whose types do not say. */
export function tellSizes(world: World): void {
  const { standin } = world;
  for (const { index, params } of standin.functions) {
    for (const [position, param] of params.entries()) {
      if (hasUnknownSize(param)) standin.addon.size(index, position, UNKNOWN_SIZE);
    }
  }
  standin.addon.total(TOTAL);
  tellLists(world);
}

function hasUnknownSize({ content, element, count, direction }: ParameterFacts): boolean {
  if (content === "TEXT") return count < 0 && direction !== "in";
  return content === "BYTES" && element === 0 && count < 0;
}

/** A call of `fn` with arguments that are right. */
export function invocation(world: World, fn: PlannedFunction, random: Random): Invocation {
  const byAttributes = attributeInvocation(world, fn, random);
  if (byAttributes !== null) return byAttributes;
  const facts = world.standin.byName.get(fn.api.name) as FunctionFacts;
  const hidden = new Set(fn.comfort === null ? [] : hiddenByComfort(fn.comfort));
  const context: Context = {
    world,
    fn,
    facts,
    counts: facts.params.map((_, at) => countOf(fn, facts, at, random)),
    nulls: fn.params.map(
      (param, at) => !hidden.has(param) && facts.params[at]?.nullable === true && random.below(4) === 0,
    ),
    attribute: attributeOf(world, fn, random),
    random,
  };
  const passed = fn.params.map((param, at) => pass(context, param, facts.params[at] as ParameterFacts, at));
  leaveOutCounts(context, passed);
  const returned = passed.flatMap((each) => (each.returned === undefined ? [] : [each.returned.value]));
  return {
    args: passed.flatMap(({ argument }) => (argument === undefined ? [] : [argument.value])),
    passed,
    returned: fn.query ? true : returned.length <= 1 ? returned[0] : returned,
  };
}

interface Context {
  world: World;
  fn: PlannedFunction;
  facts: FunctionFacts;
  /** Of each parameter that counts others: how many elements this call gives or has room for. */
  counts: readonly (number | null)[];
  /** Which parameters are NULL in this call. */
  nulls: readonly boolean[];
  /** For functions whose value has the type that an attribute decides. */
  attribute: Attribute | null;
  random: Random;
}

interface Attribute {
  /** Parameter that says which. */
  name: string;
  value: number;
  /** C type of the value; null: one that no header names, 64 bits. */
  type: string | null;
}

/** How many elements a parameter counts in this call, if it counts any. */
function countOf(fn: PlannedFunction, { params }: FunctionFacts, at: number, random: Random): number | null {
  const { name, counts } = params[at] as ParameterFacts;
  /* What another function says. */
  if (fn.comfort?.length.kind === "function" && fn.comfort.length.param.api.name === name) return TOTAL;
  const lengths = fn.params.flatMap(({ api }) => (api.length === undefined ? [] : [api.length]));
  if (lengths.some(({ per }) => per === name)) return 1 + random.below(4);
  const less = lengths.filter(({ of }) => of === name).map(({ minus = 0 }) => minus);
  if (less.length > 0) return Math.max(...less) + random.below(4);
  /* Memory without bytes may be NULL to C, which asks another question of a two-call query. */
  return params.some(({ count }) => count === at) ? Number(counts) + random.below(4) : null;
}

/** Elements of a list whose number some parameters say, or that is always the same; null: neither. */
function lengthOf({ fn, facts, counts }: Context, at: number): number | null {
  const { length, bytes } = (fn.params[at] as PlannedParameter).api;
  const own = facts.params[at] as ParameterFacts;
  if (length === undefined) return bytes === undefined || own.count >= 0 ? null : own.elements;
  const value = (name: string) => counts[facts.params.findIndex((param) => param.name === name)] ?? 0;
  return length.per === undefined
    ? value(length.of) - (length.minus ?? 0)
    : Math.ceil(value(length.of) / value(length.per));
}

/** Sometimes leaves out a number that the lists say. */
function leaveOutCounts({ fn, facts, counts, random }: Context, passed: Passed[]): void {
  for (const [at, number] of fn.params.entries()) {
    const lists = countedBy(fn, number);
    const argument = passed[at]?.argument;
    if (lists.length === 0 || argument === undefined || random.bool()) continue;
    const lengths = lists.map((list) => {
      const index = fn.params.indexOf(list);
      const value = passed[index]?.argument?.value;
      const bytes = (value as ArrayBufferView | null)?.byteLength;
      if (value === null) return null;
      if (Array.isArray(value)) return value.length;
      if (bytes !== undefined) return bytes / (facts.params[index]?.element || 1);
      return typeof value === "object" ? 1 : Number.NaN;
    });
    const said = lengths.filter((length) => length !== null);
    if (said.every((length) => length === counts[at]) && (said.length > 0 || counts[at] === 0))
      argument.value = undefined;
  }
}

/** Chooses an attribute, and makes the stand-in driver write a value of its type. */
function attributeOf(
  { document, standin, package: { plan } }: World,
  fn: PlannedFunction,
  random: Random,
): Attribute | null {
  const at = fn.params.findIndex(({ role }) => role.kind === "attribute");
  const role = fn.params[at]?.role;
  if (role?.kind !== "attribute") return null;
  const row = plan.library.attributes.find((each) => each.function === fn.api.base);
  const decider = fn.params.find(({ name }) => name === role.attribute);
  const members = document.enums.find(({ name }) => name === decider?.api.type)?.members ?? [];
  const typed = members
    .map(({ name, value }) => ({ value, type: row?.types[name] ?? null }))
    .filter(({ type }) => type === null || !role.given || scalarOf(document, parseType(type)) !== null);
  const { value, type } = random.pick([...typed, { value: 0x7ffffff0, type: null }]);
  standin.addon.size(
    standin.byName.get(fn.api.name)?.index ?? -1,
    at,
    type === null ? 8 : sizeOf(document, parseType(type)),
  );
  return { name: decider?.api.name ?? "", value, type };
}

function pass(context: Context, param: PlannedParameter, facts: ParameterFacts, at: number): Passed {
  const list = context.fn.comfort?.lists.find((each) => each.param === param);
  if (list !== undefined) return receiveList(context, facts, at);
  if (context.fn.comfort !== null && hiddenByComfort(context.fn.comfort).includes(param)) return passTotal(facts);
  if (context.fn.comfort?.hidden.includes(param) === true) return { ...passShown(context, param, facts, at), ...GONE };
  return passShown(context, param, facts, at);
}

const GONE = { returned: undefined } as unknown as Passed;

/** A count that the package passes. */
function passTotal(facts: ParameterFacts): Passed {
  return facts.element === 0
    ? { raw: { value: BigInt(TOTAL) } }
    : { raw: { value: null, bytes: numberBytes(TOTAL, facts.element) } };
}

function passShown(context: Context, param: PlannedParameter, facts: ParameterFacts, at: number): Passed {
  const { role } = param;
  switch (role.kind) {
    case "value":
      return passValue(context, facts, at);
    case "string":
      return passString(context, facts, at);
    case "record":
      return passRecord(context, facts, at, role.name);
    case "memory":
      return passMemory(context, facts, at);
    case "list":
      return passList(context, facts, at);
    case "inout":
      return passInout(context, facts, at, role.returned);
    case "attribute":
      return passAttribute(context, facts, role.given);
    case "out":
      return receive(context, facts, at);
    case "outRecord":
      return receiveRecord(context, facts, role.name);
    case "outList":
      return receiveOwned(context, facts);
    case "outString":
      return { raw: { value: null }, returned: { value: facts.text } };
    default:
      throw new Error(
        `${context.facts.api.name}: ${facts.name} has a role that this test does not know: ${JSON.stringify(role)}`,
      );
  }
}

/* ---- In -------------------------------------------------------------------------------------------------------------- */

function passValue(
  { world, fn, counts, nulls, attribute, random }: Context,
  facts: ParameterFacts,
  at: number,
): Passed {
  const scalar = scalarOf(world.document, parseType(facts.type)) as Scalar;
  if (attribute?.name === facts.name)
    return { argument: { value: attribute.value }, raw: { value: BigInt(attribute.value) } };
  const count = counts[at];
  if (count != null)
    return {
      argument: { value: scalar.bits === 64 && random.bool() ? BigInt(count) : count },
      raw: { value: BigInt(count) },
    };
  if (scalar.kind === "address" && nulls[at]) return { argument: { value: null }, raw: { value: 0n } };
  const value = randomScalar(scalar, random);
  const raw = { value: rawOf(scalar, value) };
  /* A plain 64-bit integer may come as a number. */
  const { role } = fn.params[at] as PlannedParameter;
  const isPlain = role.kind === "value" && role.meaning.kind === "integer" && role.meaning.name === null;
  if (isPlain && Number.isSafeInteger(Number(value)) && random.bool())
    return { argument: { value: Number(value) }, raw };
  return { argument: { value }, raw };
}

function passString({ nulls, random }: Context, _: ParameterFacts, at: number): Passed {
  if (nulls[at]) return { argument: { value: null }, raw: { value: 0n, bytes: null } };
  const letters = ["a", "/", " ", "\u00e9", "\u20ac", "\u{1f600}", "\n", "\x01", "\u{10ffff}"];
  const length = random.pick([0, 1, 7, 40, 3000, 9000]);
  let value = "";
  while (value.length < length) value += random.pick(letters);
  return { argument: { value }, raw: { value: null, bytes: new TextEncoder().encode(value) } };
}

function passRecord(context: Context, facts: ParameterFacts, at: number, name: string): Passed {
  const { world, random, counts } = context;
  const type = world.package.cuda[name];
  const count = facts.count < 0 ? 1 : (counts[facts.count] ?? 0);
  const capacity = twoCall(context, facts) ?? count;
  const bytes = random.bytes(type.size * capacity);
  const written = () => outcomeBytes(context, facts, bytes);
  if (facts.byValue) {
    const record = new type();
    record.$bytes.set(bytes);
    return { argument: { value: record }, raw: { value: type.size <= 8 ? little(bytes) : 0n, bytes } };
  }
  if (context.nulls[at]) return NULL;
  const forms = ["memory", "address"];
  if (capacity === 1) forms.push("record", "record", "record");
  const several = facts.count >= 0 && context.facts.params[facts.count]?.counts !== true;
  if (facts.direction !== "inout" && facts.count >= 0) forms.push("array", "array");
  if (facts.direction === "inout" && several) forms.push("row", "row");
  switch (random.pick(forms)) {
    case "record": {
      const record = new type();
      record.$bytes.set(bytes);
      const value = world.standin.addon.address(record.$bytes);
      assert.equal(record.$address, value);
      return { argument: { value: record }, raw: { value, bytes }, after: check(facts, () => record.$bytes, written) };
    }
    case "array": {
      const records = Array.from({ length: capacity }, (_, at) => {
        const record = new type();
        record.$bytes.set(bytes.subarray(at * type.size, (at + 1) * type.size));
        return record;
      });
      return { argument: { value: records }, raw: { value: null, bytes } };
    }
    case "row": {
      const records = world.package.cuda.recordArray(type, capacity);
      for (const [at, record] of records.entries())
        record.$bytes.set(bytes.subarray(at * type.size, (at + 1) * type.size));
      const whole = () => Buffer.concat(records.map((record: { $bytes: Uint8Array }) => record.$bytes));
      return { argument: { value: records }, raw: { value: null, bytes }, after: check(facts, whole, written) };
    }
    case "address":
      return addressOf(context, facts, bytes, written);
    default:
      return memoryOf(context, facts, bytes, written);
  }
}

function passMemory(context: Context, facts: ParameterFacts, at: number): Passed {
  const { random, counts } = context;
  if (context.nulls[at]) return NULL;
  let bytes: Uint8Array<ArrayBuffer>;
  let length = 1;
  const own = counts[at];
  if (own != null) {
    /* The count of a two-call query. */
    bytes = numberBytes(own, facts.element);
  } else if (hasUnknownSize(facts)) {
    bytes = random.bytes(UNKNOWN_SIZE);
  } else {
    length = twoCall(context, facts) ?? (facts.count < 0 ? facts.elements : (counts[facts.count] ?? 0));
    bytes = random.bytes(length * (facts.element || 1));
  }
  const first = facts.elements > 1 && !hasUnknownSize(facts);
  const written = () => {
    const outcome = outcomeBytes(context, facts, bytes);
    return first && outcome !== null
      ? Uint8Array.from([...outcome.subarray(0, facts.element), ...bytes.subarray(facts.element)])
      : outcome;
  };
  const made =
    random.below(4) === 0 ? addressOf(context, facts, bytes, written) : memoryOf(context, facts, bytes, written);
  return first ? { ...made, raw: { ...made.raw, bytes: bytes.slice(0, facts.element) } } : made;
}

/** A list that the driver reads: an array of JavaScript's, or memory that holds it. */
function passList(context: Context, facts: ParameterFacts, at: number): Passed {
  const { random, world, counts } = context;
  if (context.nulls[at]) return NULL;
  const target = (parseType(facts.type) as { to: ApiType }).to;
  const scalar = scalarOf(world.document, target) as Scalar;
  /* More than is counted may be given; what no parameter counts is read once. */
  const told = lengthOf(context, at);
  const counted = told ?? (facts.count < 0 ? 1 : (counts[facts.count] ?? 0));
  if (told !== null) world.standin.addon.size(context.facts.index, at, told * facts.element);
  const length = counted + (random.below(4) === 0 ? 2 : 0);
  const values = Array.from({ length }, () => randomScalar(scalar, random));
  const size = scalar.bits / 8;
  const bytes = new Uint8Array(length * size);
  for (const [index, value] of values.entries()) bytes.set(rawBytes(scalar, value), index * size);
  const seen = bytes.slice(0, counted * size);
  if (random.below(3) === 0) {
    const made = memoryOf(context, facts, bytes, () => bytes);
    return { ...made, raw: { ...made.raw, bytes: seen } };
  }
  return { argument: { value: values }, raw: { value: null, bytes: seen } };
}

/** A pointer to one value, that comes back if `returned`. */
function passInout(context: Context, facts: ParameterFacts, at: number, returned: boolean): Passed {
  const { world, counts, nulls, random } = context;
  if (nulls[at]) return { ...NULL, ...(returned ? { returned: { value: null } } : {}) };
  const scalar = scalarOf(world.document, (parseType(facts.type) as { to: ApiType }).to) as Scalar;
  const own = counts[at];
  const value = own == null ? randomScalar(scalar, random) : scalar.bits === 64 ? BigInt(own) : own;
  const raw = { value: null, bytes: rawBytes(scalar, value) };
  if (!returned) return { argument: { value }, raw };
  const back = facts.counts ? counted(context, at) : null;
  const bytes = back === null ? patternBytes(facts.content, facts.seed, scalar.bits / 8) : numberBytes(back, 8);
  return { argument: { value }, raw, returned: { value: decode(scalar, bytes) } };
}

/** What a count comes back as: how many were put where there was room, else how many there are. */
function counted({ facts: { params }, counts, nulls }: Context, at: number): number {
  const lists = params.map((param, index) => ({ ...param, isNull: nulls[index] })).filter(({ count }) => count === at);
  const have = lists.some(({ content }) => content === "TEXT") ? Buffer.byteLength(lists[0]?.text ?? "") + 1 : TOTAL;
  return lists.every(({ isNull }) => isNull) ? have : Math.min(have, counts[at] ?? 0);
}

/** A value of the type that the attribute decides. */
function passAttribute({ world, attribute, random }: Context, facts: ParameterFacts, given: boolean): Passed {
  const type = attribute?.type ?? "unsigned long long";
  const scalar = scalarOf(world.document, parseType(type));
  if (given) {
    const value = randomScalar(scalar as Scalar, random);
    return { argument: { value }, raw: { value: null, bytes: rawBytes(scalar as Scalar, value) } };
  }
  const bytes = patternBytes(facts.content, facts.seed, sizeOf(world.document, parseType(type)));
  if (scalar !== null) return { raw: { value: null }, returned: { value: decode(scalar, bytes) } };
  return { raw: { value: null }, returned: { value: recordFrom(world, type, bytes) } };
}

const NULL: Passed = { argument: { value: null }, raw: { value: 0n, bytes: null } };

/** Room for elements of a two-call query, or null where this is none. */
function twoCall({ facts: { params }, counts }: Context, facts: ParameterFacts): number | null {
  return facts.count >= 0 && params[facts.count]?.counts === true ? (counts[facts.count] ?? 0) : null;
}

/** Memory of JavaScript's, in any of its forms. Some of it lies within a larger buffer, whose other bytes must stay. */
function memoryOf(
  context: Context,
  facts: ParameterFacts,
  bytes: Uint8Array,
  written: () => Uint8Array | null,
): Passed {
  const { random, world } = context;
  const before = 8 * random.below(3);
  const shared = random.below(4) === 0;
  const whole = new Uint8Array(
    shared ? new SharedArrayBuffer(before + bytes.length) : new ArrayBuffer(before + bytes.length + 8),
  );
  whole.fill(0xa5);
  whole.set(bytes, before);
  const view = new Uint8Array(whole.buffer, before, bytes.length);
  const forms: (() => unknown)[] = [
    () => view,
    () => new DataView(whole.buffer, before, bytes.length),
    () => Buffer.from(whole.buffer as ArrayBuffer, before, bytes.length),
  ];
  if (bytes.length % 8 === 0) forms.push(() => new BigUint64Array(whole.buffer, before, bytes.length / 8));
  if (bytes.length % 4 === 0) forms.push(() => new Float32Array(whole.buffer, before, bytes.length / 4));
  if (before === 0 && shared) forms.push(() => whole.buffer);
  const value = random.pick(forms)();
  const address = world.standin.addon.address(view);
  return {
    argument: { value },
    /* What memory without bytes has for an address is nobody's business. */
    raw: { value: bytes.length === 0 ? null : address, bytes },
    after: () => {
      check(facts, () => view, written)();
      assert.ok(
        whole.every((byte, at) => (at >= before && at < before + bytes.length) || byte === 0xa5),
        `${facts.name}: memory around the buffer was written`,
      );
    },
  };
}

/** An address of memory, as a bigint. */
function addressOf(
  context: Context,
  facts: ParameterFacts,
  bytes: Uint8Array,
  written: () => Uint8Array | null,
): Passed {
  const memory = new Uint8Array(Math.max(8, bytes.length));
  memory.set(bytes);
  const value = context.world.standin.addon.address(memory);
  return {
    argument: { value },
    raw: { value, bytes },
    after: check(facts, () => memory.subarray(0, bytes.length), written),
  };
}

/** Compares memory of the caller's with what the driver was to write. */
function check(facts: ParameterFacts, memory: () => Uint8Array, written: () => Uint8Array | null): () => void {
  return () => {
    const wanted = written();
    if (wanted !== null)
      assert.deepEqual(Buffer.from(memory()), Buffer.from(wanted), `${facts.name}: what was written`);
  };
}

/* ---- Out ------------------------------------------------------------------------------------------------------------- */

/** What the driver leaves in memory that held `before`. */
function outcomeBytes(context: Context, facts: ParameterFacts, before: Uint8Array): Uint8Array | null {
  if (facts.direction === "in") return before;
  if (facts.counts) return null;
  const room = twoCall(context, facts);
  const size = facts.element === 0 ? 1 : facts.element;
  const have = facts.content === "TEXT" ? before.length : TOTAL;
  const bytes = room === null ? before.length : Math.min(room, have) * size;
  const result = new Uint8Array(before.length);
  result.set(
    facts.content === "TEXT" ? patternText(facts.text, bytes) : patternBytes(facts.content, facts.seed, bytes),
  );
  if (facts.content === "TEXT") {
    /* Behind the NUL everything stays as it was. */
    const end = result.indexOf(0);
    if (bytes > 0 && end >= 0) result.set(before.subarray(end + 1), end + 1);
  }
  return result;
}

function receive({ world, fn }: Context, facts: ParameterFacts, at: number): Passed {
  const scalar = scalarOf(world.document, (parseType(facts.type) as { to: ApiType }).to) as Scalar;
  const bytes = facts.counts
    ? new Uint8Array(new BigUint64Array([BigInt(TOTAL)]).buffer)
    : patternBytes(facts.content, facts.seed, 8);
  const { role } = fn.params[at] as PlannedParameter;
  if (role.kind === "out" && role.counts) return { raw: { value: null } };
  return { raw: { value: null }, returned: { value: decode(scalar, bytes) } };
}

function receiveRecord({ world, facts: fn }: Context, facts: ParameterFacts, name: string): Passed {
  const lists = listsOf(world, fn, facts);
  if (lists !== null) return { raw: { value: null }, returned: { value: checkLists(world, name, lists) } };
  const bytes = patternBytes(facts.content, facts.seed, world.package.cuda[name].size);
  return { raw: { value: null }, returned: { value: recordFrom(world, name, bytes) } };
}

/** A record of these bytes. */
export function recordFrom({ package: { cuda } }: Pick<World, "package">, name: string, bytes: Uint8Array) {
  const record = new cuda[name]();
  record.$bytes.set(bytes);
  return record;
}

/** A list or a text that the comfortable form returns. */
function receiveList(context: Context, facts: ParameterFacts, at: number): Passed {
  const { world, counts } = context;
  const counter = context.facts.params[facts.count];
  const told = lengthOf(context, at);
  if (told !== null) world.standin.addon.size(context.facts.index, at, told * facts.element);
  if (facts.content === "TEXT" && told === null) {
    const text = patternText(facts.text, counts[facts.count] ?? 0);
    return {
      raw: { value: null },
      returned: { value: new TextDecoder().decode(text.subarray(0, Math.max(0, text.indexOf(0)))) },
    };
  }
  const room = told ?? (counter?.counts ? TOTAL : (counts[facts.count] ?? 0));
  const { listed } = context.fn.comfort as Comfort;
  const after = listed?.api.direction === "out" ? TOTAL - 1 : room;
  if (after !== room) world.standin.output(context.facts.api.name, listed?.api.name ?? "", numberBytes(after, 4));
  if (facts.content === "TEXT") return { raw: { value: null }, returned: { value: patternText(facts.text, room) } };
  return { raw: { value: null }, returned: { value: elementsOf(context, facts, after) } };
}

/** An array of the driver's that is copied out. */
function receiveOwned(context: Context, facts: ParameterFacts): Passed {
  return { raw: { value: null }, returned: { value: elementsOf(context, facts, TOTAL) } };
}

/** What the driver has put into a list. */
function elementsOf({ world: { document, ...world } }: Context, facts: ParameterFacts, length: number): unknown {
  const behind = (parseType(facts.type) as { to: ApiType }).to;
  const target = facts.content === "OWNED" ? (behind as { to: ApiType }).to : behind;
  const bytes = patternBytes(facts.content, facts.seed, length * facts.element);
  const scalar = scalarOf(document, target);
  const record = recordOf(document, resolve(document, target));
  if (scalar === null && record === null) return bytes;
  return Array.from({ length }, (_, at) => {
    const one = bytes.slice(at * facts.element, (at + 1) * facts.element);
    return scalar === null ? recordFrom(world, record?.name ?? "", one) : decode(scalar, one);
  });
}
