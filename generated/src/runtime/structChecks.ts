// Written by cuda-codegen 0.1.0 into every package, whatever its toolkit. Do not edit: run codegen generate.
import { checkText, refuse } from "./frame.ts";

/* What fields of records, and options, are checked for; `name` and `field` are named in what is thrown. */

/** A 64-bit integer. @throws TypeError, RangeError */
export function wideInteger(value: number | bigint, signed: boolean, name: string, field: string): bigint {
  const wide = typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof wide === "bigint" && (signed ? BigInt.asIntN(64, wide) : BigInt.asUintN(64, wide)) === wide) return wide;
  const wanted = signed ? "an integer from -2**63 to 2**63 - 1" : "an integer from 0 to 18446744073709551615";
  return refuse(name, field, wanted, value, "number", "bigint");
}

/** An integer of at most 32 bits. @throws TypeError, RangeError */
export function integer(value: unknown, least: number, most: number, name: string, field: string): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most) {
    refuse(name, field, `an integer from ${least} to ${most}`, value, "number");
  }
  return value;
}

/** A floating-point number. @throws TypeError */
export function float(value: number, name: string, field: string): number {
  if (typeof value !== "number") refuse(name, field, "a number", value);
  return value;
}

/** A handle; null is none. @throws TypeError, RangeError */
export function handle(value: bigint | null, name: string, field: string): bigint {
  if (value !== null && (typeof value !== "bigint" || BigInt.asUintN(64, value) !== value)) {
    refuse(name, field, "null or a bigint from 0n to 2n**64n - 1n", value, "bigint");
  }
  return value ?? 0n;
}

/** Text as C has it. @throws TypeError where C cannot */
export function cString(value: string, name: string, field: string): Uint8Array {
  checkText(value, name, field);
  return new TextEncoder().encode(`${value}\0`);
}
