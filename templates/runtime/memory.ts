import { types } from "node:util";
import { markAsUntransferable } from "node:worker_threads";
import { native } from "./native.ts";

/** Memory of JavaScript's that the driver may read and write. */
export type HostMemory = ArrayBuffer | SharedArrayBuffer | ArrayBufferView | OwnMemory;

/** An array of numbers, of any C type. */
export type TypedArray<Buffer extends ArrayBufferLike = ArrayBufferLike> =
  | Int8Array<Buffer>
  | Uint8Array<Buffer>
  | Uint8ClampedArray<Buffer>
  | Int16Array<Buffer>
  | Uint16Array<Buffer>
  | Int32Array<Buffer>
  | Uint32Array<Buffer>
  | BigInt64Array<Buffer>
  | BigUint64Array<Buffer>
  | Float32Array<Buffer>
  | Float64Array<Buffer>;

/** Also true of buffers of another realm (a vm context), whose classes are others; never of an object that only poses as one. */
export function isHostMemory(value: unknown): value is HostMemory {
  return ArrayBuffer.isView(value) || OwnMemory.is(value) || types.isAnyArrayBuffer(value);
}

/** Memory of this package's own: its address is known, and it lives for as long as the object does. */
export abstract class OwnMemory {
  readonly #piece: Piece;
  readonly #byteLength: number;
  readonly address: bigint;

  constructor(piece: Piece, byteLength: number) {
    this.#piece = piece;
    this.#byteLength = byteLength;
    this.address = BigInt(piece.address);
  }

  /** Bytes. */
  get byteLength(): number {
    return this.#byteLength;
  }

  /** @internal */
  static is(value: unknown): value is OwnMemory {
    return typeof value === "object" && value !== null && #piece in value;
  }

  /** @internal Where it lies. */
  static pieceOf(memory: OwnMemory): Piece {
    return memory.#piece;
  }

  /** @internal As byteLength, whatever the object says. */
  static lengthOf(memory: OwnMemory): number {
    return memory.#byteLength;
  }
}

/** JavaScript's own accessor: no property of an object or of a class of the program's stands in front of it. */
function accessor<Value>(prototype: object, name: string): (of: object) => Value {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  /* Engines that lack one lack what it tells of. */
  return (of) => (get === undefined ? undefined : Reflect.apply(get, of, [])) as Value;
}

const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
const lengths = {
  typed: accessor<number>(typedArray, "byteLength"),
  data: accessor<number>(DataView.prototype, "byteLength"),
  shared: accessor<number>(SharedArrayBuffer.prototype, "byteLength"),
  buffer: accessor<number>(ArrayBuffer.prototype, "byteLength"),
};
const buffers = {
  typed: accessor<ArrayBufferLike>(typedArray, "buffer"),
  data: accessor<ArrayBufferLike>(DataView.prototype, "buffer"),
};
const offsets = {
  typed: accessor<number>(typedArray, "byteOffset"),
  data: accessor<number>(DataView.prototype, "byteOffset"),
};
const resizable = accessor<boolean | undefined>(ArrayBuffer.prototype, "resizable");
const growable = accessor<boolean | undefined>(SharedArrayBuffer.prototype, "growable");

/** The buffer that memory lies in. */
export function bufferOf(memory: HostMemory): ArrayBufferLike {
  if (types.isTypedArray(memory)) return buffers.typed(memory);
  if (OwnMemory.is(memory)) return OwnMemory.pieceOf(memory).buffer;
  return types.isDataView(memory) ? buffers.data(memory) : (memory as ArrayBufferLike);
}

/** Whether a buffer may get another length, and with it another place. */
export function isResizable(buffer: ArrayBufferLike): boolean {
  return (types.isSharedArrayBuffer(buffer) ? growable(buffer) : resizable(buffer)) === true;
}

/** What is said of memory that is gone. */
export const GONE = "points to memory that was transferred to another thread, detached or cut off its buffer";

/** Any method of typed arrays that checks them first. */
const check: (this: unknown) => unknown = typedArray.keys;

/** Whether memory is gone: transferred to another thread, detached in another way, or a view that its buffer became too short for. */
export function isGone(memory: HostMemory): boolean {
  try {
    if (types.isTypedArray(memory)) Reflect.apply(check, memory, []);
    else if (types.isDataView(memory)) lengths.data(memory);
    else new Uint8Array(bufferOf(memory) as ArrayBuffer, 0, 0);
    return false;
  } catch {
    return true;
  }
}

/** Bytes of memory. A view of memory that is gone has none. */
export function byteLengthOf(memory: HostMemory): number {
  if (types.isTypedArray(memory)) return lengths.typed(memory);
  if (OwnMemory.is(memory)) return OwnMemory.lengthOf(memory);
  if (types.isDataView(memory)) {
    try {
      return lengths.data(memory);
    } catch {
      return 0;
    }
  }
  return types.isSharedArrayBuffer(memory) ? lengths.shared(memory) : lengths.buffer(memory);
}

/** Its bytes. */
export function bytesOf(memory: HostMemory): Uint8Array {
  if (types.isTypedArray(memory)) {
    return new Uint8Array(buffers.typed(memory) as ArrayBuffer, offsets.typed(memory), lengths.typed(memory));
  }
  if (OwnMemory.is(memory)) {
    const { buffer, offset } = OwnMemory.pieceOf(memory);
    return new Uint8Array(buffer, offset, OwnMemory.lengthOf(memory));
  }
  if (!types.isDataView(memory)) return isGone(memory) ? new Uint8Array() : new Uint8Array(memory as ArrayBuffer);
  const length = byteLengthOf(memory);
  return length === 0
    ? new Uint8Array()
    : new Uint8Array(buffers.data(memory) as ArrayBuffer, offsets.data(memory), length);
}

/** Where the bytes lie; 0 for memory that has none, such as memory that is gone. Valid for as long as it is referenced and not detached. */
export function hostAddress(memory: HostMemory): number | bigint {
  if (OwnMemory.is(memory)) return OwnMemory.pieceOf(memory).address;
  return native.address(types.isTypedArray(memory) ? (memory as Uint8Array) : bytesOf(memory));
}

/**
 * Where the bytes of an ArrayBuffer, a SharedArrayBuffer or a view of one lie. Valid for as long as the memory is referenced
 * and not detached.
 */
export function addressOf(memory: HostMemory): bigint {
  if (!isHostMemory(memory))
    throw new TypeError("addressOf: memory must be an ArrayBuffer, a SharedArrayBuffer or a view of one");
  if (isGone(memory)) throw new TypeError(`addressOf: memory ${GONE}`);
  return BigInt(hostAddress(memory));
}

/** A piece of zeroed memory whose address is known. */
export interface Piece {
  readonly buffer: ArrayBuffer;
  /** Over the whole buffer. */
  readonly view: DataView;
  readonly offset: number;
  readonly address: number;
}

/** Most bytes of records, or of a list, that are made room for at once. */
export const MOST_BYTES = 2 ** 31;

const SLAB = 65536;
let slab: DataView<ArrayBuffer> | null = null;
let slabAddress = 0;
let slabTop = SLAB;

/**
 * Zeroed memory for records. Small pieces are cut from one buffer, so that most cost no call; a buffer lives for as long as
 * any piece of it is referenced.
 */
export function allocate(size: number, align: number): Piece {
  const need = size + align;
  if (need > SLAB / 4) {
    const own = lasting(need);
    return place(own, native.address(new Uint8Array(own.buffer)), 0, align);
  }
  /* A class without a size is no record's, an alignment that is no number none at all. */
  if (!(need > 0 && align >= 1)) throw new TypeError("Struct is abstract: make a record of one of C's structs");
  if (slab === null || slabTop + need > SLAB) {
    slab = lasting(SLAB);
    slabAddress = native.address(new Uint8Array(slab.buffer));
    slabTop = 0;
  }
  const piece = place(slab, slabAddress, slabTop, align);
  slabTop = piece.offset + size;
  return piece;
}

/** Memory whose address is remembered must not be moved to another thread. */
function lasting(size: number): DataView<ArrayBuffer> {
  const buffer = new ArrayBuffer(size);
  markAsUntransferable(buffer);
  return new DataView(buffer);
}

function place(view: DataView<ArrayBuffer>, base: number, from: number, align: number): Piece {
  const address = Math.ceil((base + from) / align) * align;
  return { buffer: view.buffer, view, offset: address - base, address };
}
