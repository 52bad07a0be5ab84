import { types } from "node:util";
import { afterCall } from "./afterCall.ts";
import { refuse } from "./frame.ts";
import { keep } from "./handles.ts";
import { heldAddress } from "./heldMemory.ts";
import { isI64, isU64, widened } from "./integers.ts";
import { JIT_ANSWERS, kindOf, LOGS, type OptionEnum, PackedOptions, renew, TABLE_SIZE } from "./jitOptions.ts";
import type { HostAddress } from "./kinds.ts";
import { byteLengthOf, type HostMemory, isHostMemory } from "./memory.ts";
import { Struct } from "./struct.ts";

/** What a void * slot of an option array takes: an integer, a float (by its 32 bits), a flag, memory, a record, an address. */
export type OptionValue = number | bigint | boolean | HostMemory | Struct | null;

/**
 * Option values. The driver's outputs come back in them: a BigUint64Array is handed over as it is and the driver writes into
 * it; into an ordinary array the outputs are copied when the call returns. A module answers at its load, a library too unless
 * loading is lazy (then when its code is first used), a link at each cuLinkAddData and at cuLinkComplete. The slots and the
 * memory that they point to are kept alive until the module or library is unloaded or the link destroyed. So that they stay
 * where they are, their buffers cannot be transferred to another thread from then on, and buffers that can be resized are
 * refused; do not detach them by other means either, such as ArrayBuffer.prototype.transfer. They are memory of the thread that
 * made the call: before a thread ends, it must unload or destroy what it loaded with options, which else goes on with addresses
 * of memory that is no more.
 */
export type OptionValues = readonly OptionValue[] | BigUint64Array;

/** Options of one kind: their names, or (as in C) the address of an array of them. */
export type Options<Name extends number = number> = readonly Name[] | Int32Array | Uint32Array | HostAddress | null;

const HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE = 0;

/** Options of one kind as C takes them. */
interface Packed {
  readonly names: HostMemory | bigint;
  readonly slots: HostMemory | bigint;
  readonly count: number;
  /** What the slots point to. */
  readonly memory: readonly unknown[];
  /** Before the call: slots of a builder hold what was asked for, not what an earlier call answered. */
  begin(): void;
  /** After it: copies what the driver answered in slots of its own back into the caller's array. */
  answer(): void;
}

const NONE = { names: 0n, slots: 0n, memory: [], begin: () => {}, answer: () => {} } as const;

/** A number and its float bits over the same eight bytes. */
const scratch = new DataView(new ArrayBuffer(8));

/** What an option's slot holds for a value. `kind`: of the option, where it is known. */
function slotOf(value: OptionValue, kind: ReturnType<typeof kindOf>, name: string, parameter: string): bigint {
  if (value === null) return 0n;
  if (value instanceof Struct || isHostMemory(value)) {
    if (kind === "u32" || kind === "i32" || kind === "flag") refuse(name, parameter, "an integer", value);
    const bytes = value instanceof Struct ? value.$bytes.length : byteLengthOf(value);
    const address = value instanceof Struct ? value.$address : heldAddress(value, name, parameter);
    if (kind === "record" && bytes < TABLE_SIZE)
      throw new RangeError(`${name}: ${parameter} holds ${bytes} bytes, not ${TABLE_SIZE}`);
    return address;
  }
  const isPointer = kind === "log" || kind === "texts" || kind === "addresses";
  if (isPointer && typeof value !== "bigint") refuse(name, parameter, "memory, an address as a bigint, or null", value);
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (typeof value === "number" && !Number.isInteger(value)) {
    scratch.setFloat32(0, value);
    return BigInt(scratch.getUint32(0));
  }
  const wide = widened(value);
  if (isU64(wide) || isI64(wide)) return BigInt.asUintN(64, wide);
  const wanted = "an integer, a float, a boolean, memory, a record, an address as a bigint, or null";
  return refuse(name, parameter, wanted, value, "number", "bigint");
}

/** A log must have the bytes that the driver is told. */
function checkLogs(
  names: Int32Array,
  slots: BigUint64Array,
  values: readonly OptionValue[],
  name: string,
  parameter: string,
) {
  for (const [log, bytes] of LOGS) {
    const [at, told] = [names.indexOf(log), names.indexOf(bytes)];
    const memory = values[at];
    if (told < 0 || !isHostMemory(memory) || byteLengthOf(memory) >= (slots[told] ?? 0n)) continue;
    const holds = `${parameter}[${at}] holds ${byteLengthOf(memory)} bytes`;
    throw new RangeError(`${name}: ${holds}, and ${parameter}[${told}] tells the driver ${slots[told]}`);
  }
}

/** One parameter: its name, and what was passed. */
type Given<Value> = readonly [parameter: string, value: Value];

/**
 * Packs the options of one kind for a call. `kind`: C's enum that their names are of. Made options have their values with them.
 * @throws TypeError, RangeError where they are none, their numbers differ, or the count is not theirs
 */
export function packOptions(
  name: string,
  kind: OptionEnum,
  [namesParameter, givenOptions]: Given<Options | PackedOptions>,
  [valuesParameter, givenValues]: Given<OptionValues | bigint | null>,
  [countParameter, count]: Given<number | undefined>,
): Packed {
  let options = givenOptions;
  let values = givenValues;
  if (options instanceof PackedOptions) {
    if (options.$enum !== kind)
      throw new TypeError(`${name}: ${namesParameter} must be of ${kind}, not of ${options.$enum}`);
    if (values !== null)
      throw new TypeError(`${name}: ${valuesParameter} must be left out, ${namesParameter} has them`);
    ({ names: options, values } = options);
  }
  if (typeof options === "bigint" || typeof values === "bigint") {
    if (typeof options !== "bigint" || typeof values !== "bigint" || count === undefined) {
      throw new TypeError(
        `${name}: ${namesParameter} and ${valuesParameter} must both be addresses, with ${countParameter}, or neither`,
      );
    }
    return { ...NONE, names: options, slots: values, count };
  }
  const given = values ?? [];
  if (!Array.isArray(given) && !types.isBigUint64Array(given)) {
    refuse(name, valuesParameter, "an array, a BigUint64Array, null or an address", given);
  }
  if (count !== undefined && typeof count !== "number") refuse(name, countParameter, "a number, or left out", count);
  /* Copies: the caller may put something else into its arrays while the driver still has the addresses. */
  const names = copyOf(options ?? [], name, namesParameter);
  const memory: readonly OptionValue[] = Array.isArray(given) ? elementsOf(given) : [];
  const length = types.isBigUint64Array(given) ? new BigUint64Array(given).length : memory.length;
  if (names.length !== length) {
    throw new RangeError(`${name}: ${names.length} ${namesParameter}, but ${length} ${valuesParameter}`);
  }
  if (count !== undefined && count !== length) {
    throw new RangeError(`${name}: ${countParameter} is ${count}, but there are ${length} ${namesParameter}`);
  }
  if (length === 0) return { ...NONE, count: 0 };
  let slots: BigUint64Array;
  if (types.isBigUint64Array(given)) {
    heldAddress(given, name, valuesParameter);
    slots = given;
  } else {
    slots = BigUint64Array.from(memory, (value, index) =>
      slotOf(value, kindOf(kind, names[index] ?? -1), name, `${valuesParameter}[${index}]`),
    );
    if (kind === "CUjit_option") checkLogs(names, slots, memory, name, valuesParameter);
  }
  if (kind === "CUlibraryOption") {
    for (const [index, option] of names.entries()) {
      /* Real drivers crash on it. */
      if (option === HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE && slots[index] === 0n) {
        throw new TypeError(`${name}: CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE needs a table, not NULL`);
      }
    }
  }
  return {
    names,
    slots,
    count: length,
    memory,
    begin: () => renew(slots),
    answer: () => {
      if (Array.isArray(given) && kind === "CUjit_option") giveBack(names, slots, given);
    },
  };
}

/** Elements of an array, by their indices: what else the caller made of it is not asked. */
function elementsOf<Element>(array: ArrayLike<Element>): Element[] {
  return Array.from({ length: array.length }, (_, index) => array[index] as Element);
}

/** Numbers of options. */
function copyOf(options: Exclude<Options, bigint | null>, name: string, parameter: string): Int32Array {
  if (types.isInt32Array(options) || types.isUint32Array(options)) return new Int32Array(options);
  if (!Array.isArray(options)) {
    refuse(name, parameter, "an array, an Int32Array, a Uint32Array, null or an address", options);
  }
  const numbers = elementsOf<unknown>(options);
  for (const option of numbers) {
    if (typeof option !== "number" || (option | 0) !== option) {
      refuse(name, parameter, "an array of option numbers", option, "number");
    }
  }
  return Int32Array.from(numbers as number[]);
}

function giveBack(names: Int32Array, slots: BigUint64Array, values: readonly OptionValue[]): void {
  for (const [index, option] of names.entries()) {
    const low = Number(BigInt.asUintN(32, slots[index] ?? 0n));
    scratch.setUint32(0, low);
    const type = JIT_ANSWERS.get(option);
    if (type === "u32") offer(values, index, low);
    if (type === "f32") offer(values, index, scratch.getFloat32(0));
  }
}

/** An array that does not take an answer goes without. */
function offer(values: readonly OptionValue[], index: number, answer: number): void {
  try {
    Reflect.set(values, index, answer);
  } catch {}
}

/**
 * A call that takes code, options or both, made at once or on a pool thread. Counts come from the arrays, absent options are
 * NULL, and what the driver may still read or write lives until a handle is unloaded or destroyed: `owner`, or the one that is
 * returned, which keeps the code too. Eager or lazy is the driver's own choice by CUDA_MODULE_LOADING, which it reads once, when
 * it is initialised.
 */
export function loading<Outcome>(
  owner: bigint | null,
  code: HostMemory | bigint,
  options: readonly Packed[],
  call: (code: HostMemory | bigint, ...options: Packed[]) => Outcome,
): Outcome {
  const answer = () => {
    for (const each of options) each.answer();
  };
  for (const each of options) each.begin();
  return afterCall(
    () => call(code, ...options),
    (given) => {
      if (owner === null) keep(given as bigint, [code, ...options], true);
      else
        keep(
          owner,
          options.filter(({ count }) => count > 0),
          false,
        );
      answer();
    },
    answer,
  );
}
