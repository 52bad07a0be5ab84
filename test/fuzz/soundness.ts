/** What must hold for every document, whatever it was read from. */
import { isDeepStrictEqual } from "node:util";
import { parseType, typeNames } from "../../generator/api/ctype.ts";
import { diff } from "../../generator/api/diff.ts";
import schema from "../../generator/api/document.schema.json" with { type: "json" };
import type { ApiDocument } from "../../generator/api/document.ts";
import { emptyHistory, extract, learn, loadHistory, saveHistory, toolkitKey } from "../../generator/api/history.ts";
import { BUILTIN_TYPES } from "../../generator/builtins.ts";
import { violations } from "../api/schema.ts";

/** The first thing that is wrong with a document by itself; null if nothing is. */
export function flawOfDocument(document: ApiDocument): string | null {
  const [wrong] = violations(schema, JSON.parse(JSON.stringify(document)));
  if (wrong !== undefined) return `not what the schema says: ${wrong}`;
  const { functions, aliases, enums, records, handles, typedefs, callbacks, constants } = document;
  const types = [...enums, ...records, ...handles, ...typedefs, ...callbacks].map(({ name }) => name);
  const lists = {
    functions: functions.map(({ name }) => name),
    types,
    constants: [...constants, ...enums.flatMap(({ members }) => members)].map(({ name }) => name),
    aliases: aliases.map(({ name, streamMode }) => `${name} (${streamMode})`),
  };
  for (const [list, names] of Object.entries(lists)) {
    const twice = names.find((name, index) => names.indexOf(name, index + 1) > 0);
    if (twice !== undefined) return `${list} have ${twice} twice`;
  }
  const known = new Set([
    ...types,
    ...Object.keys(BUILTIN_TYPES),
    ...[...records, ...handles].flatMap(({ tag }) => [`struct ${tag}`, `union ${tag}`]),
    ...enums.map(({ tag }) => `enum ${tag}`),
  ]);
  const spelled = [
    ...[...functions, ...callbacks].flatMap(({ result, params }) => [result, ...params.map(({ type }) => type)]),
    ...records.flatMap(({ fields }) => fields.map(({ type }) => type)),
    ...typedefs.map(({ type }) => type),
  ];
  for (const text of new Set(spelled)) {
    // A record that is nowhere defined may still be pointed to.
    const unknown = typeNames(parseType(text)).find((name) => !known.has(name) && !/^(struct|union) /.test(name));
    if (unknown !== undefined) return `never says what ${unknown} is`;
  }
  return null;
}

/** The first thing that is wrong with what is made of two documents together; null if nothing is. */
export function flawOfPair(one: ApiDocument, other: ApiDocument): string | null {
  const { breaking, additive, deprecated } = diff(other, other);
  const [found] = [...breaking, ...additive, ...deprecated];
  if (found) return `differs from itself: ${found.name} ${found.text}`;
  diff(one, other);
  const history = loadHistory(saveHistory(learn(emptyHistory(one.library), { document: one }, { document: other })));
  const kept = [one, other].every((document) =>
    isDeepStrictEqual(JSON.parse(JSON.stringify(document)), extract(history, toolkitKey(document))),
  );
  return kept ? null : "is another document once the history has learned it";
}
