/** C declarations of everything a document declares, in an order that a compiler takes; needs no CUDA header. */
import { type ApiType, formatType, parseType, typeNames } from "../../generator/api/ctype.ts";
import type { ApiDocument, ApiRecord } from "../../generator/api/document.ts";

/** A type's name in C: a nested unnamed record is called after its place, with dots. */
export function cName(name: string): string {
  return name.replaceAll(".", "_in_");
}

/** The spelling with C's names. */
export function cType(spelling: string): string {
  return spelling.replaceAll(/\b[A-Za-z_]\w*(?:\.\w+)+/g, cName);
}

/** A declaration of `name` with that type. */
export function cDeclare(spelling: string, name: string): string {
  const type = cType(spelling);
  if (/[([]/.test(type)) return `__typeof__(${type}) ${name}`;
  return type.endsWith("*") ? `${type}${name}` : `${type} ${name}`;
}

/** Enums, handles, typedefs, callbacks and records; sizes and offsets are asserted. */
export function cTypes(document: ApiDocument): string[] {
  const declared: string[] = [];
  /** Name -> its declaration and the names that must come first. */
  const waiting = new Map<string, { needs: string[]; text: string[] }>();
  const records = new Map(document.records.map((record) => [record.name, record]));
  const tagOf = (record: ApiRecord) => `${record.kind} ${record.tag ?? cName(record.name)}`;

  for (const { name, tag } of document.handles) declared.push(`typedef struct ${tag} *${name};`);
  for (const record of document.records) declared.push(`typedef ${tagOf(record)} ${cName(record.name)};`);
  for (const { name, tag, members } of document.enums) {
    const body = members.map((member) => `  ${member.name} = ${cInteger(member.value)},`).join("\n");
    declared.push(`typedef enum${tag === null ? "" : ` ${tag}`} {\n${body}\n} ${name};`);
  }
  for (const { name, type } of document.typedefs) {
    waiting.set(name, { needs: typeNames(parseType(type)), text: [`typedef ${cDeclare(type, name)};`] });
  }
  for (const { name, result, params } of document.callbacks) {
    const types = params.map(({ type }) => type);
    const text = `typedef ${cType(result)} (*${name})(${types.map(cType).join(", ") || "void"});`;
    waiting.set(name, { needs: [result, ...types].flatMap((type) => typeNames(parseType(type))), text: [text] });
  }
  for (const record of document.records) {
    const needs = record.fields.flatMap(({ type }) => neededBy(parseType(type)));
    /* Typedefs of what it contains must be declared, and the records behind those typedefs complete. */
    waiting.set(`complete ${record.name}`, { needs, text: recordText(record, tagOf(record), document) });
  }

  function neededBy(type: ApiType): string[] {
    const names = typeNames(type);
    const inner = innermost(type);
    return inner === null ? names : [...names, ...completes(inner)];
  }
  /** The record that a name means, over its typedefs. */
  function completes(name: string): string[] {
    if (records.has(name)) return [`complete ${name}`];
    const tagged = /^(?:struct|union) (.+)$/.exec(name)?.[1];
    const byTag = document.records.find(({ tag }) => tagged !== undefined && tag === tagged);
    if (byTag !== undefined) return [`complete ${byTag.name}`];
    const typedef = document.typedefs.find((item) => item.name === name);
    const target = typedef === undefined ? null : innermost(parseType(typedef.type));
    return target === null ? [] : completes(target);
  }
  function declare(name: string): void {
    const item = waiting.get(name);
    if (item === undefined) return;
    waiting.delete(name);
    for (const need of item.needs) declare(need);
    declared.push(...item.text);
  }
  for (const name of [...waiting.keys()]) declare(name);
  return declared;
}

/** The name whose size counts: of a value or of an array's elements; null behind pointers. */
function innermost(type: ApiType): string | null {
  if (type.kind === "array") return innermost(type.of);
  return type.kind === "name" ? type.name : null;
}

function recordText(record: ApiRecord, tag: string, document: ApiDocument): string[] {
  /* Alignment beyond that of the fields' types was stated in the header. */
  const aligned = document.records.length > 0 && record.align > 8 ? `_Alignas(${record.align}) ` : "";
  const fields = record.fields.map(({ name, type }, index) => {
    const field = name === "" ? `${cType(type)} unnamed_${index}` : cDeclare(type, name);
    return `  ${index === 0 ? aligned : ""}${field};`;
  });
  const own = cName(record.name);
  return [
    `${tag} {\n${fields.join("\n")}\n};`,
    `_Static_assert(sizeof(${own}) == ${record.size} && _Alignof(${own}) == ${record.align}, "${own}");`,
    ...record.fields.map(
      ({ name, offset }, index) =>
        `_Static_assert(offsetof(${own}, ${name || `unnamed_${index}`}) == ${offset}, "${own} ${name}");`,
    ),
  ];
}

function cInteger(value: number): string {
  return value > 0x7fffffff ? `${value}u` : String(value);
}

/** The type without typedefs in front of what matters: follows names until one is no typedef. */
export function resolve(document: ApiDocument, type: ApiType): ApiType {
  if (type.kind !== "name") return type;
  const typedef = document.typedefs.find(({ name }) => name === type.name);
  return typedef === undefined ? type : resolve(document, parseType(typedef.type));
}

export { formatType, parseType };
