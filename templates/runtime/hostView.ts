import { constants } from "node:buffer";
import { refuse, refuseGone } from "./frame.ts";
import { isU64 } from "./integers.ts";
import type { HostAddress } from "./kinds.ts";
import { bytesOf, type HostMemory, isGone, isHostMemory, OwnMemory } from "./memory.ts";
import { native } from "./native.ts";

function checkPlace(name: string, address: bigint, length: number | bigint): number {
  if (!isU64(address) || address === 0n) {
    refuse(name, "address", "a bigint from 1n to 2n**64n - 1n", address, "bigint");
  }
  const bytes = typeof length === "bigint" ? Number(length) : length;
  if (!Number.isInteger(bytes) || bytes < 1 || bytes > constants.MAX_LENGTH) {
    refuse(name, "length", `an integer from 1 to ${constants.MAX_LENGTH}`, length, "number", "bigint");
  }
  if (!isU64(address + BigInt(bytes))) {
    throw new RangeError(`${name}: ${bytes} bytes from ${address} on end beyond the last address`);
  }
  return bytes;
}

/** Host memory of the driver's, seen as an ArrayBuffer. It stays the driver's: neither this nor the buffer frees it. */
export class HostView {
  /** The memory itself, nothing is copied; of length 0 once it is released. */
  readonly buffer: ArrayBuffer;
  readonly address: HostAddress;

  /** @internal */
  constructor(buffer: ArrayBuffer, address: HostAddress) {
    this.buffer = buffer;
    this.address = address;
  }

  /** Takes the memory out of the buffer: the views over it become empty, so that none reads what is freed. */
  release(): void {
    native.detach(this.buffer);
  }
}

/**
 * An ArrayBuffer over host memory that the driver owns: of cuMemAllocHost, cuMemHostAlloc, or managed memory. Release it before
 * that memory is freed, and before a device may write managed memory that is not shared at the same time: reading it then
 * crashes the process. The buffer cannot be transferred to another thread; each makes its own view.
 * @param length bytes
 * @throws Error where the platform allows no such buffers (Electron): use copyFrom and copyTo there
 */
export function hostView(address: HostAddress, length: number | bigint): HostView {
  const buffer = native.view(address, checkPlace("hostView", address, length));
  if (buffer === null) {
    throw new Error(
      "hostView: this platform allows no ArrayBuffer over memory that is not JavaScript's (as Electron does not); use copyFrom(address, length) and copyTo(address, memory)",
    );
  }
  return new HostView(buffer, address);
}

/** A copy of host memory at an address. @param length bytes */
export function copyFrom(address: HostAddress, length: number | bigint): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(checkPlace("copyFrom", address, length));
  native.copy(bytes, address, false);
  return bytes;
}

/** Writes all bytes of memory of JavaScript's to host memory at an address, which must have room for them. */
export function copyTo(address: HostAddress, memory: Exclude<HostMemory, OwnMemory>): void {
  if (!isHostMemory(memory) || OwnMemory.is(memory)) {
    refuse("copyTo", "memory", "an ArrayBuffer, a SharedArrayBuffer or a view of one", memory);
  }
  if (isGone(memory)) refuseGone("copyTo", "memory");
  const bytes = bytesOf(memory);
  if (bytes.length === 0) return;
  checkPlace("copyTo", address, bytes.length);
  native.copy(bytes, address, true);
}
