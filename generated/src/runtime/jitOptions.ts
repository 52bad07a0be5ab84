// Written by cuda-codegen 0.1.0 into every package, whatever its toolkit. Do not edit: run codegen generate.
import { checkText, refuse } from "./frame.ts";
import { heldAddress } from "./heldMemory.ts";
import { ADDRESS, isU64 } from "./integers.ts";
import type { HostAddress } from "./kinds.ts";
import { textOf } from "./lists.ts";
import { byteLengthOf, type HostMemory, isHostMemory } from "./memory.ts";
import { Struct } from "./struct.ts";
import { integer } from "./structChecks.ts";
import { isPlain } from "./structMaking.ts";

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

/** What tells a CUlibraryHostUniversalFunctionAndDataTable from other records. */
interface Table {
  readonly functionTable: bigint;
  readonly dataTable: bigint;
}

/** Bytes of one. */
export const TABLE_SIZE = 32;

/** What a library shall be: the members of CUlibraryOption, without CU_LIBRARY_ and in camel case. */
export interface LibraryOptionFields {
  /** A CUlibraryHostUniversalFunctionAndDataTable. */
  hostUniversalFunctionAndDataTable?: (Struct & Table) | HostMemory | HostAddress | undefined;
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

const KINDS: Readonly<Record<OptionEnum, ReadonlyMap<number, Kind>>> = {
  CUjit_option: kindsOf(JIT),
  CUlibraryOption: kindsOf(LIBRARY),
};

/** C's enums of options. */
export type OptionEnum = "CUjit_option" | "CUlibraryOption";

function kindsOf(table: Readonly<Record<string, readonly [option: number, kind: Kind, counter?: number]>>) {
  return new Map(
    Object.values(table).flatMap(([option, kind, counter]): [number, Kind][] => [
      [option, kind],
      ...(counter === undefined ? [] : [[counter, "u32"] satisfies [number, Kind]]),
    ]),
  );
}

/** What lies in the slot of an option; undefined: nobody here knows. */
export function kindOf(options: OptionEnum, option: number): Kind | undefined {
  return KINDS[options].get(option);
}

/** Options that point to memory which the driver writes, and those with the bytes that it has. */
export const LOGS: readonly (readonly [log: number, bytes: number])[] = [
  [JIT.infoLog[0], JIT.infoLog[2] ?? -1],
  [JIT.errorLog[0], JIT.errorLog[2] ?? -1],
];

/** Options as C takes them, made by jitOptions or libraryOptions. */
export abstract class PackedOptions {
  readonly names: Int32Array<ArrayBuffer>;
  /** One slot for each; the driver writes its answers into them. */
  readonly values: BigUint64Array<ArrayBuffer>;
  /** @internal C's enum that the names are of. */
  abstract readonly $enum: OptionEnum;

  constructor({ names, values }: Pick<PackedOptions, "names" | "values">) {
    this.names = names;
    this.values = values;
  }

  get count(): number {
    return this.names.length;
  }
}

/** Options whose slots the driver answers in, and the C type that it writes there: also the sizes of the logs. */
export const JIT_ANSWERS: ReadonlyMap<number | undefined, "u32" | "f32"> = new Map([
  [JIT.threadsPerBlock[0], "u32"],
  [JIT.wallTime[0], "f32"],
  [JIT.infoLog[2], "u32"],
  [JIT.errorLog[2], "u32"],
]);

/** Behind slots of a builder: what they point to, alive for as long as they are, and how they are made as they were. */
interface Behind {
  readonly kept: readonly unknown[];
  renew(): void;
}

/** A handle keeps its slots until it is unloaded or destroyed. */
const behind = new WeakMap<BigUint64Array, Behind>();

/** Before a call: where the slots are a builder's, they hold what was asked for again, and the logs are empty. */
export function renew(slots: BigUint64Array): void {
  behind.get(slots)?.renew();
}

const encoder = new TextEncoder();

function addresses(value: unknown, maker: string, field: string): BigUint64Array<ArrayBuffer> {
  if (!Array.isArray(value)) refuse(maker, field, "an array", value);
  return BigUint64Array.from({ length: value.length }, (_, index) => {
    const item = value[index];
    if (!isU64(item)) {
      refuse(maker, `every one of ${field}`, ADDRESS, item, "bigint");
    }
    return item;
  });
}

/** Packs what a table describes. @returns the options, the memory of logs, and the lengths of lists */
function pack<Fields extends object>(maker: string, table: OptionTable<Fields>, fields: Fields) {
  if (!isPlain(fields)) refuse(maker, "options", "an object with the options", fields);
  const names: number[] = [];
  const slots: bigint[] = [];
  const kept: unknown[] = [];
  const logs = new Map<string, Uint8Array>();
  const lengths = new Map<string, number>();
  const add = (option: number, slot: number | bigint) => {
    names.push(option);
    slots.push(BigInt.asUintN(64, BigInt(slot)));
  };
  /** Memory whose address the driver remembers. */
  const point = (to: HostMemory, field: string): bigint => {
    kept.push(to);
    return heldAddress(to, maker, field);
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
        logs.set(field, log);
        add(option, point(log, field));
        add(counter, log.length);
        break;
      }
      case "texts": {
        if (!Array.isArray(value)) refuse(maker, field, "an array of strings", value);
        const texts = BigUint64Array.from({ length: value.length }, (_, index) => {
          const text = value[index];
          checkText(text, maker, `every one of ${field}`);
          return point(encoder.encode(`${text}\0`), field);
        });
        lengths.set(field, texts.length);
        add(option, point(texts, field));
        add(counter, texts.length);
        break;
      }
      case "addresses": {
        const list = addresses(value, maker, field);
        lengths.set(field, list.length);
        add(option, point(list, field));
        break;
      }
      case "record":
        if (value instanceof Struct && "functionTable" in value) {
          kept.push(value);
          add(option, value.$address);
        } else if (isHostMemory(value)) {
          add(option, point(value, field));
          const bytes = byteLengthOf(value);
          if (bytes < TABLE_SIZE) throw new RangeError(`${maker}: ${field} holds ${bytes} bytes, not ${TABLE_SIZE}`);
        } else if (isU64(value) && value > 0n) {
          add(option, value);
        } else {
          refuse(
            maker,
            field,
            "a CUlibraryHostUniversalFunctionAndDataTable, memory, or an address that is not 0n",
            value,
            "bigint",
          );
        }
    }
  }
  const values = BigUint64Array.from(slots);
  heldAddress(values, maker, "options");
  behind.set(values, {
    kept,
    renew: () => {
      for (const [index, option] of names.entries()) if (JIT_ANSWERS.has(option)) values[index] = slots[index] ?? 0n;
      for (const log of logs.values()) log[0] = 0;
    },
  });
  return { names: Int32Array.from(names), values, logs, lengths };
}

/**
 * Options for one load or link, and what the driver answered: to be passed as `options.names` and `options.values`; the count
 * may be left out. The driver answers on failures too. A module answers at its load, a library too unless loading is lazy (then
 * when its code is first used), a link at each cuLinkAddData and at cuLinkComplete; what is written to lives until the module or
 * library is unloaded or the link destroyed.
 *
 * It may be used again, once the call before has returned or its promise is settled: what was asked for is passed anew and the
 * logs begin empty, so that the answers are the last call's. What was loaded lazily with it, and is still loaded, answers in the
 * same place whenever its code is first used: make one for each of those whose answers are wanted.
 */
export class JitOptions extends PackedOptions {
  /** @internal */
  readonly $enum = "CUjit_option";
  readonly #logs: ReadonlyMap<string, Uint8Array>;

  /** @internal */
  constructor(fields: JitOptionFields) {
    const { names, values, logs, lengths } = pack("jitOptions", JIT, fields);
    const symbols = lengths.get("globalSymbolNames");
    const places = lengths.get("globalSymbolAddresses");
    if (symbols !== places) {
      throw new RangeError(
        `jitOptions: ${symbols ?? 0} globalSymbolNames, but ${places ?? 0} globalSymbolAddresses; there must be as many`,
      );
    }
    super({ names, values });
    this.#logs = logs;
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
 * JIT options with names: `jitOptions({ maxRegisters: 40, infoLog: 16384 })`. What is loaded with them must be unloaded before
 * the thread that made them ends, which takes their memory along.
 * @throws TypeError for a name that is no option or a value of the wrong type; RangeError for one that is out of bounds
 */
export function jitOptions(options: JitOptionFields): JitOptions {
  return new JitOptions(options);
}

/** Options of a library, made by libraryOptions. */
export class LibraryOptions extends PackedOptions {
  /** @internal */
  readonly $enum = "CUlibraryOption";

  /** @internal */
  constructor(fields: LibraryOptionFields) {
    super(pack("libraryOptions", LIBRARY, fields));
  }
}

/** Library options with names: `libraryOptions({ binaryIsPreserved: true })`; errors as in jitOptions. */
export function libraryOptions(options: LibraryOptionFields): LibraryOptions {
  return new LibraryOptions(options);
}
