import { refuse } from "./frame.ts";
import { allocate, type HostMemory, hostAddress, isHostMemory, MOST_BYTES } from "./memory.ts";
import { native } from "./native.ts";
import { ARRAYS, type ListElement, type NumberKind, packed } from "./pack.ts";
import type { Struct, StructClass } from "./struct.ts";
import { isRecordOrFields, recordsOver } from "./structMaking.ts";

/** What a pointer field points to: numbers of one C type (handles and pointers are u64), or records. */
export type ElementKind = NumberKind | StructClass;

/** A pointer field to elements that another field of the same record counts. */
interface ListField {
  /** Offset of the pointer. */
  readonly at: number;
  /** The class of a record may be defined after the one that points to it. */
  readonly of: NumberKind | (() => StructClass);
  /** Field that counts the elements. */
  readonly count: string;
}

export type ListFields = Readonly<Record<string, ListField>>;

/** What is known of that which a pointer field was set to. */
export interface Pointed {
  /** Where the field pointed then. */
  readonly address: bigint;
  /** Elements that are there; Infinity: nobody knows. */
  readonly room: number;
  /** The elements came as a list: there are as many as the count should say. */
  readonly listed: boolean;
  /** Kept alive. */
  readonly hold: unknown;
}

/** What a pointer field takes. */
export type PointerValue = bigint | HostMemory | null | Struct | object | readonly unknown[];

function sizeOf(kind: ElementKind): number {
  return typeof kind === "string" ? ARRAYS[kind].BYTES_PER_ELEMENT : kind.size;
}

/** Resolves what a pointer field is set to. `kind` null: only memory and addresses, since the driver writes there. */
export function pointed(value: PointerValue, kind: ElementKind | null, name: string, field: string): Pointed {
  if (value === null) return { address: 0n, room: Number.POSITIVE_INFINITY, listed: false, hold: null };
  if (typeof value === "bigint") {
    if (BigInt.asUintN(64, value) !== value) refuse(name, field, "a bigint from 0n to 2n**64n - 1n", value, "bigint");
    return { address: value, room: Number.POSITIVE_INFINITY, listed: false, hold: null };
  }
  if (isHostMemory(value)) {
    const room = kind === null ? Number.POSITIVE_INFINITY : Math.floor(value.byteLength / sizeOf(kind));
    return { address: BigInt(hostAddress(value)), room, listed: false, hold: value };
  }
  const memory = "null, a bigint address, an ArrayBuffer or a view";
  if (kind === null) return refuse(name, field, memory, value);
  if (typeof kind === "string") {
    if (!Array.isArray(value)) return refuse(name, field, `an array, ${memory}`, value);
    const kept: unknown[] = [];
    const list = packed(value as ListElement[], kind, name, field, kept);
    return listed(hostAddress(list), list.length, [list, kept]);
  }
  /* A record is pointed to, not copied. */
  if (value instanceof kind) return { address: value.$address, room: 1, listed: true, hold: value };
  const items: readonly unknown[] = Array.isArray(value) ? [...value] : [value];
  for (const item of items) {
    if (!isRecordOrFields(kind, item)) {
      refuse(name, field, `a ${kind.name}, its fields, an array of those, ${memory}`, item);
    }
  }
  /* Side by side, and each keeps alive what the given one does. */
  const piece = allocate(kind.size * items.length, kind.align);
  const records = recordsOver(kind, piece, items.length);
  for (const [index, record] of records.entries()) record.$assign(items[index] as object);
  return listed(piece.address, records.length, records);
}

function listed(address: number | bigint, length: number, hold: unknown): Pointed {
  return { address: length === 0 ? 0n : BigInt(address), room: length, listed: true, hold };
}

/**
 * What a count must be, given what the fields that it counts point to. `asked`: it was set to that; null: it follows the
 * lists. Where they do not agree, `wrong` says why, and `count` is what all of them hold.
 */
export function agreed(
  known: readonly { readonly field: string; readonly to: Pointed }[],
  count: string,
  asked: number | null,
): { count: number; wrong: string | null } {
  const safe = Math.min(...known.map(({ to }) => to.room));
  const [first, ...others] = known.filter(({ to }) => to.listed);
  const other = others.find(({ to }) => to.room !== first?.to.room);
  if (asked === null && first !== undefined && other !== undefined) {
    const holds = `${first.field} holds ${first.to.room} elements and ${other.field} ${other.to.room}`;
    return { count: safe, wrong: `${holds}, which ${count} counts both` };
  }
  const wanted = asked ?? first?.to.room ?? 0;
  const short = known.find(({ to }) => to.room < wanted);
  if (short === undefined) return { count: wanted, wrong: null };
  return { count: safe, wrong: `${short.field} holds ${short.to.room} elements, ${count} asks for ${wanted}` };
}

/** A copy of elements, in memory of JavaScript's. */
export interface Copy {
  readonly elements: readonly unknown[];
  readonly to: Pointed;
}

/** Copies elements that lie in host memory. null: nobody can have so many. */
export function copyList({ of }: ListField, address: bigint, length: number): Copy | null {
  const kind = typeof of === "string" ? of : of();
  const bytes = length * sizeOf(kind);
  if (!(length >= 0 && bytes <= MOST_BYTES) || BigInt.asUintN(64, address + BigInt(bytes)) < address) return null;
  if (length === 0) return { elements: [], to: listed(0n, 0, null) };
  if (typeof kind === "string") {
    const list = new ARRAYS[kind](length);
    native.copy(new Uint8Array(list.buffer), address, false);
    return { elements: Array.from<unknown>(list), to: listed(hostAddress(list), length, list) };
  }
  const piece = allocate(bytes, kind.align);
  native.copy(new Uint8Array(piece.buffer, piece.offset, bytes), address, false);
  const elements = recordsOver(kind, piece, length);
  return { elements, to: listed(piece.address, length, elements) };
}
