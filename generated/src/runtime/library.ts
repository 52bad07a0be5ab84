// Written by cuda-codegen 0.1.0 into every package, whatever its toolkit. Do not edit: run codegen generate.
import { types } from "node:util";
import { CudaError } from "./errors.ts";
import { refuse } from "./frame.ts";
import { type HostMemory, hostAddress, isHostMemory } from "./memory.ts";
import { native } from "./native.ts";

/** What a void * slot of an option array takes: an integer, a float (by its 32 bits), a flag, memory, or an address. */
export type OptionValue = number | bigint | boolean | HostMemory | null;

/**
 * Option values. The driver's outputs come back in them: a BigUint64Array is handed over as it is and the driver writes into
 * it (with lazy loading only when the library is first used); into an ordinary array the outputs are copied when the call
 * returns. Memory that they point to is kept alive until the library is unloaded.
 */
export type OptionValues = OptionValue[] | BigUint64Array;

/** Options of one kind: their names, or (as in C) the address of an array of them. */
export type Options = readonly number[] | Int32Array | Uint32Array | bigint | null;

/** The options of a load as C takes them: names, values and count, of the JIT and of the library. */
type PackedOptions = [
  jitOptions: HostMemory | bigint,
  jitOptionsValues: HostMemory | bigint,
  numJitOptions: number,
  libraryOptions: HostMemory | bigint,
  libraryOptionValues: HostMemory | bigint,
  numLibraryOptions: number,
];

const JIT_WALL_TIME = 2;
/** JIT options that the driver answers with an unsigned int: threads per block, and the sizes of the two logs. */
const JIT_COUNTS = new Set([1, 4, 6]);
const HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE = 0;
const INVALID_HANDLE = 400;

interface Packed {
  readonly names: HostMemory | bigint;
  readonly slots: HostMemory | bigint;
  readonly count: number;
  /** What the slots point to. */
  readonly memory: readonly unknown[];
}

const NONE: Packed = { names: 0n, slots: 0n, count: 0, memory: [] };

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

function pack(
  name: string,
  kind: "jit" | "library",
  options: Options,
  values: OptionValues | bigint | null,
  count: number | undefined,
): Packed {
  const valuesName = kind === "jit" ? "jitOptionsValues" : "libraryOptionValues";
  const counted = `num${kind === "jit" ? "Jit" : "Library"}Options`;
  if (typeof options === "bigint" || typeof values === "bigint") {
    if (typeof options !== "bigint" || typeof values !== "bigint" || count === undefined) {
      throw new TypeError(`${name}: addresses of ${kind} options need both arrays and ${counted}`);
    }
    return { names: options, slots: values, count, memory: [] };
  }
  const names = options ?? [];
  const given = values ?? [];
  for (const [parameter, array] of [
    [`${kind}Options`, names],
    [valuesName, given],
  ] as const) {
    if (!Array.isArray(array) && !ArrayBuffer.isView(array))
      refuse(name, parameter, "an array, null or an address", array);
  }
  if (names.length !== given.length) {
    throw new RangeError(`${name}: ${names.length} ${kind} options, but ${given.length} values`);
  }
  if (count !== undefined && count !== names.length) {
    throw new RangeError(`${name}: ${counted} is ${count}, but there are ${names.length} options`);
  }
  if (names.length === 0) return NONE;
  for (const option of names) {
    if ((option | 0) !== option) refuse(name, `${kind}Options`, "an array of option numbers", option, "number");
  }
  const slots = types.isBigUint64Array(given)
    ? given
    : BigUint64Array.from(given, (value) => slotOf(value, name, valuesName));
  if (kind === "library") {
    for (const [index, option] of names.entries()) {
      /* Real drivers crash on it. */
      if (option === HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE && slots[index] === 0n) {
        throw new TypeError(`${name}: CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE needs a table, not NULL`);
      }
    }
  }
  /* A copy: the caller may put something else into its array while the driver still has the addresses. */
  return { names: Int32Array.from(names), slots, count: names.length, memory: Array.from(given as ArrayLike<unknown>) };
}

/** Copies what the driver wrote into slots of its own back into the caller's array. */
function giveBack(packed: Packed, values: OptionValues | bigint | null): void {
  if (!Array.isArray(values) || typeof packed.names === "bigint") return;
  const names = packed.names as Int32Array;
  const slots = packed.slots as BigUint64Array;
  for (const [index, option] of names.entries()) {
    const low = Number(BigInt.asUintN(32, slots[index] as bigint));
    if (JIT_COUNTS.has(option)) values[index] = low;
    if (option === JIT_WALL_TIME) {
      scratch.setUint32(0, low);
      values[index] = scratch.getFloat32(0);
    }
  }
}

/** What each loaded library still needs: with lazy loading the driver reads and writes option buffers long after the call. */
const keptBy = new Map<bigint, unknown>();

interface Load {
  readonly jit: Packed;
  readonly library: Packed;
  readonly packed: PackedOptions;
}

function prepare(
  name: string,
  jitOptions: Options,
  jitOptionsValues: OptionValues | bigint | null,
  numJitOptions: number | undefined,
  libraryOptions: Options,
  libraryOptionValues: OptionValues | bigint | null,
  numLibraryOptions: number | undefined,
): Load {
  const jit = pack(name, "jit", jitOptions, jitOptionsValues, numJitOptions);
  const library = pack(name, "library", libraryOptions, libraryOptionValues, numLibraryOptions);
  return { jit, library, packed: [jit.names, jit.slots, jit.count, library.names, library.slots, library.count] };
}

function loaded<Handle extends bigint>(handle: Handle, kept: unknown): Handle {
  keptBy.set(handle, kept);
  native.restore(handle);
  return handle;
}

/**
 * A cuLibraryLoad call: counts come from the arrays, absent options are NULL, and buffers live until the library is unloaded.
 * Eager or lazy is the driver's own choice by CUDA_MODULE_LOADING, which it reads once, when it is initialised.
 */
export function loading<Handle extends bigint>(
  name: string,
  source: unknown,
  jitOptions: Options,
  jitOptionsValues: OptionValues | bigint | null,
  numJitOptions: number | undefined,
  libraryOptions: Options,
  libraryOptionValues: OptionValues | bigint | null,
  numLibraryOptions: number | undefined,
  call: (...packed: PackedOptions) => Handle,
): Handle {
  const load = prepare(
    name,
    jitOptions,
    jitOptionsValues,
    numJitOptions,
    libraryOptions,
    libraryOptionValues,
    numLibraryOptions,
  );
  try {
    return loaded(call(...load.packed), [source, load]);
  } finally {
    giveBack(load.jit, jitOptionsValues);
  }
}

/** As `loading`, where the call is made on a pool thread. */
export async function loadingAsync<Handle extends bigint>(
  name: string,
  source: unknown,
  jitOptions: Options,
  jitOptionsValues: OptionValues | bigint | null,
  numJitOptions: number | undefined,
  libraryOptions: Options,
  libraryOptionValues: OptionValues | bigint | null,
  numLibraryOptions: number | undefined,
  call: (...packed: PackedOptions) => Promise<Handle>,
): Promise<Handle> {
  const load = prepare(
    name,
    jitOptions,
    jitOptionsValues,
    numJitOptions,
    libraryOptions,
    libraryOptionValues,
    numLibraryOptions,
  );
  try {
    return loaded(await call(...load.packed), [source, load]);
  } finally {
    giveBack(load.jit, jitOptionsValues);
  }
}

/** The right to unload a handle, given once in the process: real drivers crash on the second time. */
function claim(name: string, library: bigint): void {
  if (typeof library === "bigint" && !native.claim(library)) {
    throw new CudaError(name, INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "this library was unloaded before");
  }
}

/** A cuLibraryUnload call: a handle that was unloaded before is an error instead of a crash of the driver. */
export function unloading(name: string, library: bigint, call: () => void): void {
  claim(name, library);
  try {
    call();
  } catch (error) {
    if (typeof library === "bigint") native.restore(library);
    throw error;
  }
  keptBy.delete(library);
}

/** As `unloading`, where the call is made on a pool thread. */
export async function unloadingAsync(name: string, library: bigint, call: () => Promise<void>): Promise<void> {
  claim(name, library);
  try {
    await call();
  } catch (error) {
    if (typeof library === "bigint") native.restore(library);
    throw error;
  }
  keptBy.delete(library);
}
