import { visibleFields } from "./fields.ts";
import type { Plan } from "./planned.ts";
import { className, type Meaning } from "./types.ts";
import { valueType } from "./values.ts";

/** What `templates/unions.ts.hbs` says: which member of a union a value selects, for what this toolkit has. */
export function unions(plan: Plan) {
  const all = plan.library.unions.flatMap((row) => {
    const record = plan.document.records.find(({ name }) => name === row.union);
    const by = plan.document.enums.find(({ name }) => name === row.by);
    /* What a field of the same record selects, the record itself knows. */
    if (record === undefined || by === undefined || row.field !== null) return [];
    const fields = new Map(visibleFields(record, plan).map(({ name, meaning }) => [name, meaning]));
    const known = new Set(by.members.map(({ name }) => name));
    const members = Object.entries(row.members).flatMap(([member, field]) => {
      const meaning = fields.get(field);
      if (meaning === undefined || !known.has(member)) return [];
      return [{ enum: className(by.name), member, field, type: valueType(meaning, false), given: givenType(meaning) }];
    });
    const { maker } = row;
    const made = maker !== undefined && plan.document.records.some(({ name }) => name === maker.record);
    return [{ name: className(record.name), by: className(by.name), members, maker: made ? maker : null }];
  });
  return { unions: all };
}

/** As the record's own setter takes it. */
function givenType(meaning: Meaning): string {
  const type = valueType(meaning, true);
  if (meaning.kind === "record") return `${type} | ${type}Fields`;
  return meaning.kind === "handle" || meaning.kind === "callback" ? `${type} | null` : type;
}
