import { refuse } from "./frame.ts";
import { type HostMemory, hostAddress, isHostMemory } from "./memory.ts";

/** Arrays of numbers of one C type; handles and pointers are u64. */
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
} as const;

export type NumberKind = keyof typeof ARRAYS;

export type ListElement = number | bigint | HostMemory | null;

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
  if (kind === "u64") return BigUint64Array.from(values, wide(false));
  if (kind === "i64") return BigInt64Array.from(values, wide(true));
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
