import { createInterface } from "node:readline";
import { distance } from "fastest-levenshtein";
import { prototype } from "../api/ctype.ts";
import type { ApiFunction } from "../api/document.ts";
import { newestFunctions } from "../api/history.ts";
import { lookup as ask, type SymbolTable } from "../api/lookup.ts";
import { buildSymbolTable, symbolsLearned } from "../api/symbols.ts";
import { UserError } from "../errors.ts";
import { driver as library } from "../libraries/driver.ts";
import { readHistory } from "../store.ts";
import { formatVersion } from "../versions.ts";
import { print, printJson } from "./terminal.ts";

interface LookupOptions {
  cuda?: string;
  flags: string;
  driver?: string;
  json?: boolean;
}

interface Question {
  symbol: string;
  cudaVersion: number;
  /** As it was given; see `flagsValue`. */
  flags: string | number;
  driver: number;
}

/** What `--json` prints. */
interface Answer extends Question {
  /** CUresult. */
  result: number;
  status: "SUCCESS" | "SYMBOL_NOT_FOUND" | "VERSION_NOT_SUFFICIENT" | null;
  exported: string | null;
  since: number | null;
  signature: string | null;
}

interface Knowledge {
  table: SymbolTable;
  functions: ReadonlyMap<string, () => ApiFunction>;
  /** Newest toolkit known: the driver that is asked where none is named. */
  newest: number;
}

const flagNames: Readonly<Record<string, number>> = { default: 0, legacy: 1, "per-thread": 2 };
const statusNames = ["SUCCESS", "SYMBOL_NOT_FOUND", "VERSION_NOT_SUFFICIENT"] as const;

/** Says what get_proc_address_v2 would answer; for the symbol `-`, to each question on standard input. */
export async function lookup(symbol: string, options: LookupOptions): Promise<number> {
  const knowledge = learned();
  if (symbol === "-") return await answerLines(knowledge, options);
  if (symbol === "") throw new UserError("the symbol is empty: name one, such as cuMemAlloc");
  if (options.cuda === undefined) throw new UserError("name the CUDA version to ask for: --cuda 12.4");
  const answer = answerTo(
    question({ symbol, cudaVersion: options.cuda, flags: options.flags, driver: options.driver }, knowledge),
    knowledge,
  );
  if (options.json) printJson(answer);
  else print(describe(answer, knowledge.table));
  return 0;
}

async function answerLines(knowledge: Knowledge, options: LookupOptions): Promise<number> {
  let code = 0;
  for await (const line of createInterface({ input: process.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === "") continue;
    try {
      const asked = { cudaVersion: options.cuda, flags: options.flags, driver: options.driver, ...parseLine(line) };
      print(JSON.stringify(answerTo(question(asked, knowledge), knowledge)));
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      print(JSON.stringify({ error: error.message }));
      code = 2;
    }
  }
  return code;
}

function parseLine(line: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {}
  throw new UserError(`not a JSON object: ${line.slice(0, 80)}`);
}

function question(given: Record<string, unknown>, { newest }: Knowledge): Question {
  const { symbol, cudaVersion, flags } = given;
  if (typeof symbol !== "string") throw new UserError('a question needs a "symbol", the base name: "cuMemAlloc"');
  return {
    symbol,
    cudaVersion: versionNumber(cudaVersion, "cudaVersion"),
    flags: flags === undefined || flags === null ? "default" : (flags as string | number),
    driver: given.driver === undefined || given.driver === null ? newest : versionNumber(given.driver, "driver"),
  };
}

function answerTo(asked: Question, { table, functions }: Knowledge): Answer {
  const { symbol, cudaVersion, flags, driver } = asked;
  const { result, status, exported, since } = ask(table, { symbol, cudaVersion, flags: flagsValue(flags), driver });
  const variant = exported === null ? undefined : functions.get(exported)?.();
  return {
    symbol,
    cudaVersion,
    flags,
    driver,
    result,
    status: status === null ? null : statusNames[status],
    exported,
    since,
    signature: variant ? prototype(variant, variant.name) : null,
  };
}

/** `12.4`, `12040`, 12040, -1: any whole number is a question that the driver answers. */
function versionNumber(value: unknown, what: string): number {
  if (typeof value === "number" && Number.isSafeInteger(value)) return value;
  const text = typeof value === "string" ? value.trim() : "";
  if (/^[1-9]\d?$/.test(text)) throw new UserError(`${what} is "${text}": write it as ${text}.0 or ${text}000`);
  if (/^-?\d{1,9}$/.test(text)) return Number(text);
  const dotted = /^(\d{1,3})\.(\d{1,2})$/.exec(text);
  if (dotted) return Number(dotted[1]) * 1000 + Number(dotted[2]) * 10;
  throw new UserError(
    `${what} ${value === undefined ? "is missing" : `is ${JSON.stringify(value)}`}: write it as 12.4 or 12040`,
  );
}

function flagsValue(flags: string | number): number | bigint {
  if (typeof flags === "number" && Number.isInteger(flags)) return BigInt(flags);
  const named = typeof flags === "string" && Object.hasOwn(flagNames, flags) ? flagNames[flags] : undefined;
  if (named !== undefined) return named;
  if (typeof flags === "string" && /^\d{1,20}$/.test(flags)) return BigInt(flags);
  throw new UserError(`flags ${JSON.stringify(flags)} are unknown: default, legacy, per-thread, or their number`);
}

/** So many letters too many, too few or other make a name that was mistyped. */
const MISTYPED = 2;

/** What was probably meant by a symbol that is none; "": nothing is like it. */
function hint(symbol: string, table: SymbolTable): string {
  const variantOf = Object.keys(table).find((base) => table[base]?.some(([exported]) => exported === symbol));
  if (variantOf !== undefined) return `\n  it is a variant of ${variantOf}: ask for ${variantOf} at a version`;
  if (/^cuda[A-Z]/.test(symbol))
    return "\n  it is called as functions of the runtime are: the driver's begin with cu alone";
  const far = (base: string) => distance(base.toLowerCase(), symbol.toLowerCase());
  const [like] = Object.keys(table)
    .filter((base) => far(base) <= MISTYPED)
    .sort((a, b) => far(a) - far(b));
  return like === undefined ? "" : `\n  there is ${like}`;
}

function describe(answer: Answer, table: SymbolTable): string {
  const { symbol, cudaVersion, driver, result, status, exported, since, signature } = answer;
  const version = cudaVersion < 0 ? "the newest CUDA version" : `CUDA ${formatVersion(cudaVersion)}`;
  const asked = `${symbol} at ${version} (${cudaVersion}), flags ${answer.flags}, on a driver of CUDA ${formatVersion(driver)} (${driver})`;
  if (result !== 0) return `${asked}:\n  CUDA_ERROR_INVALID_VALUE, nothing is written`;
  if (exported === null || since === null) {
    const more = Object.hasOwn(table, symbol) ? "" : hint(symbol, table);
    return `${asked}:\n  ${status}, the pointer is NULL${more}`;
  }
  return `${asked}:\n  ${exported}, since CUDA ${formatVersion(since)} (${since})\n  ${signature}`;
}

function learned(): Knowledge {
  const history = readHistory(library);
  const newest = history.toolkits.at(-1)?.toolkit;
  if (newest === undefined)
    throw new UserError("the history is empty, so that there is nothing to look up in: run codegen learn");
  return { table: buildSymbolTable(symbolsLearned(history)), functions: newestFunctions(history), newest };
}
