import type { ApiDocument } from "./document.ts";

/** Every list of the document with its items' properties in the order they are written. */
const PROPERTIES = {
  functions: ["name", "base", "since", "streamMode", "default", "retired", "deprecated", "header", "result", "params"],
  aliases: ["name", "streamMode", "target"],
  enums: ["name", "tag", "members"],
  records: ["name", "tag", "kind", "size", "align", "fields", "llp64"],
  handles: ["name", "tag"],
  typedefs: ["name", "type"],
  callbacks: ["name", "result", "params"],
  constants: ["name", "value", "type"],
} as const satisfies { [List in ApiList]: readonly (keyof ApiDocument[List][number])[] };

const NESTED: Readonly<Record<string, readonly string[]>> = {
  params: ["name", "type", "direction", "nullable", "count", "bytes", "length"],
  members: ["name", "value"],
  fields: ["name", "type", "offset", "size"],
  llp64: ["size", "align", "fields"],
  length: ["of", "minus", "per"],
};

/** The document's lists of named items. */
export type ApiList =
  | "functions"
  | "aliases"
  | "enums"
  | "records"
  | "handles"
  | "typedefs"
  | "callbacks"
  | "constants";

export const API_LISTS = Object.keys(PROPERTIES) as ApiList[];

/** One text for one document: JSON, properties in a fixed order, one item a line, LF, ASCII, a final line end. */
export function serialize(document: ApiDocument): string {
  const lines = [
    "{",
    `"toolkit": ${document.toolkit},`,
    `"library": ${text(document.library)},`,
    `"sources": ${block(document.sources.map(({ name, sha256 }) => text({ name, sha256 })))},`,
    ...API_LISTS.map((list, index) => {
      const items = (document[list] as object[]).map((item) => text(ordered(item, PROPERTIES[list])));
      return `${text(list)}: ${block(items)}${index < API_LISTS.length - 1 ? "," : ""}`;
    }),
    "}",
    "",
  ];
  return lines.join("\n");
}

function block(items: readonly string[]): string {
  return items.length === 0 ? "[]" : `[\n${items.map((item) => ` ${item}`).join(",\n")}\n]`;
}

function ordered(item: object, properties: readonly string[]): object {
  const from = item as Record<string, unknown>;
  const made: Record<string, unknown> = {};
  for (const property of properties) {
    const value = from[property];
    if (value === undefined) continue;
    const nested = NESTED[property];
    if (nested === undefined) made[property] = value;
    else if (Array.isArray(value)) made[property] = value.map((member: object) => ordered(member, nested));
    else made[property] = ordered(value as object, nested);
  }
  return made;
}

/** JSON in ASCII. */
export function text(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
