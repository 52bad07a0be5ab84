// Written by cuda-codegen 0.1.0 into every package, whatever its toolkit. Do not edit: run codegen generate.
import { types } from "node:util";
import { afterCall } from "./afterCall.ts";
import { refuse } from "./frame.ts";
import { keep } from "./handles.ts";
import { type HostMemory, hostAddress, isHostMemory } from "./memory.ts";

/** What a void * slot of an option array takes: an integer, a float (by its 32 bits), a flag, memory, or an address. */
export type OptionValue = number | bigint | boolean | HostMemory | null;

/**
 * Option values. The driver's outputs come back in them: a BigUint64Array is handed over as it is and the driver writes into
 * it; into an ordinary array the outputs are copied when the call returns. A module answers at its load, a library too unless
 * loading is lazy (then when its code is first used), a link at each cuLinkAddData and at cuLinkComplete. The slots and the
 * memory that they point to are kept alive until the module or library is unloaded or the link destroyed.
 */
export type OptionValues = OptionValue[] | BigUint64Array;

/** Options of one kind: their names, or (as in C) the address of an array of them. */
export type Options = readonly number[] | Int32Array | Uint32Array | bigint | null;

const JIT_WALL_TIME = 2;
/** JIT options that the driver answers with an unsigned int: threads per block, and the sizes of the two logs. */
const JIT_COUNTS = new Set([1, 4, 6]);
const HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE = 0;

/** Options of one kind as C takes them. */
interface Packed {
  readonly names: HostMemory | bigint;
  readonly slots: HostMemory | bigint;
  readonly count: number;
  /** What the slots point to. */
  readonly memory: readonly unknown[];
  /** Copies what the driver answered in slots of its own back into the caller's array. */
  answer(): void;
}

const NONE = { names: 0n, slots: 0n, memory: [], answer: () => {} } as const;

/** A number and its float bits over the same eight bytes. */
const scratch = new DataView(new ArrayBuffer(8));

function slotOf(value: OptionValue, name: string, parameter: string): bigint {
  if (value === null) return 0n;
  if (typeof value === "boolean") return value ? 1n : 0n;
  if (typeof value === "bigint") {
    if (BigInt.asUintN(64, value) === value || BigInt.asIntN(64, value) === value) return BigInt.asUintN(64, value);
    refuse(name, parameter, "a bigint of at most 64 bits", value, "bigint");
  }
  if (typeof value === "number") {
    if (Number.isSafeInteger(value)) return BigInt.asUintN(64, BigInt(value));
    if (Number.isInteger(value)) refuse(name, parameter, "a safe integer, a bigint or a float", value, "number");
    scratch.setFloat32(0, value);
    return BigInt(scratch.getUint32(0));
  }
  if (isHostMemory(value)) return BigInt(hostAddress(value));
  return refuse(name, parameter, "an integer, a float, a boolean, memory, a bigint address or null", value);
}

/** One parameter: its name, and what was passed. */
type Given<Value> = readonly [parameter: string, value: Value];

/**
 * Packs the options of one kind for a call. `kind`: C's enum that their names are of.
 * @throws TypeError, RangeError where they are none, their numbers differ, or the count is not theirs
 */
export function packOptions(
  name: string,
  kind: string,
  [namesParameter, options]: Given<Options>,
  [valuesParameter, values]: Given<OptionValues | bigint | null>,
  [countParameter, count]: Given<number | undefined>,
): Packed {
  if (typeof options === "bigint" || typeof values === "bigint") {
    if (typeof options !== "bigint" || typeof values !== "bigint" || count === undefined) {
      throw new TypeError(
        `${name}: ${namesParameter} and ${valuesParameter} must both be addresses, with ${countParameter}, or neither`,
      );
    }
    return { ...NONE, names: options, slots: values, count };
  }
  const names = options ?? [];
  const given = values ?? [];
  for (const [parameter, array] of [
    [namesParameter, names],
    [valuesParameter, given],
  ] as const) {
    if (!Array.isArray(array) && !ArrayBuffer.isView(array))
      refuse(name, parameter, "an array, null or an address", array);
  }
  if (names.length !== given.length) {
    throw new RangeError(`${name}: ${names.length} ${namesParameter}, but ${given.length} ${valuesParameter}`);
  }
  if (count !== undefined && count !== names.length) {
    throw new RangeError(`${name}: ${countParameter} is ${count}, but there are ${names.length} ${namesParameter}`);
  }
  if (names.length === 0) return { ...NONE, count: 0 };
  for (const option of names) {
    if ((option | 0) !== option) refuse(name, namesParameter, "an array of option numbers", option, "number");
  }
  /* A copy: the caller may put something else into its array while the driver still has the addresses. */
  const memory = Array.from(given as ArrayLike<OptionValue>);
  const slots = types.isBigUint64Array(given)
    ? given
    : BigUint64Array.from(memory, (value) => slotOf(value, name, valuesParameter));
  if (kind === "CUlibraryOption") {
    for (const [index, option] of names.entries()) {
      /* Real drivers crash on it. */
      if (option === HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE && slots[index] === 0n) {
        throw new TypeError(`${name}: CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE needs a table, not NULL`);
      }
    }
  }
  return {
    names: Int32Array.from(names),
    slots,
    count: names.length,
    memory,
    answer: () => {
      if (Array.isArray(given) && kind === "CUjit_option") giveBack(names, slots, given);
    },
  };
}

function giveBack(names: ArrayLike<number>, slots: BigUint64Array, values: OptionValue[]): void {
  for (const [index, slot] of slots.entries()) {
    const option = names[index] as number;
    const low = Number(BigInt.asUintN(32, slot));
    /* Where the array is frozen, nothing was to come back. */
    if (JIT_COUNTS.has(option)) Reflect.set(values, index, low);
    if (option === JIT_WALL_TIME) {
      scratch.setUint32(0, low);
      Reflect.set(values, index, scratch.getFloat32(0));
    }
  }
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
  return afterCall(
    () => call(code, ...options),
    (given) => {
      answer();
      if (owner === null) keep(given as bigint, [code, ...options], true);
      else
        keep(
          owner,
          options.filter(({ count }) => count > 0),
          false,
        );
    },
    answer,
  );
}
