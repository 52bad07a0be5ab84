// Written by cuda-codegen 0.1.0 into every package, whatever its toolkit. Do not edit: run codegen generate.
import { types } from "node:util";
import { f64, putMemory, refuse, temporaries, u64 } from "./frame.ts";
import { allocate, type HostMemory, isHostMemory, MOST_BYTES, type TypedArray } from "./memory.ts";
import { native } from "./native.ts";
import { ARRAYS, checkElements, type ListElement, type NumberKind, packed } from "./pack.ts";
import { type ElementKind, sizeOf } from "./structLists.ts";
import { recordsOver } from "./structMaking.ts";

/** An argument that may be an array, with the elements that it has now: reading them may run code of the program's. */
export function readArray<Value>(value: Value): Value {
  return (Array.isArray(value) ? Array.from(value) : value) as Value;
}

const WANTED = "an array, an ArrayBuffer, a SharedArrayBuffer, a view of one, or a bigint address";

/** A list that the driver reads: an array (of `readArray`), memory of JavaScript's, or an address. `least` as in putMemory. */
export function putList(
  slot: number,
  value: readonly ListElement[] | HostMemory | bigint,
  kind: NumberKind,
  name: string,
  parameter: string,
  least?: number | bigint,
): void {
  if (Array.isArray(value)) {
    const list = packed(value, kind, name, parameter, temporaries);
    if (least !== undefined && list.byteLength < least) {
      const asked = Number(least) / list.BYTES_PER_ELEMENT;
      throw new RangeError(`${name}: ${parameter} has ${list.length} elements, ${asked} are asked for`);
    }
    temporaries.push(list);
    putMemory(slot, list, name, parameter, least);
    return;
  }
  if (typeof value !== "bigint") {
    if (!isHostMemory(value)) refuse(name, parameter, WANTED, value);
    checkElements(value, kind, name, parameter);
  }
  putMemory(slot, value as HostMemory | bigint, name, parameter, least);
}

/** As putList; null is NULL. */
export function putListOrNull(
  slot: number,
  value: readonly ListElement[] | HostMemory | bigint | null,
  kind: NumberKind,
  name: string,
  parameter: string,
  least?: number | bigint,
): void {
  if (value === null) f64[slot] = 0;
  else putList(slot, value, kind, name, parameter, least);
}

/** Memory for a list that the driver fills. */
interface Room {
  readonly memory: TypedArray<ArrayBuffer>;
  /** The first `length` elements, as JavaScript sees them. */
  take(length: number): List;
}

/** What a program gets: bytes as such, all else as an array. */
type List = unknown[] | Uint8Array;

function roomFor(kind: ElementKind, length: number, who = "the driver tells of"): Room {
  const size = sizeOf(kind);
  /* Only a caller who means it, or a driver that is out of order, says so many. */
  if (length * size > MOST_BYTES)
    throw new RangeError(`${who} ${length} elements of ${size} bytes, more than there is room for`);
  if (typeof kind === "string") {
    const memory = new ARRAYS[kind](length);
    if (memory instanceof Uint8Array) return { memory, take: (taken) => memory.subarray(0, taken) };
    return { memory, take: (taken) => Array.from(memory.subarray(0, taken) as ArrayLike<unknown>) };
  }
  const piece = allocate(kind.size * length, kind.align);
  const memory = new Uint8Array(piece.buffer, piece.offset, kind.size * length);
  return { memory, take: (taken) => recordsOver(kind, piece, Math.min(taken, length)) };
}

const asksFor = (name: string, parameter: string) => `${name}: ${parameter} asks for`;

/** Some other thread may make the list longer between the question and the answer; this often it is asked again. */
const TRIES = 8;

/** One round of a two-call query: lists of `room` elements, or null to only ask how many there are. */
type Ask<Result> = (lists: readonly (HostMemory | null)[], count: HostMemory) => Result;

type Enumerated<Result> = [lists: List[], result: Result];

function counter(bits: 32 | 64, value: number): { memory: HostMemory; read(): number } {
  const memory = bits === 64 ? BigUint64Array.of(BigInt(value)) : Uint32Array.of(value);
  return { memory, read: () => Number(memory[0]) };
}

/** How many elements the caller wants at most; undefined: all. */
type Most = readonly [name: string, parameter: string, most: number | undefined];

/**
 * Asks how many elements there are, makes room, and asks for them: what C needs two calls for, made at once or on a pool thread.
 * Where the caller says how many, that room is made and they are asked for.
 */
export function enumerate<Result>(
  kinds: readonly ElementKind[],
  bits: 32 | 64,
  ask: Ask<Promise<Result>>,
  most?: Most,
): Promise<Enumerated<Result>>;
export function enumerate<Result>(
  kinds: readonly ElementKind[],
  bits: 32 | 64,
  ask: Ask<Result>,
  most?: Most,
): Enumerated<Result>;
export function enumerate(kinds: readonly ElementKind[], bits: 32 | 64, ask: Ask<unknown>, most?: Most): unknown {
  const round = (rooms: readonly Room[], have: number, tries: number): unknown => {
    const asked = counter(bits, have);
    const lists = kinds.map((_, index) => (have === 0 ? null : (rooms[index]?.memory ?? null)));
    const next = (result: unknown): unknown => {
      const there = asked.read();
      if (there <= have || tries === 0) return [taken(kinds, rooms, Math.min(there, have)), result];
      const more = kinds.map((kind) => roomFor(kind, there));
      return round(more, there, tries - 1);
    };
    const result = ask(lists, asked.memory);
    return types.isPromise(result) ? result.then(next) : next(result);
  };
  if (most?.[2] === undefined) return round([], 0, TRIES);
  const length = lengthFrom(most[0], { of: most[1] }, most[2]);
  return round(
    kinds.map((kind) => roomFor(kind, length, asksFor(most[0], most[1]))),
    length,
    0,
  );
}

function taken(kinds: readonly ElementKind[], rooms: readonly Room[], length: number): List[] {
  return kinds.map((_, index) => rooms[index]?.take(length) ?? []);
}

/** Most elements of a list that is filled. */
const MOST = 0x7fffffff;

/** Of an object Number() would run code of its own. */
function toNumber(value: number | bigint): number {
  return typeof value === "bigint" ? Number(value) : value;
}

/** How many elements there are by the arguments `of` and `per`, which are called so in C. */
export function lengthFrom(
  name: string,
  length: { readonly of: string; readonly minus?: number; readonly per?: string },
  of: number | bigint,
  per: number | bigint = 1,
): number {
  const check = (value: number | bigint, least: number, parameter: string) => {
    const number = toNumber(value);
    if (Number.isInteger(number) && number >= least) return number;
    return refuse(name, parameter, `an integer from ${least} on`, value, "number", "bigint");
  };
  const elements = Math.ceil(check(of, 0, length.of) / check(per, 1, length.per ?? "")) - (length.minus ?? 0);
  if (elements <= MOST) return elements;
  throw new RangeError(`${name}: ${length.of} asks for ${elements} elements, at most ${MOST} can be had`);
}

/**
 * Room for lists of a known length, or for more (`least`) where the driver may go beyond it; `lists` reads them once they are
 * filled, or as much of them as was.
 */
export function rooms(
  kinds: readonly ElementKind[],
  length: number | bigint,
  name: string,
  parameter: string,
  least = 0,
): { memory: HostMemory[]; lists(filled?: number | bigint): List[] } {
  const count = toNumber(length);
  if (!Number.isSafeInteger(count) || count < 0 || count > MOST) {
    refuse(name, parameter, `an integer from 0 to ${MOST}`, length, "number", "bigint");
  }
  const made = kinds.map((kind) => roomFor(kind, Math.max(count, least), asksFor(name, parameter)));
  return {
    memory: made.map(({ memory }) => memory),
    lists: (filled = count) => made.map((room) => room.take(Math.min(count, Number(filled)))),
  };
}

/** A copy of an array that stays the driver's: its address is at out slot `at`, its length at out slot `countAt`. */
export function ownedList(kind: ElementKind, at: number, countAt: number): List {
  const address = u64[at] as bigint;
  const length = address === 0n ? 0 : Number(u64[countAt]);
  const room = roomFor(kind, length);
  const { memory } = room;
  if (length > 0) native.copy(new Uint8Array(memory.buffer, memory.byteOffset, memory.byteLength), address, false);
  return room.take(length);
}

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** The text in a buffer: up to its NUL. */
export function textOf(memory: HostMemory | undefined): string {
  const buffer = memory as Uint8Array;
  const end = buffer.indexOf(0);
  return decoder.decode(end < 0 ? buffer : buffer.subarray(0, end));
}
