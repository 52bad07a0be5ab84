/** The stand-in driver as tests see it: what it was asked, and what it shall answer. */
import { createRequire } from "node:module";
import type { FunctionFacts } from "./facts.ts";
import { functionFacts } from "./facts.ts";
import { controlAddon, type Flavour, newestDocument, standinLibrary } from "./library.ts";

interface Addon {
  open(path: string): void;
  mode(bits: number): void;
  fail(index: number, result: number, times: number, scribble: number): void;
  total(count: number): void;
  grow(by: number, times: number): void;
  size(index: number, parameter: number, bytes: number): void;
  output(index: number, parameter: number, bytes: Uint8Array | null): void;
  owned(index: number, parameter: number): bigint;
  reset(): void;
  calls(index: number): number;
  take(): ArrayBuffer;
  address(bytes: Uint8Array): bigint;
  memory(address: bigint, length: number): ArrayBuffer;
  symbol(name: string): bigint;
  fire(index: number, thread: 0 | 1 | 2): number;
  fired(): bigint;
}

/** As `enum mode` of standin.h. */
export const MODE = {
  record: 1,
  peek: 2,
  writeOut: 4,
  writeInout: 8,
  contexts: 16,
  callBack: 32,
  fresh: 64,
  tellAll: 128,
  repeat: 256,
} as const;
export const DEFAULT_MODE = MODE.record | MODE.peek | MODE.writeOut | MODE.writeInout;

export interface RecordedArgument {
  /** As it stood in the register or on the stack, zero-extended; floats by their bits; by-value structs 0n. */
  value: bigint;
  /** What lay behind the pointer, or in the by-value struct; null: not looked at, or NULL. */
  bytes: Uint8Array | null;
}

export interface RecordedCall {
  name: string;
  index: number;
  thread: bigint;
  /** As configured; functions of fixed meaning may have answered otherwise. */
  result: number;
  arguments: RecordedArgument[];
}

export interface Standin {
  /** Path of the library: what CUDA_DRIVER_LIBRARY must say. */
  path: string;
  functions: readonly FunctionFacts[];
  byName: ReadonlyMap<string, FunctionFacts>;
  addon: Addon;
  /** The calls since the last `take`, in order. */
  take(): RecordedCall[];
  /** The next `times` calls (-1: all) of a function fail; `scribble`: and write their outputs. */
  fail(name: string, result: number, options?: { times?: number; scribble?: boolean }): void;
  /** How many bytes lie behind a parameter, where the type does not say. */
  size(name: string, parameter: string, bytes: number): void;
  /** What is written to an output, instead of the pattern. */
  output(name: string, parameter: string, bytes: Uint8Array | null): void;
}

/**
 * Compiles the stand-in driver, loads it into this process, and makes it the one that the package will open: to be called
 * before the package's first call.
 */
export async function openStandin(flavour: Flavour = {}): Promise<Standin> {
  const document = newestDocument();
  const sanitize = process.env.STANDIN_SANITIZE === "1";
  const path = await standinLibrary(document, { sanitize, ...flavour });
  process.env.CUDA_DRIVER_LIBRARY = path;
  const addon = createRequire(import.meta.url)(await controlAddon()) as Addon;
  addon.open(path);
  return over(addon, path, functionFacts(document));
}

function over(addon: Addon, path: string, functions: FunctionFacts[]): Standin {
  const byName = new Map(functions.map((fn) => [fn.api.name, fn]));
  function find(name: string, parameter: string): [index: number, position: number] {
    const fn = byName.get(name);
    const position = fn?.params.findIndex((param) => param.name === parameter) ?? -1;
    if (fn === undefined || position < 0) throw new Error(`the stand-in driver has no ${parameter} of ${name}`);
    return [fn.index, position];
  }
  return {
    path,
    functions,
    byName,
    addon,
    take: () => parseLog(addon.take(), functions),
    fail: (name, result, { times = 1, scribble = false } = {}) =>
      addon.fail(byName.get(name)?.index ?? -1, result, times, Number(scribble)),
    size: (name, parameter, bytes) => addon.size(...find(name, parameter), bytes),
    output: (name, parameter, bytes) => addon.output(...find(name, parameter), bytes),
  };
}

function parseLog(log: ArrayBuffer, functions: readonly FunctionFacts[]): RecordedCall[] {
  const view = new DataView(log);
  const calls: RecordedCall[] = [];
  for (let at = 0; at < log.byteLength; at += view.getUint32(at, true)) {
    const index = view.getUint32(at + 4, true);
    const count = view.getUint32(at + 20, true);
    const call: RecordedCall = {
      name: functions[index]?.api.name ?? "",
      index,
      thread: view.getBigUint64(at + 8, true),
      result: view.getInt32(at + 16, true),
      arguments: [],
    };
    let from = at + 24;
    for (let n = 0; n < count; n++) {
      const value = view.getBigUint64(from, true);
      const length = Number(view.getBigInt64(from + 8, true));
      from += 16;
      call.arguments.push({ value, bytes: length < 0 ? null : new Uint8Array(log.slice(from, from + length)) });
      if (length > 0) from += (length + 7) & ~7;
    }
    calls.push(call);
  }
  return calls;
}
