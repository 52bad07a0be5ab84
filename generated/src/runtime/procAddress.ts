// Written by cuda-codegen 0.1.0 into every package, whatever its toolkit. Do not edit: run codegen generate.
import { askDriver, driverInfo, errorFor, installed, LEGACY_STREAM, PER_THREAD_STREAM } from "./driver.ts";
import { CudaError, NOT_FOUND } from "./errors.ts";
import { checkText, refuse } from "./frame.ts";
import { lookup } from "./lookup.ts";
import { native } from "./native.ts";
import { streamMode } from "./streamMode.ts";
import { wideInteger } from "./structChecks.ts";

const SUCCESS = 0;
const SYMBOL_NOT_FOUND = 1;

interface Answer {
  readonly result: number;
  readonly pfn: bigint;
  readonly status: number;
}

const NOTHING: Answer = { result: SUCCESS, pfn: 0n, status: SYMBOL_NOT_FOUND };

/** Some symbols are known for a version, but not exported on every platform. */
const EXPORTS = { has: (name: string) => native.symbol(name) !== 0n };

/** What the symbol table answers for this driver. */
function inTable(symbol: string, cudaVersion: number, flags: bigint) {
  return lookup(installed().symbols, { symbol, cudaVersion, flags, driver: driverInfo().version, exports: EXPORTS });
}

/** For a driver that cannot say: what it exports under the name that the table predicts. */
function answerFromTable(symbol: string, cudaVersion: number, flags: bigint): Answer {
  const { result, status, exported } = inTable(symbol, cudaVersion, flags);
  if (exported === null) return { result, pfn: 0n, status: status ?? SYMBOL_NOT_FOUND };
  const pfn = native.symbol(exported);
  return pfn === 0n ? NOTHING : { result, pfn, status: SUCCESS };
}

function answer(symbol: string, cudaVersion: number, given: bigint): Answer {
  /* As NVIDIA's headers do it: the default means the stream that the program was made for. */
  const flags =
    (given & (LEGACY_STREAM | PER_THREAD_STREAM)) === 0n && streamMode() === "perThread"
      ? given | PER_THREAD_STREAM
      : given;
  const asked = askDriver(symbol, cudaVersion, flags);
  if (asked === null) return answerFromTable(symbol, cudaVersion, flags);
  const { result, pfn, status } = asked;
  if (status !== null) return { result, pfn, status };
  if (result !== NOT_FOUND) return { result, pfn, status: SUCCESS };
  /* The old function says only "not found": why is derived from the table. */
  const { status: derived } = inTable(symbol, cudaVersion, flags);
  return { result: SUCCESS, pfn: 0n, status: derived === null || derived === SUCCESS ? SYMBOL_NOT_FOUND : derived };
}

/** Flags as the driver takes them. @throws TypeError, RangeError */
export function wideFlags(flags: number | bigint, name: string): bigint {
  return wideInteger(flags, false, name, "flags");
}

/** @throws TypeError, RangeError */
export function checkedVersion(version: number, name: string, parameter = "cudaVersion"): number {
  if (typeof version !== "number" || (version | 0) !== version) {
    refuse(name, parameter, "an integer from -2147483648 to 2147483647", version, "number");
  }
  return version;
}

function checked(name: string, symbol: string, cudaVersion: number, flags: number | bigint): bigint {
  checkText(symbol, name, "symbol");
  checkedVersion(cudaVersion, name);
  return wideFlags(flags, name);
}

/**
 * The address of a driver function as it was at a CUDA version, with the reason where there is none.
 *
 * Asked of the driver's own cuGetProcAddress_v2 (from 12.0); of the older cuGetProcAddress (from 11.3), whose missing status
 * is derived from the symbol table; before that, of the table and the library's exports. `driverInfo().lookUp` says which.
 *
 * @param symbol base name: "cuMemAlloc", without a version or stream suffix
 * @param cudaVersion 1000*major + 10*minor
 * @param flags a CUdriverProcAddress_flags; CU_GET_PROC_ADDRESS_DEFAULT means the program's default stream
 * @returns [pfn, symbolStatus]: pfn is 0n unless the status is CU_GET_PROC_ADDRESS_SUCCESS
 * @throws CudaError for flags, or (on drivers from 13.0) for a version, that the driver refuses
 */
export function getProcAddress<Status extends number>(
  symbol: string,
  cudaVersion: number,
  flags: number | bigint,
): [pfn: bigint, symbolStatus: Status] {
  const name = "cuGetProcAddress_v2";
  const { result, pfn, status } = answer(symbol, cudaVersion, checked(name, symbol, cudaVersion, flags));
  if (result !== SUCCESS) throw errorFor(name, result);
  return [pfn, status as Status];
}

/** Flags of the runtime's look-up: the macros cudaEnableDefault, ... of driver_types.h. */
export const cudaEnableDefault = 0;
export const cudaEnableLegacyStream = 1;
export const cudaEnablePerThreadDefaultStream = 2;

/** Status of the runtime's look-up: the enum of that name in driver_types.h. */
export const cudaDriverEntryPointQueryResult = {
  cudaDriverEntryPointSuccess: 0,
  cudaDriverEntryPointSymbolNotFound: 1,
  /** NVIDIA's spelling. */
  cudaDriverEntryPointVersionNotSufficent: 2,
} as const;
export type cudaDriverEntryPointQueryResult =
  (typeof cudaDriverEntryPointQueryResult)[keyof typeof cudaDriverEntryPointQueryResult];

const RUNTIME_INVALID_VALUE = 1;

/**
 * The runtime's look-up at a given version, over the driver's.
 *
 * @returns [funcPtr, driverStatus]: funcPtr is 0n unless the status is cudaDriverEntryPointSuccess
 * @throws CudaError cudaErrorInvalidValue for flags or a version that the runtime refuses
 */
export function cudaGetDriverEntryPointByVersion(
  symbol: string,
  cudaVersion: number,
  flags: number | bigint = cudaEnableDefault,
): [funcPtr: bigint, driverStatus: cudaDriverEntryPointQueryResult] {
  return entryPoint("cudaGetDriverEntryPointByVersion", symbol, cudaVersion, flags);
}

/**
 * The runtime's look-up at the version of the toolkit that this package was generated from, or at the driver's where that is
 * lower.
 *
 * @returns [funcPtr, driverStatus]: funcPtr is 0n unless the status is cudaDriverEntryPointSuccess
 * @throws CudaError cudaErrorInvalidValue for flags that the runtime refuses
 */
export function cudaGetDriverEntryPoint(
  symbol: string,
  flags: number | bigint = cudaEnableDefault,
): [funcPtr: bigint, driverStatus: cudaDriverEntryPointQueryResult] {
  const version = Math.min(installed().toolkit, driverInfo().version);
  return entryPoint("cudaGetDriverEntryPoint", symbol, version, flags);
}

function entryPoint(
  name: string,
  symbol: string,
  cudaVersion: number,
  flags: number | bigint,
): [funcPtr: bigint, driverStatus: cudaDriverEntryPointQueryResult] {
  const { result, pfn, status } = answer(symbol, cudaVersion, checked(name, symbol, cudaVersion, flags));
  if (result !== SUCCESS) throw new CudaError(name, RUNTIME_INVALID_VALUE, "cudaErrorInvalidValue", "invalid argument");
  return [pfn, status as cudaDriverEntryPointQueryResult];
}
