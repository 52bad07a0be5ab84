import { parseType } from "../api/ctype.ts";
import type { ApiRecord } from "../api/document.ts";
import { UserError } from "../errors.ts";
import { ARRAYS, elementType, listKind, numberKind } from "./parameters.ts";
import type { Plan } from "./planned.ts";
import { className, type Meaning, type TypeIndex } from "./types.ts";
import { valueType } from "./values.ts";

export interface Field {
  name: string;
  offset: number;
  meaning: Meaning;
  /** As C declares it. */
  declared: string;
  /** What it is set to must be all of it: an array as long as C's. */
  whole: boolean;
}

/**
 * The fields a program sees: those of unnamed members as the record's own, without reserved bytes. Where a record has nothing
 * else, those are its content: they go from one process to another, say.
 */
export function visibleFields(record: ApiRecord, { types, library }: Pick<Plan, "types" | "library">): Field[] {
  const all = fieldsOf(record, types, 0);
  const isReserved = ({ name }: Field) => library.reservedFields.test(name);
  return all.every(isReserved)
    ? all.map((field) => ({ ...field, whole: true }))
    : all.filter((field) => !isReserved(field));
}

function fieldsOf(record: ApiRecord, types: TypeIndex, base: number): Field[] {
  return record.fields.flatMap(({ name, type, offset }): Field[] => {
    const meaning = types.meaning(parseType(type));
    if (name === "") {
      if (meaning.kind !== "record") throw new UserError(`${record.name}: an unnamed member that is no record`);
      return fieldsOf(meaning.record, types, base + offset);
    }
    return [{ name, offset: base + offset, meaning, declared: type, whole: false }];
  });
}

/** How one field is read and set, in TypeScript. */
export interface Accessor {
  returned: string;
  given: string;
  get: string;
  set: string;
}

/** What a pointer leads to: where the driver writes, memory of a device. */
interface Target {
  written: boolean;
  onDevice: boolean;
  /** It may be text, though its type does not say so. */
  text: "UTF-8" | "UTF-16" | null;
  /** It is the array of a kernel's arguments. */
  kernelParams: boolean;
}

export function accessor({ name, offset, meaning, whole }: Field, types: TypeIndex, target: Target): Accessor {
  const quoted = JSON.stringify(name);
  const at = `${offset}, littleEndian`;
  switch (meaning.kind) {
    case "integer": {
      const { bits, signed } = meaning;
      if (bits !== 64) {
        const most = 2 ** (signed ? bits - 1 : bits);
        return number(offset, `${signed ? "Int" : "Uint"}${bits}`, [signed ? -most : 0, most - 1], quoted);
      }
      const type = valueType(meaning, false);
      const getter = signed ? "getBigInt64" : "getBigUint64";
      return {
        returned: type,
        given: valueType(meaning, true),
        get: `this.$view.${getter}(${at})${type === "bigint" ? "" : ` as ${type}`}`,
        set: `this.$set${signed ? "I64" : "U64"}(${offset}, value, ${quoted})`,
      };
    }
    case "enum": {
      const type = valueType(meaning, false);
      return number(offset, meaning.signed ? "Int32" : "Uint32", [-(2 ** 31), 2 ** 32 - 1], quoted, type);
    }
    case "float": {
      const suffix = `Float${meaning.bits}`;
      return {
        returned: "number",
        given: "number",
        get: `this.$view.get${suffix}(${at})`,
        set: `this.$view.set${suffix}(${offset}, this.$float(value, ${meaning.bits}, ${quoted}), littleEndian)`,
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
        get: `this.$view.getBigUint64(${at})`,
        ...pointerSetter(meaning, offset, quoted, types, target),
      };
    case "record": {
      const inner = className(meaning.record.name);
      return {
        returned: inner,
        given: `${inner} | ${inner}Fields`,
        get: `this.$part(${inner}, ${offset})`,
        set: `this.$setPart(this.$part(${inner}, ${offset}), value, ${quoted})`,
      };
    }
    case "array":
      return arrayAccessor(meaning, offset, quoted, types, whole);
    case "void":
      throw new UserError(`the field ${name} is void`);
  }
}

function pointerSetter(
  { to }: Extract<Meaning, { kind: "pointer" }>,
  offset: number,
  quoted: string,
  types: TypeIndex,
  { written, onDevice, text, kernelParams }: Target,
): { given: string; set: string } {
  const target = to.kind === "function" ? null : types.meaning(to);
  const memory = `HostMemory | ${onDevice ? "bigint" : "HostAddress"} | null`;
  const isText = target?.kind === "integer" && target.character;
  if (target === null || target.kind === "void" || isText) {
    /* A string is copied: nothing that is written there could be read. */
    const encoding = isText && to.kind === "name" && to.const ? "UTF-8" : text;
    const more = `${isText ? "" : " | Struct"}${encoding === null ? "" : " | string"}`;
    const set = encoding === null ? "$setPointer" : "$setText";
    const wide = encoding === "UTF-16" ? ", true" : "";
    return { given: memory + more, set: `this.${set}(${offset}, value, ${quoted}${wide})` };
  }
  if (kernelParams && target.kind === "pointer") {
    return {
      given: `KernelParams | readonly (KernelParam | Struct)[] | readonly ${elementType(target)}[] | ${memory}`,
      set: `this.$setList(${offset}, packedParams(value, this.constructor.name, ${quoted}), ${quoted}, ${listKind(target)})`,
    };
  }
  const set = (kind: string) => `this.$setList(${offset}, value, ${quoted}, ${kind})`;
  if (written || target.kind === "array") return { given: memory, set: set("null") };
  if (target.kind !== "record") {
    return { given: `readonly ${elementType(target)}[] | ${memory}`, set: set(listKind(target)) };
  }
  const one = `${className(target.record.name)} | ${className(target.record.name)}Fields`;
  return { given: `${one} | readonly (${one})[] | ${memory}`, set: set(className(target.record.name)) };
}

/** A field of 32 bits or less. A view takes no byte order for one byte. */
function number(
  offset: number,
  kind: string,
  [least, most]: [number, number],
  quoted: string,
  type = "number",
): Accessor {
  const order = kind.endsWith("8") ? "" : ", littleEndian";
  return {
    returned: type,
    given: type,
    get: `this.$view.get${kind}(${offset}${order})${type === "number" ? "" : ` as ${type}`}`,
    set: `this.$view.set${kind}(${offset}, this.$integer(value, ${least}, ${most}, ${quoted})${order})`,
  };
}

function arrayAccessor(
  meaning: Extract<Meaning, { kind: "array" }>,
  offset: number,
  quoted: string,
  types: TypeIndex,
  whole: boolean,
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
  const kind = numberKind(element);
  const view = ARRAYS[kind];
  const given = () => {
    if (kind === "handle" || kind === "pointer") return "bigint | null";
    if (kind === "opaque") return "bigint";
    return kind === "u64" || kind === "i64" ? "number | bigint" : "number";
  };
  return {
    returned: view,
    given: `ArrayLike<${given()}>`,
    get: `this.$array(${view}, ${offset}, ${length})`,
    set: `this.$setArray(this.$array(${view}, ${offset}, ${length}), value, "${kind}", ${quoted}${whole ? ", true" : ""})`,
  };
}
