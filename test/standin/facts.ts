/** What the stand-in driver does with each parameter, from the API document alone: nothing of the package's own plan. */
import { createHash } from "node:crypto";
import type { ApiType } from "../../generator/api/ctype.ts";
import type { ApiDocument, ApiFunction } from "../../generator/api/document.ts";
import { BUILTIN_TYPES } from "../../generator/builtins.ts";
import { driver } from "../../generator/libraries/driver.ts";
import { formatType, parseType, resolve } from "./ctext.ts";

/** As `enum content` of standin.h. */
export type Content = "NOTHING" | "BYTES" | "F32" | "F64" | "TEXT" | "STRING" | "OWNED";

export interface ParameterFacts {
  name: string;
  type: string;
  direction: "in" | "out" | "inout";
  nullable: boolean;
  content: Content;
  /** Bytes of one element behind a pointer; 0 where the type does not say. */
  element: number;
  /** Bytes of the parameter itself. */
  size: number;
  byValue: boolean;
  /** Index of the counting parameter, or -1. */
  count: number;
  /** Elements that the function touches where no parameter counts them; the stand-in looks at the first. */
  elements: number;
  /** A pointer that counts others. */
  counts: boolean;
  /** Where its pattern starts. */
  seed: bigint;
  /** STRING and TEXT: what the driver writes. */
  text: string;
  /** Name of the callback type, for a parameter that is one. */
  callback: string | null;
}

/** What the stand-in driver gives a callback. */
export interface CallbackFacts {
  name: string;
  /** It returns something. */
  result: boolean;
  params: {
    name: string;
    type: string;
    kind: "userData" | "value" | "record" | "text" | "length";
    /** Bytes of the value or of the record. */
    size: number;
    seed: bigint;
    text: string;
  }[];
}

/** Functions that say how long the list of another is: they answer as a count does. */
const COUNTERS = new Set(driver.counters.map(({ counter }) => counter));

const USER_DATA = /^(userData|data)$/;

export function callbackFacts(document: ApiDocument): CallbackFacts[] {
  return document.callbacks.map(({ name, params, result }) => ({
    name,
    result: result !== "void",
    params: params.map((param, position) => {
      const type = resolve(document, parseType(param.type));
      const target = type.kind === "pointer" ? resolve(document, type.to) : null;
      const record = target === null ? null : recordOf(document, target);
      const isText = target?.kind === "name" && target.name === "char";
      const isLength = param.name === "length" && params.some((other) => other.type === "char *");
      const kind = USER_DATA.test(param.name)
        ? "userData"
        : isText
          ? "text"
          : isLength
            ? "length"
            : record !== null
              ? "record"
              : "value";
      return {
        ...param,
        kind,
        size: record?.size ?? sizeOf(document, type),
        seed: seedOf(name, position),
        text: `${name} ${param.name} \u00e9`,
      };
    }),
  }));
}

/** The parameter that a callback parameter's user data comes in, or -1. */
export function userDataOf(params: readonly ParameterFacts[]): number {
  return params.findIndex(({ name, type }) => (USER_DATA.test(name) || name === "ptr") && type === "void *");
}

export interface FunctionFacts {
  index: number;
  api: ApiFunction;
  params: ParameterFacts[];
}

/** In the stand-in's numbering: the document's order. */
export function functionFacts(document: ApiDocument): FunctionFacts[] {
  return document.functions.map((api, index) => ({ index, api, params: parameters(document, api) }));
}

function parameters(document: ApiDocument, api: ApiFunction): ParameterFacts[] {
  return api.params.map((param, position) => {
    const type = resolve(document, parseType(param.type));
    const count = param.count === undefined ? -1 : api.params.findIndex(({ name }) => name === param.count);
    const isPointer = type.kind === "pointer";
    const text = `${api.name} ${param.name} \u00e9`;
    const record = recordOf(document, type);
    const facts: ParameterFacts = {
      name: param.name,
      type: param.type,
      direction: param.direction,
      nullable: param.nullable === true,
      content: record === null ? "NOTHING" : "BYTES",
      element: 0,
      size: sizeOf(document, type),
      byValue: record !== null,
      count,
      elements: 1,
      counts: isPointer && (COUNTERS.has(api.name) || api.params.some((other) => other.count === param.name)),
      seed: seedOf(api.name, position),
      text,
      callback: type.kind === "name" && document.callbacks.some(({ name }) => name === type.name) ? type.name : null,
    };
    if (!isPointer) return facts;
    const there = behind(document, type.to, param.direction, count >= 0);
    /* What counts void counts bytes. */
    const isVoid = there.content === "BYTES" && there.element === 0;
    const elements = param.bytes === undefined || count >= 0 ? 1 : param.bytes / (there.element || 1);
    return { ...facts, ...there, elements, ...(isVoid && count >= 0 ? { element: 1 } : {}) };
  });
}

function behind(
  document: ApiDocument,
  target: ApiType,
  direction: "in" | "out" | "inout",
  counted: boolean,
): Pick<ParameterFacts, "content" | "element"> {
  if (target.kind === "function") return { content: "NOTHING", element: 0 };
  const resolved = resolve(document, target);
  /* A handle is a pointer too, but to a struct that nobody has. */
  if (isHandleTarget(document, target)) return { content: "NOTHING", element: 0 };
  if (resolved.kind === "name") {
    if (resolved.name === "void") return { content: "BYTES", element: 0 };
    if (resolved.name === "char") return { content: "TEXT", element: 1 };
    if (resolved.name === "float") return { content: "F32", element: 4 };
    if (resolved.name === "double") return { content: "F64", element: 8 };
  }
  if (resolved.kind === "pointer" && direction === "out" && !isHandleTarget(document, resolved.to)) {
    const inner = resolve(document, resolved.to);
    if (inner.kind === "name" && inner.name === "char") return { content: "STRING", element: 8 };
    const isVoid = inner.kind === "name" && inner.name === "void";
    if (counted || !isVoid) return { content: "OWNED", element: isVoid ? 1 : sizeOf(document, resolved.to) };
  }
  return { content: "BYTES", element: sizeOf(document, target) };
}

function isHandleTarget(document: ApiDocument, target: ApiType): boolean {
  return target.kind === "name" && document.handles.some(({ tag }) => target.name === `struct ${tag}`);
}

export function recordOf(document: ApiDocument, type: ApiType) {
  if (type.kind !== "name") return null;
  return document.records.find((r) => r.name === type.name || `${r.kind} ${r.tag ?? r.name}` === type.name) ?? null;
}

/** How a number, a handle or an address is written in memory; null: a record, void, char behind a pointer. */
export interface Scalar {
  kind: "integer" | "float" | "enum" | "address";
  bits: 8 | 16 | 32 | 64;
  signed: boolean;
}

export function scalarOf(document: ApiDocument, given: ApiType): Scalar | null {
  const type = resolve(document, given);
  if (type.kind === "pointer") return { kind: "address", bits: 64, signed: false };
  if (type.kind !== "name") return null;
  const { name } = type;
  if (document.handles.some((item) => item.name === name) || document.callbacks.some((item) => item.name === name))
    return { kind: "address", bits: 64, signed: false };
  const found = document.enums.find((item) => item.name === name || `enum ${item.tag}` === name);
  if (found !== undefined)
    return { kind: "enum", bits: 32, signed: !found.members.some(({ value }) => value > 0x7fffffff) };
  const builtin = Object.hasOwn(BUILTIN_TYPES, name) ? BUILTIN_TYPES[name] : undefined;
  if (builtin === undefined || builtin.size.lp64 === 0 || name === "void") return null;
  const bits = (8 * builtin.size.lp64) as Scalar["bits"];
  return { kind: /^(float|double)$/.test(name) ? "float" : "integer", bits, signed: builtin.signed === true };
}

/** What JavaScript makes of the bytes. */
export function decode({ kind, bits, signed }: Scalar, bytes: Uint8Array): number | bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  if (kind === "float") return bits === 32 ? view.getFloat32(0, true) : view.getFloat64(0, true);
  if (bits === 64) return signed ? view.getBigInt64(0, true) : view.getBigUint64(0, true);
  if (bits === 32) return signed ? view.getInt32(0, true) : view.getUint32(0, true);
  if (bits === 16) return signed ? view.getInt16(0, true) : view.getUint16(0, true);
  return signed ? view.getInt8(0) : view.getUint8(0);
}

/** Bytes on LP64. */
export function sizeOf(document: ApiDocument, given: ApiType): number {
  const type = resolve(document, given);
  if (type.kind === "pointer" || type.kind === "function") return 8;
  if (type.kind === "array") return (type.length ?? 0) * sizeOf(document, type.of);
  const { name } = type;
  if (Object.hasOwn(BUILTIN_TYPES, name)) return BUILTIN_TYPES[name]?.size.lp64 ?? 0;
  const record = recordOf(document, type);
  if (record !== null) return record.size;
  if (document.enums.some((item) => item.name === name || `enum ${item.tag}` === name)) return 4;
  if (document.handles.some((item) => item.name === name) || document.callbacks.some((item) => item.name === name))
    return 8;
  throw new Error(`the stand-in driver does not know the size of "${formatType(type)}"`);
}

function seedOf(name: string, position: number): bigint {
  return createHash("sha256").update(`${name}/${position}`).digest().readBigUInt64LE();
}
