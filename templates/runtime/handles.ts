import { afterCall } from "./afterCall.ts";
import { CudaError } from "./errors.ts";
import { f64, putHandle } from "./frame.ts";
import { isU64 } from "./integers.ts";
import { native } from "./native.ts";

/**
 * Handles that are gone: destroyed, unloaded or unregistered. Real drivers crash when that is done to one again, and on libraries
 * and link states that are used afterwards: so the process remembers them, over all its threads. The driver may give the same
 * value out again.
 */

/** The CUresult of that name: such numbers are C's, and never change. */
const INVALID_HANDLE = 400;

function refuseGone(name: string, parameter: string): never {
  const reason = `${parameter} was destroyed, unloaded or unregistered before`;
  throw new CudaError(name, INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", reason);
}

/** As putHandle, for a handle that may be gone. @throws CudaError CUDA_ERROR_INVALID_HANDLE where it is */
export function putLiveHandle(slot: number, value: bigint, name: string, parameter: string): void {
  putHandle(slot, value, name, parameter);
  if (native.gone(value)) refuseGone(name, parameter);
}

/** As putLiveHandle; null is NULL. */
export function putLiveHandleOrNull(slot: number, value: bigint | null, name: string, parameter: string): void {
  if (value === null) f64[slot] = 0;
  else putLiveHandle(slot, value, name, parameter);
}

/** A handle that the driver has just made: one that is gone, or about to be, may have had the same value. */
export function born<Handle extends bigint>(handle: Handle): Handle {
  native.restore(handle, true);
  return handle;
}

/** A handle that the driver has looked up: it is alive, unless a call that destroys it is in flight. */
export function found<Handle extends bigint>(handle: Handle): Handle {
  native.restore(handle, false);
  return handle;
}

/** What the driver still has of the memory that came with a handle. */
const keptBy = new Map<bigint, unknown[]>();

/** Keeps memory alive until a handle is unloaded or destroyed. `isNew`: what an old one of the same value kept is forgotten. */
export function keep(handle: bigint, memory: readonly unknown[], isNew: boolean): void {
  const kept = isNew ? undefined : keptBy.get(handle);
  if (kept === undefined) keptBy.set(handle, [...memory]);
  else kept.push(...memory);
}

/**
 * A call that destroys, unloads or unregisters a handle, made at once or on a pool thread: one such call is let through in the
 * process. From then on the value may belong to a new handle: what this one kept goes along with the call. A look-up that finds
 * the handle before the call has ended does not bring it back.
 * @throws CudaError CUDA_ERROR_INVALID_HANDLE where it is gone already
 */
export function givingBack<Outcome>(
  name: string,
  parameter: string,
  handle: bigint | null,
  call: () => Outcome,
): Outcome {
  /* Not a handle at all: the call refuses it. */
  if (!isU64(handle)) return call();
  if (!native.claim(handle)) refuseGone(name, parameter);
  const kept = keptBy.get(handle);
  keptBy.delete(handle);
  return afterCall(
    call,
    () => native.ended(handle),
    () => {
      native.restore(handle, true);
      if (kept !== undefined) keptBy.set(handle, kept);
    },
  );
}
