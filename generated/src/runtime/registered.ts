// Written by cuda-codegen 0.1.0 into every package, whatever its toolkit. Do not edit: run codegen generate.
import { afterCall } from "./afterCall.ts";
import { heldAddress } from "./heldMemory.ts";
import { type HostMemory, hostAddress, isHostMemory } from "./memory.ts";

/** Memory of JavaScript's that the driver uses until it is told to stop, by its address: it must not be collected before. */
const registered = new Map<bigint, HostMemory>();

/**
 * A call after which the driver uses memory, made at once or on a pool thread. Memory of JavaScript's is kept alive from then on,
 * and its buffer cannot be transferred to another thread any more.
 * @throws TypeError for a buffer that can be resized
 */
export function registering<Outcome>(
  name: string,
  parameter: string,
  memory: HostMemory | bigint,
  call: () => Outcome,
): Outcome {
  /* Not memory at all: the call refuses it. */
  if (!isHostMemory(memory)) return call();
  const address = heldAddress(memory, name, parameter);
  return afterCall(call, () => registered.set(address, memory));
}

/** The call that ends it. It refuses by itself what is no memory, or gone. */
export function unregistering<Outcome>(memory: HostMemory | bigint, call: () => Outcome): Outcome {
  const address = isHostMemory(memory) ? BigInt(hostAddress(memory)) : memory;
  return afterCall(call, () => registered.delete(address));
}
