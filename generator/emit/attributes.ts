import type { Plan } from "./plan.ts";
import type { Meaning } from "./types.ts";
import { valueType } from "./values.ts";

/** What `templates/attributes.ts.hbs` says: the type of each attribute's value, for the members that this toolkit has. */
export function attributes(plan: Plan) {
  const tables = plan.library.attributes.flatMap((row) => {
    const fn = plan.functions.find(({ api }) => api.base === row.function);
    const attribute = fn?.params.find(({ api }) => api.name === row.attribute);
    const meaning = attribute === undefined ? null : plan.types.meaning(attribute.type);
    if (meaning?.kind !== "enum") return [];
    const known = new Set(meaning.enum.members.map(({ name }) => name));
    const members = Object.entries(row.types)
      .filter(([member]) => known.has(member))
      .map(([member, type]) => {
        const value = plan.types.of(type);
        return { enum: meaning.name, member, type: valueType(value, false), kind: kindOf(value) };
      });
    return [{ name: row.function, members }];
  });
  return { tables };
}

/** An AttributeKind of `templates/runtime/attributes.ts`. */
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
