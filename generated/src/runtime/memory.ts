// Written by cuda-codegen 0.1.0 into every package, whatever its toolkit. Do not edit: run codegen generate.
import { types } from "node:util";
import { markAsUntransferable } from "node:worker_threads";
import { native } from "./native.ts";

/** Memory of JavaScript's that the driver may read and write. */
export type HostMemory = ArrayBuffer | SharedArrayBuffer | ArrayBufferView | OwnMemory;

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

/** What JavaScript itself knows of memory: a property of the object's own would run, or lie. */
function intrinsic<Value>(of: object, property: string): (memory: object) => Value {
  const get = Object.getOwnPropertyDescriptor(of, property)?.get as () => Value;
  return (memory) => Reflect.apply(get, memory, []);
}

const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
const lengths = {
  typed: intrinsic<number>(typedArray, "byteLength"),
  data: intrinsic<number>(DataView.prototype, "byteLength"),
  shared: intrinsic<number>(SharedArrayBuffer.prototype, "byteLength"),
  buffer: intrinsic<number>(ArrayBuffer.prototype, "byteLength"),
};
const buffers = {
  typed: intrinsic<ArrayBuffer>(typedArray, "buffer"),
  data: intrinsic<ArrayBuffer>(DataView.prototype, "buffer"),
};
const offsets = {
  typed: intrinsic<number>(typedArray, "byteOffset"),
  data: intrinsic<number>(DataView.prototype, "byteOffset"),
};

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
    return new Uint8Array(buffers.typed(memory), offsets.typed(memory), lengths.typed(memory));
  }
  if (OwnMemory.is(memory)) {
    const { buffer, offset } = OwnMemory.pieceOf(memory);
    return new Uint8Array(buffer, offset, OwnMemory.lengthOf(memory));
  }
  if (!types.isDataView(memory)) return new Uint8Array(memory as ArrayBuffer);
  const length = byteLengthOf(memory);
  return length === 0 ? new Uint8Array() : new Uint8Array(buffers.data(memory), offsets.data(memory), length);
}

/** Where the bytes lie. Valid for as long as the memory is referenced and not detached. */
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
