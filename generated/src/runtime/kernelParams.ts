// Written by cuda-codegen 0.1.0 into every package, whatever its toolkit. Do not edit: run codegen generate.
import { types } from "node:util";
import { putAddress, refuse, temporaries } from "./frame.ts";
import { putListOrNull } from "./lists.ts";
import { allocate, type HostMemory, isHostMemory, OwnMemory } from "./memory.ts";
import { littleEndian, repoint, Struct, type StructClass } from "./struct.ts";

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
  const given = typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
  if (typeof given !== "bigint" || (kind === "i64" ? BigInt.asIntN(64, given) : BigInt.asUintN(64, given)) !== given) {
    refuse(
      "kernelParams",
      name,
      `${kind === "i64" ? "a signed" : "an unsigned"} 64-bit integer`,
      value,
      "number",
      "bigint",
    );
  }
  return new KernelParam(kind, given, 8, 8);
}

function float(kind: "f32" | "f64", value: number): KernelParam {
  if (typeof value !== "number") refuse("kernelParams", kind, "a number", value);
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

/** Arguments of a launch, packed: the array of pointers that C takes, and the values behind it. */
export class KernelParams extends OwnMemory {}

const TWO_32 = 4294967296;

function write(view: DataView, at: number, { kind, value }: KernelParam): void {
  switch (kind) {
    case "i8":
      view.setInt8(at, value as number);
      break;
    case "u8":
      view.setUint8(at, value as number);
      break;
    case "i16":
      view.setInt16(at, value as number, littleEndian);
      break;
    case "u16":
      view.setUint16(at, value as number, littleEndian);
      break;
    case "i32":
      view.setInt32(at, value as number, littleEndian);
      break;
    case "u32":
      view.setUint32(at, value as number, littleEndian);
      break;
    case "i64":
      view.setBigInt64(at, value as bigint, littleEndian);
      break;
    case "u64":
      view.setBigUint64(at, value as bigint, littleEndian);
      break;
    case "f32":
      view.setFloat32(at, value as number, littleEndian);
      break;
    case "f64":
      view.setFloat64(at, value as number, littleEndian);
      break;
    case "bytes":
      new Uint8Array(view.buffer, at).set(value as Uint8Array);
  }
}

function writeAddress(view: DataView, at: number, address: number): void {
  view.setUint32(littleEndian ? at : at + 4, address % TWO_32, littleEndian);
  view.setUint32(littleEndian ? at + 4 : at, address / TWO_32, littleEndian);
}

function paramOf(value: KernelParam | Struct): KernelParam {
  if (value instanceof KernelParam) return value;
  if (!(value instanceof Struct))
    return refuse("kernelParams", "every argument", "a typed value such as kernel.i32(1), or a record", value);
  repoint(value);
  return bytes(value.$bytes, (value.constructor as unknown as StructClass).align);
}

/**
 * What cuLaunchKernel takes as `kernelParams`. It can be used for any number of launches; the driver copies the values when it
 * launches.
 */
export function kernelParams(...params: readonly (KernelParam | Struct)[]): KernelParams {
  const { length } = params;
  const values: KernelParam[] = [];
  let size = 8 * length;
  let widest = 8;
  for (const param of params) {
    const value = paramOf(param);
    values.push(value);
    size = alignUp(size, value.align) + value.size;
    if (value.align > widest) widest = value.align;
  }
  const memory = allocate(size, widest);
  let offset = 8 * length;
  for (let index = 0; index < length; index++) {
    const value = values[index] as KernelParam;
    offset = alignUp(offset, value.align);
    writeAddress(memory.view, memory.offset + 8 * index, memory.address + offset);
    write(memory.view, memory.offset + offset, value);
    offset += value.size;
  }
  return new KernelParams(memory, size);
}

const WANTED =
  "kernelParams(kernel.i32(1), ...), an array of such values or of memory that holds one each, or an address";

/**
 * What is passed as a kernel's arguments: what `kernelParams` made; typed values and records, which are packed for this call;
 * memory that holds one value each; or C's array of pointers to the values.
 */
export function putKernelParams(
  slot: number,
  value: readonly (KernelParam | Struct | HostMemory)[] | HostMemory | bigint | null,
  name: string,
  parameter: string,
): void {
  /* What was packed before, the quickest. */
  if (OwnMemory.is(value)) {
    putAddress(slot, OwnMemory.pieceOf(value).address);
    return;
  }
  if (!Array.isArray(value)) {
    if (value !== null && typeof value !== "bigint" && !isHostMemory(value)) refuse(name, parameter, WANTED, value);
    putListOrNull(slot, value as HostMemory | bigint | null, "pointer", name, parameter);
    return;
  }
  if (value.every(isHostMemory)) {
    putListOrNull(slot, value, "pointer", name, parameter);
    return;
  }
  const wrong = value.findIndex((each) => !(each instanceof KernelParam || each instanceof Struct));
  if (wrong >= 0) refuse(name, parameter, WANTED, value[wrong]);
  const packed = kernelParams(...value);
  temporaries.push(packed);
  putAddress(slot, OwnMemory.pieceOf(packed).address);
}

function alignUp(offset: number, align: number): number {
  return Math.ceil(offset / align) * align;
}
