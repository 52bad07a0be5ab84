import { countedBy } from "./omittedCounts.ts";
import type { PlannedFunction } from "./planned.ts";
import type { PlannedParameter } from "./roles.ts";
import { isArgument, isResult } from "./roles.ts";
import type { Meaning } from "./types.ts";
import { valueType } from "./values.ts";

/** A parameter of a TypeScript function. */
interface Declared {
  name: string;
  type: string;
  /** It may be left out. */
  optional: boolean;
  /** What it is then. */
  initial?: string;
}

/** A list of parameters that is longer than this has a line for each. */
const ONE_LINE = 100;

/** The parameter list: what may be left out is so where all behind it may be too, and else undefined. */
export function parameterList(declared: readonly Declared[]): string {
  const texts: string[] = [];
  let open = true;
  for (const { name, type, optional, initial } of declared.toReversed()) {
    open &&= optional;
    if (initial !== undefined) texts.unshift(`${name}: ${type} = ${initial}`);
    else texts.unshift(open ? `${name}?: ${type}` : `${name}: ${type}${optional ? " | undefined" : ""}`);
  }
  const line = texts.join(", ");
  return line.length <= ONE_LINE ? line : `\n${texts.map((text) => `  ${text},\n`).join("")}`;
}

/** One argument of a function; a number that its lists say may be left out. */
export function declare(param: PlannedParameter, fn: PlannedFunction): Declared {
  const declared = { name: param.name, type: argumentType(param), optional: countedBy(fn, param).length > 0 };
  return param.leftOut ? { ...declared, optional: true, initial: "null" } : declared;
}

/** The attribute that the type of a function's outcome depends on. */
function decidingAttribute({ params }: PlannedFunction): PlannedParameter | undefined {
  const value = params.find(({ role }) => role.kind === "attribute");
  return params.find(({ name }) => value?.role.kind === "attribute" && value.role.attribute === name);
}

/** Parameters of a wrapper, and its type parameters. */
export function head(fn: PlannedFunction): { generics: string; parameters: string } {
  const deciding = decidingAttribute(fn);
  const parameters = fn.params.filter(isArgument).map((param) => {
    if (param.role.kind === "attribute") return { ...declare(param, fn), type: attributeValue(fn, "Given") };
    return param === deciding ? { ...declare(param, fn), type: "Attribute" } : declare(param, fn);
  });
  const generics = deciding === undefined ? "" : `<Attribute extends ${argumentType(deciding)}>`;
  return { generics, parameters: parameterList(parameters) };
}

/** Type of the value that an attribute decides. */
function attributeValue({ api }: PlannedFunction, way: "Attribute" | "Given" = "Attribute"): string {
  return `${way}Value<attributes.${api.base}Types, Attribute>`;
}

/** A call of the plain form that stands in front of a comfortable one, with some of its arguments replaced. */
export function plainCall(fn: PlannedFunction, replaced: ReadonlyMap<PlannedParameter, string> = new Map()): string {
  const args = fn.params.filter(isArgument).map((param) => replaced.get(param) ?? param.name);
  return `plain_${fn.identifier}(${args.join(", ")})`;
}

/** What an encoder calls an argument once its fields and elements are read. */
export function readName({ role, name }: PlannedParameter): string {
  return ["record", "list", "kernelParams"].includes(role.kind) ? `$${name}` : name;
}

/** TypeScript type of an argument. */
export function argumentType({ role, api, lowered, also }: PlannedParameter): string {
  const orNull = api.nullable ? " | null" : "";
  switch (role.kind) {
    case "value":
      return (
        [scalarType(role.meaning), ...(also === null ? [] : [`types.${also}`])].join(" | ") +
        (isAddress(role.meaning) ? orNull : "")
      );
    case "string":
      return `string${orNull}`;
    case "record":
      if (typeof lowered === "object") return `records.${role.name} | records.${role.name}Fields`;
      if (api.direction === "inout") {
        const several = role.count === null ? "" : ` | readonly records.${role.name}[]`;
        return `records.${role.name}${several} | HostMemory | HostAddress${orNull}`;
      }
      return `Struct${role.count === null ? "" : "s"}Argument<records.${role.name}, records.${role.name}Fields>${orNull}`;
    case "memory":
      return `${role.orNumber ? "number | Struct | " : ""}HostMemory | ${role.onDevice ? "bigint" : "HostAddress"}${orNull}`;
    case "kernelParams":
      return `KernelParams | readonly (KernelParam | Struct)[] | readonly HostMemory[] | HostMemory | HostAddress${orNull}`;
    case "list":
      return `readonly ${elementType(role.of)}[] | HostMemory | HostAddress${orNull}`;
    case "inout":
      return `${scalarType(role.meaning)}${orNull}`;
    case "attribute":
      return "unknown";
    default:
      throw new Error(`${api.name} is no argument`);
  }
}

/** TypeScript type of a single value that is passed. */
function scalarType(meaning: Meaning): string {
  const isWide = meaning.kind === "integer" && meaning.bits === 64 && meaning.name === null;
  return isWide ? "Integer" : valueType(meaning, true);
}

/** One element of a list that is passed. */
export function elementType(meaning: Meaning): string {
  if (meaning.kind === "pointer") return "(bigint | HostMemory | null)";
  const type = valueType(meaning, true);
  return isAddress(meaning) ? `(${type} | null)` : type.includes("|") ? `(${type})` : type;
}

/** A list that is returned: bytes as such. */
export function listType(of: Meaning): string {
  return of.kind !== "record" && numberKind(of) === "u8" ? "Uint8Array" : `${valueType(of, false)}[]`;
}

/** Source text of an element's kind: that of a number, quoted, or a record's class. */
export function listKind(meaning: Meaning): string {
  return meaning.kind === "record" ? `records.${meaning.name}` : `"${numberKind(meaning)}"`;
}

/** What an element is, if it is no record: a NumberKind of `templates/runtime/pack.ts`. */
export function numberKind(meaning: Exclude<Meaning, { kind: "record" }>): NumberKind {
  switch (meaning.kind) {
    case "void":
      return "u8";
    case "integer":
      if (meaning.bits === 64 && meaning.name !== null && !meaning.signed) return "opaque";
      return meaning.character ? "u8" : `${meaning.signed ? "i" : "u"}${meaning.bits}`;
    case "float":
      return `f${meaning.bits}`;
    case "enum":
      return meaning.signed ? "enum" : "u32";
    default:
      return isAddress(meaning) ? "handle" : "pointer";
  }
}

/** The class of a typed array for each kind of number, as in `templates/runtime/pack.ts`. */
export const ARRAYS = {
  i8: "Int8Array",
  u8: "Uint8Array",
  i16: "Int16Array",
  u16: "Uint16Array",
  i32: "Int32Array",
  u32: "Uint32Array",
  i64: "BigInt64Array",
  u64: "BigUint64Array",
  f32: "Float32Array",
  f64: "Float64Array",
  enum: "Int32Array",
  handle: "BigUint64Array",
  opaque: "BigUint64Array",
  pointer: "BigUint64Array",
} as const;

type NumberKind = keyof typeof ARRAYS;

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
  if (fn.query !== null) return { type: "boolean", expression: null };
  return together(fn.params.filter(isResult).map((param) => ({ label: param.api.name, ...outOf(param, fn) })));
}

/** Several results make a labelled tuple, in C's order. */
export function together(outs: readonly { label: string; type: string; expression: string }[]): {
  type: string;
  expression: string | null;
} {
  const [first] = outs;
  if (first === undefined) return { type: "void", expression: null };
  if (outs.length === 1) return { type: first.type, expression: first.expression };
  return {
    type: `[${outs.map(({ label, type }) => `${label}: ${type}`).join(", ")}]`,
    expression: `[${outs.map(({ expression }) => expression).join(", ")}]`,
  };
}

export function outOf(
  { role, name, api }: PlannedParameter,
  fn: PlannedFunction,
): { type: string; expression: string } {
  switch (role.kind) {
    case "out": {
      const value = read(role.meaning, role.at);
      return {
        type: valueType(role.meaning, false),
        expression: role.origin === null ? value : `${role.origin}(${value})`,
      };
    }
    case "inout": {
      const type = valueType(role.meaning, false);
      const value = read(role.meaning, role.at);
      if (!api.nullable) return { type, expression: value };
      return { type: `${type} | null`, expression: `${name} === null ? null : (${value})` };
    }
    case "attribute": {
      const type = attributeValue(fn);
      return { type, expression: `readAttribute(attributes.${fn.api.base}, ${role.attribute}, ${role.at}) as ${type}` };
    }
    case "outRecord":
      /* Lists of the driver's are copied. */
      return { type: `records.${role.name}`, expression: role.owns ? `${name}.$own()` : name };
    case "outList": {
      const type = listType(role.of);
      const counter = fn.params.find((param) => param.name === role.count)?.role;
      const count = counter?.kind === "out" ? counter.at : 0;
      return { type, expression: `ownedList(${listKind(role.of)}, ${role.at}, ${count}) as ${type}` };
    }
    case "outString":
      return { type: "string | null", expression: `getString(${role.at})` };
    default:
      throw new Error(`${name} is no out value`);
  }
}

/** A call of a function that may say why it failed in some of these outputs: their names, and what reads them. */
export function explain(
  { explained }: PlannedFunction,
  outputs: readonly (readonly [name: string, expression: string])[],
  call: string,
): string {
  const saying = outputs.filter(([name]) => explained?.parameters.includes(name));
  if (explained === null || saying.length === 0) return call;
  const read = saying.map(([name, expression]) => `${name}: ${expression}`).join(", ");
  return `explained(${explained.errno}, () => ({ ${read} }), () => ${call})`;
}
