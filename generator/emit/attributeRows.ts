import type { ApiFunction } from "../api/document.ts";
import type { AttributeRow } from "../libraries/library.ts";
import type { TypeIndex } from "./types.ts";

const FLAG = " flag";

/** An attribute that the headers name. */
export interface KnownAttribute {
  enumName: string;
  member: string;
  /** C type of its value, as in the row. */
  type: string;
  /** The value says yes or no. */
  flag: boolean;
}

/** The attributes of a row that the headers name. */
export function knownAttributes(row: AttributeRow, { params }: ApiFunction, types: TypeIndex): KnownAttribute[] {
  const attribute = params.find(({ name }) => name === row.attribute);
  const meaning = attribute === undefined ? null : types.of(attribute.type);
  if (meaning?.kind !== "enum") return [];
  const known = new Set(meaning.enum.members.map(({ name }) => name));
  return Object.entries(row.types)
    .filter(([member]) => known.has(member))
    .map(([member, type]) => ({
      enumName: meaning.name,
      member,
      type: type.endsWith(FLAG) ? type.slice(0, -FLAG.length) : type,
      flag: type.endsWith(FLAG),
    }));
}
