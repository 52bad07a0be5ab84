/** C text that includes the real headers and holds a compiler to every claim of an API document. */
import type { ApiDocument, ApiRecord } from "../../generator/api/document.ts";
import { driver } from "../../generator/libraries/driver.ts";
import { includes } from "../support/castxml.ts";
import { procName } from "./compare.ts";

const HEAD = `#include <stddef.h>
#ifdef __cplusplus
#define CHECK(condition, text) static_assert(condition, text)
#define ALIGN(type) alignof(type)
#else
#define CHECK(condition, text) _Static_assert(condition, text)
#define ALIGN(type) _Alignof(type)
#endif
`;

/**
 * Sizes, alignments, offsets, enum values and typedefs, for the default configuration; valid C11 and C++17. C takes a second
 * typedef of one name only for the same type, so that repeating one is the check.
 */
export function layoutProgram(
  document: ApiDocument,
  headers: readonly string[],
  judgedRecords: ReadonlySet<string>,
): string {
  const lines = [includes(headers), HEAD];
  for (const { members } of document.enums) {
    for (const { name, value } of members) {
      lines.push(`CHECK((long long)(${name}) == ${value}LL, "${name} is ${value}");`);
    }
  }
  // Tags have one name space: where there is no tag of a name, C lets us make one.
  for (const { name, tag } of document.enums) {
    if (tag !== null) lines.push(`CHECK(sizeof(enum ${tag}) == sizeof(int), "enum ${tag}");`);
    else lines.push("#ifndef __cplusplus", `struct ${name} { int none; };`, "#endif");
  }
  const records = new Map(document.records.map((record) => [record.name, record]));
  for (const record of document.records) {
    if (judgedRecords.has(record.name.split(".")[0] ?? "")) lines.push(...recordChecks(record, records));
  }
  const external = new Set(driver.externalTypes.map(({ name }) => name));
  lines.push("#ifdef __cplusplus", 'extern "C" {', "#endif");
  for (const { name, type } of document.typedefs) {
    if (!external.has(name)) lines.push(`typedef __typeof__(${type}) ${name};`);
  }
  for (const { name, tag } of document.handles) lines.push(`typedef __typeof__(struct ${tag} *) ${name};`);
  for (const { name, result, params } of document.callbacks) {
    lines.push(`typedef __typeof__(${result} (*)(${parameters(params)})) ${name};`);
  }
  lines.push("#ifdef __cplusplus", "}", "#endif", "");
  return lines.join("\n");
}

/** The document with what it says of LLP64 in the place of what it says of LP64. */
export function layoutOnWindows(document: ApiDocument): ApiDocument {
  const records = document.records.map(({ llp64, ...record }) => ({
    ...record,
    size: llp64?.size ?? record.size,
    align: llp64?.align ?? record.align,
    fields: record.fields.map((field, index) => ({ ...field, ...llp64?.fields[index] })),
  }));
  return { ...document, records };
}

/**
 * Prototypes, for the library's own build, which declares every variant: C takes a second declaration of a function only with
 * a compatible type. Each is declared as the document says and as its PFN_ typedef says, where it is among `procs`.
 */
export function prototypeProgram(
  document: ApiDocument,
  headers: readonly string[],
  procs: ReadonlySet<string>,
): string {
  const lines = [includes(headers), "#ifdef __cplusplus", 'extern "C" {', "#endif"];
  for (const variant of document.functions) {
    if (!headers.includes(variant.header)) continue;
    const { name, result, params, since } = variant;
    lines.push(`extern __typeof__(${result} (${parameters(params)})) ${name};`);
    if (since !== null && procs.has(procName(variant))) {
      lines.push(`extern __typeof__(*(${procName(variant)})0) ${name};`);
    }
  }
  lines.push("#ifdef __cplusplus", "}", "#endif", "");
  return lines.join("\n");
}

/** A C program that prints each constant whose value is not the document's, and at the end how many it looked at. */
export function constantProgram(document: ApiDocument, headers: readonly string[]): string {
  const lines = [
    includes(headers),
    "#include <stdio.h>",
    "static int seen;",
    "static void look(const char *name, unsigned long long is, unsigned long long said) {",
    "  seen++;",
    '  if (is != said) printf("%s is %lld\\n", name, (long long)is);',
    "}",
    "int main(void) {",
  ];
  for (const { name, value } of document.constants) {
    const said = BigInt.asUintN(64, BigInt(value));
    // A macro may be undefined again before the header ends.
    lines.push(`#ifdef ${name}`, `  look("${name}", (unsigned long long)(${name}), ${said}ULL);`, "#endif");
  }
  lines.push('  printf("%d\\n", seen);', "  return 0;", "}", "");
  return lines.join("\n");
}

/** What each plain spelling means: lines of `"name" meaning` after the preprocessor. */
export function spellingProgram(document: ApiDocument, headers: readonly string[]): string {
  const bases = new Set(document.functions.map(({ base }) => base));
  return `${includes(headers)}${[...bases].map((base) => `"spelling" "${base}" ${base}\n`).join("")}`;
}

function parameters(params: readonly { type: string }[]): string {
  return params.length === 0 ? "void" : params.map(({ type }) => type).join(", ");
}

/**
 * A nested unnamed record (`CUDA_RESOURCE_DESC_v1.res.array`) is reached through its outermost one; an unnamed member (its
 * index stands in the name) adds nothing to the path.
 */
function recordChecks(record: ApiRecord, records: ReadonlyMap<string, ApiRecord>): string[] {
  const [outermost = "", ...places] = record.name.split(".");
  const root = records.get(outermost);
  if (!root) throw new Error(`${record.name} is called after ${outermost}, which is no record`);
  const spelled = spelling(root, records);
  let path = "";
  let base = 0;
  let here = root;
  let named = true;
  for (const place of places) {
    const index = /^\d+$/.test(place) ? Number(place) : here.fields.findIndex(({ name }) => name === place);
    const field = here.fields[index];
    const next = records.get(`${here.name}.${place}`);
    if (!field || !next) throw new Error(`${record.name} is not where its name says`);
    base += field.offset;
    named = field.name !== "";
    // Of an array of records the first.
    if (named) path += `${path ? "." : ""}${field.name}${"[0]".repeat((field.type.match(/\[/g) ?? []).length)}`;
    here = next;
  }
  const lines: string[] = [];
  const object = path ? `__typeof__(((${spelled} *)0)->${path})` : spelled;
  if (named) {
    lines.push(`CHECK(sizeof(${object}) == ${record.size}, "size of ${record.name} is ${record.size}");`);
    lines.push(`CHECK(ALIGN(${object}) == ${record.align}, "alignment of ${record.name} is ${record.align}");`);
  }
  for (const { name, offset, size } of record.fields) {
    if (name === "") continue;
    const member = path ? `${path}.${name}` : name;
    const label = `${record.name}.${name}`;
    lines.push(`CHECK(offsetof(${spelled}, ${member}) == ${base + offset}, "offset of ${label} is ${offset}");`);
    lines.push(`CHECK(sizeof(((${spelled} *)0)->${member}) == ${size}, "size of ${label} is ${size}");`);
  }
  return lines;
}

/** A name of a record that C and C++ both know. C++ keeps the tag of a record defined inside another to the inside. */
function spelling(record: ApiRecord, records: ReadonlyMap<string, ApiRecord>): string {
  if (record.tag !== record.name) return record.name; // a typedef
  const type = `${record.kind} ${record.tag}`;
  for (const { name, tag, fields } of records.values()) {
    const field = fields.find((candidate) => candidate.type === type);
    if (field && name !== tag && !name.includes(".")) return `__typeof__(((${name} *)0)->${field.name})`;
  }
  return type;
}
