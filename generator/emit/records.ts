import type {
  ClassDeclarationStructure,
  GetAccessorDeclarationStructure,
  InterfaceDeclarationStructure,
  MethodDeclarationStructure,
  OptionalKind,
  PropertyDeclarationStructure,
  SetAccessorDeclarationStructure,
  StatementStructures,
} from "ts-morph";
import type { ApiRecord } from "../api/document.ts";
import { UserError } from "../errors.ts";
import { accessor, type Field, visibleFields } from "./fields.ts";
import { StructureKind } from "./morph.ts";
import { listKind } from "./parameters.ts";
import type { Plan } from "./planned.ts";
import { type CountedField, countedFields, isWritten, ownsLists, partsOf } from "./recordLists.ts";
import { className } from "./types.ts";
import { valueType } from "./values.ts";

type Statement = StatementStructures | string;

/** `records.ts`: a class for each record, in an order in which each is defined before it is used. */
export function records(plan: Plan): Statement[] {
  const aliases = plan.document.typedefs.flatMap(({ name, type }) => {
    const meaning = plan.types.of(type);
    if (meaning.kind !== "record") return [];
    const record = className(meaning.record.name);
    return [`export { ${record} as ${name}, type ${record}Fields as ${name}Fields };`];
  });
  return [
    'import type * as enums from "./enums.ts";',
    'import type { HostMemory } from "./runtime/memory.ts";',
    'import { littleEndian, Struct } from "./runtime/struct.ts";',
    'import type { ListFields } from "./runtime/structLists.ts";',
    'import type * as types from "./types.ts";',
    ...plan.document.records.flatMap((record) => [
      fieldsInterface(record, plan),
      ...listsInterface(record, plan),
      recordClass(record, plan),
    ]),
    ...aliases,
  ];
}

function fieldsInterface(record: ApiRecord, { types, library }: Plan): InterfaceDeclarationStructure {
  return {
    kind: StructureKind.Interface,
    isExported: true,
    name: `${className(record.name)}Fields`,
    docs: [`Fields of a {@link ${className(record.name)}}; those left out are zero.`],
    properties: [
      ...visibleFields(record, types).map((field) => ({
        name: field.name,
        hasQuestionToken: true,
        type: `${accessor(field, types, isWritten(record, field.name, library)).given} | undefined`,
      })),
      /* Records have bytes, fields have none: a record of another kind is no set of fields. */
      { name: "$bytes", isReadonly: true, hasQuestionToken: true, type: "never" },
    ],
  };
}

/** Counted fields -> TypeScript type of one element. */
function listsInterface(record: ApiRecord, plan: Plan): InterfaceDeclarationStructure[] {
  const counted = countedFields(record, plan.library);
  if (counted.length === 0) return [];
  return [
    {
      kind: StructureKind.Interface,
      isExported: true,
      name: `${className(record.name)}Lists`,
      docs: [`What the counted fields of a {@link ${className(record.name)}} point to.`],
      properties: counted.map(({ field }) => ({ name: field, type: elementOf(record, field, plan).type })),
    },
  ];
}

/** One element of a list: its TypeScript type, and its kind as `templates/runtime/structLists.ts` has it. */
function elementOf(record: ApiRecord, field: string, { types }: Plan): { type: string; kind: string; at: number } {
  const found = visibleFields(record, types).find(({ name }) => name === field);
  const pointer = found?.meaning;
  if (found === undefined || pointer?.kind !== "pointer" || pointer.to.kind === "function")
    throw new UserError(`${record.name}: ${field} is no pointer to elements`);
  const element = types.meaning(pointer.to);
  const at = found.offset;
  if (element.kind !== "record") return { type: valueType(element, false), kind: listKind(element), at };
  const name = className(element.record.name);
  return { type: name, kind: `() => ${name}`, at };
}

function recordClass(record: ApiRecord, plan: Plan): ClassDeclarationStructure {
  const name = className(record.name);
  if (record.llp64 !== undefined) {
    throw new UserError(
      `${record.name} is laid out differently on 64-bit Windows, which the package cannot express yet`,
    );
  }
  const { types, library } = plan;
  const counted = countedFields(record, library);
  const fields = visibleFields(record, types).map((field) => ({
    field,
    ...accessor(field, types, isWritten(record, field.name, library)),
  }));
  return {
    kind: StructureKind.Class,
    isExported: true,
    name,
    extends: `Struct<${name}Fields>`,
    docs: [`C's \`${record.kind} ${record.tag ?? record.name}\`: ${record.size} bytes, aligned to ${record.align}.`],
    properties: [
      { name: "size", isStatic: true, isReadonly: true, initializer: String(record.size) },
      { name: "align", isStatic: true, isReadonly: true, initializer: String(record.align) },
      ...listTable(record, counted, plan),
    ],
    ctors: [
      {
        parameters: [{ name: "fields", hasQuestionToken: true, type: `${name} | ${name}Fields` }],
        statements: ["super(fields);"],
      },
    ],
    methods: [...listReader(record, counted), ...owner(record, counted, plan)],
    getAccessors: fields.map(
      ({ field, returned, get }): OptionalKind<GetAccessorDeclarationStructure> => ({
        name: field.name,
        returnType: returned,
        docs: [describe(field, counted)],
        statements: [`return ${get};`],
      }),
    ),
    setAccessors: fields.map(
      ({ field, given, set }): OptionalKind<SetAccessorDeclarationStructure> => ({
        name: field.name,
        parameters: [{ name: "value", type: given }],
        statements: [
          `${set};`,
          ...(counted.some((row) => row.field === field.name || row.count === field.name)
            ? [`this.$counted(${JSON.stringify(field.name)});`]
            : []),
        ],
      }),
    ),
  };
}

function describe({ name, declared }: Field, counted: readonly CountedField[]): string {
  const row = counted.find(({ field }) => field === name);
  const counts = counted.filter(({ count }) => count === name).map(({ field }) => field);
  if (row !== undefined) return `\`${declared}\`, counted by ${row.count}: an array sets that too.`;
  return counts.length > 0 ? `\`${declared}\`: counts ${counts.join(", ")}.` : `\`${declared}\``;
}

/** `static readonly $lists`: where the counted fields lie, and what they point to. */
function listTable(
  record: ApiRecord,
  counted: readonly CountedField[],
  plan: Plan,
): OptionalKind<PropertyDeclarationStructure>[] {
  if (counted.length === 0) return [];
  const rows = counted.map(({ field, count }) => {
    const { at, kind } = elementOf(record, field, plan);
    return `${field}: { at: ${at}, of: ${kind}, count: "${count}" }`;
  });
  return [
    {
      name: "$lists",
      isStatic: true,
      isReadonly: true,
      type: "ListFields",
      docs: ["@internal"],
      initializer: `{ ${rows.join(", ")} }`,
    },
  ];
}

function listReader(record: ApiRecord, counted: readonly CountedField[]): OptionalKind<MethodDeclarationStructure>[] {
  if (counted.length === 0) return [];
  const lists = `${className(record.name)}Lists`;
  return [
    {
      name: "$list",
      docs: [
        "Copies of the elements that a field points to, as many as are counted; [] for NULL. @throws RangeError where there cannot be so many",
      ],
      typeParameters: [`Field extends keyof ${lists}`],
      parameters: [{ name: "field", type: "Field" }],
      returnType: `${lists}[Field][]`,
      statements: [`return this.$elements(field) as ${lists}[Field][];`],
    },
  ];
}

function owner(
  record: ApiRecord,
  counted: readonly CountedField[],
  { types, library }: Plan,
): OptionalKind<MethodDeclarationStructure>[] {
  if (!ownsLists(record, types, library)) return [];
  const { always, selected } = partsOf(record, types, library);
  const own = always.map(({ field, several }) =>
    several ? `for (const part of this.${field}) part.$own();` : `this.${field}.$own();`,
  );
  const cases = (selected?.members ?? []).map(
    ({ field, value, name }) => `  case ${value}: // ${name}\n    this.${field}.$own();\n    break;`,
  );
  return [
    {
      name: "$own",
      hasOverrideKeyword: true,
      returnType: "this",
      statements: [
        "super.$own();",
        ...(counted.length > 0 ? ["this.$ownLists();"] : []),
        ...own,
        ...(selected === null ? [] : [`switch (this.${selected.by} as number) {\n${cases.join("\n")}\n}`]),
        "return this;",
      ],
    },
  ];
}
