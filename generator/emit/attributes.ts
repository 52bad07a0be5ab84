import { UserError } from "../errors.ts";
import type { AttributeRow } from "../libraries/library.ts";
import { type KnownAttribute, knownAttributes } from "./attributeRows.ts";
import type { Plan } from "./planned.ts";
import type { Meaning, TypeIndex } from "./types.ts";
import { valueType } from "./values.ts";

/** What `templates/attributes.ts.hbs` says: the type of each attribute's value, for the members that this toolkit has. */
export function attributes(plan: Plan) {
  const tables = plan.library.attributes.flatMap((row) => {
    const api = plan.functions.find(({ api }) => api.base === row.function)?.api;
    if (api === undefined) return [];
    const given = api.params.find(({ name }) => name === row.value)?.direction === "in";
    const members = knownAttributes(row, api, plan.types)
      .map((known) => ({ enum: known.enumName, member: known.member, ...describe(known, given, row, plan.types) }))
      /* No record can be set. */
      .filter(({ kind }) => !given || !kind.startsWith("records."));
    for (const { member, kind } of members) {
      if (!isCarried(kind, row.size !== undefined, given))
        throw new UserError(
          `${row.function}: the value of ${member} has a type that cannot be ${given ? "set" : "read"}`,
        );
    }
    return [{ name: row.function, members }];
  });
  return { tables };
}

/**
 * Whether the runtime knows the kind: `frameAttributes.ts` those whose size is not told, `sizedAttributes.ts` the others.
 */
function isCarried(kind: string, sized: boolean, given: boolean): boolean {
  const isNumber = /^"[iu]32"$/.test(kind);
  if (sized) return !given || isNumber || kind === '"bool"' || kind.startsWith("{ text:");
  return kind !== '"bool"' && !kind.startsWith("{");
}

/** The TypeScript type of a value, and its AttributeKind of `templates/runtime/attributes.ts`. */
function describe(
  { type, flag }: KnownAttribute,
  given: boolean,
  row: AttributeRow,
  types: TypeIndex,
): { type: string; kind: string } {
  const [, element, length] = /^(char|int)\[(\d+)\]$/.exec(type) ?? [];
  if (element === "char") return { type: "string", kind: `{ text: ${length} }` };
  if (element === "int") return { type: "number[]", kind: `{ list: ${length}, filler: ${row.filler} }` };
  if (type === "bool") return { type: "boolean", kind: '"bool"' };
  const meaning = types.of(type);
  const value = valueType(meaning, given);
  return { type: given && flag ? `${value} | boolean` : value, kind: kindOf(meaning) };
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
