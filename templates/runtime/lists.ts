import { f64, putMemory, refuse, temporaries } from "./frame.ts";
import { allocate, type HostMemory, hostAddress, isHostMemory } from "./memory.ts";
import { recordsOver, type StructClass } from "./struct.ts";

/** What a list holds: numbers of one C type (handles and pointers are u64), or records. */
export type ListKind = keyof typeof ARRAYS | StructClass;

const ARRAYS = {
  i8: Int8Array,
  u8: Uint8Array,
  i16: Int16Array,
  u16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
  i64: BigInt64Array,
  u64: BigUint64Array,
  f32: Float32Array,
  f64: Float64Array,
} as const;

type ListElement = number | bigint | HostMemory | null;

/** One element of a list of 64-bit integers, handles or pointers. */
function wideElement(value: ListElement, signed: boolean, name: string, parameter: string): bigint {
  if (value === null) return 0n;
  if (typeof value === "number" && Number.isSafeInteger(value))
    return wideElement(BigInt(value), signed, name, parameter);
  if (typeof value === "bigint" && (signed ? BigInt.asIntN(64, value) : BigInt.asUintN(64, value)) === value)
    return value;
  if (isHostMemory(value)) {
    temporaries.push(value);
    return BigInt(hostAddress(value));
  }
  return refuse(name, parameter, "an array of 64-bit integers, handles or addresses", value, "number", "bigint");
}

/** A list as an array of JavaScript's: its elements as C has them. What does not fit is refused, not cut. */
function packed(values: readonly ListElement[], kind: keyof typeof ARRAYS, name: string, parameter: string) {
  if (kind === "u64") return BigUint64Array.from(values, (value) => wideElement(value, false, name, parameter));
  if (kind === "i64") return BigInt64Array.from(values, (value) => wideElement(value, true, name, parameter));
  const whole = !kind.startsWith("f");
  const list = (ARRAYS[kind] as Float64ArrayConstructor).from(values, (value) => {
    if (typeof value !== "number") refuse(name, parameter, "an array of numbers", value);
    return value;
  });
  for (const [index, value] of list.entries()) {
    /* Enums are open: 32 bits, signed or not. */
    if (whole && value !== values[index] && !(kind === "i32" && value >>> 0 === values[index])) {
      refuse(name, parameter, `an array of integers that fit ${kind}`, values[index], "number");
    }
  }
  return list;
}

/** A list that the driver reads: an array, memory of JavaScript's, or an address. `least` as in putMemory. */
export function putList(
  slot: number,
  value: readonly ListElement[] | HostMemory | bigint,
  kind: keyof typeof ARRAYS,
  name: string,
  parameter: string,
  least?: number | bigint,
): void {
  if (!Array.isArray(value)) {
    putMemory(slot, value as HostMemory | bigint, name, parameter, least);
    return;
  }
  const list = packed(value, kind, name, parameter);
  temporaries.push(list);
  putMemory(slot, list, name, parameter, least);
}

/** As putList; null is NULL. */
export function putListOrNull(
  slot: number,
  value: readonly ListElement[] | HostMemory | bigint | null,
  kind: keyof typeof ARRAYS,
  name: string,
  parameter: string,
  least?: number | bigint,
): void {
  if (value === null) f64[slot] = 0;
  else putList(slot, value, kind, name, parameter, least);
}

/** Memory for a list that the driver fills. */
interface Room {
  readonly memory: HostMemory;
  /** The first `length` elements, as JavaScript sees them. */
  take(length: number): unknown[];
}

function roomFor(kind: ListKind, length: number): Room {
  if (typeof kind === "string") {
    const memory = new ARRAYS[kind](length);
    return { memory, take: (taken) => Array.from(memory.subarray(0, taken) as ArrayLike<unknown>) };
  }
  const piece = allocate(kind.size * length, kind.align);
  const records = recordsOver(kind, piece, length);
  const memory = new Uint8Array(piece.buffer, piece.offset, kind.size * length);
  return { memory, take: (taken) => records.slice(0, taken) };
}

/** Some other thread may make the list longer between the question and the answer; this often it is asked again. */
const TRIES = 8;

/** One round of a two-call query: lists of `room` elements, or null to only ask how many there are. */
type Ask<Result> = (lists: readonly (HostMemory | null)[], count: HostMemory) => Result;

type Enumerated<Result> = [lists: unknown[][], result: Result];

function counter(bits: 32 | 64, value: number): { memory: HostMemory; read(): number } {
  const memory = bits === 64 ? BigUint64Array.of(BigInt(value)) : Uint32Array.of(value);
  return { memory, read: () => Number(memory[0]) };
}

/**
 * Asks how many elements there are, makes room, and asks for them: what C needs two calls for, made at once or on a pool thread.
 */
export function enumerate<Result>(
  kinds: readonly ListKind[],
  bits: 32 | 64,
  ask: Ask<Promise<Result>>,
): Promise<Enumerated<Result>>;
export function enumerate<Result>(kinds: readonly ListKind[], bits: 32 | 64, ask: Ask<Result>): Enumerated<Result>;
export function enumerate(kinds: readonly ListKind[], bits: 32 | 64, ask: Ask<unknown>): unknown {
  const round = (rooms: readonly Room[], have: number, tries: number): unknown => {
    const asked = counter(bits, have);
    const lists = kinds.map((_, index) => rooms[index]?.memory ?? null);
    const next = (result: unknown): unknown => {
      const there = asked.read();
      if (there <= have || tries === 0) return [taken(kinds, rooms, Math.min(there, have)), result];
      const more = kinds.map((kind) => roomFor(kind, there));
      return round(more, there, tries - 1);
    };
    const result = ask(lists, asked.memory);
    return result instanceof Promise ? result.then(next) : next(result);
  };
  return round([], 0, TRIES);
}

function taken(kinds: readonly ListKind[], rooms: readonly Room[], length: number): unknown[][] {
  return kinds.map((_, index) => rooms[index]?.take(length) ?? []);
}

/** Room for a list whose length the caller says; `lists()` reads it once it is filled. */
export function rooms(
  kinds: readonly ListKind[],
  length: number | bigint,
  name: string,
  parameter: string,
): { memory: HostMemory[]; lists(): unknown[][] } {
  /* Number() of an object would run code of its own. */
  const count = typeof length === "bigint" ? Number(length) : length;
  if (!Number.isSafeInteger(count) || count < 0 || count > 0x7fffffff) {
    refuse(name, parameter, "an integer from 0 to 2147483647", length, "number", "bigint");
  }
  const made = kinds.map((kind) => roomFor(kind, count));
  return { memory: made.map(({ memory }) => memory), lists: () => made.map((room) => room.take(count)) };
}

const decoder = new TextDecoder();

/** The text that the driver wrote into a buffer: up to its NUL. */
export function textOf(memory: HostMemory | undefined): string {
  const buffer = memory as Uint8Array;
  const end = buffer.indexOf(0);
  return decoder.decode(end < 0 ? buffer : buffer.subarray(0, end));
}
