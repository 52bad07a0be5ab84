import { types } from "node:util";
import { fitsF32, refuse } from "./frame.ts";
import { isI64, isU64, PLAIN_I64, PLAIN_U64, widened } from "./integers.ts";

type Kind = "i8" | "u8" | "i16" | "u16" | "i32" | "u32" | "i64" | "u64" | "f32" | "f64" | "bytes";

/** One argument of a kernel: a value and the C type it has there. Made by `kernel.i32` and its fellows. */
export class KernelParam {
  /** Bytes. */
  readonly size: number;
  readonly align: number;
  /** @internal */
  readonly kind: Kind;
  /** @internal */
  readonly value: number | bigint | Uint8Array;

  constructor(kind: Kind, value: number | bigint | Uint8Array, size: number, align: number) {
    this.kind = kind;
    this.value = value;
    this.size = size;
    this.align = align;
  }
}

function integer(kind: Kind, value: number, size: number, least: number, most: number): KernelParam {
  if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most) {
    refuse("kernelParams", kind, `an integer from ${least} to ${most}`, value, "number");
  }
  return new KernelParam(kind, value, size, size);
}

function wide(kind: "i64" | "u64", name: string, value: number | bigint): KernelParam {
  const given = widened(value);
  if (kind === "i64" ? isI64(given) : isU64(given)) return new KernelParam(kind, given as bigint, 8, 8);
  return refuse("kernelParams", name, kind === "i64" ? PLAIN_I64 : PLAIN_U64, value, "number", "bigint");
}

function float(kind: "f32" | "f64", value: number): KernelParam {
  if (typeof value !== "number") refuse("kernelParams", kind, "a number", value);
  if (kind === "f32" && !fitsF32(value)) refuse("kernelParams", kind, "a number that fits f32", value, "number");
  const size = kind === "f32" ? 4 : 8;
  return new KernelParam(kind, value, size, size);
}

/** `signed char`, `int8_t` */
export function i8(value: number): KernelParam {
  return integer("i8", value, 1, -128, 127);
}

/** `unsigned char`, `uint8_t`, `bool` */
export function u8(value: number): KernelParam {
  return integer("u8", value, 1, 0, 255);
}

/** `short`, `int16_t` */
export function i16(value: number): KernelParam {
  return integer("i16", value, 2, -32768, 32767);
}

/** `unsigned short`, `uint16_t`; also the bits of a `half` */
export function u16(value: number): KernelParam {
  return integer("u16", value, 2, 0, 65535);
}

/** `int`, `int32_t` */
export function i32(value: number): KernelParam {
  return integer("i32", value, 4, -2147483648, 2147483647);
}

/** `unsigned int`, `uint32_t` */
export function u32(value: number): KernelParam {
  return integer("u32", value, 4, 0, 4294967295);
}

/** `long long`, `int64_t` */
export function i64(value: number | bigint): KernelParam {
  return wide("i64", "i64", value);
}

/** `unsigned long long`, `uint64_t`, `size_t` */
export function u64(value: number | bigint): KernelParam {
  return wide("u64", "u64", value);
}

/** `float` */
export function f32(value: number): KernelParam {
  return float("f32", value);
}

/** `double` */
export function f64(value: number): KernelParam {
  return float("f64", value);
}

/** A pointer, a texture or a surface object; null for NULL. */
export function ptr(value: bigint | null): KernelParam {
  if (value !== null && typeof value !== "bigint") refuse("kernelParams", "ptr", "null or a bigint", value);
  return wide("u64", "ptr", value ?? 0n);
}

/** Bytes; a kernel's parameters are 4 KiB, and on newer devices 32 KiB - 4, in all. */
const MOST_ALIGNED = 4096;

/** A struct by value, of `align` bytes' alignment (a power of two up to 4096), as its bytes. */
export function bytes(value: Uint8Array, align: number): KernelParam {
  if (!types.isUint8Array(value)) refuse("kernelParams", "bytes", "a Uint8Array", value);
  if (!Number.isInteger(align) || align < 1 || align > MOST_ALIGNED || (align & (align - 1)) !== 0) {
    refuse("kernelParams", "align", `a power of two up to ${MOST_ALIGNED}`, align, "number");
  }
  /* A Buffer's own slice() is no copy. */
  return new KernelParam("bytes", new Uint8Array(value), value.length, align);
}
