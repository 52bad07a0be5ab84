import { parseType } from "../api/ctype.ts";
import type { ApiRecord } from "../api/document.ts";
import type { FieldRow, Library, UnionRow } from "../libraries/library.ts";
import type { Meaning, TypeIndex } from "./types.ts";

/** A field that points to elements, and the field that counts them. */
export interface CountedField {
  field: string;
  count: string;
}

/** Whether a row, which names a record without `_v1`, is about this one. */
export function isOf({ name }: ApiRecord, row: { record: string }): boolean {
  return name.replace(/_v\d+(?=\.|$)/i, "") === row.record;
}

/** The fields of one record (not those of records in it) that point to elements which another field counts. */
export function countedFields(record: ApiRecord, library: Library): CountedField[] {
  const names = new Set(record.fields.map(({ name }) => name));
  return library.fieldCounts
    .filter((row) => isOf(record, row) && names.has(row.count))
    .flatMap(({ fields, count }) => fields.filter((field) => names.has(field)).map((field) => ({ field, count })));
}

/** Whether one of the rows says something of the field. */
export function hasRow(record: ApiRecord, field: string, rows: readonly FieldRow[]): boolean {
  return rowOf(record, field, rows) !== undefined;
}

export function rowOf<Row extends FieldRow>(record: ApiRecord, field: string, rows: readonly Row[]): Row | undefined {
  return rows.find((row) => isOf(record, row) && row.field === field);
}

/** Where lists lie in a record, beside those of its own fields. */
export interface Parts {
  /** Fields that are records, or arrays of them, with lists. */
  always: { field: string; several: boolean }[];
  /** Of the members that share their bytes those with lists, each with the values that select it; null: nothing says which. */
  selected: { by: string; members: { field: string; value: number; name: string }[] } | null;
}

/** Which records within a record have lists, as far as anything says which of them are there. */
export function partsOf(record: ApiRecord, types: TypeIndex, library: Library): Parts {
  const parts = (of: ApiRecord) =>
    of.fields.flatMap(({ name, type }) => {
      const found = recordIn(types.meaning(parseType(type)), types);
      return name !== "" && found !== null && ownsLists(found.record, types, library)
        ? [{ field: name, several: found.several }]
        : [];
    });
  const unnamed = record.fields.flatMap(({ name, type }) => {
    const meaning = types.meaning(parseType(type));
    return name === "" && meaning.kind === "record" ? [meaning.record] : [];
  });
  const together = record.kind === "struct" ? [record, ...unnamed.filter(({ kind }) => kind === "struct")] : [];
  const shared = [record, ...unnamed].filter(({ kind }) => kind === "union");
  const row = library.unions.find(({ union, field }) => union === record.name && field !== null);
  return {
    always: together.flatMap(parts),
    selected: row === undefined ? null : selectedBy(row, record, shared.flatMap(parts), types),
  };
}

function selectedBy(row: UnionRow, record: ApiRecord, parts: readonly { field: string }[], types: TypeIndex) {
  const by = record.fields.find(({ name }) => name === row.field);
  const meaning = by === undefined ? null : types.of(by.type);
  if (by === undefined || meaning?.kind !== "enum") return null;
  const members = meaning.enum.members.flatMap(({ name, value }) => {
    const part = parts.find(({ field }) => field === row.members[name]);
    return part === undefined ? [] : [{ field: part.field, value, name }];
  });
  return members.length === 0 ? null : { by: by.name, members };
}

/** Whether a record, or one in it, has fields that point to lists. */
export function ownsLists(record: ApiRecord, types: TypeIndex, library: Library): boolean {
  if (countedFields(record, library).length > 0) return true;
  const { always, selected } = partsOf(record, types, library);
  return always.length > 0 || selected !== null;
}

function recordIn(meaning: Meaning, types: TypeIndex): { record: ApiRecord; several: boolean } | null {
  if (meaning.kind === "record") return { record: meaning.record, several: false };
  if (meaning.kind !== "array") return null;
  const found = recordIn(types.meaning(meaning.of), types);
  return found === null ? null : { ...found, several: true };
}
