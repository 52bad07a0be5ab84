// Written by cuda-codegen 0.1.0 into every package, whatever its toolkit. Do not edit: run codegen generate.
import type { Piece } from "./memory.ts";
import type { Struct, StructClass } from "./struct.ts";

export const littleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** A piece of memory that a record lies over: its own, or a part of another record's. */
interface Place {
  readonly buffer: ArrayBuffer;
  readonly offset: number;
  readonly address: number;
  /** null: the record itself. */
  readonly owner: Struct | null;
}

let placeForNext: Place | null = null;
let classForNext: unknown = null;

/** Where the record of this class that is being made is to lie; null: in memory of its own. */
export function takePlace(type: unknown): Place | null {
  /* A program's own class may make other records before this one. */
  if (type !== classForNext) return null;
  const place = placeForNext;
  placeForNext = null;
  classForNext = null;
  return place;
}

/** A record over memory that is there already. */
export function recordOver<T extends Struct>(type: StructClass<T>, place: Place, init?: object): T {
  placeForNext = place;
  classForNext = type;
  try {
    return new type(init);
  } finally {
    classForNext = null;
  }
}

/** Records that lie side by side in one piece of memory; `fields`: what each is set to. */
export function recordsOver<T extends Struct>(
  type: StructClass<T>,
  piece: Piece,
  length: number,
  fields: readonly object[] = [],
): T[] {
  return Array.from({ length }, (_, index) => {
    const offset = index * type.size;
    const place = { buffer: piece.buffer, offset: piece.offset + offset, address: piece.address + offset, owner: null };
    return recordOver(type, place, fields[index]);
  });
}

/** A record with a copy of these bytes. */
export function recordFrom<T extends Struct>(type: StructClass<T>, bytes: Uint8Array): T {
  const record = new type();
  record.$bytes.set(bytes);
  return record;
}

/** Whether fields can come in it: an object as a literal makes it, of any realm. No record is one. */
export function isPlain(value: unknown): value is object {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** Whether it is a record of this class, or can be its fields. */
export function isRecordOrFields(type: StructClass, value: unknown): value is object {
  return value instanceof type || isPlain(value);
}
