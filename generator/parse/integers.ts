/** An integer type as C's arithmetic sees it, on LP64. */
export interface IntegerType {
  name: string;
  bits: number;
  signed: boolean;
}

export const INT: IntegerType = { name: "int", bits: 32, signed: true };
export const UNSIGNED: IntegerType = { name: "unsigned int", bits: 32, signed: false };
export const LONG: IntegerType = { name: "long", bits: 64, signed: true };
export const UNSIGNED_LONG: IntegerType = { name: "unsigned long", bits: 64, signed: false };

/**
 * The types that arithmetic works in, in the order in which C tries them on a literal. The first is the type of truths, and
 * what narrower types are promoted to; the last takes every literal.
 */
export type Arithmetic = readonly [IntegerType, ...IntegerType[], IntegerType];

/** Of expressions that a compiler sees. */
export const COMPILED: Arithmetic = [INT, UNSIGNED, LONG, UNSIGNED_LONG];

/** Of `#if`, which knows only the widest types. */
export const PREPROCESSED: Arithmetic = [
  { name: "intmax_t", bits: 64, signed: true },
  { name: "uintmax_t", bits: 64, signed: false },
];

/** `value` as the type holds it: wrapped around. */
export function wrap(value: bigint, type: IntegerType): bigint {
  return type.signed ? BigInt.asIntN(type.bits, value) : BigInt.asUintN(type.bits, value);
}

/** Whether the type holds it as it is. */
export function fits(value: bigint, type: IntegerType): boolean {
  return wrap(value, type) === value;
}
