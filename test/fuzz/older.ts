import { parseType, typeNames } from "../../generator/api/ctype.ts";
import type { ApiDocument } from "../../generator/api/document.ts";
import { driver } from "../../generator/libraries/driver.ts";

/**
 * What a toolkit's document would be if it were of an older version, as far as that can be said: the functions that the older
 * one has, and the types that these need. Headers from before 11.7 are in no package that is small enough for a test.
 */
export function asOfVersion(document: ApiDocument, version: number): ApiDocument {
  const functions = document.functions.filter(({ since }) => since !== null && since <= version);
  const lists = [document.records, document.enums, document.handles, document.typedefs, document.callbacks];
  const items = lists.flat() as (Item & { name: string; tag?: string | null })[];
  const byName = new Map(
    items.flatMap((item) => [item.name, item.tag ?? item.name].map((name) => [name, item] as const)),
  );
  const reached = (from: readonly Item[]) => {
    const found = new Set<unknown>();
    const open = from.flatMap(typesOf);
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      const item = byName.get(name.replace(/^(struct|union|enum) /, ""));
      if (item === undefined || found.has(item)) continue;
      found.add(item);
      open.push(...typesOf(item));
    }
    return found;
  };
  // What no function mentions (the type of an attribute's value) is taken for as old as can be.
  const mentioned = reached(document.functions);
  const others = items.filter((item) => !mentioned.has(item));
  const needed = reached([...functions, ...others]);
  for (const item of others) needed.add(item);
  const isKept = (item: unknown) => item === undefined || needed.has(item);
  // An attribute is no older than the type of its value.
  const values = driver.attributes.flatMap(({ types }) => Object.entries(types));
  const newer = new Set(
    values
      .filter(([, type]) => typeNames(parseType(type)).some((name) => byName.has(name) && !isKept(byName.get(name))))
      .map(([name]) => name),
  );
  const keep = <T>(list: readonly T[]) => list.filter(isKept);
  const names = new Set(functions.map(({ name }) => name));
  return {
    ...document,
    toolkit: version,
    functions,
    aliases: document.aliases.filter(({ target }) => names.has(target)),
    records: keep(document.records),
    enums: keep(document.enums).map((one) => ({ ...one, members: one.members.filter(({ name }) => !newer.has(name)) })),
    handles: keep(document.handles),
    typedefs: keep(document.typedefs),
    callbacks: keep(document.callbacks),
    constants: document.constants.filter(({ type }) => isKept(byName.get(type))),
  };
}

interface Item {
  type?: string;
  result?: string;
  params?: readonly { type: string }[];
  fields?: readonly { type: string }[];
}

function typesOf({ type, result, params = [], fields = [] }: Item): string[] {
  const spelled = [type, result, ...params.map((one) => one.type), ...fields.map((one) => one.type)];
  return spelled.flatMap((text) => (text === undefined ? [] : typeNames(parseType(text))));
}
