import { refuse } from "./frame.ts";
import { allocate, withAddress } from "./memory.ts";
import { littleEndian, Struct, type StructClass } from "./struct.ts";

/** One argument of a kernel: a value and the C type it has there. */
export interface KernelParam {
  /** Bytes. */
  readonly size: number;
  readonly align: number;
  write(view: DataView, offset: number): void;
}

function param(size: number, write: (view: DataView, offset: number) => void, align = size): KernelParam {
  return { size, align, write };
}

function integer(name: string, value: number, least: number, most: number): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most) {
    refuse("kernelParams", name, `an integer from ${least} to ${most}`, value, "number");
  }
  return value;
}

function wide(name: string, value: number | bigint, signed: boolean): bigint {
  const given = typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof given !== "bigint" || (signed ? BigInt.asIntN(64, given) : BigInt.asUintN(64, given)) !== given) {
    refuse("kernelParams", name, `${signed ? "a signed" : "an unsigned"} 64-bit integer`, value, "number", "bigint");
  }
  return given;
}

function float(name: string, value: number): number {
  if (typeof value !== "number") refuse("kernelParams", name, "a number", value);
  return value;
}

/** `signed char`, `int8_t` */
export function i8(value: number): KernelParam {
  const given = integer("i8", value, -128, 127);
  return param(1, (view, at) => view.setInt8(at, given));
}

/** `unsigned char`, `uint8_t`, `bool` */
export function u8(value: number): KernelParam {
  const given = integer("u8", value, 0, 255);
  return param(1, (view, at) => view.setUint8(at, given));
}

/** `short`, `int16_t` */
export function i16(value: number): KernelParam {
  const given = integer("i16", value, -32768, 32767);
  return param(2, (view, at) => view.setInt16(at, given, littleEndian));
}

/** `unsigned short`, `uint16_t`; also the bits of a `half` */
export function u16(value: number): KernelParam {
  const given = integer("u16", value, 0, 65535);
  return param(2, (view, at) => view.setUint16(at, given, littleEndian));
}

/** `int`, `int32_t` */
export function i32(value: number): KernelParam {
  const given = integer("i32", value, -2147483648, 2147483647);
  return param(4, (view, at) => view.setInt32(at, given, littleEndian));
}

/** `unsigned int`, `uint32_t` */
export function u32(value: number): KernelParam {
  const given = integer("u32", value, 0, 4294967295);
  return param(4, (view, at) => view.setUint32(at, given, littleEndian));
}

/** `long long`, `int64_t` */
export function i64(value: number | bigint): KernelParam {
  const given = wide("i64", value, true);
  return param(8, (view, at) => view.setBigInt64(at, given, littleEndian));
}

/** `unsigned long long`, `uint64_t`, `size_t` */
export function u64(value: number | bigint): KernelParam {
  const given = wide("u64", value, false);
  return param(8, (view, at) => view.setBigUint64(at, given, littleEndian));
}

/** `float` */
export function f32(value: number): KernelParam {
  const given = float("f32", value);
  return param(4, (view, at) => view.setFloat32(at, given, littleEndian));
}

/** `double` */
export function f64(value: number): KernelParam {
  const given = float("f64", value);
  return param(8, (view, at) => view.setFloat64(at, given, littleEndian));
}

/** A pointer, a texture or a surface object; null for NULL. */
export function ptr(value: bigint | null): KernelParam {
  const given = value === null ? 0n : value;
  if (typeof given !== "bigint" || BigInt.asUintN(64, given) !== given) {
    refuse("kernelParams", "ptr", "null or a bigint from 0n to 2n**64n - 1n", value, "bigint");
  }
  return param(8, (view, at) => view.setBigUint64(at, given, littleEndian));
}

/** A struct by value, of `align` bytes' alignment, as its bytes. */
export function bytes(value: Uint8Array, align: number): KernelParam {
  if (!(value instanceof Uint8Array)) refuse("kernelParams", "bytes", "a Uint8Array", value);
  if (!(align > 0 && (align & (align - 1)) === 0)) refuse("kernelParams", "align", "a power of two", align, "number");
  const given = value.slice();
  return param(given.length, (view, at) => new Uint8Array(view.buffer, view.byteOffset + at).set(given), align);
}

/**
 * What cuLaunchKernel takes as `kernelParams`: an array of pointers to the values, which stand behind it in the same memory.
 * It can be used for any number of launches; the driver copies the values when it launches.
 */
export function kernelParams(...params: readonly (KernelParam | Struct)[]): BigUint64Array<ArrayBuffer> {
  const values = params.map((value) =>
    value instanceof Struct ? bytes(value.$bytes, (value.constructor as unknown as StructClass).align) : value,
  );
  let size = 8 * values.length;
  const offsets = values.map((value) => {
    const offset = Math.ceil(size / value.align) * value.align;
    size = offset + value.size;
    return offset;
  });
  const widest = Math.max(8, ...values.map(({ align }) => align));
  const memory = allocate(size, widest);
  const view = new DataView(memory.buffer, memory.offset, size);
  const pointers = new BigUint64Array(memory.buffer, memory.offset, values.length);
  for (const [index, value] of values.entries()) {
    const offset = offsets[index] as number;
    pointers[index] = BigInt(memory.address + offset);
    value.write(view, offset);
  }
  return withAddress(pointers, memory);
}
