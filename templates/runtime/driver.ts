import { types } from "node:util";
import { CudaDriverNotFoundError, CudaError, CudaSymbolError, versionText } from "./errors.ts";
import { bytes, checkText, i32, owned, putAddress, putString, startOwning, u32, u64 } from "./frame.ts";
import { OUT_SLOT, UNRESOLVED } from "./frameLayout.ts";
import type { SymbolTable } from "./lookup.ts";
import { native } from "./native.ts";
import { streamMode } from "./streamMode.ts";

/**
 * One exported function, at its index; `identifier` where the package calls it otherwise, `twin`: index of its variant for the
 * per-thread default stream.
 */
export type Proc = readonly [
  exported: string,
  base: string,
  since: number,
  perThread: boolean,
  identifier: string | null,
  twin: number | null,
];

/** What the generated half tells the fixed half. */
interface Tables {
  /** By index, as the addon numbers them. */
  readonly procs: readonly Proc[];
  /** Every symbol of every toolkit known when the package was generated. */
  readonly symbols: SymbolTable;
  /** CUresult, value -> name. */
  readonly results: Readonly<Record<number, string>>;
  /** CUDA version of the toolkit that the package was generated from. */
  readonly toolkit: number;
  /** Names of the driver's library, in the order to try them. */
  readonly libraries: { readonly linux: readonly string[]; readonly win32: readonly string[] };
}

let tables: Tables = { procs: [], symbols: {}, results: {}, toolkit: 0, libraries: { linux: [], win32: [] } };

/** Called once by the generated half, before anything else. */
export function install(given: Tables): void {
  tables = given;
}

export function installed(): Tables {
  return tables;
}

const LOOK_UP_PATHS = ["table", "cuGetProcAddress", "cuGetProcAddress_v2"] as const;

/** A library that was tried and not taken. */
export interface PassedOver {
  readonly path: string;
  readonly reason: string;
}

export interface DriverInfo {
  /** File of the library in use. */
  readonly path: string;
  /** CUDA version of the driver: 1000*major + 10*minor. */
  readonly version: number;
  /** What answers look-ups: the driver's own function, or (before 11.3) the symbol table. */
  readonly lookUp: (typeof LOOK_UP_PATHS)[number];
  /** Candidates before it: link-time stubs, files that are no driver. */
  readonly passedOver: readonly PassedOver[];
}

let info: DriverInfo | null = null;

/** Linux opens no longer path, in bytes. */
const LONGEST_PATH = 4095;

/**
 * What to look for: libraries that the process may hold already, then files. Where a link-time stub stands first on the search
 * path, the driver is further along it, or in one of the usual places.
 */
function candidates(named: string | undefined): { held: readonly string[]; files: readonly string[] } {
  const usual = process.platform === "win32" ? tables.libraries.win32 : tables.libraries.linux;
  const names = usual.filter((name) => !name.includes("/"));
  if (named) return { held: [named, ...names], files: [named] };
  const folders =
    process.platform === "win32"
      ? []
      : (process.env.LD_LIBRARY_PATH ?? "").split(":").filter((folder) => folder !== "");
  const along = folders.flatMap((folder) => names.map((name) => `${folder}/${name}`));
  return { held: names, files: [...names, ...along, ...usual.filter((name) => name.includes("/"))] };
}

/**
 * Opens the driver: a library that the process already holds, else the first candidate that is a driver and no link-time stub.
 * The whole process uses the one that was opened first; it is never closed.
 *
 * @param path the library to open; else the one that the environment variable CUDA_DRIVER_LIBRARY names; else the platform's own
 * @throws CudaDriverNotFoundError with everything that was tried; TypeError for what is no path
 */
export function openDriver(path: string | undefined = process.env.CUDA_DRIVER_LIBRARY): DriverInfo {
  if (path !== undefined) checkText(path, "openDriver", "path");
  if (info !== null) return info;
  const { held, files } = candidates(path);
  const passedOver: PassedOver[] = [];
  for (const [candidate, onlyHeld] of [
    ...held.map((name) => [name, true] as const),
    ...files.map((name) => [name, false] as const),
  ]) {
    const isTooLong = Buffer.byteLength(candidate) > LONGEST_PATH;
    const reason = isTooLong ? `a path of more than ${LONGEST_PATH} bytes` : native.open(candidate, onlyHeld);
    const found = native.info();
    if (found !== null) {
      info = Object.freeze({
        path: found[0],
        version: found[1],
        lookUp: LOOK_UP_PATHS[found[2]],
        passedOver: Object.freeze(passedOver),
      });
      return info;
    }
    /* The system's own words begin with the path. */
    const why = reason.startsWith(`${candidate}: `) ? reason.slice(candidate.length + 2) : reason;
    if (!onlyHeld) passedOver.push({ path: candidate, reason: why });
  }
  throw new CudaDriverNotFoundError(passedOver);
}

/** The driver in use, opened if it was not. @throws CudaDriverNotFoundError with everything that was tried */
export function driverInfo(): DriverInfo {
  return openDriver();
}

/** CU_GET_PROC_ADDRESS_LEGACY_STREAM, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM */
export const [LEGACY_STREAM, PER_THREAD_STREAM] = [1n, 2n] as const;

/** Slots and place of the driver's own look-up; see `lookUp` in the addon. */
const PFN = OUT_SLOT;
const STATUS = OUT_SLOT + 1;

/**
 * The driver's own look-up through the addon: CUresult, pointer and CUdriverProcAddressQueryResult as it left them. null where
 * the driver has no look-up function. With the old function (before 12.0) the status stays null.
 */
export function askDriver(
  symbol: string,
  cudaVersion: number,
  flags: bigint,
): { result: number; pfn: bigint; status: number | null } | null {
  const { lookUp } = driverInfo();
  if (lookUp === "table") return null;
  startOwning();
  putString(1, symbol, "cuGetProcAddress_v2", "symbol");
  putAddress(2, 8 * PFN);
  i32[6] = cudaVersion;
  u64[4] = flags;
  putAddress(5, 8 * STATUS);
  u64[PFN] = 0n;
  i32[2 * STATUS] = 0;
  native.lookUp(owned());
  return {
    result: i32[0] as number,
    pfn: u64[PFN] as bigint,
    status: lookUp === "cuGetProcAddress_v2" ? (i32[2 * STATUS] as number) : null,
  };
}

/**
 * Address of one variant: what the driver exports under its very name, so that the signature is the one the wrapper was made
 * for; else what the driver's look-up gives at the variant's own version, never at the toolkit's or the driver's.
 */
function addressOf([exported, base, since, perThread]: Proc): bigint {
  const export_ = native.symbol(exported);
  /* Drivers before 13.0 answer a version above their own with an older variant. */
  if (export_ !== 0n || since > driverInfo().version) return export_;
  const answer = askDriver(base, since, perThread ? PER_THREAD_STREAM : LEGACY_STREAM);
  return answer?.result === 0 && answer.status === 0 ? answer.pfn : 0n;
}

/** Why a function cannot be called, and which older variants this driver has, under the names that the package gives them. */
function lacking([, base, since, perThread]: Proc): string {
  const { version } = driverInfo();
  const reason =
    since > version
      ? `needs ${versionText(since)}, this driver is ${versionText(version)}`
      : `not exported by this driver (${versionText(version)})`;
  const older = tables.procs.filter(
    (other) => other[1] === base && other[2] < since && other[3] === perThread && native.symbol(other[0]) !== 0n,
  );
  return older.length === 0 ? reason : `${reason}; it has ${older.map((other) => other[4] ?? other[0]).join(", ")}`;
}

/** The variant that a function means in this program: its per-thread twin, where that stream was chosen and there is one. */
export function meant(proc: Proc): Proc {
  const twin = tables.procs[proc[5] ?? -1];
  return twin === undefined || streamMode() === "legacy" ? proc : twin;
}

/** Binds a function to its address. @throws CudaSymbolError where the driver lacks it. */
export function resolve(index: number): void {
  const named = tables.procs[index];
  if (named === undefined) throw new RangeError(`no function has the index ${index}`);
  driverInfo();
  /* A call is being made: its arguments wait in the frame that the look-up uses too. */
  const saved = bytes.slice();
  try {
    const proc = meant(named);
    const address = addressOf(proc);
    if (address === 0n) throw new CudaSymbolError(proc[0], proc[2], driverInfo().version, lacking(proc));
    native.bind(index, address);
  } finally {
    bytes.set(saved);
  }
}

/** The error for a result, in the driver's own words where it has some. */
export function errorFor(syscall: string, result: number, path?: string): CudaError {
  const [name, description] = native.errorText(result);
  return new CudaError(syscall, result, tables.results[result] ?? (name || `CUDA_ERROR_${result}`), description, path);
}

/** What the driver exports for a function in this program. */
function calledName(index: number): string {
  return meant(tables.procs[index] as Proc)[0];
}

/**
 * Called where a call did not answer CUDA_SUCCESS: binds the function and calls again if it had no address, else throws.
 * The frame still holds the arguments.
 */
export function retry(index: number, path?: string, ...kept: unknown[]): void {
  let result = i32[0] as number;
  if (result === UNRESOLVED) {
    resolve(index);
    i32[0] = index;
    native.call(...kept);
    result = i32[0] as number;
    if (result === 0) return;
  }
  throw errorFor(calledName(index), result, path);
}

/** As `retry`, for a query: false where the driver answers `notReady`, true for CUDA_SUCCESS. */
export function retryQuery(index: number, notReady: number): boolean {
  if (i32[0] === UNRESOLVED) {
    resolve(index);
    i32[0] = index;
    native.call();
    if (i32[0] === 0) return true;
  }
  if (i32[0] === notReady) return false;
  throw errorFor(calledName(index), i32[0] as number);
}

const bound = new Set<number>();

/** Binds a function before it is called. @throws CudaSymbolError where the driver lacks it */
export function required(index: number): void {
  if (bound.has(index)) return;
  resolve(index);
  bound.add(index);
}

/** Makes the call that the frame holds on a pool thread; `decode` reads the outcome on this thread. */
export async function callAsync<T>(index: number, decode: () => T, ...kept: unknown[]): Promise<T> {
  const temporaries = owned();
  required(index);
  u32[0] = index;
  try {
    return await native.callAsync(decode, [kept, temporaries]);
  } catch (error) {
    /* It was made where the pool's call ended: here the stack has those who wait for it. */
    if (types.isNativeError(error)) Error.captureStackTrace(error, callAsync);
    throw error;
  }
}

/** The outcome of an asynchronous call: throws unless it was CUDA_SUCCESS. */
export function settled(index: number, path?: string): void {
  if (i32[0] !== 0) throw errorFor(calledName(index), i32[0] as number, path);
}

/** As `settled`, for a query: false where the driver answers `notReady`. */
export function settledQuery(index: number, notReady: number): boolean {
  if (i32[0] === notReady) return false;
  settled(index);
  return true;
}
