/** Arguments of the look-ups that C cannot express: "<error> <function> <parameter> <number>" -> what happened. */
import {
  chooseStreamMode,
  cudaGetDriverEntryPoint,
  cudaGetDriverEntryPointByVersion,
  cuGetProcAddress_v2,
  getProc,
  lookup,
  openDriver,
  symbols,
} from "cuda-driver";
import { get_proc_address_v2 } from "cuda-driver/v2/driver";
import { answer, type Outcome, outcome } from "../child.ts";

type Loose = (...given: unknown[]) => unknown;
type Case = [error: "TypeError" | "RangeError", value: unknown];

const SYMBOLS: Case[] = [
  ["TypeError", null],
  ["TypeError", undefined],
  ["TypeError", 5],
  ["TypeError", 5n],
  ["TypeError", {}],
  ["TypeError", ["cuMemAlloc"]],
  ["TypeError", Buffer.from("cuMemAlloc")],
  ["TypeError", "cuMemAlloc\0"],
  ["TypeError", "\0"],
  ["TypeError", "cu\0MemAlloc"],
  ["TypeError", "\ud800"],
];
const VERSIONS: Case[] = [
  ["TypeError", null],
  ["TypeError", undefined],
  ["TypeError", "12000"],
  ["TypeError", 12000n],
  ["RangeError", 12000.5],
  ["RangeError", Number.NaN],
  ["RangeError", Number.POSITIVE_INFINITY],
  ["RangeError", 2 ** 31],
  ["RangeError", -(2 ** 31) - 1],
];
const FLAGS: Case[] = [
  ["TypeError", null],
  ["TypeError", "0"],
  ["RangeError", -1],
  ["RangeError", -1n],
  ["RangeError", 2n ** 64n],
  ["RangeError", 0.5],
  ["RangeError", 2 ** 53],
  ["RangeError", Number.NaN],
];

const told: Record<string, Outcome<unknown>> = {};
let number = 0;

function each(cases: Case[], name: string, parameter: string, call: (value: unknown) => unknown): void {
  for (const [error, value] of cases) told[`${error} ${name} ${parameter} ${number++}`] = outcome(() => call(value));
}

const byPython = get_proc_address_v2 as Loose;
const byName = cuGetProcAddress_v2 as Loose;
const entryPoint = cudaGetDriverEntryPoint as Loose;
const byVersion = cudaGetDriverEntryPointByVersion as Loose;
const proc = getProc as Loose;

each(SYMBOLS, "cuGetProcAddress_v2", "symbol", (value) => byPython(value, 12000, 0n));
each(SYMBOLS, "cuGetProcAddress_v2", "symbol", (value) => byName(value, 12000, 0n));
each(VERSIONS, "cuGetProcAddress_v2", "cudaVersion", (value) => byPython("cuMemAlloc", value, 0n));
each([...FLAGS, ["TypeError", undefined]], "cuGetProcAddress_v2", "flags", (value) =>
  byPython("cuMemAlloc", 12000, value),
);
each(SYMBOLS, "cudaGetDriverEntryPoint", "symbol", (value) => entryPoint(value, 0n));
each(FLAGS, "cudaGetDriverEntryPoint", "flags", (value) => entryPoint("cuMemAlloc", value));
each(SYMBOLS, "cudaGetDriverEntryPointByVersion", "symbol", (value) => byVersion(value, 12000, 0n));
each(VERSIONS, "cudaGetDriverEntryPointByVersion", "cudaVersion", (value) => byVersion("cuMemAlloc", value, 0n));
each(FLAGS, "cudaGetDriverEntryPointByVersion", "flags", (value) => byVersion("cuMemAlloc", 12000, value));
each(SYMBOLS.slice(0, 7), "getProc", "symbol", (value) => proc(value, { cudaVersion: 12000 }));
each(VERSIONS, "getProc", "cudaVersion", (value) => proc("cuMemAlloc", { cudaVersion: value }));
each(FLAGS, "getProc", "flags", (value) => proc("cuMemAlloc", { cudaVersion: 12000, flags: value }));
const OBJECTS: Case[] = [undefined, null, 5, "x", true].map((value) => ["TypeError", value]);
each(OBJECTS, "getProc", "options", (value) => proc("cuMemAlloc", value));

const asked = { symbol: "cuMemAlloc", cudaVersion: 12000, flags: 0, driver: 12000 };
const ask = (changed: object) => (lookup as Loose)(symbols, { ...asked, ...changed });
each(OBJECTS, "lookup", "table", (value) => (lookup as Loose)(value, asked));
each(OBJECTS, "lookup", "question", (value) => (lookup as Loose)(symbols, value));
each(SYMBOLS.slice(0, 7), "lookup", "symbol", (symbol) => ask({ symbol }));
each(VERSIONS, "lookup", "cudaVersion", (cudaVersion) => ask({ cudaVersion }));
each(VERSIONS, "lookup", "driver", (driver) => ask({ driver }));
each([...FLAGS, ["TypeError", undefined]], "lookup", "flags", (flags) => ask({ flags }));
each(
  [
    ["TypeError", null],
    ["TypeError", {}],
    ["TypeError", ["cuInit"]],
  ],
  "lookup",
  "exports",
  (exports) => ask({ exports }),
);

each(SYMBOLS.slice(0, 1).concat(SYMBOLS.slice(2)), "openDriver", "path", openDriver as Loose);
for (const value of [10n, "both", null, undefined, Symbol("s"), { toJSON: () => assertNever() }])
  each([["TypeError", value]], "chooseStreamMode", "mode", chooseStreamMode as Loose);
answer(told);

function assertNever(): never {
  throw new Error("code of the value's own ran");
}
