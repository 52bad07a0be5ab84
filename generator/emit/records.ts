import type { ApiRecord } from "../api/document.ts";
import { UserError } from "../errors.ts";
import { type Accessor, accessor, type Field, visibleFields } from "./fields.ts";
import { listKind } from "./parameters.ts";
import type { Plan } from "./planned.ts";
import {
  type CountedField,
  countedFields,
  hasRow,
  isOf,
  ownsLists,
  type Parts,
  partsOf,
  rowOf,
} from "./recordLists.ts";
import { className } from "./types.ts";
import { valueType } from "./values.ts";

/** A record, as `templates/records.ts.hbs` says it. */
interface RecordFacts {
  name: string;
  /** As C names it. */
  declared: string;
  size: number;
  align: number;
  /** `counts`: it is a list or the count of one. */
  fields: (Accessor & { name: string; doc: string; counts: boolean })[];
  /** Counted fields: where they lie, and what they point to. */
  lists: (Element & { field: string; count: string })[];
  /** Fields that point to memory of a pitched copy. */
  pitched: { field: string; side: string }[];
  /** Lists lie in it or in its parts, which are these. */
  owner: Parts | null;
}

/** What `templates/records.ts.hbs` says: a class for each record, in an order in which each is defined before it is used. */
export function records(plan: Plan): { records: RecordFacts[]; aliases: { name: string; record: string }[] } {
  const aliases = plan.document.typedefs.flatMap(({ name, type }) => {
    const meaning = plan.types.of(type);
    return meaning.kind === "record" ? [{ name, record: className(meaning.record.name) }] : [];
  });
  return { records: plan.document.records.map((record) => factsOf(record, plan)), aliases };
}

function factsOf(record: ApiRecord, plan: Plan): RecordFacts {
  if (record.llp64 !== undefined) {
    throw new UserError(
      `${record.name} is laid out differently on 64-bit Windows, which the package cannot express yet`,
    );
  }
  const { types, library } = plan;
  const counted = countedFields(record, library);
  return {
    name: className(record.name),
    declared: `${record.kind} ${record.tag ?? record.name}`,
    size: record.size,
    align: record.align,
    fields: visibleFields(record, plan).map((field) => ({
      name: field.name,
      doc: describe(field, counted),
      ...accessor(field, types, {
        written: hasRow(record, field.name, library.written),
        kernelParams: field.name === library.kernelParams,
        onDevice: hasRow(record, field.name, library.deviceFields),
        text: rowOf(record, field.name, library.textFields)?.encoding ?? null,
      }),
      counts: counted.some((row) => row.field === field.name || row.count === field.name),
    })),
    lists: counted.map(({ field, count }) => ({ field, count, ...elementOf(record, field, plan) })),
    pitched: library.pitched.filter((row) => isOf(record, row)),
    owner: ownsLists(record, types, library) ? partsOf(record, types, library) : null,
  };
}

/** One element of a list: its TypeScript type, and its kind as `templates/runtime/structLists.ts` has it. */
interface Element {
  type: string;
  kind: string;
  /** Offset of the pointer in the record. */
  at: number;
}

function elementOf(record: ApiRecord, field: string, plan: Plan): Element {
  const { types } = plan;
  const found = visibleFields(record, plan).find(({ name }) => name === field);
  const pointer = found?.meaning;
  if (found === undefined || pointer?.kind !== "pointer" || pointer.to.kind === "function")
    throw new UserError(`${record.name}: ${field} is no pointer to elements`);
  const element = types.meaning(pointer.to);
  const at = found.offset;
  if (element.kind !== "record") return { type: valueType(element, false), kind: listKind(element), at };
  const name = className(element.record.name);
  return { type: name, kind: `() => ${name}`, at };
}

function describe({ name, declared }: Field, counted: readonly CountedField[]): string {
  const row = counted.find(({ field }) => field === name);
  const counts = counted.filter(({ count }) => count === name).map(({ field }) => field);
  if (row !== undefined) return `\`${declared}\`, counted by ${row.count}: an array sets that too.`;
  return counts.length > 0 ? `\`${declared}\`: counts ${counts.join(", ")}.` : `\`${declared}\``;
}
