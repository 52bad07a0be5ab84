import { types } from "node:util";
import { markAsUntransferable } from "node:worker_threads";
import { native } from "./native.ts";

/** Memory of JavaScript's that the driver may read and write. */
export type HostMemory = ArrayBuffer | SharedArrayBuffer | ArrayBufferView | OwnMemory;

/** Also true of buffers of another realm (a vm context), whose classes are others; never of an object that only poses as one. */
export function isHostMemory(value: unknown): value is HostMemory {
  return ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value) || value instanceof OwnMemory;
}

/** Memory of this package's own: its address is known, and it lives for as long as the object does. */
export abstract class OwnMemory {
  readonly #piece: Piece;
  readonly address: bigint;
  /** Bytes. */
  readonly byteLength: number;

  constructor(piece: Piece, byteLength: number) {
    this.#piece = piece;
    this.address = BigInt(piece.address);
    this.byteLength = byteLength;
  }

  /** @internal */
  get piece(): Piece {
    return this.#piece;
  }
}

/** Its bytes. */
export function bytesOf(memory: HostMemory): Uint8Array {
  if (ArrayBuffer.isView(memory)) return new Uint8Array(memory.buffer, memory.byteOffset, memory.byteLength);
  if (!(memory instanceof OwnMemory)) return new Uint8Array(memory);
  return new Uint8Array(memory.piece.buffer, memory.piece.offset, memory.byteLength);
}

/** Where the bytes lie. Valid for as long as the memory is referenced and not detached. */
export function hostAddress(memory: HostMemory): number | bigint {
  if (ArrayBuffer.isView(memory)) {
    return native.address(
      types.isDataView(memory)
        ? new Uint8Array(memory.buffer, memory.byteOffset, memory.byteLength)
        : (memory as Uint8Array),
    );
  }
  return memory instanceof OwnMemory ? memory.address : native.address(new Uint8Array(memory));
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
