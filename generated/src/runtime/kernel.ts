// Written by cuda-codegen 0.1.0 into every package, whatever its toolkit. Do not edit: run codegen generate.
import { types } from "node:util";
import { refuse } from "./frame.ts";
import { float, integer, wideInteger } from "./structChecks.ts";

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

function small(kind: Kind, value: number, size: number, least: number, most: number): KernelParam {
  return new KernelParam(kind, integer(value, least, most, "kernelParams", kind), size, size);
}

function wide(kind: "i64" | "u64", name: string, value: number | bigint): KernelParam {
  return new KernelParam(kind, wideInteger(value, kind === "i64", "kernelParams", name), 8, 8);
}

function floating(kind: "f32" | "f64", value: number): KernelParam {
  const bits = kind === "f32" ? 32 : 64;
  return new KernelParam(kind, float(value, bits, "kernelParams", kind), bits / 8, bits / 8);
}

/** `signed char`, `int8_t` */
export function i8(value: number): KernelParam {
  return small("i8", value, 1, -128, 127);
}

/** `unsigned char`, `uint8_t`, `bool` */
export function u8(value: number): KernelParam {
  return small("u8", value, 1, 0, 255);
}

/** `short`, `int16_t` */
export function i16(value: number): KernelParam {
  return small("i16", value, 2, -32768, 32767);
}

/** `unsigned short`, `uint16_t`; also the bits of a `half` */
export function u16(value: number): KernelParam {
  return small("u16", value, 2, 0, 65535);
}

/** `int`, `int32_t` */
export function i32(value: number): KernelParam {
  return small("i32", value, 4, -2147483648, 2147483647);
}

/** `unsigned int`, `uint32_t` */
export function u32(value: number): KernelParam {
  return small("u32", value, 4, 0, 4294967295);
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
  return floating("f32", value);
}

/** `double` */
export function f64(value: number): KernelParam {
  return floating("f64", value);
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
