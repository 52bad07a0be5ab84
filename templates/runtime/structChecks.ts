import { checkText, fitsF32, refuse } from "./frame.ts";
import { ADDRESS, isI64, isU64, PLAIN_I64, PLAIN_U64, widened } from "./integers.ts";

/* What fields of records, options and arguments of kernels are checked for; `name` and `field` are named in what is thrown. */

/** A 64-bit integer. @throws TypeError, RangeError */
export function wideInteger(value: number | bigint, signed: boolean, name: string, field: string): bigint {
  const wide = widened(value);
  if (signed ? isI64(wide) : isU64(wide)) return wide as bigint;
  return refuse(name, field, signed ? PLAIN_I64 : PLAIN_U64, value, "number", "bigint");
}

/** An integer of at most 32 bits. @throws TypeError, RangeError */
export function integer(value: unknown, least: number, most: number, name: string, field: string): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most) {
    refuse(name, field, `an integer from ${least} to ${most}`, value, "number");
  }
  return value;
}

/** A floating-point number. @throws TypeError */
export function float(value: number, bits: 32 | 64, name: string, field: string): number {
  if (typeof value !== "number") refuse(name, field, "a number", value);
  if (bits === 32 && !fitsF32(value)) refuse(name, field, "a number that fits f32", value, "number");
  return value;
}

/** A handle; null is none. @throws TypeError, RangeError */
export function handle(value: bigint | null, name: string, field: string): bigint {
  if (value !== null && !isU64(value)) {
    refuse(name, field, `null or ${ADDRESS}`, value, "bigint");
  }
  return value ?? 0n;
}

/** Text as C has it. @throws TypeError where C cannot */
export function cString(value: string, name: string, field: string): Uint8Array {
  checkText(value, name, field);
  return new TextEncoder().encode(`${value}\0`);
}

/** The same in UTF-16. */
export function wideString(value: string, name: string, field: string): Uint16Array {
  checkText(value, name, field);
  const units = new Uint16Array(value.length + 1);
  for (let at = 0; at < value.length; at++) units[at] = value.charCodeAt(at);
  return units;
}
