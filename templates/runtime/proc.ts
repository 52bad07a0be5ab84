import { driverInfo, installed, resolve } from "./driver.ts";
import { CudaSymbolError } from "./errors.ts";
import { refuse } from "./frame.ts";
import { lookup } from "./lookup.ts";
import { wideFlags } from "./procAddress.ts";

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

/**
 * The wrapper of the variant that a look-up at a version gives, bound to this driver.
 * @throws CudaSymbolError where there is none at that version, or this driver lacks it
 */
export function findProc<F>(
  find: (exported: string) => F | undefined,
  symbol: string,
  cudaVersion: number,
  flags: number | bigint,
): F {
  const { symbols, procs, toolkit } = installed();
  if (typeof symbol !== "string") refuse("getProc", "symbol", "a string", symbol);
  if (typeof cudaVersion !== "number" || (cudaVersion | 0) !== cudaVersion) {
    refuse("getProc", "cudaVersion", "an integer from -2147483648 to 2147483647", cudaVersion, "number");
  }
  const wide = wideFlags(flags, "getProc");
  const { exported, result } = lookup(symbols, { symbol, cudaVersion, flags: wide, driver: ANY_DRIVER });
  if (result !== 0) refuse("getProc", "flags", "a CUdriverProcAddress_flags from 0 to 3", flags, "number", "bigint");
  const { version } = driverInfo();
  if (exported === null) {
    const first = Math.min(
      ...(Object.hasOwn(symbols, symbol) ? (symbols[symbol] ?? []) : []).map((variant) => variant[1]),
    );
    const known = Number.isFinite(first);
    throw new CudaSymbolError(
      symbol,
      known ? first : 0,
      version,
      known ? `; asked for at ${cudaVersion}` : "; no toolkit knows it",
    );
  }
  const index = procs.findIndex((proc) => proc[0] === exported);
  const found = find(exported);
  if (index < 0 || found === undefined) {
    throw new CudaSymbolError(exported, toolkit, version, "; this package was generated from a toolkit without it");
  }
  resolve(index);
  return found;
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
    ([name]) => Object.hasOwn(since, name) && (since[name] as number) <= cudaVersion,
  );
  return Object.freeze(Object.fromEntries(there)) as Partial<Api>;
}
