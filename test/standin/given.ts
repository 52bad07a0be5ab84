/** What a program passes, in each of the forms that it may have. */
import assert from "node:assert/strict";
import { type ApiType, parseType } from "../../generator/api/ctype.ts";
import type { PlannedParameter } from "../../generator/emit/roles.ts";
import {
  type Context,
  hasUnknownSize,
  lengthOf,
  type Passed,
  recordFrom,
  TOTAL,
  twoCall,
  UNKNOWN_SIZE,
} from "./context.ts";
import { decode, type ParameterFacts, type Scalar, scalarOf, sizeOf } from "./facts.ts";
import { patternBytes } from "./pattern.ts";
import { outcomeBytes } from "./received.ts";
import { little, numberBytes, randomScalar, rawBytes, rawOf } from "./scalars.ts";

export function passValue(
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

export function passString({ nulls, random }: Context, _: ParameterFacts, at: number): Passed {
  if (nulls[at]) return { argument: { value: null }, raw: { value: 0n, bytes: null } };
  const letters = ["a", "/", " ", "\u00e9", "\u20ac", "\u{1f600}", "\n", "\x01", "\u{10ffff}"];
  const length = random.pick([0, 1, 7, 40, 3000, 9000]);
  let value = "";
  while (value.length < length) value += random.pick(letters);
  return { argument: { value }, raw: { value: null, bytes: new TextEncoder().encode(value) } };
}

export function passRecord(context: Context, facts: ParameterFacts, at: number, name: string): Passed {
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

export function passMemory(context: Context, facts: ParameterFacts, at: number): Passed {
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
export function passList(context: Context, facts: ParameterFacts, at: number): Passed {
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
    const made = memoryOf(context, facts, bytes, () => bytes, scalar);
    return { ...made, raw: { ...made.raw, bytes: seen } };
  }
  return { argument: { value: values }, raw: { value: null, bytes: seen } };
}

const ADDRESS: Scalar = { kind: "address", bits: 64, signed: false };

/** A kernel's arguments, in each of their forms; C sees an array of pointers, of which the stand-in reads the first. */
export function passKernelParams(context: Context, facts: ParameterFacts, at: number): Passed {
  const { random, world, nulls } = context;
  if (nulls[at]) return NULL;
  const { cuda } = world.package;
  const values = Array.from({ length: 1 + random.below(4) }, () => new Uint32Array([random.below(2 ** 32)]));
  const first = numberBytes(cuda.addressOf(values[0]), 8);
  const typed = () => [...values].map(([value]) => cuda.kernel.u32(value));
  const forms: (() => Passed)[] = [
    () => ({ argument: { value: values }, raw: { value: null, bytes: first } }),
    () => ({ argument: { value: typed() }, raw: { value: null } }),
    () => {
      const packed = cuda.kernelParams(...typed());
      return { argument: { value: packed }, raw: { value: cuda.addressOf(packed) } };
    },
    () => {
      const pointers = BigUint64Array.from(values, (value) => cuda.addressOf(value));
      const made = memoryOf(context, facts, new Uint8Array(pointers.buffer), () => null, ADDRESS);
      /* Kept alive by the test. */
      return { ...made, raw: { ...made.raw, bytes: first }, after: () => void values.length };
    },
  ];
  return (forms[random.below(forms.length)] as () => Passed)();
}

/** A pointer to one value, that comes back if `returned`. */
export function passInout(context: Context, facts: ParameterFacts, at: number, returned: boolean): Passed {
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
export function passAttribute({ world, attribute, random }: Context, facts: ParameterFacts, given: boolean): Passed {
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

/** Memory of JavaScript's, in any of its forms; `of`: for a list of such elements. Some of it lies within a larger buffer, whose other bytes must stay. */
function memoryOf(
  context: Context,
  facts: ParameterFacts,
  bytes: Uint8Array,
  written: () => Uint8Array | null,
  of: Scalar | null = null,
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
  /* A list lies in bytes, or in elements of its own kind. */
  const isOf = (kind: "float" | "integer", bits: number) =>
    bytes.length % (bits / 8) === 0 &&
    (of === null || ((of.kind === "float") === (kind === "float") && of.bits === bits));
  if (isOf("integer", 64)) forms.push(() => new BigUint64Array(whole.buffer, before, bytes.length / 8));
  if (isOf("float", 32)) forms.push(() => new Float32Array(whole.buffer, before, bytes.length / 4));
  if (isOf("integer", 32)) forms.push(() => new Int32Array(whole.buffer, before, bytes.length / 4));
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
