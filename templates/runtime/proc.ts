import { driverInfo, installed, LEGACY_STREAM, meant, PER_THREAD_STREAM, type Proc, resolve } from "./driver.ts";
import { CudaSymbolError, versionText } from "./errors.ts";
import { refuse } from "./frame.ts";
import { lookup as answerOf, type LookupAnswer, type LookupQuestion, type SymbolTable } from "./lookup.ts";
import { checkedVersion, wideFlags } from "./procAddress.ts";

/** One variant of a symbol. */
export interface ProcVariant {
  /** What the driver exports. */
  readonly exported: string;
  /** First CUDA version whose look-up gives it. */
  readonly since: number;
  readonly streamMode: "legacy" | "perThread";
  /** C prototype; null for a variant that this package's toolkit does not declare. */
  readonly signature: string | null;
}

/** Above any driver's version: the question is what a version means, not what this driver has. */
const ANY_DRIVER = 0x7fffffff;

/** What `getProc` is asked with beside the symbol. */
interface ProcOptions {
  readonly cudaVersion: number;
  readonly flags?: number | bigint | undefined;
}

/**
 * The wrapper of the variant that a look-up at a version gives, bound to this driver.
 * @throws CudaSymbolError where there is none at that version, or this driver lacks it
 */
export function findProc<F>(find: (exported: string) => F | undefined, symbol: string, options: ProcOptions): F {
  const { symbols, procs, toolkit } = installed();
  if (typeof symbol !== "string") refuse("getProc", "symbol", "a string", symbol);
  if (options === null || typeof options !== "object") {
    refuse("getProc", "options", "an object such as { cudaVersion: 12000 }", options);
  }
  const cudaVersion = checkedVersion(options.cudaVersion, "getProc");
  const flags = wideFlags(options.flags === undefined ? 0 : options.flags, "getProc");
  const { exported, since, result } = answerOf(symbols, { symbol, cudaVersion, flags, driver: ANY_DRIVER });
  if (result !== 0) {
    refuse("getProc", "flags", "a CUdriverProcAddress_flags from 0 to 3", options.flags, "number", "bigint");
  }
  const { version } = driverInfo();
  if (exported === null || since === null) {
    const newest = answerOf(symbols, { symbol, cudaVersion: -1, flags, driver: ANY_DRIVER });
    if (newest.exported === null) throw new CudaSymbolError(symbol, 0, version, unknownSymbol(symbols, symbol));
    const first = firstVersion(symbols, symbol, newest.exported);
    const asked = `asked for at ${versionText(cudaVersion)}`;
    throw new CudaSymbolError(symbol, first, version, `exists from ${versionText(first)} on, ${asked}`);
  }
  const index = procs.findIndex((proc) => proc[0] === exported);
  const found = find(exported);
  if (index < 0 || found === undefined) {
    const made = `this package was generated from ${versionText(toolkit)}, which does not declare it`;
    throw new CudaSymbolError(exported, since, version, made);
  }
  if ((flags & LEGACY_STREAM) !== 0n && (flags & PER_THREAD_STREAM) === 0n) {
    const proc = procs[index] as Proc;
    const called = meant(proc)[0];
    if (called !== proc[0]) {
      throw new CudaSymbolError(
        exported,
        since,
        version,
        `this program works on the per-thread default stream, on which the package calls ${called} instead; cuGetProcAddress gives its address`,
      );
    }
  }
  resolve(index);
  return found;
}

function unknownSymbol(symbols: SymbolTable, symbol: string): string {
  const base = Object.keys(symbols).find((name) => symbols[name]?.some(([exported]) => exported === symbol));
  return base === undefined ? "no toolkit knows it" : `a variant of ${base}: ask for ${base} at a version`;
}

/** First version of the variants that work on the same default stream as one of them. */
function firstVersion(symbols: SymbolTable, symbol: string, exported: string): number {
  const variants = symbols[symbol] ?? [];
  const perThread = variants.find((variant) => variant[0] === exported)?.[2];
  return Math.min(...variants.filter((variant) => variant[2] === perThread).map((variant) => variant[1]));
}

/**
 * The rule of cuGetProcAddress_v2 as a pure function over a symbol table, such as `symbols`: no driver is asked.
 * @throws TypeError, RangeError for a question that cannot be asked
 */
export function lookup(table: SymbolTable, question: LookupQuestion): LookupAnswer {
  if (table === null || typeof table !== "object") refuse("lookup", "table", "a symbol table, such as symbols", table);
  if (question === null || typeof question !== "object") refuse("lookup", "question", "an object", question);
  const { symbol, exports } = question;
  if (typeof symbol !== "string") refuse("lookup", "symbol", "a string", symbol);
  if (exports !== undefined && typeof exports?.has !== "function")
    refuse("lookup", "exports", "a set of names", exports);
  const flags = wideFlags(question.flags, "lookup");
  const cudaVersion = checkedVersion(question.cudaVersion, "lookup");
  const driver = checkedVersion(question.driver, "lookup", "driver");
  return answerOf(table, { symbol, cudaVersion, flags, driver, ...(exports === undefined ? {} : { exports }) });
}

/** Every variant of a symbol that any toolkit knows; null for an unknown symbol. */
export function variantsOf(symbol: string, signatures: Readonly<Record<string, string>>): ProcVariant[] | null {
  const { symbols } = installed();
  if (!Object.hasOwn(symbols, symbol)) return null;
  return (symbols[symbol] ?? []).map(([exported, since, perThread]) => ({
    exported,
    since,
    streamMode: perThread ? "perThread" : "legacy",
    signature: signatures[exported] ?? null,
  }));
}

/** Of functions by name, those that exist at a CUDA version. */
export function upTo<Api extends object>(
  api: Api,
  since: Readonly<Record<string, number>>,
  cudaVersion: number,
): Partial<Api> {
  if (typeof cudaVersion !== "number" || !Number.isInteger(cudaVersion)) {
    refuse("driverFor", "cudaVersion", "an integer such as 11080", cudaVersion);
  }
  const there = Object.entries(api).filter(
    ([name]) => Object.hasOwn(since, name) && (cudaVersion < 0 || (since[name] as number) <= cudaVersion),
  );
  return Object.freeze(Object.fromEntries(there)) as Partial<Api>;
}
