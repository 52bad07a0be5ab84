import { formatVersion } from "../versions.ts";
import { compareText } from "./collect.ts";
import { prototype } from "./ctype.ts";
import type { ApiDocument, ApiFunction, ApiRecord } from "./document.ts";
import { resolver, signatures } from "./signature.ts";

/** What changed from one toolkit to another, by what it means for a user. */
interface ApiDiff {
  from: number;
  to: number;
  /** A program may have to be changed. */
  breaking: Change[];
  /** New, and in nobody's way. */
  additive: Change[];
  /** Still there, on its way out. */
  deprecated: Change[];
}

interface Change {
  kind: "function" | "signature" | "default" | "enum" | "member" | "record" | "layout" | "constant" | "value" | "type";
  name: string;
  /** One line for a person, after the name. */
  text: string;
}

/** Empty lists for equal documents; each list is sorted by name. */
export function diff(from: ApiDocument, to: ApiDocument): ApiDiff {
  const made: ApiDiff = { from: from.toolkit, to: to.toolkit, breaking: [], additive: [], deprecated: [] };
  diffFunctions(from, to, made);
  diffDefaults(from, to, made);
  diffEnums(from, to, made);
  diffRecords(from, to, made);
  diffConstants(from, to, made);
  diffTypes(from, to, made);
  for (const list of [made.breaking, made.additive, made.deprecated]) {
    list.sort((a, b) => compareText(a.name, b.name) || compareText(a.kind, b.kind) || compareText(a.text, b.text));
  }
  return made;
}

/** The difference as lines for a person; "" where there is none. */
export function formatDiff({ from, to, ...groups }: ApiDiff): string {
  const sections = (["breaking", "additive", "deprecated"] as const)
    .filter((group) => groups[group].length > 0)
    .map((group) => {
      const lines = groups[group].map(({ name, text }) => `  ${name}: ${text}`);
      return `${group} (${lines.length})\n${lines.join("\n")}\n`;
    });
  if (sections.length === 0) return "";
  return `from ${formatVersion(from)} to ${formatVersion(to)}\n\n${sections.join("\n")}`;
}

/** First the parameters that came and went, as far as their names tell. */
function describeSignatures(old: ApiFunction, now: ApiFunction): string {
  const only = (one: ApiFunction, other: ApiFunction) =>
    one.params.map(({ name }) => name).filter((name) => !other.params.some((param) => param.name === name));
  const [gone, come] = [only(old, now), only(now, old)];
  const changes = [
    ...(gone.length > 0 ? [`loses ${gone.join(", ")}`] : []),
    ...(come.length > 0 ? [`takes ${come.join(", ")}`] : []),
  ];
  return [...changes, `was ${prototype(old)}`, `is ${prototype(now)}`].join(", ");
}

function named<T extends { name: string }>(items: readonly T[]): Map<string, T> {
  return new Map(items.map((item) => [item.name, item]));
}

function diffFunctions(from: ApiDocument, to: ApiDocument, made: ApiDiff): void {
  const before = named(from.functions);
  const after = named(to.functions);
  const signatureBefore = signatures(from);
  const signatureAfter = signatures(to);
  for (const [name, old] of before) {
    const now = after.get(name);
    if (now === undefined) {
      made.breaking.push({ kind: "function", name, text: "removed" });
      continue;
    }
    if (signatureBefore(name) !== signatureAfter(name)) {
      made.breaking.push({ kind: "signature", name, text: describeSignatures(old, now) });
    } else if (directions(old) !== directions(now)) {
      made.breaking.push({
        kind: "signature",
        name,
        text: `directions were ${directions(old)}, are ${directions(now)}`,
      });
    }
    if (now.deprecated && !old.deprecated) made.deprecated.push({ kind: "function", name, text: "deprecated" });
    if (now.retired && !old.retired) {
      made.deprecated.push({ kind: "function", name, text: "still exported, no longer declared for programs" });
    }
  }
  for (const [name, now] of after) {
    if (!before.has(name)) made.additive.push({ kind: "function", name, text: `new: ${prototype(now)}` });
  }
}

function directions({ params }: ApiFunction): string {
  return `(${params.map(({ direction, nullable }) => `${direction}${nullable ? " or NULL" : ""}`).join(", ")})`;
}

/** What each plain spelling means, in both stream modes: base name and mode -> function. */
function defaults(document: ApiDocument): Map<string, ApiFunction> {
  const functions = named(document.functions);
  const meant = new Map<string, ApiFunction>();
  for (const variant of document.functions)
    if (variant.default) meant.set(`${variant.base} ${variant.streamMode}`, variant);
  for (const { name, streamMode, target } of document.aliases) {
    const variant = functions.get(target);
    if (variant !== undefined) meant.set(`${name} ${streamMode}`, variant);
  }
  return meant;
}

function diffDefaults(from: ApiDocument, to: ApiDocument, made: ApiDiff): void {
  const after = defaults(to);
  const typesBefore = signatures(from);
  const typesAfter = signatures(to);
  for (const [key, old] of defaults(from)) {
    const now = after.get(key);
    const [name = "", mode] = key.split(" ");
    const where = mode === "perThread" ? " with per-thread streams" : "";
    if (now === undefined) {
      if (named(to.functions).has(old.name)) {
        made.breaking.push({ kind: "default", name, text: `means nothing any more${where}; it was ${old.name}` });
      }
    } else if (now.name !== old.name) {
      const same = typesBefore(old.name) === typesAfter(now.name);
      const text = `means ${now.name}${where}, was ${old.name}`;
      const signature = same ? "with the same signature" : describeSignatures(old, now);
      made.breaking.push({ kind: "default", name, text: `${text}; ${signature}` });
    }
  }
}

/** Records or enums by every name they have: another toolkit may call a record after its second typedef. */
function withAliases<T extends { name: string }>(items: readonly T[], document: ApiDocument): Map<string, T> {
  const canonical = resolver(document);
  const meant = new Map(items.map((item) => [canonical(item.name), item]));
  const all = named(items);
  for (const { name } of document.typedefs) {
    const item = meant.get(canonical(name));
    if (item !== undefined && !all.has(name)) all.set(name, item);
  }
  return all;
}

function diffEnums(from: ApiDocument, to: ApiDocument, made: ApiDiff): void {
  const after = withAliases(to.enums, to);
  const before = withAliases(from.enums, from);
  for (const old of from.enums) {
    const { name } = old;
    const now = after.get(name);
    if (now === undefined) {
      made.breaking.push({ kind: "enum", name, text: "removed" });
      continue;
    }
    const values = named(now.members);
    const known = named(old.members);
    for (const member of old.members) {
      const value = values.get(member.name)?.value;
      if (value === undefined) made.breaking.push({ kind: "member", name, text: `${member.name} removed` });
      else if (value !== member.value) {
        made.breaking.push({ kind: "value", name, text: `${member.name} was ${member.value}, is ${value}` });
      }
    }
    for (const member of now.members) {
      if (!known.has(member.name))
        made.additive.push({ kind: "member", name, text: `${member.name} = ${member.value}` });
    }
  }
  for (const { name } of to.enums) if (!before.has(name)) made.additive.push({ kind: "enum", name, text: "new" });
}

function diffRecords(from: ApiDocument, to: ApiDocument, made: ApiDiff): void {
  const before = withAliases(from.records, from);
  const after = withAliases(to.records, to);
  const typesBefore = resolver(from);
  const typesAfter = resolver(to);
  for (const old of from.records) {
    const { name } = old;
    const now = after.get(name);
    if (now === undefined) {
      made.breaking.push({ kind: "record", name, text: "removed" });
      continue;
    }
    if (old.kind !== now.kind)
      made.breaking.push({ kind: "record", name, text: `was a ${old.kind}, is a ${now.kind}` });
    for (const property of ["size", "align"] as const) {
      if (old[property] !== now[property]) {
        made.breaking.push({ kind: "layout", name, text: `${property} was ${old[property]}, is ${now[property]}` });
      }
    }
    const fields = fieldsOf(now);
    const known = fieldsOf(old);
    for (const [field, was] of known) {
      const is = fields.get(field);
      if (is === undefined) {
        made.breaking.push({ kind: "record", name, text: `${field} removed` });
        continue;
      }
      if (was.offset !== is.offset) {
        made.breaking.push({ kind: "layout", name, text: `${field} was at byte ${was.offset}, is at ${is.offset}` });
      }
      if (typesBefore(was.type) !== typesAfter(is.type)) {
        made.breaking.push({ kind: "layout", name, text: `${field} was ${was.type}, is ${is.type}` });
      }
    }
    for (const [field, { type }] of fields) {
      if (!known.has(field)) made.additive.push({ kind: "record", name, text: `${field}: new, ${type}` });
    }
  }
  for (const { name } of to.records) if (!before.has(name)) made.additive.push({ kind: "record", name, text: "new" });
}

function fieldsOf(record: ApiRecord): Map<string, ApiRecord["fields"][number]> {
  return new Map(record.fields.map((field) => [field.name === "" ? `unnamed ${field.type}` : field.name, field]));
}

function diffConstants(from: ApiDocument, to: ApiDocument, made: ApiDiff): void {
  const after = named(to.constants);
  const before = named(from.constants);
  const version = (constant: { value: string }, document: ApiDocument) => constant.value === String(document.toolkit);
  for (const [name, old] of before) {
    const now = after.get(name);
    if (now === undefined) made.breaking.push({ kind: "constant", name, text: "removed" });
    // The version itself is no news.
    else if (version(old, from) && version(now, to)) continue;
    else if (now.value !== old.value) {
      made.breaking.push({ kind: "value", name, text: `was ${old.value}, is ${now.value}` });
    } else if (now.type !== old.type)
      made.breaking.push({ kind: "type", name, text: `was ${old.type}, is ${now.type}` });
  }
  for (const [name, { value }] of after) {
    if (!before.has(name)) made.additive.push({ kind: "constant", name, text: `new: ${value}` });
  }
}

/** Handles, typedefs and callbacks: any name that stands for a type. */
function diffTypes(from: ApiDocument, to: ApiDocument, made: ApiDiff): void {
  const typesBefore = resolver(from);
  const typesAfter = resolver(to);
  const names = (document: ApiDocument) => named([...document.handles, ...document.typedefs, ...document.callbacks]);
  const all = (document: ApiDocument) =>
    new Set([...names(document).keys(), ...named(document.records).keys(), ...named(document.enums).keys()]);
  const stillThere = all(to);
  const wasThere = all(from);
  for (const name of names(from).keys()) {
    if (!stillThere.has(name)) made.breaking.push({ kind: "type", name, text: "removed" });
    else if (typesBefore(name) !== typesAfter(name)) {
      made.breaking.push({ kind: "type", name, text: `was ${typesBefore(name)}, is ${typesAfter(name)}` });
    }
  }
  for (const name of names(to).keys()) if (!wasThere.has(name)) made.additive.push({ kind: "type", name, text: "new" });
}
