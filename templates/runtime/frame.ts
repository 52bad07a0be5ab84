import { types } from "node:util";
import { TEXT_SLOT } from "./frameLayout.ts";
import { ADDRESS, isI64, isU64, PLAIN_I64, PLAIN_U64, widened } from "./integers.ts";
import { byteLengthOf, GONE, type HostMemory, hostAddress, isGone, isHostMemory } from "./memory.ts";
import { native } from "./native.ts";

/**
 * The frame that calls travel through, laid out as frameLayout.ts says. A pointer slot below the frame's size is an offset into
 * the frame. Everything here writes one parameter and checks it first: what C cannot hold never reaches the driver.
 */
export const i32 = new Int32Array(native.frame);
export const u32 = new Uint32Array(native.frame);
export const u64 = new BigUint64Array(native.frame);
export const i64 = new BigInt64Array(native.frame);
export const f32 = new Float32Array(native.frame);
export const f64 = new Float64Array(native.frame);
export const bytes = new Uint8Array(native.frame);

/** First byte of short strings. */
const TEXT = 8 * TEXT_SLOT;

/**
 * What the call in preparation owns beside its arguments: long strings, records made from literals. Elements and fields of
 * arguments are read before the first of them is written, since getters may make calls of their own, which use the frame too.
 */
export const temporaries: unknown[] = [];

/** Hands the temporaries over to the call that needs them; undefined, at no cost, where there are none. */
export function owned(): unknown[] | undefined {
  return temporaries.length === 0 ? undefined : temporaries.splice(0);
}

const TWO_32 = 4294967296;

/** For a message: runs no code of the value's own. */
function show(value: unknown): string {
  switch (typeof value) {
    case "string":
      return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}...` : value);
    case "bigint":
      return `${value}n`;
    case "function":
      return "a function";
    case "object":
      return value === null ? "null" : nameOf(value);
    default:
      return String(value);
  }
}

/** The class of an object, where finding it runs no getter and no proxy. */
function nameOf(value: object): string {
  if (types.isProxy(value)) return "a proxy";
  if (Array.isArray(value)) return "an array";
  const prototype = Object.getPrototypeOf(value);
  if (prototype === null || types.isProxy(prototype)) return "an object";
  const made = Object.getOwnPropertyDescriptor(prototype, "constructor")?.value;
  const name = typeof made === "function" ? Object.getOwnPropertyDescriptor(made, "name")?.value : undefined;
  return typeof name === "string" && name !== "" ? name : "an object";
}

/** A RangeError where a value of the right type is out of bounds, a TypeError for any other. */
export function refuse(name: string, parameter: string, wanted: string, value: unknown, ...types: string[]): never {
  const message = `${name}: ${parameter} must be ${wanted}, not ${show(value)}`;
  throw types.includes(typeof value) ? new RangeError(message) : new TypeError(message);
}

/**
 * An out value: the driver writes it at slot `at`, which is zero until it does. (+0 as a double is 64 zero bits, written at once.)
 */
export function putOut(slot: number, at: number): void {
  f64[at] = 0;
  u32[2 * slot] = 8 * at;
}

/** A pointer to a value at slot `at`, where the value is written next; NULL, and false, for null. */
export function putPointer(slot: number, at: number, value: unknown): boolean {
  if (value === null) {
    f64[slot] = 0;
    return false;
  }
  f64[at] = 0;
  putAddress(slot, 8 * at);
  return true;
}

export function putI8(slot: number, value: number, name: string, parameter: string): void {
  if (typeof value !== "number" || (value << 24) >> 24 !== value) {
    refuse(name, parameter, "an integer from -128 to 127", value, "number");
  }
  i32[2 * slot] = value;
}

export function putU8(slot: number, value: number, name: string, parameter: string): void {
  if (typeof value !== "number" || (value & 0xff) !== value) {
    refuse(name, parameter, "an integer from 0 to 255", value, "number");
  }
  u32[2 * slot] = value;
}

export function putI16(slot: number, value: number, name: string, parameter: string): void {
  if (typeof value !== "number" || (value << 16) >> 16 !== value) {
    refuse(name, parameter, "an integer from -32768 to 32767", value, "number");
  }
  i32[2 * slot] = value;
}

export function putU16(slot: number, value: number, name: string, parameter: string): void {
  if (typeof value !== "number" || (value & 0xffff) !== value) {
    refuse(name, parameter, "an integer from 0 to 65535", value, "number");
  }
  u32[2 * slot] = value;
}

export function putI32(slot: number, value: number, name: string, parameter: string): void {
  if (typeof value !== "number" || (value | 0) !== value) {
    refuse(name, parameter, "an integer from -2147483648 to 2147483647", value, "number");
  }
  i32[2 * slot] = value;
}

export function putU32(slot: number, value: number, name: string, parameter: string): void {
  if (typeof value !== "number" || value >>> 0 !== value) {
    refuse(name, parameter, "an integer from 0 to 4294967295", value, "number");
  }
  u32[2 * slot] = value;
}

/** Enums are open: whatever 32 bits hold, signed or not. */
export function putEnum(slot: number, value: number, name: string, parameter: string): void {
  if (typeof value !== "number" || ((value | 0) !== value && value >>> 0 !== value)) {
    refuse(name, parameter, "a member of the enum, or an integer from -2147483648 to 4294967295", value, "number");
  }
  i32[2 * slot] = value;
}

/** A `float` is no narrower than a finite number may be. */
export function fitsF32(value: number): boolean {
  return Number.isFinite(Math.fround(value)) || !Number.isFinite(value);
}

export function putF32(slot: number, value: number, name: string, parameter: string): void {
  if (typeof value !== "number") refuse(name, parameter, "a number", value);
  if (!fitsF32(value)) refuse(name, parameter, "a number that fits f32", value, "number");
  f32[2 * slot] = value;
}

export function putF64(slot: number, value: number, name: string, parameter: string): void {
  if (typeof value !== "number") refuse(name, parameter, "a number", value);
  f64[slot] = value;
}

/** A plain unsigned 64-bit integer: a bigint, or a number that is a safe integer. */
export function putU64(slot: number, value: number | bigint, name: string, parameter: string): void {
  if (typeof value === "number") {
    if (!(value >= 0 && value <= Number.MAX_SAFE_INTEGER && Math.floor(value) === value))
      refuse(name, parameter, PLAIN_U64, value, "number");
    u32[2 * slot] = value;
    u32[2 * slot + 1] = value / TWO_32;
  } else {
    if (!isU64(value)) refuse(name, parameter, PLAIN_U64, value, "bigint");
    u64[slot] = value;
  }
}

/** A plain signed 64-bit integer: a bigint, or a number that is a safe integer. */
export function putI64(slot: number, value: number | bigint, name: string, parameter: string): void {
  const wide = widened(value);
  if (!isI64(wide)) refuse(name, parameter, PLAIN_I64, value, "number", "bigint");
  i64[slot] = wide;
}

/** A handle, a device pointer, an address: a bigint. */
export function putHandle(slot: number, value: bigint, name: string, parameter: string): void {
  if (!isU64(value)) refuse(name, parameter, ADDRESS, value, "bigint");
  u64[slot] = value;
}

/** The address of a C function. Where a JavaScript function can stand for it, that has become one. */
export function putCallback(slot: number, value: bigint, name: string, parameter: string): void {
  if (typeof value === "function") {
    const reason = "it is called on another thread, which waits for it: no JavaScript function can run there";
    throw new TypeError(
      `${name}: ${parameter} must be the address of a C function as a bigint, not a function: ${reason}`,
    );
  }
  putHandle(slot, value, name, parameter);
}

/** As putCallback; null is NULL. */
export function putCallbackOrNull(slot: number, value: bigint | null, name: string, parameter: string): void {
  if (value === null) f64[slot] = 0;
  else putCallback(slot, value, name, parameter);
}

/** As putHandle; null is NULL. */
export function putHandleOrNull(slot: number, value: bigint | null, name: string, parameter: string): void {
  if (value === null) {
    f64[slot] = 0;
  } else {
    if (!isU64(value)) refuse(name, parameter, `null or ${ADDRESS}`, value, "bigint");
    u64[slot] = value;
  }
}

/** An address: as a bigint where it is known so, else as a number. */
export function putAddress(slot: number, address: number | bigint): void {
  if (typeof address === "bigint") {
    u64[slot] = address;
  } else {
    u32[2 * slot] = address;
    u32[2 * slot + 1] = address / TWO_32;
  }
}

export function refuseGone(name: string, parameter: string): never {
  throw new TypeError(`${name}: ${parameter} ${GONE}`);
}

export const WANTED_MEMORY = "a bigint address, an ArrayBuffer, a SharedArrayBuffer or a view of one";

/**
 * A pointer to host memory: an address, or memory of JavaScript's. `least`: how many bytes the driver will touch, where
 * another parameter says it; undefined where none does.
 */
export function putMemory(
  slot: number,
  value: bigint | HostMemory,
  name: string,
  parameter: string,
  least?: number | bigint,
): void {
  if (typeof value === "bigint") {
    putHandle(slot, value, name, parameter);
  } else if (isHostMemory(value)) {
    const bytes = byteLengthOf(value);
    if (bytes === 0 && isGone(value)) refuseGone(name, parameter);
    if (least !== undefined && bytes < least) {
      throw new RangeError(`${name}: ${parameter} holds ${bytes} bytes, ${least} are asked for`);
    }
    putAddress(slot, hostAddress(value));
  } else {
    refuse(name, parameter, WANTED_MEMORY, value);
  }
}

/** As putMemory; null is NULL. */
export function putMemoryOrNull(
  slot: number,
  value: bigint | HostMemory | null,
  name: string,
  parameter: string,
  least?: number | bigint,
): void {
  if (value === null) f64[slot] = 0;
  else putMemory(slot, value, name, parameter, least);
}

const encoder = new TextEncoder();
let textTop = TEXT;

/** Called once before what a call owns is written: nothing is left of a call that was refused. */
export function startOwning(): void {
  textTop = TEXT;
  if (temporaries.length !== 0) temporaries.length = 0;
}

/** Longest string that is written character by character: most names are short, and that is quicker than an encoder. */
const SHORT = 64;

/** Writes a short string of ASCII characters at the top of the text; false if it is none. */
function putAscii(value: string): boolean {
  if (value.length > SHORT || textTop + SHORT >= bytes.length) return false;
  for (let index = 0; index < value.length; index++) {
    const code = value.charCodeAt(index);
    if (code === 0 || code > 0x7f) return false;
    bytes[textTop + index] = code;
  }
  bytes[textTop + value.length] = 0;
  return true;
}

/** What C can hold as a NUL-terminated UTF-8 string. */
export function checkText(value: string, name: string, parameter: string): void {
  if (typeof value !== "string") refuse(name, parameter, "a string", value);
  if (value.includes("\0")) throw new TypeError(`${name}: ${parameter} must not contain a NUL character`);
  if (!isWellFormed(value)) {
    throw new TypeError(`${name}: ${parameter} contains a lone surrogate, which UTF-8 cannot hold`);
  }
}

/** A string as NUL-terminated UTF-8: in the frame where it fits, in a buffer of its own where it does not. */
export function putString(slot: number, value: string, name: string, parameter: string): void {
  if (typeof value === "string" && putAscii(value)) {
    putAddress(slot, textTop);
    textTop += value.length + 1;
    return;
  }
  checkText(value, name, parameter);
  const room = bytes.length - 1 - textTop;
  if (value.length * 3 <= room) {
    const end = textTop + encoder.encodeInto(value, bytes.subarray(textTop, textTop + room)).written;
    bytes[end] = 0;
    putAddress(slot, textTop);
    textTop = end + 1;
  } else {
    const own = encoder.encode(`${value}\0`);
    temporaries.push(own);
    putAddress(slot, native.address(own));
  }
}

/** As putString; null is NULL. */
export function putStringOrNull(slot: number, value: string | null, name: string, parameter: string): void {
  if (value === null) f64[slot] = 0;
  else putString(slot, value, name, parameter);
}

function isWellFormed(value: string): boolean {
  return (value as string & { isWellFormed(): boolean }).isWellFormed();
}

/** The C string that out slot `at` points to; null for NULL. */
export function getString(at: number): string | null {
  const address = u64[at] as bigint;
  return address === 0n ? null : native.string(address);
}
