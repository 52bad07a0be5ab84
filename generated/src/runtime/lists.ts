// Written by cuda-codegen 0.1.0 into every package, whatever its toolkit. Do not edit: run codegen generate.
import { f64, putMemory, refuse, temporaries } from "./frame.ts";
import { allocate, type HostMemory } from "./memory.ts";
import { ARRAYS, type ListElement, type NumberKind, packed } from "./pack.ts";
import { recordsOver, type StructClass } from "./struct.ts";

/** What a list holds: numbers of one C type (handles and pointers are u64), or records. */
export type ListKind = NumberKind | StructClass;

/** A list that the driver reads: an array, memory of JavaScript's, or an address. `least` as in putMemory. */
export function putList(
  slot: number,
  value: readonly ListElement[] | HostMemory | bigint,
  kind: NumberKind,
  name: string,
  parameter: string,
  least?: number | bigint,
): void {
  if (!Array.isArray(value)) {
    putMemory(slot, value as HostMemory | bigint, name, parameter, least);
    return;
  }
  const list = packed(value, kind, name, parameter, temporaries);
  temporaries.push(list);
  putMemory(slot, list, name, parameter, least);
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

function counter(bits: 32 | 64, value: number): { memory: HostMemory; read(): number } {
  const memory = bits === 64 ? BigUint64Array.of(BigInt(value)) : Uint32Array.of(value);
  return { memory, read: () => Number(memory[0]) };
}

/** Asks how many elements there are, makes room, and asks for them: what C needs two calls for. */
export function enumerate<Result>(
  kinds: readonly ListKind[],
  bits: 32 | 64,
  ask: Ask<Result>,
): [lists: unknown[][], result: Result] {
  let asked = counter(bits, 0);
  let result = ask(
    kinds.map(() => null),
    asked.memory,
  );
  let rooms: Room[] = [];
  let have = 0;
  for (let tries = 0; asked.read() > have && tries < TRIES; tries++) {
    have = asked.read();
    rooms = kinds.map((kind) => roomFor(kind, have));
    asked = counter(bits, have);
    result = ask(
      rooms.map(({ memory }) => memory),
      asked.memory,
    );
  }
  return [taken(kinds, rooms, Math.min(asked.read(), have)), result];
}

/** As `enumerate`, where each call is made on a pool thread. */
export async function enumerateAsync<Result>(
  kinds: readonly ListKind[],
  bits: 32 | 64,
  ask: Ask<Promise<Result>>,
): Promise<[lists: unknown[][], result: Result]> {
  let asked = counter(bits, 0);
  let result = await ask(
    kinds.map(() => null),
    asked.memory,
  );
  let rooms: Room[] = [];
  let have = 0;
  for (let tries = 0; asked.read() > have && tries < TRIES; tries++) {
    have = asked.read();
    rooms = kinds.map((kind) => roomFor(kind, have));
    asked = counter(bits, have);
    result = await ask(
      rooms.map(({ memory }) => memory),
      asked.memory,
    );
  }
  return [taken(kinds, rooms, Math.min(asked.read(), have)), result];
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
