import type {
  ClassDeclarationStructure,
  GetAccessorDeclarationStructure,
  InterfaceDeclarationStructure,
  OptionalKind,
  SetAccessorDeclarationStructure,
  StatementStructures,
} from "ts-morph";
import { parseType } from "../api/ctype.ts";
import type { ApiRecord } from "../api/document.ts";
import { UserError } from "../errors.ts";
import { StructureKind } from "./morph.ts";
import type { Plan } from "./plan.ts";
import { className, type Meaning, type TypeIndex } from "./types.ts";
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
    'import type * as types from "./types.ts";',
    ...plan.document.records.flatMap((record) => [
      fieldsInterface(record, plan.types),
      recordClass(record, plan.types),
    ]),
    ...aliases,
  ];
}

export interface Field {
  name: string;
  offset: number;
  meaning: Meaning;
  /** As C declares it. */
  declared: string;
}

const HIDDEN = /^(_|cuda_?reserved|reserved|rsvd|pad(ding)?\d*$)/i;

/** The fields a program sees: those of unnamed members as the record's own, without reserved bytes. */
export function visibleFields(record: ApiRecord, types: TypeIndex, base = 0): Field[] {
  return record.fields.flatMap(({ name, type, offset }): Field[] => {
    const meaning = types.meaning(parseType(type));
    if (name === "") {
      if (meaning.kind !== "record") throw new UserError(`${record.name}: an unnamed member that is no record`);
      return visibleFields(meaning.record, types, base + offset);
    }
    return HIDDEN.test(name) ? [] : [{ name, offset: base + offset, meaning, declared: type }];
  });
}

function fieldsInterface(record: ApiRecord, types: TypeIndex): InterfaceDeclarationStructure {
  return {
    kind: StructureKind.Interface,
    isExported: true,
    name: `${className(record.name)}Fields`,
    docs: [`Fields of a {@link ${className(record.name)}}; those left out are zero.`],
    properties: [
      ...visibleFields(record, types).map((field) => ({
        name: field.name,
        hasQuestionToken: true,
        type: `${accessor(field, types).given} | undefined`,
      })),
      /* Records have bytes, fields have none: a record of another kind is no set of fields. */
      { name: "$bytes", isReadonly: true, hasQuestionToken: true, type: "never" },
    ],
  };
}

function recordClass(record: ApiRecord, types: TypeIndex): ClassDeclarationStructure {
  const name = className(record.name);
  if (record.llp64 !== undefined) {
    throw new UserError(
      `${record.name} is laid out differently on 64-bit Windows, which the package cannot express yet`,
    );
  }
  const fields = visibleFields(record, types).map((field) => ({ field, ...accessor(field, types) }));
  return {
    kind: StructureKind.Class,
    isExported: true,
    name,
    extends: "Struct",
    docs: [`C's \`${record.kind} ${record.tag ?? record.name}\`: ${record.size} bytes, aligned to ${record.align}.`],
    properties: [
      { name: "size", isStatic: true, isReadonly: true, initializer: String(record.size) },
      { name: "align", isStatic: true, isReadonly: true, initializer: String(record.align) },
    ],
    ctors: [
      {
        parameters: [{ name: "fields", hasQuestionToken: true, type: `${name} | ${name}Fields` }],
        statements: ["super(fields);"],
      },
    ],
    getAccessors: fields.map(
      ({ field, returned, get }): OptionalKind<GetAccessorDeclarationStructure> => ({
        name: field.name,
        returnType: returned,
        docs: [`\`${field.declared}\``],
        statements: [`return ${get};`],
      }),
    ),
    setAccessors: fields.map(
      ({ field, given, set }): OptionalKind<SetAccessorDeclarationStructure> => ({
        name: field.name,
        parameters: [{ name: "value", type: given }],
        statements: [`${set};`],
      }),
    ),
  };
}

interface Accessor {
  returned: string;
  given: string;
  get: string;
  set: string;
}

function accessor({ name, offset, meaning }: Field, types: TypeIndex): Accessor {
  const quoted = JSON.stringify(name);
  const at = `${offset}, littleEndian`;
  switch (meaning.kind) {
    case "integer": {
      const type = valueType(meaning, false);
      const given = valueType(meaning, true);
      if (meaning.bits === 64) {
        const kind = meaning.signed ? "I64" : "U64";
        const getter = meaning.signed ? "getBigInt64" : "getBigUint64";
        return {
          returned: type,
          given,
          get: `this.$view.${getter}(${at}) as ${type}`,
          set: `this.$set${kind}(${offset}, value, ${quoted})`,
        };
      }
      const suffix = `${meaning.signed ? "Int" : "Uint"}${meaning.bits}`;
      const least = meaning.signed ? -(2 ** (meaning.bits - 1)) : 0;
      const most = meaning.signed ? 2 ** (meaning.bits - 1) - 1 : 2 ** meaning.bits - 1;
      return integer(
        suffix,
        meaning.bits === 8 ? String(offset) : at,
        type,
        least,
        most,
        quoted,
        offset,
        meaning.bits === 8,
      );
    }
    case "enum": {
      const type = valueType(meaning, false);
      return integer(meaning.signed ? "Int32" : "Uint32", at, type, -(2 ** 31), 2 ** 32 - 1, quoted, offset, false);
    }
    case "float": {
      const suffix = `Float${meaning.bits}`;
      return {
        returned: "number",
        given: "number",
        get: `this.$view.get${suffix}(${at})`,
        set: `this.$view.set${suffix}(${offset}, this.$float(value, ${quoted}), littleEndian)`,
      };
    }
    case "handle":
    case "callback": {
      const type = valueType(meaning, false);
      return {
        returned: type,
        given: `${type} | null`,
        get: `this.$view.getBigUint64(${at}) as ${type}`,
        set: `this.$setHandle(${offset}, value, ${quoted})`,
      };
    }
    case "pointer":
      return {
        returned: "bigint",
        given: "bigint | HostMemory | Struct | string | null",
        get: `this.$view.getBigUint64(${at})`,
        set: `this.$setPointer(${offset}, value, ${quoted})`,
      };
    case "record": {
      const inner = className(meaning.record.name);
      return {
        returned: inner,
        given: `${inner} | ${inner}Fields`,
        get: `this.$part(${inner}, ${offset})`,
        set: `this.$setPart(this.$part(${inner}, ${offset}), value)`,
      };
    }
    case "array":
      return arrayAccessor(meaning, offset, quoted, types);
    case "void":
      throw new UserError(`the field ${name} is void`);
  }
}

function integer(
  suffix: string,
  at: string,
  type: string,
  least: number,
  most: number,
  quoted: string,
  offset: number,
  byte: boolean,
): Accessor {
  return {
    returned: type,
    given: type,
    get: `this.$view.get${suffix}(${at})${type === "number" ? "" : ` as ${type}`}`,
    set: `this.$view.set${suffix}(${offset}, this.$integer(value, ${least}, ${most}, ${quoted})${byte ? "" : ", littleEndian"})`,
  };
}

function arrayAccessor(
  meaning: Extract<Meaning, { kind: "array" }>,
  offset: number,
  quoted: string,
  types: TypeIndex,
): Accessor {
  let element = types.meaning(meaning.of);
  let length = meaning.length;
  while (element.kind === "array") {
    length *= element.length;
    element = types.meaning(element.of);
  }
  if (element.kind === "record") {
    const inner = className(element.record.name);
    return {
      returned: `readonly ${inner}[]`,
      given: `readonly (${inner} | ${inner}Fields)[]`,
      get: `this.$parts(${inner}, ${offset}, ${length})`,
      set: `this.$setParts(this.$parts(${inner}, ${offset}, ${length}), value, ${quoted})`,
    };
  }
  const view = viewOf(element);
  const zero = view.startsWith("Big") ? "0n" : "0";
  return {
    returned: view,
    given: `ArrayLike<${zero === "0n" ? "bigint" : "number"}>`,
    get: `this.$array(${view}, ${offset}, ${length})`,
    set: `this.$setArray(this.$array(${view}, ${offset}, ${length}), value, ${zero}, ${quoted})`,
  };
}

function viewOf(element: Meaning): string {
  switch (element.kind) {
    case "integer": {
      if (element.bits === 64) return element.signed ? "BigInt64Array" : "BigUint64Array";
      return element.character ? "Uint8Array" : `${element.signed ? "Int" : "Uint"}${element.bits}Array`;
    }
    case "float":
      return `Float${element.bits}Array`;
    case "enum":
      return element.signed ? "Int32Array" : "Uint32Array";
    default:
      return "BigUint64Array";
  }
}
