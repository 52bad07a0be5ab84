import type { IntegerType } from "./evaluate.ts";

/** LP64: 64-bit Linux and macOS. LLP64: 64-bit Windows. */
export type DataModel = "lp64" | "llp64";

export interface BuiltinType {
  /** Bytes; 0: no object has this type. Alignment equals the size. */
  size: Record<DataModel, number>;
  /** null: not an integer. */
  signed: boolean | null;
}

function fixed(bytes: number, signed: boolean | null): BuiltinType {
  return { size: { lp64: bytes, llp64: bytes }, signed };
}

const long = (signed: boolean): BuiltinType => ({ size: { lp64: 8, llp64: 4 }, signed });

/** C's own types and those of stddef.h and stdint.h, in the normalised spelling. What is missing here (`long double`) is refused. */
export const BUILTIN_TYPES: Readonly<Record<string, BuiltinType>> = {
  void: fixed(0, null),
  char: fixed(1, true),
  "signed char": fixed(1, true),
  "unsigned char": fixed(1, false),
  short: fixed(2, true),
  "unsigned short": fixed(2, false),
  int: fixed(4, true),
  "unsigned int": fixed(4, false),
  long: long(true),
  "unsigned long": long(false),
  "long long": fixed(8, true),
  "unsigned long long": fixed(8, false),
  float: fixed(4, null),
  double: fixed(8, null),
  _Bool: fixed(1, false),
  bool: fixed(1, false),
  int8_t: fixed(1, true),
  uint8_t: fixed(1, false),
  int16_t: fixed(2, true),
  uint16_t: fixed(2, false),
  int32_t: fixed(4, true),
  uint32_t: fixed(4, false),
  int64_t: fixed(8, true),
  uint64_t: fixed(8, false),
  size_t: fixed(8, false),
  ptrdiff_t: fixed(8, true),
  intptr_t: fixed(8, true),
  uintptr_t: fixed(8, false),
};

/** The integer type of that name on LP64, or null. */
export function builtinInteger(name: string): IntegerType | null {
  const builtin = Object.hasOwn(BUILTIN_TYPES, name) ? BUILTIN_TYPES[name] : undefined;
  if (builtin === undefined || builtin.signed === null) return null;
  return { name, bits: builtin.size.lp64 * 8, signed: builtin.signed };
}
