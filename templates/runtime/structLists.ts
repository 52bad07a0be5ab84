import { refuse, refuseGone } from "./frame.ts";
import { ADDRESS, isU64 } from "./integers.ts";
import {
  allocate,
  byteLengthOf,
  type HostMemory,
  hostAddress,
  isGone,
  isHostMemory,
  MOST_BYTES,
  OwnMemory,
  type TypedArray,
} from "./memory.ts";
import { native } from "./native.ts";
import { ARRAYS, checkElements, type ListElement, type NumberKind, packed } from "./pack.ts";
import type { Struct, StructClass } from "./struct.ts";
import { isRecordOrFields, recordsOver } from "./structMaking.ts";

/** What a list holds: numbers, handles or pointers of one C type, or records. */
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
  /** Kept alive: the program's memory, records, or a list made of an array. null: the address is all that is known. */
  readonly hold: HostMemory | Struct | readonly Struct[] | PackedList | null;
  /** Bytes of one element of the program's memory; 0: nobody knows. */
  readonly element: number;
}

/** A list that was made of an array. */
class PackedList {
  readonly list: TypedArray;
  /** Its elements that are memory, by index. */
  readonly pointers = new Map<number, Pointed>();

  constructor(list: TypedArray) {
    this.list = list;
  }
}

/** What a pointer field takes. */
export type PointerValue = bigint | HostMemory | null | Struct | object | readonly unknown[];

/** Bytes of one element. */
export function sizeOf(kind: ElementKind): number {
  return typeof kind === "string" ? ARRAYS[kind].BYTES_PER_ELEMENT : kind.size;
}

function unknown(address: bigint): Pointed {
  return { address, room: Number.POSITIVE_INFINITY, listed: false, hold: null, element: 0 };
}

/** Where memory of the program's lies, and how many bytes it has; null: it is detached. */
function whereabouts(memory: HostMemory): { address: bigint; bytes: number } | null {
  if (isGone(memory)) return null;
  try {
    return { address: BigInt(hostAddress(memory)), bytes: byteLengthOf(memory) };
  } catch {
    /* A DataView over what is no longer a part of its buffer. */
    return { address: 0n, bytes: 0 };
  }
}

function inMemory(memory: HostMemory, element: number, name: string, field: string): Pointed {
  const there = whereabouts(memory) ?? refuseGone(name, field);
  return { address: there.address, room: roomIn(there.bytes, element), listed: false, hold: memory, element };
}

/** Of nothing nobody needs to know the size. */
function roomIn(bytes: number, element: number): number {
  if (element > 0) return Math.floor(bytes / element);
  return bytes === 0 ? 0 : Number.POSITIVE_INFINITY;
}

/** What a pointer was set to, as it is now: memory of the program's may move, grow, shrink or be detached (null). */
export function current(to: Pointed): Pointed | null {
  const { hold } = to;
  if (!isHostMemory(hold) || hold instanceof OwnMemory) return to;
  const there = whereabouts(hold);
  if (there === null) return null;
  const room = roomIn(there.bytes, to.element);
  return there.address === to.address && room === to.room ? to : { ...to, address: there.address, room };
}

/** As `current`; the memory that a list points to is followed too. @throws TypeError where any is detached */
export function followed(to: Pointed, name: string, field: string): Pointed {
  if (to.hold instanceof PackedList) {
    const { list, pointers } = to.hold;
    for (const [index, element] of pointers) {
      const now = followed(element, name, `${field}[${index}]`);
      if (now === element) continue;
      if (now.room === 0)
        throw new RangeError(`${name}: ${field}[${index}] points to memory that has shrunk to nothing`);
      (list as BigUint64Array)[index] = now.address;
      pointers.set(index, now);
    }
  }
  return current(to) ?? refuseGone(name, field);
}

/** Resolves what a pointer field is set to. `kind` null: only memory and addresses, since the driver writes there. */
export function pointed(value: PointerValue, kind: ElementKind | null, name: string, field: string): Pointed {
  if (value === null) return unknown(0n);
  if (typeof value === "bigint") {
    if (!isU64(value)) refuse(name, field, ADDRESS, value, "bigint");
    return unknown(value);
  }
  if (isHostMemory(value)) {
    if (typeof kind === "string") checkElements(value, kind, name, field);
    return inMemory(value, kind === null ? 0 : sizeOf(kind), name, field);
  }
  const memory = "null, a bigint address, an ArrayBuffer or a view";
  if (kind === null) return refuse(name, field, memory, value);
  if (typeof kind === "string") {
    if (!Array.isArray(value)) return refuse(name, field, `an array, ${memory}`, value);
    const values: ListElement[] = [...value];
    const pointers = values.flatMap((element, index): [number, Pointed][] =>
      isHostMemory(element) ? [[index, inMemory(element, 0, name, `${field}[${index}]`)]] : [],
    );
    const list = new PackedList(packed(values, kind, name, field, []));
    for (const [index, to] of pointers) list.pointers.set(index, to);
    return listed(hostAddress(list.list), list.list.length, list);
  }
  /* A record is pointed to, not copied. */
  if (value instanceof kind) return listed(value.$address, 1, value);
  const items: readonly unknown[] = Array.isArray(value) ? [...value] : [value];
  for (const item of items) {
    if (!isRecordOrFields(kind, item)) {
      refuse(name, field, `a ${kind.name}, its fields, an array of those, ${memory}`, item);
    }
  }
  /* Side by side, and each keeps alive what the given one does. */
  const piece = allocate(kind.size * items.length, kind.align);
  const records = recordsOver(kind, piece, items.length, items as object[]);
  return listed(piece.address, records.length, records);
}

function listed(address: number | bigint, length: number, hold: Pointed["hold"]): Pointed {
  return { address: length === 0 ? 0n : BigInt(address), room: length, listed: true, hold, element: 0 };
}

/**
 * What a count must be, given what the fields that it counts point to. `asked`: it was set to that; null: it follows the
 * lists. Where they do not agree, `wrong` says why, and `count` is what all of them hold.
 */
function agreed(
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

/**
 * After fields of a record were set: counts follow lists.
 * @param pointed what the pointer at an offset was set to, if it still is
 * @returns why lists and count disagree, after setting the count to what all lists hold; null: they agree
 */
export function countLists(
  record: Struct,
  fields: ListFields,
  set: ReadonlySet<string>,
  pointed: (at: number) => Pointed | null,
): string | null {
  const counts = record as unknown as Record<string, number | bigint>;
  const lists = Object.entries(fields);
  let wrong: string | null = null;
  for (const count of new Set(lists.map(([, list]) => list.count))) {
    const counted = lists.filter(([, list]) => list.count === count);
    if (!set.has(count) && !counted.some(([field]) => set.has(field))) continue;
    const known = counted.flatMap(([field, list]) => {
      const to = pointed(list.at);
      return to === null ? [] : [{ field, to: current(to) ?? { ...to, room: 0 } }];
    });
    const now = Number(counts[count]);
    const follows = !set.has(count) && known.some(({ field, to }) => to.listed && set.has(field));
    const result = agreed(known, count, follows ? null : now);
    if (result.count !== now) counts[count] = result.count;
    wrong ??= result.wrong;
  }
  return wrong;
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
  if (!(length >= 0 && bytes <= MOST_BYTES) || !isU64(address + BigInt(bytes))) return null;
  if (length === 0) return { elements: [], to: listed(0n, 0, null) };
  if (typeof kind === "string") {
    const list = new ARRAYS[kind](length);
    native.copy(new Uint8Array(list.buffer), address, false);
    return { elements: Array.from<unknown>(list), to: listed(hostAddress(list), length, new PackedList(list)) };
  }
  const piece = allocate(bytes, kind.align);
  native.copy(new Uint8Array(piece.buffer, piece.offset, bytes), address, false);
  const elements = recordsOver(kind, piece, length);
  return { elements, to: listed(piece.address, length, elements) };
}
