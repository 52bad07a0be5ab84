/** The runtime's look-up beside the driver's, for every symbol. */
import * as cuda from "cuda-driver";
import { answer, type Outcome, outcome } from "../child.ts";

type Pair = [bigint, number];

export interface EntryPoints {
  plain: Pair[];
  direct: Pair[];
  byVersion: Pair[];
  directByVersion: Pair[];
  below: Pair;
  empty: Pair;
  refused: Outcome<unknown>[];
}

const names = Object.keys(cuda.symbols);
const { version } = cuda.driverInfo();
const flags = [cuda.cudaEnableDefault, cuda.cudaEnableLegacyStream, cuda.cudaEnablePerThreadDefaultStream];
const every = <T>(call: (name: string, flag: number) => T): T[] =>
  names.flatMap((name) => flags.map((flag) => call(name, flag)));
const at = Math.min(cuda.toolkit, version);

answer({
  plain: every((name, flag) => cuda.cudaGetDriverEntryPoint(name, flag)),
  direct: every((name, flag) => cuda.cuGetProcAddress_v2(name, at, flag)),
  byVersion: every((name, flag) => cuda.cudaGetDriverEntryPointByVersion(name, 5050, flag)),
  directByVersion: every((name, flag) => cuda.cuGetProcAddress_v2(name, 5050, flag)),
  below: cuda.cudaGetDriverEntryPointByVersion("cuMemAlloc", 0),
  empty: cuda.cudaGetDriverEntryPoint(""),
  refused: [
    outcome(() => cuda.cudaGetDriverEntryPoint("cuMemAlloc", 4)),
    outcome(() => cuda.cudaGetDriverEntryPointByVersion("cuMemAlloc", 5050, 2n ** 63n)),
  ],
} satisfies EntryPoints);
