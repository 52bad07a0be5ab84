import type { AttributeKind, AttributeTable } from "./attributes.ts";
import { checkText, refuse } from "./frame.ts";
import { textOf } from "./lists.ts";
import { addressOf, type HostMemory, isHostMemory } from "./memory.ts";
import { littleEndian } from "./struct.ts";
import { recordFrom } from "./structMaking.ts";

/** Values of attributes in memory of their own: where their size is told, or there are several. */

/** Largest size that a program may ask for, and room for an attribute that no header names where it may not. */
const MOST = 2 ** 31 - 1;
const UNKNOWN = 4096;
/** Bytes that no value of one attribute goes beyond, known here or not: those of a fabric handle. */
const WIDEST = 64;
/** Bytes that a driver may write beyond the end of a text. */
const BEYOND = 8;

/** Room for one value. */
interface AttributeRoom {
  readonly memory: Uint8Array;
  readonly size: number;
  /** The value; `written`: how many bytes the driver says that it has. */
  read(written?: number | bigint): unknown;
}

/** Bytes of a value in C. */
function sizeOf(kind: AttributeKind): number {
  if (typeof kind === "function") return kind.size;
  if (typeof kind === "object") return "text" in kind ? kind.text : 4 * kind.list;
  return kind === "bool" ? 1 : kind === "i32" || kind === "u32" ? 4 : 8;
}

function valueIn(kind: AttributeKind | undefined, memory: Uint8Array): unknown {
  if (kind === undefined) return memory;
  if (typeof kind === "function") return recordFrom(kind, memory.subarray(0, kind.size));
  const view = new DataView(memory.buffer, memory.byteOffset, memory.byteLength);
  if (typeof kind === "object") {
    if ("text" in kind) return textOf(memory);
    const list = Array.from({ length: Math.floor(memory.length / 4) }, (_, at) => view.getInt32(4 * at, littleEndian));
    const end = list.indexOf(kind.filler);
    return end < 0 ? list : list.slice(0, end);
  }
  switch (kind) {
    case "bool":
      return memory[0] !== 0;
    case "i32":
      return view.getInt32(0, littleEndian);
    case "u32":
      return view.getUint32(0, littleEndian);
    default:
      return view.getBigUint64(0, littleEndian);
  }
}

/** @throws TypeError for what is no number: looking it up could run code of its own */
function kindOf(table: AttributeTable, attribute: number, name: string, parameter: string): AttributeKind | undefined {
  if (typeof attribute !== "number") refuse(name, parameter, "a member of the enum, or an integer", attribute);
  return table[attribute];
}

/** Room for a value of a kind, or of as many bytes. */
function roomFor(kind: AttributeKind | undefined, asked: number): AttributeRoom {
  /* A driver that writes more than it was told still writes into this. */
  const memory = new Uint8Array(Math.max(asked, kind === undefined ? 0 : sizeOf(kind), WIDEST) + BEYOND);
  const isCut = kind === undefined || typeof kind === "object";
  return {
    memory,
    size: asked,
    read: (written = asked) => valueIn(kind, isCut ? memory.subarray(0, Number(written)) : memory),
  };
}

/**
 * Room for the value of an attribute. `size`: bytes that the program asks for, as `parameter` (null: it cannot); undefined: those
 * of the attribute's type.
 * @throws TypeError where neither says it
 */
export function attributeRoom(
  table: AttributeTable,
  attribute: number,
  size: number | bigint | undefined,
  name: string,
  attributeParameter: string,
  parameter: string | null,
): AttributeRoom {
  const kind = kindOf(table, attribute, name, attributeParameter);
  const natural = kind === undefined ? undefined : sizeOf(kind);
  if (parameter === null) return roomFor(kind, natural ?? UNKNOWN);
  const asked = typeof size === "bigint" ? Number(size) : size === undefined ? natural : size;
  if (asked === undefined) {
    throw new TypeError(
      `${name}: ${parameter} must be given for ${String(attribute)}, which is no attribute known here`,
    );
  }
  if (!Number.isInteger(asked) || asked < 0 || asked > MOST) {
    refuse(name, parameter, `an integer from 0 to ${MOST}`, size, "number", "bigint");
  }
  return roomFor(kind, asked);
}

/** The value of an attribute as C has it; of one that no header names, memory. */
export function attributeBytes(
  table: AttributeTable,
  attribute: number,
  value: unknown,
  name: string,
  attributeParameter: string,
  parameter: string,
): HostMemory {
  const kind = kindOf(table, attribute, name, attributeParameter);
  if (kind === undefined) {
    return isHostMemory(value)
      ? value
      : refuse(name, parameter, "memory, since the attribute is not known here", value);
  }
  const memory = new Uint8Array(sizeOf(kind));
  const view = new DataView(memory.buffer);
  if (kind === "bool") {
    if (typeof value !== "boolean") refuse(name, parameter, "a boolean", value);
    memory[0] = Number(value);
    return memory;
  }
  if (typeof kind === "object" && "text" in kind) {
    checkText(value as string, name, parameter);
    const text = new TextEncoder().encode(`${value}\0`);
    if (text.length <= kind.text) return text;
    throw new RangeError(
      `${name}: ${parameter} has ${text.length - 1} bytes in UTF-8, at most ${kind.text - 1} are allowed`,
    );
  }
  if (kind === "i32" || kind === "u32") {
    const given = typeof value === "boolean" ? Number(value) : value;
    const fits = typeof given === "number" && (kind === "i32" ? given | 0 : given >>> 0) === given;
    if (!fits) refuse(name, parameter, `an integer that fits ${kind}`, value, "number");
    view.setUint32(0, given, littleEndian);
    return memory;
  }
  throw new Error(`${name}: the generator knows no way to set ${attributeParameter} ${attribute}`);
}

/** Rooms for the values of several attributes, and what C takes for them. */
interface AttributeRooms {
  /** The attributes as they were when the rooms were made. */
  readonly attributes: readonly number[];
  readonly count: number;
  readonly pointers: BigUint64Array;
  readonly sizes: BigUint64Array;
  read(): unknown[];
}

/** As attributeRoom for each of a list. */
export function attributeRooms(
  table: AttributeTable,
  attributes: readonly number[],
  sizes: readonly (number | bigint | undefined)[] | null | undefined,
  name: string,
  parameter: string,
  sizesParameter: string | null,
): AttributeRooms {
  if (!Array.isArray(attributes)) refuse(name, parameter, "an array of attributes", attributes);
  const asked: readonly number[] = Array.from(attributes);
  const isTold = sizesParameter !== null && sizes !== null && sizes !== undefined;
  if (isTold && !Array.isArray(sizes)) refuse(name, sizesParameter, "an array of sizes, or null", sizes);
  const told = isTold ? Array.from(sizes) : [];
  if (isTold && told.length !== asked.length) {
    throw new RangeError(`${name}: ${asked.length} attributes, but ${told.length} sizes`);
  }
  const rooms = asked.map((attribute, at) => {
    if (sizesParameter !== null) return attributeRoom(table, attribute, told[at], name, parameter, sizesParameter);
    const kind = kindOf(table, attribute, name, parameter) ?? "u64";
    return roomFor(kind, sizeOf(kind));
  });
  return {
    attributes: asked,
    count: rooms.length,
    pointers: BigUint64Array.from(rooms, ({ memory }) => addressOf(memory)),
    sizes: BigUint64Array.from(rooms, ({ size }) => BigInt(size)),
    read: () => rooms.map((room) => room.read()),
  };
}
