// Written by cuda-codegen 0.1.0 into every package, whatever its toolkit. Do not edit: run codegen generate.
import { afterCall } from "./afterCall.ts";
import { refuse } from "./frame.ts";
import { textOf } from "./lists.ts";
import type { HostMemory } from "./memory.ts";
import { native } from "./native.ts";
import type { Struct, StructClass } from "./struct.ts";
import { recordFrom } from "./structMaking.ts";

/** A C callback that may be a JavaScript function. */
export interface Hook<Callback> {
  /** The addon's number for it. */
  readonly index: number;
  /** Called during a call, on the same thread; else on a thread of the driver's, and the function runs later on this one. */
  readonly direct: boolean;
  /** Calls the function with the arguments that lie in memory, eight bytes each, copies behind them. */
  run(callback: Callback, memory: ArrayBuffer): unknown;
}

/** The text that was copied behind the arguments. */
export function textIn(memory: ArrayBuffer, offset: number): string {
  return textOf(new Uint8Array(memory, offset));
}

/** The record that was copied behind the arguments. */
export function recordIn<T extends Struct>(type: StructClass<T>, memory: ArrayBuffer, offset: number): T {
  return recordFrom(type, new Uint8Array(memory, offset, type.size));
}

/** A JavaScript function as C sees it: its code, and the data that C hands back to it. */
interface HookedFunction {
  readonly code: bigint;
  readonly data: bigint;
}

/** How often the driver calls it: once, or until it is unregistered. A function that waits for its call keeps the program alive. */
export type Life = "once" | "registered";

function queue<Callback>(hook: Hook<Callback>, callback: Callback, life: Life): HookedFunction {
  const [code, data] = native.hook(
    hook.index,
    (memory: ArrayBuffer) => void hook.run(callback, memory),
    life === "once",
  );
  return { code, data };
}

const registered = new Map<bigint, HookedFunction>();

function accept<Callback>(
  name: string,
  parameter: string,
  callback: Callback | bigint | null,
  data: unknown,
): callback is Callback {
  if (typeof callback !== "function") return false;
  if (data !== null && data !== undefined && data !== 0n) {
    refuse(name, parameter, "null where the callback is a JavaScript function", data);
  }
  return true;
}

/**
 * A call that hands a callback to the driver, made at once or on a pool thread. If the call fails, the driver has not got it.
 */
export function hooked<Callback, Outcome>(
  hook: Hook<Callback>,
  callback: Callback | bigint,
  data: HostMemory | bigint | null,
  life: Life,
  name: string,
  parameter: string,
  call: (code: bigint, data: HostMemory | bigint | null) => Outcome,
): Outcome {
  if (!accept(name, parameter, callback, data)) return call(callback as bigint, data);
  const queued = queue(hook, callback, life);
  return afterCall(
    () => call(queued.code, queued.data),
    (given) => {
      if (life === "registered" && typeof given === "bigint") registered.set(given, queued);
    },
    () => native.unhook(queued.data),
  );
}

/** After a callback was unregistered. */
export function unhooked(handle: bigint): void {
  const queued = registered.get(handle);
  if (queued === undefined) return;
  registered.delete(handle);
  native.unhook(queued.data);
}

/** A call that calls back before it returns. */
export function direct<Callback, Result>(
  hook: Hook<Callback>,
  callback: Callback | bigint | null,
  call: (code: bigint | null) => Result,
): Result {
  if (typeof callback !== "function") return call(callback as bigint | null);
  const code = native.enter(hook.index, (memory: ArrayBuffer) =>
    BigInt(hook.run(callback as Callback, memory) as number),
  );
  try {
    return call(code);
  } finally {
    native.leave();
  }
}

/** A host function for a record's `fn` and `userData`; the driver may call it any number of times until it is released. */
export interface HostFunction {
  readonly fn: bigint;
  readonly userData: bigint;
  /** The driver will not call it any more. */
  release(): void;
}

/** Makes a host function out of a JavaScript function, which runs on this thread whenever the driver has called it. */
export function hostFunctionOf(hook: Hook<() => void>, callback: () => void): HostFunction {
  if (typeof callback !== "function") refuse("hostFunction", "callback", "a function", callback);
  const { code, data } = queue(hook, callback, "registered");
  let released = false;
  return {
    fn: code,
    userData: data,
    release: () => {
      if (!released) native.unhook(data);
      released = true;
    },
  };
}
