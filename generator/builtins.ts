/** LP64: 64-bit Linux and macOS. LLP64: 64-bit Windows. */
export type DataModel = "lp64" | "llp64";

export interface BuiltinType {
  /** Bytes; 0: no object has this type. Alignment equals the size. */
  size: Record<DataModel, number>;
  /** null: not an integer. */
  signed: boolean | null;
  /** Why headers that use it are refused; absent: they are not. */
  unsupported?: string;
}

function fixed(bytes: number, signed: boolean | null): BuiltinType {
  return { size: { lp64: bytes, llp64: bytes }, signed };
}

const long = (signed: boolean): BuiltinType => ({ size: { lp64: 8, llp64: 4 }, signed });

/** C's own types, and those that stddef.h, stdint.h and the rest of C's headers declare, in the normalised spelling. */
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
  "long double": {
    size: { lp64: 16, llp64: 8 },
    signed: null,
    unsupported: "its size differs between platforms, and JavaScript has no such number",
  },
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
  intmax_t: fixed(8, true),
  uintmax_t: fixed(8, false),
  size_t: fixed(8, false),
  ssize_t: fixed(8, true),
  ptrdiff_t: fixed(8, true),
  intptr_t: fixed(8, true),
  uintptr_t: fixed(8, false),
  wchar_t: {
    size: { lp64: 4, llp64: 2 },
    signed: true,
    unsupported: "its size and its sign differ between platforms",
  },
};

/** What C itself calls so; undefined: C does not know the name. */
export function builtinType(name: string): BuiltinType | undefined {
  return Object.hasOwn(BUILTIN_TYPES, name) ? BUILTIN_TYPES[name] : undefined;
}
