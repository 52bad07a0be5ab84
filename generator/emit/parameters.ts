import type { PlannedFunction, PlannedParameter } from "./plan.ts";
import type { Meaning } from "./types.ts";
import { valueType } from "./values.ts";

/** Whether a program passes this parameter. */
export function isArgument({ role }: PlannedParameter): boolean {
  if (role.kind === "attribute") return role.given;
  return role.kind !== "out" && role.kind !== "outRecord" && role.kind !== "outString";
}

export function isRecordOut({ role }: PlannedParameter): boolean {
  return role.kind === "outRecord";
}

export function argument(param: PlannedParameter): string {
  return `${param.name}: ${argumentType(param)}`;
}

/** The attribute that the type of a function's outcome depends on. */
function decidingAttribute({ params }: PlannedFunction): PlannedParameter | undefined {
  const value = params.find(({ role }) => role.kind === "attribute" && !role.given);
  return params.find(({ name }) => value?.role.kind === "attribute" && value.role.attribute === name);
}

/** Parameters of a wrapper, and its type parameters. */
export function head(fn: PlannedFunction): { generics: string; parameters: string } {
  const deciding = decidingAttribute(fn);
  const parameters = fn.params.filter(isArgument).map((param) => {
    return param === deciding ? `${param.name}: Attribute` : argument(param);
  });
  const generics = deciding === undefined ? "" : `<Attribute extends ${argumentType(deciding)}>`;
  return { generics, parameters: parameters.join(", ") };
}

/** TypeScript type of an argument. */
export function argumentType({ role, api, lowered }: PlannedParameter): string {
  const orNull = api.nullable ? " | null" : "";
  switch (role.kind) {
    case "value":
      return valueType(role.meaning, true) + (isAddress(role.meaning) ? orNull : "");
    case "string":
      return `string${orNull}`;
    case "record":
      if (typeof lowered === "object") return `records.${role.name} | records.${role.name}Fields`;
      if (api.direction === "inout") return `records.${role.name} | HostMemory | bigint${orNull}`;
      return `Struct${role.count === null ? "" : "s"}Argument<records.${role.name}, records.${role.name}Fields>${orNull}`;
    case "memory":
      return `HostMemory | bigint${orNull}`;
    case "list":
      return `readonly ${elementType(role.of)}[] | HostMemory | bigint${orNull}`;
    case "inout":
      return `${valueType(role.meaning, true)}${orNull}`;
    case "attribute":
      return "number | bigint | boolean";
    default:
      throw new Error(`${api.name} is no argument`);
  }
}

/** One element of a list that is passed. */
function elementType(meaning: Meaning): string {
  if (meaning.kind === "pointer") return "(bigint | HostMemory | null)";
  const type = valueType(meaning, true);
  return isAddress(meaning) ? `(${type} | null)` : type.includes("|") ? `(${type})` : type;
}

/** How `templates/runtime/lists.ts` calls the C type of an element. */
export function listKind(meaning: Meaning): string {
  switch (meaning.kind) {
    case "integer":
      return meaning.character ? '"u8"' : `"${meaning.signed ? "i" : "u"}${meaning.bits}"`;
    case "float":
      return `"f${meaning.bits}"`;
    case "enum":
      return meaning.signed ? '"i32"' : '"u32"';
    case "record":
      return `records.${meaning.name}`;
    default:
      return '"u64"';
  }
}

function isAddress(meaning: Meaning): boolean {
  return meaning.kind === "handle" || meaning.kind === "callback";
}

/** How an out value is read from its slot. */
function read(meaning: Meaning, at: number): string {
  switch (meaning.kind) {
    case "integer":
      if (meaning.bits === 64) return cast(`${meaning.signed ? "i64" : "u64"}[${at}]`, meaning);
      if (meaning.bits === 32) return cast(`${meaning.signed ? "i32" : "u32"}[${2 * at}]`, meaning);
      return meaning.signed
        ? `(i32[${2 * at}] as number) << ${32 - meaning.bits} >> ${32 - meaning.bits}`
        : `(u32[${2 * at}] as number) & ${2 ** meaning.bits - 1}`;
    case "float":
      return meaning.bits === 32 ? `f32[${2 * at}] as number` : `f64[${at}] as number`;
    case "enum":
      return cast(`${meaning.signed ? "i32" : "u32"}[${2 * at}]`, meaning);
    default:
      return cast(`u64[${at}]`, meaning);
  }
}

function cast(expression: string, meaning: Meaning): string {
  return `${expression} as ${valueType(meaning, false)}`;
}

/** What a function gives back: its TypeScript type and the expression that reads it. */
export function outcome(fn: PlannedFunction): { type: string; expression: string | null } {
  if (fn.query) return { type: "boolean", expression: null };
  return together(fn.params.filter(isResult).map((param) => ({ name: param.name, ...outOf(param, fn) })));
}

/** Several results make a labelled tuple, in C's order. */
export function together(outs: readonly { name: string; type: string; expression: string }[]): {
  type: string;
  expression: string | null;
} {
  const [first] = outs;
  if (first === undefined) return { type: "void", expression: null };
  if (outs.length === 1) return { type: first.type, expression: first.expression };
  return {
    type: `[${outs.map(({ name, type }) => `${name}: ${type}`).join(", ")}]`,
    expression: `[${outs.map(({ expression }) => expression).join(", ")}]`,
  };
}

export function isResult(param: PlannedParameter): boolean {
  return !isArgument(param) || (param.role.kind === "inout" && param.role.returned);
}

export function outOf(
  { role, name, api, guarded }: PlannedParameter,
  fn: PlannedFunction,
): { type: string; expression: string } {
  switch (role.kind) {
    case "out": {
      const value = read(role.meaning, role.at);
      return { type: valueType(role.meaning, false), expression: guarded ? `live(${value})` : value };
    }
    case "inout": {
      const type = valueType(role.meaning, false);
      const value = read(role.meaning, role.at);
      if (!api.nullable) return { type, expression: value };
      return { type: `${type} | null`, expression: `${name} === null ? null : (${value})` };
    }
    case "attribute": {
      const type = `AttributeValue<attributes.${fn.api.base}Types, Attribute>`;
      return { type, expression: `readAttribute(attributes.${fn.api.base}, ${role.attribute}, ${role.at}) as ${type}` };
    }
    case "outRecord":
      return { type: `records.${role.name}`, expression: name };
    case "outString":
      return { type: "string | null", expression: `getString(${role.at})` };
    default:
      throw new Error(`${name} is no out value`);
  }
}
