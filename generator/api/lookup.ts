/**
 * The look-up rule of cuGetProcAddress_v2 as a pure function over the symbol table.
 * This file is also copied into every generated package, so it imports nothing.
 */

/** base name -> its variants, sorted by (stream mode, since): [exported name, since, per-thread]. */
export type SymbolTable = Readonly<Record<string, readonly SymbolVariant[]>>;

export type SymbolVariant = readonly [exported: string, since: number, perThread: boolean];

export interface LookupQuestion {
  /** Base name, exactly as the driver is asked. */
  symbol: string;
  /** 1000*major + 10*minor; a negative one asks for the newest. */
  cudaVersion: number;
  /** CUdriverProcAddress_flags: 0 default, 1 legacy stream, 2 per-thread default stream. */
  flags: number | bigint;
  /** What cuDriverGetVersion of that driver says. */
  driver: number;
  /** Exported names of that driver; without it, everything up to the driver's version counts as exported. */
  exports?: Pick<ReadonlySet<string>, "has">;
}

export interface LookupAnswer {
  /** CUresult: 0 CUDA_SUCCESS, 1 CUDA_ERROR_INVALID_VALUE (then the outputs stay untouched: all else is null). */
  result: 0 | 1;
  /** CUdriverProcAddressQueryResult: 0 found, 1 symbol not found, 2 version not sufficient. */
  status: 0 | 1 | 2 | null;
  exported: string | null;
  /** CUDA version of the variant found. */
  since: number | null;
}

/** Drivers from this version on refuse a CUDA version above their own; older ones answer as if it were their own. */
const REFUSES_NEWER = 13000;

/** What cuGetProcAddress_v2 of that driver answers. `CU_GET_PROC_ADDRESS_DEFAULT` (0) means the legacy stream here. */
export function lookup(table: SymbolTable, question: LookupQuestion): LookupAnswer {
  const { symbol, cudaVersion, driver, exports } = question;
  const flags = BigInt(question.flags);
  if (flags < 0n || flags > 3n || (cudaVersion > driver && driver >= REFUSES_NEWER)) {
    return { result: 1, status: null, exported: null, since: null };
  }
  const all = Object.hasOwn(table, symbol) ? (table[symbol] ?? []) : [];
  const present = all.filter(
    ([exported, since]) => since <= driver && (exports === undefined || exports.has(exported)),
  );
  if (present.length === 0) return { result: 0, status: 1, exported: null, since: null };

  // With per-thread variants there is no falling back to the legacy ones, not even below the first of them.
  const perThread = (flags & 2n) !== 0n && present.some((variant) => variant[2]);
  const asked = cudaVersion < 0 ? driver : cudaVersion;
  let found: SymbolVariant | null = null;
  for (const variant of present) if (variant[2] === perThread && variant[1] <= asked) found = variant;
  return found === null
    ? { result: 0, status: 2, exported: null, since: null }
    : { result: 0, status: 0, exported: found[0], since: found[1] };
}
