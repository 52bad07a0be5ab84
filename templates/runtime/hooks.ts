import { AsyncResource } from "node:async_hooks";
import process from "node:process";
import { types } from "node:util";
import { afterCall } from "./afterCall.ts";
import { CudaSymbolError } from "./errors.ts";
import { refuse } from "./frame.ts";
import { isU64, PLAIN_U64 } from "./integers.ts";
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
  /** It is not to be called any more. */
  end(): void;
  /** The same, after the calls that the driver made before and that still wait: they are made now. */
  finish(): void;
}

/**
 * How often the driver calls it: once, when the work of a stream gets to it, which keeps the program alive until then; until it
 * is unregistered; or once, finally, when an object ends, which may be never.
 */
export type Life = "once" | "registered" | "finally";

/** Makes the calls that wait; what they throw goes to `report`. */
type CatchUp = (report: (error: unknown) => void) => void;

/** Of those that keep no program alive. */
const listening = new Set<CatchUp>();

/** Uncaught, as where the queue delivers it. */
function throwLater(error: unknown): void {
  process.nextTick(() => {
    throw error;
  });
}

function beforeExit(): void {
  for (const catchUp of listening) catchUp(throwLater);
}

/** There is no later any more. */
function atExit(): void {
  const errors: unknown[] = [];
  for (const catchUp of listening) catchUp((error) => errors.push(error));
  if (errors.length > 0) throw errors[0];
}

/** A program that only listens may end, in whatever way, but not before it has heard what was said. */
function listen(catchUp: CatchUp): void {
  if (!process.listeners("beforeExit").includes(beforeExit)) process.on("beforeExit", beforeExit);
  if (!process.listeners("exit").includes(atExit)) process.on("exit", atExit);
  listening.add(catchUp);
}

function queue<Callback>(hook: Hook<Callback>, callback: Callback, life: Life): HookedFunction {
  let ended = false;
  let running = false;
  /* In the asynchronous context of whoever handed it over. */
  const run = AsyncResource.bind((memory: ArrayBuffer) => {
    if (ended) return;
    if (life === "finally") end();
    const before = running;
    running = true;
    try {
      hook.run(callback, memory);
    } finally {
      running = before;
    }
  });
  const [code, data] = native.hook(hook.index, run, life === "once");
  const catchUp: CatchUp = (report) => {
    /* What waits now: calls that these lead to come later. */
    const waiting: ArrayBuffer[] = [];
    for (let memory = native.waiting(data); memory !== null; memory = native.waiting(data)) waiting.push(memory);
    for (const memory of waiting) {
      try {
        run(memory);
      } catch (error) {
        report(error);
      }
    }
  };
  if (life !== "once") listen(catchUp);
  const end = () => {
    if (!ended) native.unhook(data);
    ended = true;
    listening.delete(catchUp);
  };
  const finish = () => {
    /* A function that ends itself wants no more. */
    if (!ended && !running) catchUp(throwLater);
    end();
  };
  return { code, data, end, finish };
}

const registered = new Map<bigint, HookedFunction>();

/** Which parameter of which function takes a callback, and whether that may be null. */
type Taken = readonly [name: string, parameter: string, nullable: boolean];

/** Whether a callback is a JavaScript function. @throws TypeError where it is no callback at all */
function isFunction<Callback>(
  [name, parameter, nullable]: Taken,
  callback: Callback | bigint | null,
): callback is Callback {
  if (typeof callback === "function") return true;
  if (typeof callback !== "bigint" && !(nullable && callback === null)) {
    const wanted = "a function, or the address of one as a bigint";
    refuse(name, parameter, nullable ? `null, ${wanted}` : wanted, callback);
  }
  return false;
}

/**
 * A call that hands a callback to the driver, made at once or on a pool thread. If the call fails, the driver has not got it.
 * `life` is asked where the callback is a JavaScript function.
 */
export function hooked<Callback, Outcome>(
  hook: Hook<Callback>,
  taken: Taken,
  callback: Callback | bigint,
  dataParameter: string,
  data: HostMemory | bigint | null,
  life: () => Life,
  call: (code: bigint, data: HostMemory | bigint | null) => Outcome,
): Outcome {
  if (!isFunction(taken, callback)) return call(callback as bigint, data);
  if (data !== null && data !== undefined && data !== 0n) {
    refuse(taken[0], dataParameter, "null where the callback is a JavaScript function", data);
  }
  const lives = life();
  const queued = queue(hook, callback, lives);
  return afterCall(
    () => call(queued.code, queued.data),
    (given) => {
      if (lives === "registered" && typeof given === "bigint") registered.set(given, queued);
    },
    queued.end,
  );
}

/** A call that unregisters a callback, made at once or on a pool thread: the driver may give the handle out anew before it has ended. */
export function unhooking<Outcome>(handle: bigint, call: () => Outcome): Outcome {
  const queued = registered.get(handle);
  if (queued === undefined) return call();
  registered.delete(handle);
  return afterCall(call, queued.finish, () => registered.set(handle, queued));
}

/** Whether what a stream is given becomes part of a graph; `status`: asks the driver whether it captures. */
export function captures(status: () => number): boolean {
  try {
    return status() !== 0;
  } catch (error) {
    /* A driver without the question captures nothing. Else it may, and what it does not take is let go of all the same. */
    return !(error instanceof CudaSymbolError);
  }
}

/** What a callback returned to C, as an unsigned 64-bit integer. `type`: C's name for such callbacks. */
function returned(value: unknown, type: string): bigint {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return BigInt(value);
  if (isU64(value)) return value;
  const isNumber = typeof value === "number" || typeof value === "bigint";
  const given = isNumber ? value : types.isPromise(value) ? "a promise" : value === null ? "null" : typeof value;
  const message = `${type}: the function must return ${PLAIN_U64}, not ${given}`;
  throw isNumber ? new RangeError(message) : new TypeError(message);
}

/** What the innermost call in progress calls back; null where none does. */
let running: ((memory: ArrayBuffer) => bigint) | null = null;

const runIt = (memory: ArrayBuffer) => (running as (memory: ArrayBuffer) => bigint)(memory);

/**
 * A call that calls back before it returns; the function may make such calls too. `type`: C's name for the callback.
 * @throws what the function throws, and TypeError or RangeError for a result that is none, once the driver has returned
 */
export function direct<Callback, Result>(
  hook: Hook<Callback>,
  type: string,
  taken: Taken,
  callback: Callback | bigint | null,
  call: (code: bigint | null) => Result,
): Result {
  if (!isFunction(taken, callback)) return call(callback as bigint | null);
  const outer = running;
  const code = native.enter(hook.index, runIt);
  running = (memory) => returned(hook.run(callback, memory), type);
  try {
    return call(code);
  } finally {
    running = outer;
    native.leave();
  }
}

/** A host function for a record's `fn` and `userData`; the driver may call it any number of times until it is released. */
export interface HostFunction {
  readonly fn: bigint;
  readonly userData: bigint;
  /** It is not wanted any more: calls that the driver has made and that wait are made now, later ones do nothing. */
  release(): void;
}

/** Makes a host function out of a JavaScript function, which runs on this thread whenever the driver has called it. */
export function hostFunctionOf(hook: Hook<() => void>, callback: () => void): HostFunction {
  if (typeof callback !== "function") refuse("hostFunction", "callback", "a function", callback);
  const { code, data, finish } = queue(hook, callback, "registered");
  /* Not to be listed: the others are fields of the record that it is given for. */
  return Object.defineProperty({ fn: code, userData: data }, "release", { value: finish }) as HostFunction;
}
