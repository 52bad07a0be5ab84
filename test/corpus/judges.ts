import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { driver } from "../../generator/libraries/driver.ts";
import { castxml, type Judgement } from "../support/castxml.ts";

/** What castxml says of one toolkit, in every configuration that the generator reads. */
export interface Judgements {
  /** The headers that a compiler can read: those whose own includes are there. */
  headers: string[];
  default: Judgement;
  perThread: Judgement;
  internal: Judgement;
  /** The default configuration, laid out as for 64-bit Windows. */
  llp64: Judgement;
}

export async function judgements(directory: string): Promise<Judgements> {
  const headers = await readable(directory);
  const ask = (name: string, model: "lp64" | "llp64" = "lp64") =>
    castxml({ directory, headers, define: definesOf(name), model });
  return {
    headers,
    default: await ask("default"),
    perThread: await ask("perThread"),
    internal: await ask("internal"),
    llp64: await ask("default", "llp64"),
  };
}

/** Macros of one of the driver's configurations. */
export function definesOf(configuration: string): Record<string, string> {
  const row = driver.configurations.find(({ name }) => name === configuration);
  if (!row) throw new Error(`the driver's row has no configuration ${configuration}`);
  return row.define;
}

/** A toolkit may lack a header that another of its headers includes (cudaProfiler.h in the wheel of 11.7). */
export async function readable(directory: string): Promise<string[]> {
  const names = driver.headers.map(({ name }) => name);
  const present = names.filter((name) => existsSync(join(directory, name)));
  const found: string[] = [];
  for (const name of present) {
    const text = await readFile(join(directory, name), "utf8");
    const wanted = Array.from(text.matchAll(/^\s*#\s*include\s*[<"]([^">]+)[">]/gm), (match) => match[1] ?? "");
    if (wanted.every((other) => !names.includes(other) || present.includes(other))) found.push(name);
  }
  return found;
}
