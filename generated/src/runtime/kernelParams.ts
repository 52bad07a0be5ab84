// Written by cuda-codegen 0.1.0 into every package, whatever its toolkit. Do not edit: run codegen generate.
import { putAddress, refuse, temporaries } from "./frame.ts";
import { bytes, KernelParam } from "./kernel.ts";
import { putListOrNull } from "./lists.ts";
import { allocate, type HostMemory, isHostMemory, OwnMemory } from "./memory.ts";
import { littleEndian, repoint, Struct, type StructClass } from "./struct.ts";

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
  value: readonly (KernelParam | Struct)[] | readonly HostMemory[] | HostMemory | bigint | null,
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

/** The same for a field of a record. */
export function packedParams<Value>(
  value: Value | readonly (KernelParam | Struct)[],
  name: string,
  field: string,
): Value | KernelParams {
  const isTyped = (item: unknown) => item instanceof KernelParam || item instanceof Struct;
  if (!Array.isArray(value) || !value.some(isTyped)) return value as Value;
  const wrong = value.findIndex((item) => !isTyped(item));
  if (wrong < 0) return kernelParams(...(value as (KernelParam | Struct)[]));
  return refuse(name, `${field}[${wrong}]`, "a typed value or a record, as others of the array are", value[wrong]);
}

function alignUp(offset: number, align: number): number {
  return Math.ceil(offset / align) * align;
}
