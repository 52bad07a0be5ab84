import { createHash } from "node:crypto";
import { UserError } from "../errors.ts";
import { compareReleases } from "../versions.ts";
import { compareText } from "./collect.ts";
import type { ApiDocument, ApiFunction, Source } from "./document.ts";
import { lastOf, type MergedItem, mergeItems, takeItems } from "./merge.ts";
import { API_LISTS, type ApiList, text } from "./serialize.ts";
import { signatures } from "./signature.ts";

/** Every toolkit that was learned, and all of what they declare, merged member by member: what the file in headers/ says. */
export interface History {
  library: string;
  /** By version, then release (none comes first), then key. */
  toolkits: LearnedToolkit[];
  lists: Record<ApiList, MergedItem[]>;
}

interface LearnedToolkit {
  /** Version and the start of a hash over the sources: two builds of one version can differ. `13000-0123456789ab` */
  key: string;
  toolkit: number;
  /** `12.4.127`: the newest release with these headers, where it is known. */
  release?: string;
  sources: Source[];
}

/** A document as it was read, before `complete`, and the release that it is of. */
export interface Lesson {
  document: ApiDocument;
  release?: string | null | undefined;
}

export function emptyHistory(library: string): History {
  return mergeHistory(library, []);
}

/** The key under which a toolkit is learned. */
export function toolkitKey(document: Pick<ApiDocument, "toolkit" | "sources">): string {
  const hash = createHash("sha256");
  for (const source of [...document.sources].sort((a, b) => compareText(a.name, b.name))) {
    hash.update(`${source.name} ${source.sha256}\n`);
  }
  return `${document.toolkit}-${hash.digest("hex").slice(0, 12)}`;
}

/** The history with these documents in it. Order does not matter; learning again what is known changes nothing. */
export function learn(history: History, ...lessons: readonly Lesson[]): History {
  const known = history.toolkits.map(({ key, release }) => ({ document: extract(history, key), release }));
  return mergeHistory(history.library, [...known, ...lessons]);
}

function mergeHistory(library: string, lessons: readonly Lesson[]): History {
  const learned = new Map<string, LearnedToolkit & { document: ApiDocument }>();
  for (const { document, release } of lessons) {
    if (document.library !== library) {
      throw new UserError(`the history of "${library}" cannot learn headers of "${document.library}"`);
    }
    const key = toolkitKey(document);
    const { toolkit, sources } = document;
    const releases = [learned.get(key)?.release, release].filter((name) => typeof name === "string");
    const newest = releases.sort(compareReleases).at(-1);
    learned.set(key, { key, toolkit, ...(newest === undefined ? {} : { release: newest }), sources, document });
  }
  const sorted = [...learned.values()].sort(
    (a, b) => a.toolkit - b.toolkit || compareReleases(a.release ?? "", b.release ?? "") || compareText(a.key, b.key),
  );
  const keys = sorted.map(({ key }) => key);
  const merge = (list: ApiList) =>
    mergeItems(
      keys,
      sorted.map(({ document }) => document[list] as object[]),
    );
  return {
    library,
    toolkits: sorted.map(({ document: _, ...toolkit }) => toolkit),
    lists: Object.fromEntries(API_LISTS.map((list) => [list, merge(list)])) as History["lists"],
  };
}

/**
 * The learned toolkit that a key, a release or a version means: of several builds of one version the last, as a look into the
 * cache finds it. null: none was learned.
 */
export function find(history: History, wanted: string | number): LearnedToolkit | null {
  const meant = ({ key, release, toolkit }: LearnedToolkit) => [key, release, toolkit].includes(wanted);
  return history.toolkits.findLast(meant) ?? null;
}

/** The document of one toolkit as it was learned. Throws UserError for what was never learned. */
export function extract(history: History, wanted: string | number): ApiDocument {
  const found = find(history, wanted);
  if (found === null) {
    const known = history.toolkits.map(({ key }) => key).join(", ");
    throw new UserError(`the history has no toolkit ${wanted}; it knows ${known === "" ? "none" : known}`);
  }
  const { toolkit, sources } = found;
  const keys = keysOf(history);
  const at = history.toolkits.indexOf(found);
  const lists = Object.fromEntries(API_LISTS.map((list) => [list, takeItems(history.lists[list], keys, at)]));
  return { toolkit, library: history.library, sources, ...lists } as unknown as ApiDocument;
}

/** The functions of all toolkits, each as the newest toolkit that has it declares it. */
export function newestFunctions(history: History): ReadonlyMap<string, () => ApiFunction> {
  const keys = keysOf(history);
  return new Map(
    history.lists.functions.map((item) => [item.name as string, () => lastOf(item, keys) as unknown as ApiFunction]),
  );
}

function keysOf({ toolkits }: History): string[] {
  return toolkits.map(({ key }) => key);
}

/**
 * The history as text: JSON, one item (of enums and records: one member) a line, the same for any order of learning.
 * Every list ends in null, so that all lines of items end alike and a new item changes no other's line.
 */
export function saveHistory({ library, toolkits, lists }: History): string {
  const lines = [
    "{",
    '"format": 1,',
    `"library": ${text(library)},`,
    `"toolkits": ${block(toolkits.map(text))},`,
    '"lists": {',
    ...API_LISTS.map(
      (list, index) => `${text(list)}: ${block(lists[list].map(itemText))}${index < API_LISTS.length - 1 ? "," : ""}`,
    ),
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
const OWN_LINES = ["members", "fields"];

function itemText(item: MergedItem): string {
  for (const property of OWN_LINES) {
    const members = item[property];
    if (!Array.isArray(members)) continue;
    const { [property]: _, ...rest } = item;
    const head = text(rest);
    return `${head.slice(0, -1)},"${property}":[\n${members.map((member) => `  ${text(member)},\n`).join("")} null]}`;
  }
  return text(item);
}

/**
 * @param name of the file, for messages.
 * @throws UserError for a text that is no history.
 */
export function loadHistory(json: string, name = "the history"): History {
  const refuse = (what: string) => new UserError(`${name} is ${what}; take the file from version control again`);
  let file: (History & { format: number }) | null;
  try {
    file = JSON.parse(json);
  } catch {
    throw refuse("not JSON");
  }
  const lists: unknown[] = [file?.toolkits, ...API_LISTS.map((list) => file?.lists?.[list])];
  if (file?.format !== 1 || !lists.every((list) => Array.isArray(list) && list.at(-1) === null)) {
    throw refuse("no history of this format");
  }
  // The ends of lists, which only the lines of the text need.
  for (const list of lists as unknown[][]) list.pop();
  for (const item of [...file.lists.enums, ...file.lists.records]) {
    for (const property of OWN_LINES) (item[property] as unknown[] | undefined)?.pop();
  }
  return { library: file.library, toolkits: file.toolkits, lists: file.lists };
}

/**
 * The document with every `since` filled in: where its own headers do not say, from a learned toolkit that does say it of the
 * same exported name with the same signature; else the version of the earliest learned toolkit that has that function, or its
 * own where that is lower.
 */
export function complete(document: ApiDocument, history: History): ApiDocument {
  const open = new Set(document.functions.filter(({ since }) => since === null).map(({ name }) => name));
  if (open.size === 0) return document;
  const own = withoutEnums(signatures(document));
  const keys = keysOf(history);
  const items = history.lists.functions.filter(({ name }) => open.has(name as string));
  const stated = new Map<string, number>();
  const seen = new Map<string, number>();
  for (const [at, { key, toolkit }] of history.toolkits.entries()) {
    const candidates = takeItems(items, keys, at) as unknown as ApiFunction[];
    if (!candidates.some(({ name }) => open.has(name))) continue;
    const theirs = withoutEnums(signatures(extract(history, key)));
    for (const { name, since } of candidates) {
      if (theirs(name) !== own(name)) continue;
      seen.set(name, Math.min(seen.get(name) ?? toolkit, toolkit));
      if (since === null) continue;
      stated.set(name, stated.get(name) ?? since);
      open.delete(name);
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

/** A toolkit may lack the header that defines an enum and know it as the integer that C passes (CUoutput_mode in the wheels). */
function withoutEnums(signature: (name: string) => string | undefined): (name: string) => string | undefined {
  return (name) => signature(name)?.replace(/\benum \w+/g, "unsigned int");
}
