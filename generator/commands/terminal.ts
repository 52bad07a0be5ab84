import type { ApiDocument } from "../api/document.ts";

/** Facts go to standard output. */
export function print(text: string): void {
  if (text !== "") process.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value, null, 2));
}

/** What is worth a word but is no fact that was asked for goes to standard error, one line each. */
export function warn(warnings: readonly string[]): void {
  for (const warning of warnings) process.stderr.write(`codegen: ${warning}\n`);
}

/** Says on a terminal what takes its time, and takes it back when that is over. Elsewhere it says nothing. */
export async function during<T>(what: string, work: (say: (what: string) => void) => T | Promise<T>): Promise<T> {
  const shown = process.stderr.isTTY === true;
  const say = (text: string) => {
    if (shown) process.stderr.write(`\r\u001b[K${text} ...`);
  };
  say(what);
  try {
    return await work(say);
  } finally {
    if (shown) process.stderr.write("\r\u001b[K");
  }
}

/** `1 file`, `2 files` */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** Rows of text in columns. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, i) => Math.max(widest[i] ?? 0, cell.length)),
    [],
  );
  return rows
    .map((row) => `  ${row.map((cell, i) => (i < row.length - 1 ? cell.padEnd(widths[i] ?? 0) : cell)).join("  ")}`)
    .join("\n");
}

/** How much a document declares. */
export function describeCounts({ functions, enums, records, constants }: ApiDocument): string {
  return `${functions.length} functions, ${enums.length} enums, ${records.length} records, ${constants.length} constants`;
}
