import { types } from "node:util";
import { markAsUntransferable } from "node:worker_threads";
import { type HostMemory, hostAddress, OwnMemory } from "./memory.ts";

/** The language's own accessor: no class or object of the caller's can stand in front of it. */
function accessor<Value>(prototype: object, name: string): (of: object) => Value {
  const get = Object.getOwnPropertyDescriptor(prototype, name)?.get;
  /* Engines that lack one lack what it tells of. */
  return (of) => get?.call(of) as Value;
}

const bufferOfTypedArray = accessor<ArrayBufferLike>(Object.getPrototypeOf(Uint8Array.prototype), "buffer");
const bufferOfDataView = accessor<ArrayBufferLike>(DataView.prototype, "buffer");
const isResizable = accessor<boolean | undefined>(ArrayBuffer.prototype, "resizable");
const isGrowable = accessor<boolean | undefined>(SharedArrayBuffer.prototype, "growable");

/**
 * The address of memory that the driver keeps after the call: its buffer can no longer be transferred to another thread.
 * @throws TypeError for a buffer that can be resized
 */
export function heldAddress(memory: HostMemory, name: string, parameter: string): bigint {
  /* The package's own memory is held by itself. */
  if (memory instanceof OwnMemory) return memory.address;
  const buffer = types.isTypedArray(memory)
    ? bufferOfTypedArray(memory)
    : types.isDataView(memory)
      ? bufferOfDataView(memory)
      : (memory as ArrayBufferLike);
  if (types.isSharedArrayBuffer(buffer) ? isGrowable(buffer) : isResizable(buffer)) {
    throw new TypeError(
      `${name}: ${parameter} must not lie in a buffer that can be resized: the driver keeps its address`,
    );
  }
  markAsUntransferable(buffer);
  return BigInt(hostAddress(memory));
}
