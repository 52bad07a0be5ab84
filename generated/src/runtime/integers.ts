// Written by cuda-codegen 0.1.0 into every package, whatever its toolkit. Do not edit: run codegen generate.
/* 64-bit integers: whether C holds them, and what is said of those that it does not. */

/** Whether a value is a bigint that `uint64_t` holds, as handles and addresses are. */
export function isU64(value: unknown): value is bigint {
  return typeof value === "bigint" && BigInt.asUintN(64, value) === value;
}

/** Whether a value is a bigint that `int64_t` holds. */
export function isI64(value: unknown): value is bigint {
  return typeof value === "bigint" && BigInt.asIntN(64, value) === value;
}

/** Where a plain integer goes a number does too, as long as it is exact. */
export function widened(value: unknown): unknown {
  return typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
}

export const PLAIN_U64 = "an integer from 0 to 2**53 - 1, or a bigint up to 2n**64n - 1n";
export const PLAIN_I64 = "an integer from -(2**53 - 1) to 2**53 - 1, or a bigint that fits 64 bits with a sign";
export const ADDRESS = "a bigint from 0n to 2n**64n - 1n";
