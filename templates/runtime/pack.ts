import { types } from "node:util";
import { refuse, refuseDetached } from "./frame.ts";
import { type HostMemory, hostAddress, isDetached, isHostMemory } from "./memory.ts";

/**
 * Arrays of numbers of one C type; of enums, which are open; of handles, which plain numbers are not; of pointers, which memory
 * can stand for.
 */
export const ARRAYS = {
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
  enum: Int32Array,
  handle: BigUint64Array,
  pointer: BigUint64Array,
} as const;

export type NumberKind = keyof typeof ARRAYS;

export type ListElement = number | bigint | HostMemory | null;

/** One element of a list of handles or pointers. */
function address(value: ListElement, kind: "handle" | "pointer", name: string, parameter: string, kept: unknown[]) {
  if (value === null || typeof value === "bigint" || (kind === "pointer" && isHostMemory(value))) {
    return wideElement(value, false, name, parameter, kept);
  }
  const wanted = kind === "handle" ? "handles (bigints) or null" : "addresses (bigints), memory or null";
  return refuse(name, parameter, `an array of ${wanted}`, value);
}

/** One element of a list of 64-bit integers, handles or pointers. */
function wideElement(value: ListElement, signed: boolean, name: string, parameter: string, kept: unknown[]): bigint {
  if (value === null) return 0n;
  if (typeof value === "number" && Number.isSafeInteger(value))
    return wideElement(BigInt(value), signed, name, parameter, kept);
  if (typeof value === "bigint" && (signed ? BigInt.asIntN(64, value) : BigInt.asUintN(64, value)) === value)
    return value;
  if (isHostMemory(value)) {
    kept.push(value);
    return BigInt(hostAddress(value));
  }
  return refuse(name, parameter, "an array of 64-bit integers, handles or addresses", value, "number", "bigint");
}

/**
 * An array of JavaScript's: its elements as C has them. What does not fit is refused, not cut. Memory whose address is an
 * element is pushed on `kept`.
 */
export function packed(
  values: readonly ListElement[],
  kind: NumberKind,
  name: string,
  parameter: string,
  kept: unknown[],
) {
  const wide = (signed: boolean) => (value: ListElement) => wideElement(value, signed, name, parameter, kept);
  if (kind === "handle" || kind === "pointer") {
    return BigUint64Array.from(values, (value) => address(value, kind, name, parameter, kept));
  }
  if (kind === "u64") return BigUint64Array.from(values, wide(false));
  if (kind === "i64") return BigInt64Array.from(values, wide(true));
  const whole = !kind.startsWith("f");
  const list = (ARRAYS[kind] as Float64ArrayConstructor).from(values, (value) => {
    if (typeof value !== "number") refuse(name, parameter, "an array of numbers", value);
    return value;
  });
  for (const [index, value] of list.entries()) {
    if (!whole || value === values[index]) continue;
    if (kind !== "enum") refuse(name, parameter, `an array of integers that fit ${kind}`, values[index], "number");
    /* 32 bits, signed or not. */
    if (value >>> 0 !== values[index]) {
      refuse(name, parameter, "an array of members of the enum, or of integers of 32 bits", values[index], "number");
    }
  }
  return list;
}

const kindOfArray = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Int8Array.prototype), Symbol.toStringTag)
  ?.get as (this: unknown) => string | undefined;

/**
 * A copy of what a fixed array in a record is set to: a typed array of its own kind as it is, else element by element, as
 * `packed` checks them. Nothing is pointed to.
 * @throws TypeError, RangeError naming `name` and `field` where there are more than `most` elements, or one does not fit
 */
export function packedArray(source: ArrayLike<unknown>, kind: NumberKind, most: number, name: string, field: string) {
  const length: unknown = source !== null && typeof source === "object" ? source.length : undefined;
  const tooLong = (...types: string[]) => refuse(name, field, `an array of at most ${most} elements`, source, ...types);
  if (typeof length !== "number" || !Number.isInteger(length) || length < 0) return tooLong();
  if (length > most) return tooLong("object");
  const type = ARRAYS[kind];
  if (kindOfArray.call(source) === type.name) {
    if (isDetached(source as unknown as Uint8Array)) refuseDetached(name, field);
    const copy = new (type as Uint8ArrayConstructor)(source as Uint8Array);
    return copy.length > most ? tooLong("object") : copy;
  }
  const elements = Array.from({ length }, (_, index) => source[index]);
  for (const element of elements) {
    if (isHostMemory(element) || (element === null && kind !== "handle" && kind !== "pointer")) {
      refuse(name, field, "an array of numbers", element);
    }
  }
  return packed(elements as ListElement[], kind, name, field, []);
}

/** Memory given for a list holds bytes, or elements as wide as the list's. @throws TypeError where it does not */
export function checkElements(memory: HostMemory, kind: NumberKind, name: string, parameter: string): void {
  if (!ArrayBuffer.isView(memory) || types.isDataView(memory)) return;
  const width = (memory as Uint8Array).BYTES_PER_ELEMENT;
  const wanted = ARRAYS[kind].BYTES_PER_ELEMENT;
  const isFloat = types.isFloat32Array(memory) || types.isFloat64Array(memory);
  if (width === 1 || (width === wanted && isFloat === kind.startsWith("f"))) return;
  throw new TypeError(`${name}: ${parameter} must hold elements of ${8 * wanted} bits (${kind}), or bytes`);
}
