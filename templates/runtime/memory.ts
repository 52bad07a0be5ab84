import { types } from "node:util";
import { markAsUntransferable } from "node:worker_threads";
import { native } from "./native.ts";

/** Memory of JavaScript's that the driver may read and write. */
export type HostMemory = ArrayBuffer | SharedArrayBuffer | ArrayBufferView;

/** Also true of buffers of another realm (a vm context), whose classes are others; never of an object that only poses as one. */
export function isHostMemory(value: unknown): value is HostMemory {
  return ArrayBuffer.isView(value) || types.isAnyArrayBuffer(value);
}

/** Address of memory that this module allocated, on the view that stands for it. */
const ADDRESS = Symbol("address");

/** Where the bytes lie. Valid for as long as the memory is referenced and not detached. */
export function hostAddress(memory: HostMemory): number | bigint {
  const known = (memory as { [ADDRESS]?: bigint })[ADDRESS];
  if (known !== undefined) return known;
  if (ArrayBuffer.isView(memory)) {
    return native.address(
      types.isDataView(memory)
        ? new Uint8Array(memory.buffer, memory.byteOffset, memory.byteLength)
        : (memory as Uint8Array),
    );
  }
  return native.address(new Uint8Array(memory));
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
  readonly offset: number;
  readonly address: number;
}

const SLAB = 65536;
let slab: ArrayBuffer | null = null;
let slabAddress = 0;
let slabTop = SLAB;

/**
 * Zeroed memory for records. Small pieces are cut from one buffer, so that most cost no call; a buffer lives for as long as
 * any piece of it is referenced.
 */
export function allocate(size: number, align: number): Piece {
  const need = size + align;
  if (need > SLAB / 4) {
    const buffer = lasting(need);
    return place(buffer, native.address(new Uint8Array(buffer)), 0, align);
  }
  if (slab === null || slabTop + need > SLAB) {
    slab = lasting(SLAB);
    slabAddress = native.address(new Uint8Array(slab));
    slabTop = 0;
  }
  const piece = place(slab, slabAddress, slabTop, align);
  slabTop = piece.offset + size;
  return piece;
}

/** Memory whose address is remembered must not be moved to another thread. */
function lasting(size: number): ArrayBuffer {
  const buffer = new ArrayBuffer(size);
  markAsUntransferable(buffer);
  return buffer;
}

/** Marks a view over a whole piece with its address, which then costs no call to find. */
export function withAddress<View extends ArrayBufferView>(view: View, { address }: Piece): View {
  Object.defineProperty(view, ADDRESS, { value: BigInt(address) });
  return view;
}

function place(buffer: ArrayBuffer, base: number, from: number, align: number): Piece {
  const address = Math.ceil((base + from) / align) * align;
  return { buffer, offset: address - base, address };
}
