import type { ApiFunction } from "../api/document.ts";
import type { AttributeRow } from "../libraries/library.ts";
import type { Plan } from "./plan.ts";
import type { Meaning, TypeIndex } from "./types.ts";
import { valueType } from "./values.ts";

/** What `templates/attributes.ts.hbs` says: the type of each attribute's value, for the members that this toolkit has. */
export function attributes(plan: Plan) {
  const tables = plan.library.attributes.flatMap((row) => {
    const api = plan.functions.find(({ api }) => api.base === row.function)?.api;
    if (api === undefined) return [];
    const given = api.params.find(({ name }) => name === row.value)?.direction === "in";
    const members = knownAttributes(row, api, plan.types)
      .map(({ enumName, member, type }) => ({ enum: enumName, member, ...describe(type, given, row, plan.types) }))
      /* No record can be set. */
      .filter(({ kind }) => !given || !kind.startsWith("records."));
    return [{ name: row.function, members }];
  });
  return { tables };
}

/** The attributes of a row that the headers name. */
export function knownAttributes(
  row: AttributeRow,
  { params }: ApiFunction,
  types: TypeIndex,
): { enumName: string; member: string; type: string }[] {
  const attribute = params.find(({ name }) => name === row.attribute);
  const meaning = attribute === undefined ? null : types.of(attribute.type);
  if (meaning?.kind !== "enum") return [];
  const known = new Set(meaning.enum.members.map(({ name }) => name));
  return Object.entries(row.types)
    .filter(([member]) => known.has(member))
    .map(([member, type]) => ({ enumName: meaning.name, member, type }));
}

/** The TypeScript type of a value, and its AttributeKind of `templates/runtime/attributes.ts`. */
function describe(type: string, given: boolean, row: AttributeRow, types: TypeIndex): { type: string; kind: string } {
  const [, element, length] = /^(char|int)\[(\d+)\]$/.exec(type) ?? [];
  if (element === "char") return { type: "string", kind: `{ text: ${length} }` };
  if (element === "int") return { type: "number[]", kind: `{ list: ${length}, filler: ${row.filler} }` };
  if (type === "bool") return { type: "boolean", kind: '"bool"' };
  const meaning = types.of(type);
  const value = valueType(meaning, given);
  const isFlag = given && meaning.kind === "integer" && meaning.bits <= 32;
  return { type: isFlag ? `${value} | boolean` : value, kind: kindOf(meaning) };
}

function kindOf(meaning: Meaning): string {
  switch (meaning.kind) {
    case "integer":
      return meaning.bits === 64 ? '"u64"' : meaning.signed ? '"i32"' : '"u32"';
    case "enum":
      return meaning.signed ? '"i32"' : '"u32"';
    case "record":
      return `records.${meaning.name}`;
    default:
      return '"handle"';
  }
}
