// Written by cuda-codegen 0.1.0 into every package, whatever its toolkit. Do not edit: run codegen generate.
import { markAsUntransferable } from "node:worker_threads";
import { checkText, refuse } from "./frame.ts";
import { textOf } from "./lists.ts";
import { addressOf, type HostMemory, isHostMemory } from "./memory.ts";
import { Struct } from "./struct.ts";

/**
 * What the compiler and linker of the driver shall do: the members of CUjit_option, without CU_JIT_ and in camel case. An
 * option that is left out or undefined is not passed. Logs are asked for by their size; counts of lists are taken from them.
 */
export interface JitOptionFields {
  /** Registers a thread may use. */
  maxRegisters?: number | undefined;
  /** Threads of a block to compile for, at least; afterwards those that were compiled for. Not together with target. */
  threadsPerBlock?: number | undefined;
  /** Measure the time that compiling and linking takes. */
  wallTime?: boolean | undefined;
  /** Bytes to keep of what the compiler tells, the final NUL included. */
  infoLog?: number | undefined;
  /** Bytes to keep of its errors, the final NUL included. */
  errorLog?: number | undefined;
  /** 0 to 4. */
  optimizationLevel?: number | undefined;
  /** Compile for the device of the current context. */
  targetFromCucontext?: boolean | undefined;
  /** A CUjit_target. */
  target?: number | undefined;
  /** A CUjit_fallback. */
  fallbackStrategy?: number | undefined;
  generateDebugInfo?: boolean | undefined;
  /** Tell more in the logs. */
  logVerbose?: boolean | undefined;
  generateLineInfo?: boolean | undefined;
  /** A CUjit_cacheMode. */
  cacheMode?: number | undefined;
  newSm3xOpt?: boolean | undefined;
  fastCompile?: boolean | undefined;
  /** Symbols of the device code that lie in host memory, and where they lie: two lists of one length. */
  globalSymbolNames?: readonly string[] | undefined;
  globalSymbolAddresses?: readonly bigint[] | undefined;
  lto?: boolean | undefined;
  ftz?: boolean | undefined;
  precDiv?: boolean | undefined;
  precSqrt?: boolean | undefined;
  fma?: boolean | undefined;
  /** Kernels to keep when linking. */
  referencedKernelNames?: readonly string[] | undefined;
  /** Variables to keep when linking. */
  referencedVariableNames?: readonly string[] | undefined;
  optimizeUnusedDeviceVariables?: boolean | undefined;
  positionIndependentCode?: boolean | undefined;
  /** Blocks on one multiprocessor, at least; needs maxThreadsPerBlock. */
  minCtaPerSm?: number | undefined;
  /** Threads of a block, at most. */
  maxThreadsPerBlock?: number | undefined;
  /** The options before these go before what the PTX itself says. */
  overrideDirectiveValues?: boolean | undefined;
  /** Threads that compile; 0: as many as there are processors. */
  splitCompile?: number | undefined;
  /** Threads that load binaries. */
  binaryLoaderThreadCount?: number | undefined;
}

/** What a library shall be: the members of CUlibraryOption, without CU_LIBRARY_ and in camel case. */
export interface LibraryOptionFields {
  /** A CUlibraryHostUniversalFunctionAndDataTable. */
  hostUniversalFunctionAndDataTable?: Struct | HostMemory | bigint | undefined;
  /** The code that is passed to cuLibraryLoadData stays where it is until the library is unloaded. */
  binaryIsPreserved?: boolean | undefined;
}

/**
 * What lies in the slot of an option: an unsigned or a signed integer, a flag, nothing (its being there is what counts), the
 * bytes of a log (its size follows as the next option), a list of texts or addresses (its length follows), a record.
 */
type Kind = "u32" | "i32" | "flag" | "mark" | "log" | "texts" | "addresses" | "record";

type OptionTable<Fields> = Readonly<Record<keyof Fields, readonly [option: number, kind: Kind, counter?: number]>>;

/** The numbers are C's, and never change. */
const JIT: OptionTable<JitOptionFields> = {
  maxRegisters: [0, "u32"],
  threadsPerBlock: [1, "u32"],
  wallTime: [2, "mark"],
  infoLog: [3, "log", 4],
  errorLog: [5, "log", 6],
  optimizationLevel: [7, "u32"],
  targetFromCucontext: [8, "mark"],
  target: [9, "u32"],
  fallbackStrategy: [10, "u32"],
  generateDebugInfo: [11, "flag"],
  logVerbose: [12, "flag"],
  generateLineInfo: [13, "flag"],
  cacheMode: [14, "u32"],
  newSm3xOpt: [15, "flag"],
  fastCompile: [16, "flag"],
  globalSymbolNames: [17, "texts", 19],
  globalSymbolAddresses: [18, "addresses"],
  lto: [20, "flag"],
  ftz: [21, "flag"],
  precDiv: [22, "flag"],
  precSqrt: [23, "flag"],
  fma: [24, "flag"],
  referencedKernelNames: [25, "texts", 26],
  referencedVariableNames: [27, "texts", 28],
  optimizeUnusedDeviceVariables: [29, "flag"],
  positionIndependentCode: [30, "flag"],
  minCtaPerSm: [31, "u32"],
  maxThreadsPerBlock: [32, "u32"],
  overrideDirectiveValues: [33, "flag"],
  splitCompile: [34, "i32"],
  binaryLoaderThreadCount: [35, "i32"],
};

const LIBRARY: OptionTable<LibraryOptionFields> = {
  hostUniversalFunctionAndDataTable: [0, "record"],
  binaryIsPreserved: [1, "mark"],
};

/** Options as C takes them. */
export interface PackedOptions {
  readonly names: Int32Array<ArrayBuffer>;
  /** One slot for each; the driver writes its answers into them. */
  readonly values: BigUint64Array<ArrayBuffer>;
}

/** What the slots point to, alive for as long as they are: a handle keeps its slots until it is unloaded or destroyed. */
const behind = new WeakMap<BigUint64Array, unknown>();

const encoder = new TextEncoder();

function integer(value: unknown, least: number, most: number, maker: string, field: string): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most) {
    refuse(maker, field, `an integer from ${least} to ${most}`, value, "number");
  }
  return value;
}

function addresses(value: unknown, maker: string, field: string): BigUint64Array<ArrayBuffer> {
  if (!Array.isArray(value)) refuse(maker, field, "an array", value);
  for (const item of value) {
    if (typeof item !== "bigint" || BigInt.asUintN(64, item) !== item) {
      refuse(maker, `every one of ${field}`, "a bigint from 0n to 2n**64n - 1n", item, "bigint");
    }
  }
  return BigUint64Array.from(value);
}

/** Packs what a table describes. @returns the options, and the memory behind each field's slot */
function pack<Fields extends object>(maker: string, table: OptionTable<Fields>, fields: Fields) {
  if (fields === null || typeof fields !== "object" || Array.isArray(fields)) {
    refuse(maker, "options", "an object", fields);
  }
  const names: number[] = [];
  const slots: bigint[] = [];
  const kept: unknown[] = [];
  const memory = new Map<string, Uint8Array>();
  const add = (option: number, slot: number | bigint) => {
    names.push(option);
    slots.push(BigInt.asUintN(64, BigInt(slot)));
  };
  /** Memory whose address the driver remembers. */
  const point = <Memory extends Uint8Array<ArrayBuffer> | BigUint64Array<ArrayBuffer>>(to: Memory): bigint => {
    markAsUntransferable(to.buffer);
    kept.push(to);
    return addressOf(to);
  };
  for (const [field, value] of Object.entries(fields)) {
    if (!Object.hasOwn(table, field)) throw new TypeError(`${maker}: there is no option ${JSON.stringify(field)}`);
    if (value === undefined) continue;
    const [option, kind, counter = -1] = table[field as keyof Fields];
    switch (kind) {
      case "u32":
        add(option, integer(value, 0, 2 ** 32 - 1, maker, field));
        break;
      case "i32":
        add(option, integer(value, -(2 ** 31), 2 ** 31 - 1, maker, field));
        break;
      case "flag":
      case "mark":
        if (typeof value !== "boolean") refuse(maker, field, "true or false", value);
        if (kind === "flag") add(option, Number(value));
        else if (value) add(option, 0);
        break;
      case "log": {
        const log = new Uint8Array(integer(value, 1, 2 ** 31 - 1, maker, field));
        memory.set(field, log);
        add(option, point(log));
        add(counter, log.length);
        break;
      }
      case "texts": {
        if (!Array.isArray(value)) refuse(maker, field, "an array of strings", value);
        const texts = value.map((text) => {
          checkText(text, maker, `every one of ${field}`);
          return point(encoder.encode(`${text}\0`) as Uint8Array<ArrayBuffer>);
        });
        add(option, point(BigUint64Array.from(texts)));
        add(counter, texts.length);
        break;
      }
      case "addresses":
        add(option, point(addresses(value, maker, field)));
        break;
      case "record":
        if (value instanceof Struct || isHostMemory(value)) {
          kept.push(value);
          add(option, value instanceof Struct ? value.$address : addressOf(value));
        } else if (typeof value === "bigint" && value > 0n && BigInt.asUintN(64, value) === value) {
          add(option, value);
        } else {
          refuse(maker, field, "a record, memory, or an address that is not 0n", value, "bigint");
        }
    }
  }
  const values = BigUint64Array.from(slots);
  markAsUntransferable(values.buffer);
  behind.set(values, kept);
  return { names: Int32Array.from(names), values, memory };
}

/**
 * Options for one load or link, and what the driver answered: to be passed as `options.names` and `options.values`; the count
 * may be left out. The driver answers on failures too. A module answers at its load, a library too unless loading is lazy (then
 * when its code is first used), a link at each cuLinkAddData and at cuLinkComplete; what is written to lives until the module or
 * library is unloaded or the link destroyed. Make a new one for each load, since a log's size holds the driver's answer
 * afterwards.
 */
export class JitOptions implements PackedOptions {
  readonly names: Int32Array<ArrayBuffer>;
  readonly values: BigUint64Array<ArrayBuffer>;
  readonly #logs: ReadonlyMap<string, Uint8Array>;

  /** @internal */
  constructor(fields: JitOptionFields) {
    const symbols = fields?.globalSymbolNames?.length;
    const places = fields?.globalSymbolAddresses?.length;
    const { names, values, memory } = pack("jitOptions", JIT, fields);
    if (symbols !== places) {
      throw new RangeError(
        `jitOptions: ${symbols ?? 0} globalSymbolNames, but ${places ?? 0} globalSymbolAddresses; there must be as many`,
      );
    }
    this.names = names;
    this.values = values;
    this.#logs = memory;
  }

  get count(): number {
    return this.names.length;
  }

  /** What the compiler told, as far as it fitted; null where it was not asked for. */
  get infoLog(): string | null {
    return this.#log("infoLog");
  }

  /** Its errors, as far as they fitted; null where they were not asked for. */
  get errorLog(): string | null {
    return this.#log("errorLog");
  }

  /** Milliseconds that compiling and linking took, 0 before; null where it was not asked for. */
  get wallTime(): number | null {
    const bits = this.#answer(JIT.wallTime[0]);
    return bits === null ? null : (new Float32Array(Uint32Array.of(bits).buffer)[0] as number);
  }

  /** Threads of a block that the code was compiled for; null where it was not asked for. */
  get threadsPerBlock(): number | null {
    return this.#answer(JIT.threadsPerBlock[0]);
  }

  /** The driver writes 32 bits of the slot. */
  #answer(option: number | undefined): number | null {
    const at = this.names.indexOf(option ?? -1);
    return at < 0 ? null : Number(BigInt.asUintN(32, this.values[at] as bigint));
  }

  #log(field: "infoLog" | "errorLog"): string | null {
    const log = this.#logs.get(field);
    if (log === undefined) return null;
    return textOf(log.subarray(0, this.#answer(JIT[field][2]) ?? 0));
  }
}

/**
 * JIT options with names: `jitOptions({ maxRegisters: 40, infoLog: 16384 })`.
 * @throws TypeError for a name that is no option or a value of the wrong type; RangeError for one that is out of bounds
 */
export function jitOptions(options: JitOptionFields): JitOptions {
  return new JitOptions(options);
}

/** Library options with names: `libraryOptions({ binaryIsPreserved: true })`; errors as in jitOptions. */
export function libraryOptions(options: LibraryOptionFields): PackedOptions {
  const { names, values } = pack("libraryOptions", LIBRARY, options);
  return { names, values };
}
