import { types } from "node:util";
import { fitsF32, refuse, refuseGone } from "./frame.ts";
import { ADDRESS, isI64, isU64, PLAIN_I64, PLAIN_U64, widened } from "./integers.ts";
import { type HostMemory, hostAddress, isGone, isHostMemory } from "./memory.ts";

/**
 * Arrays of numbers of one C type; of enums, which are open; of handles, and of device pointers and other opaque values, which
 * plain numbers are not; of pointers, which memory can stand for.
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
  opaque: BigUint64Array,
  pointer: BigUint64Array,
} as const;

export type NumberKind = keyof typeof ARRAYS;

export type ListElement = number | bigint | HostMemory | null;

/** What an element must be where plain numbers are none. */
const ADDRESSES = {
  handle: "a handle (a bigint) or null",
  opaque: ADDRESS,
  pointer: "an address (a bigint), memory or null",
} as const;

function isAddress(kind: NumberKind): kind is keyof typeof ADDRESSES {
  return Object.hasOwn(ADDRESSES, kind);
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
  const at = (index: number) => `${parameter}[${index}]`;
  const wrong = (index: number, wanted: string, ...ranged: string[]) =>
    refuse(name, at(index), wanted, values[index], ...ranged);
  if (isAddress(kind)) {
    return BigUint64Array.from(values, (value, index) => {
      if (isU64(value)) return value;
      if (value === null && kind !== "opaque") return 0n;
      if (kind !== "pointer" || !isHostMemory(value)) return wrong(index, ADDRESSES[kind], "bigint");
      if (isGone(value)) refuseGone(name, at(index));
      kept.push(value);
      return BigInt(hostAddress(value));
    });
  }
  if (kind === "u64" || kind === "i64") {
    const [fits, wanted] = kind === "u64" ? ([isU64, PLAIN_U64] as const) : ([isI64, PLAIN_I64] as const);
    return (ARRAYS[kind] as BigUint64ArrayConstructor).from(values, (value, index) => {
      const wide = widened(value);
      return fits(wide) ? (wide as bigint) : wrong(index, wanted, "number", "bigint");
    });
  }
  const list = (ARRAYS[kind] as Float64ArrayConstructor).from(values, (value, index) =>
    typeof value === "number" ? value : wrong(index, "a number"),
  );
  if (kind === "f64") return list;
  for (const [index, value] of list.entries()) {
    const given = values[index] as number;
    if (value === given) continue;
    if (kind === "f32") {
      if (!fitsF32(given)) wrong(index, "a number that fits f32", "number");
    } else if (kind !== "enum") {
      wrong(index, `an integer that fits ${kind}`, "number");
    } else if (value >>> 0 !== given) {
      /* 32 bits, signed or not. */
      wrong(index, "a member of the enum, or an integer of 32 bits", "number");
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
  const checked = (length: unknown): number => {
    if (typeof length !== "number" || !Number.isInteger(length) || length < 0)
      return refuse(name, field, `an array of at most ${most} elements`, source);
    if (length <= most) return length;
    throw new RangeError(`${name}: ${field} must have at most ${most} elements, not ${length}`);
  };
  checked(length);
  const type = ARRAYS[kind];
  if (kindOfArray.call(source) === type.name) {
    if (isGone(source as unknown as Uint8Array)) refuseGone(name, field);
    const copy = new (type as Uint8ArrayConstructor)(source as Uint8Array);
    checked(copy.length);
    return copy;
  }
  const elements = Array.from({ length: length as number }, (_, index) => source[index]);
  for (const [index, element] of elements.entries()) {
    if (isHostMemory(element)) refuse(name, `${field}[${index}]`, "a number, or an address as a bigint", element);
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
