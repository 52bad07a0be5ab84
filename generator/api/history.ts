import { createHash } from "node:crypto";
import { UserError } from "../errors.ts";
import { compareText } from "./collect.ts";
import type { ApiDocument, Source } from "./document.ts";
import { type MergedItem, mergeItems, takeItems } from "./merge.ts";
import { API_LISTS, type ApiList, text } from "./serialize.ts";
import { signatures } from "./signature.ts";

/** Every toolkit that was learned, oldest first. What is written is all of them merged, member by member. */
export interface History {
  library: string;
  toolkits: LearnedToolkit[];
}

export interface LearnedToolkit {
  /** Version and the start of a hash over the sources: two builds of one version can differ. `13000-0123456789ab` */
  key: string;
  toolkit: number;
  sources: Source[];
  /** As it was read, before `complete`. */
  document: ApiDocument;
}

interface HistoryFile {
  format: 1;
  library: string;
  toolkits: { key: string; toolkit: number; sources: Source[] }[];
  lists: Record<ApiList, MergedItem[]>;
}

export function emptyHistory(library: string): History {
  return { library, toolkits: [] };
}

/** The key under which a toolkit is learned. */
export function toolkitKey(document: Pick<ApiDocument, "toolkit" | "sources">): string {
  const hash = createHash("sha256");
  for (const source of [...document.sources].sort((a, b) => compareText(a.name, b.name))) {
    hash.update(`${source.name} ${source.sha256}\n`);
  }
  return `${document.toolkit}-${hash.digest("hex").slice(0, 12)}`;
}

/** The history with the document in it; the same history if a toolkit of that key is known. Order does not matter. */
export function learn(history: History, document: ApiDocument): History {
  if (document.library !== history.library) {
    throw new UserError(`the history of "${history.library}" cannot learn headers of "${document.library}"`);
  }
  const key = toolkitKey(document);
  const others = history.toolkits.filter((known) => known.key !== key);
  const { toolkit, sources } = document;
  const toolkits = [...others, { key, toolkit, sources, document }];
  toolkits.sort((a, b) => a.toolkit - b.toolkit || compareText(a.key, b.key));
  return { ...history, toolkits };
}

/** What was learned, oldest first. */
export function toolkits(history: History): { key: string; toolkit: number; sources: Source[] }[] {
  return history.toolkits.map(({ key, toolkit, sources }) => ({ key, toolkit, sources }));
}

/**
 * The document of one toolkit as it was learned. By version, where several builds of it were learned, the one whose key sorts
 * last. Throws UserError for what was never learned.
 */
export function extract(history: History, wanted: string | number): ApiDocument {
  const found = history.toolkits.findLast((known) => known.key === wanted || known.toolkit === wanted);
  if (found === undefined) {
    const known = history.toolkits.map(({ key }) => key).join(", ");
    throw new UserError(`the history has no toolkit ${wanted}; it knows ${known === "" ? "none" : known}`);
  }
  return found.document;
}

/**
 * The merged history as text: JSON, one item (of enums and records: one member) a line, the same for any order of learning.
 * Every list ends in null, so that all lines of items end alike and a new item changes no other's line.
 */
export function saveHistory(history: History): string {
  const keys = history.toolkits.map(({ key }) => key);
  const lines = [
    "{",
    '"format": 1,',
    `"library": ${text(history.library)},`,
    `"toolkits": ${block(toolkits(history).map(text))},`,
    '"lists": {',
    ...API_LISTS.map((list, index) => {
      const merged = mergeItems(
        keys,
        history.toolkits.map(({ document }) => document[list] as object[]),
      );
      return `${text(list)}: ${block(merged.map(itemText))}${index < API_LISTS.length - 1 ? "," : ""}`;
    }),
    "}",
    "}",
    "",
  ];
  return lines.join("\n");
}

function block(items: readonly string[]): string {
  return `[\n${items.map((item) => ` ${item},\n`).join("")}null]`;
}

/** Members of enums and records stand on lines of their own, parameters beside their function. */
function itemText(item: MergedItem): string {
  for (const property of ["members", "fields"]) {
    const members = item[property];
    if (!Array.isArray(members)) continue;
    const { [property]: _, ...rest } = item;
    const head = text(rest);
    return `${head.slice(0, -1)},"${property}":[\n${members.map((member) => `  ${text(member)},\n`).join("")} null]}`;
  }
  return text(item);
}

/** Takes the null away that ends a list; the steps of a property that changed are no such list. */
function withoutEnd(property: string, value: unknown): unknown {
  const ended = property === "toolkits" || property === "members" || property === "fields" || isList(property);
  return ended && Array.isArray(value) ? value.filter((item) => item !== null) : value;
}

function isList(property: string): boolean {
  return (API_LISTS as readonly string[]).includes(property);
}

/** Throws UserError for a text that is no history. */
export function loadHistory(json: string): History {
  let file: HistoryFile;
  try {
    file = JSON.parse(json, withoutEnd) as HistoryFile;
  } catch {
    throw new UserError("the history is not JSON; take the file from version control again");
  }
  if (file.format !== 1 || !Array.isArray(file.toolkits)) {
    throw new UserError("the history is of another format; take the file from version control again");
  }
  const keys = file.toolkits.map(({ key }) => key);
  return {
    library: file.library,
    toolkits: file.toolkits.map((known, index) => {
      let document: ApiDocument | null = null;
      return {
        ...known,
        // Taken out when first asked for: most uses need one toolkit of many.
        get document(): ApiDocument {
          document ??= takeDocument(file, keys, index);
          return document;
        },
      };
    }),
  };
}

function takeDocument(file: HistoryFile, keys: readonly string[], index: number): ApiDocument {
  const { toolkit, sources } = file.toolkits[index] as { toolkit: number; sources: Source[] };
  const lists = Object.fromEntries(API_LISTS.map((list) => [list, takeItems(file.lists[list], keys, index)]));
  return { toolkit, library: file.library, sources, ...lists } as unknown as ApiDocument;
}

/**
 * The document with every `since` filled in: where its own headers do not say, from a learned toolkit that does say it of the
 * same exported name with the same signature; else the version of the earliest learned toolkit that has that function, or its
 * own where that is lower.
 */
export function complete(document: ApiDocument, history: History): ApiDocument {
  if (document.functions.every(({ since }) => since !== null)) return document;
  const missing = new Set(document.functions.filter(({ since }) => since === null).map(({ name }) => name));
  const own = signatures(document);
  const stated = new Map<string, number>();
  const seen = new Map<string, number>();
  for (const known of history.toolkits) {
    const theirs = signatures(known.document);
    for (const { name, since } of known.document.functions) {
      if (!missing.has(name) || theirs(name) !== own(name)) continue;
      if (since !== null) stated.set(name, stated.get(name) ?? since);
      seen.set(name, Math.min(seen.get(name) ?? known.toolkit, known.toolkit));
    }
  }
  return {
    ...document,
    functions: document.functions.map((variant) => {
      if (variant.since !== null) return variant;
      const first = Math.min(seen.get(variant.name) ?? document.toolkit, document.toolkit);
      return { ...variant, since: stated.get(variant.name) ?? first };
    }),
  };
}
