import type { Library, NameRow } from "../libraries/library.ts";
import { splitName } from "../names.ts";
import { compareText } from "./collect.ts";
import type { ApiDocument } from "./document.ts";
import { plainSpellings } from "./spellings.ts";

/** Runs of letters that are one word though their case says otherwise: HtoD, D2D8, P2P, L2Cache, SMem. */
const WORDS =
  /[DHA]to[DHA](?=[A-Z]|$)|D2D\d+|P2P|L2Cache|SMem|[1-3]D(?=[A-Z]|$)|D\d+(?=[A-Z]|$)|[A-Z]+(?=[A-Z][a-z])|[A-Z]+[a-z]*(?:\d(?!D)[a-z0-9]*)*|[a-z0-9]+/g;

/**
 * A function's name in Python's manner: without the library's prefix, in snake case, with the exported name's version:
 * cuMemcpyHtoD_v2 -> memcpy_htod_v2. `exceptions` are the names that no rule gives.
 */
export function pythonName(exported: string, prefix: string, exceptions: readonly NameRow[] = []): string {
  const exception = exceptions.find((row) => row.function === exported);
  if (exception !== undefined) return exception.name;
  const { base } = splitName(exported);
  return `${snakeCase(base.slice(prefix.length))}${exported.slice(base.length)}`;
}

/** A parameter's or a function's name in snake case; names that are so already stay. */
export function snakeCase(name: string): string {
  return name
    .split("_")
    .map((part) => (part.match(WORDS) ?? []).join("_").toLowerCase())
    .filter((part) => part !== "")
    .join("_");
}

/**
 * Every function of the legacy stream mode under its name in Python's manner -> exported name, sorted. A retired export under a
 * spelling that now means another function is left out, unless cuda-python offers it all the same; a plain spelling that means
 * a function of another base name (graph_instantiate) goes before the function that is really called so.
 */
export function pythonNames(document: ApiDocument, library: Library): Map<string, string> {
  const names = new Map<string, string>();
  const add = (spelling: string, exported: string) =>
    names.set(pythonName(spelling, library.prefix, library.pythonNames), exported);
  const plain = plainSpellings(document);
  const kept = new Set(library.pythonRetired.map((row) => row.function));
  for (const { name, streamMode } of document.functions) {
    const isOwn = (plain.get(name) ?? name) === name;
    if (streamMode === "legacy" && (isOwn || kept.has(name))) add(name, name);
  }
  for (const { name, streamMode, target } of document.aliases) if (streamMode === "legacy") add(name, target);
  const first = new Set(names.values());
  for (const row of library.pythonNames) if (first.has(row.function)) names.set(row.name, row.function);
  return new Map([...names.entries()].sort(([a], [b]) => compareText(a, b)));
}
