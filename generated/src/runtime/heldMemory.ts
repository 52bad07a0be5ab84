// Written by cuda-codegen 0.1.0 into every package, whatever its toolkit. Do not edit: run codegen generate.
import { markAsUntransferable } from "node:worker_threads";
import { refuseGone } from "./frame.ts";
import { bufferOf, type HostMemory, hostAddress, isGone, isResizable, OwnMemory } from "./memory.ts";

/**
 * The address of memory that the driver keeps after the call: its buffer can no longer be transferred to another thread.
 * @throws TypeError for a buffer that can be resized
 */
export function heldAddress(memory: HostMemory, name: string, parameter: string): bigint {
  /* The package's own memory is held by itself. */
  if (!OwnMemory.is(memory)) {
    if (isGone(memory)) refuseGone(name, parameter);
    const buffer = bufferOf(memory);
    if (isResizable(buffer)) {
      throw new TypeError(
        `${name}: ${parameter} must not lie in a buffer that can be resized: the driver keeps its address`,
      );
    }
    markAsUntransferable(buffer);
  }
  return BigInt(hostAddress(memory));
}
