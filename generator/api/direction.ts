import type { DirectionRow, Library } from "../libraries/library.ts";
import { splitName } from "../names.ts";
import type { ParameterFacts } from "../parse/ast.ts";
import { type ApiType, formatType, isConst, parseType } from "./ctype.ts";
import type { ApiParameter } from "./document.ts";
import { lookUpName, type Scope } from "./scope.ts";
import type { Variant } from "./variants.ts";

interface Parameter {
  name: string;
  type: ApiType;
}

/**
 * Which way each parameter's data goes, from the types, from what the comments say, and last from the reviewed rows of the library.
 * `out` is one value that the function gives; `inout` is memory of the caller's that the function writes.
 */
export function inferParameters(
  variant: Variant,
  params: readonly Parameter[],
  scope: Scope,
  library: Library,
): ApiParameter[] {
  const facts = variant.declaration.documentation?.params ?? {};
  const rows = rowsOf(variant, library);
  return params.map((param, index) => {
    const said = Object.hasOwn(facts, param.name) ? facts[param.name] : undefined;
    const inferred = infer(variant.base, params, index, said, scope);
    const row = rows.find(({ parameter }) => isAmong(param.name, parameter));
    const { direction, count, ...rest } = { ...inferred, ...row };
    const nullable = rest.nullable || (direction === "in" && takesNull(param, library));
    return {
      name: param.name,
      type: formatType(param.type),
      direction,
      ...(nullable ? { nullable: true as const } : {}),
      ...(count !== undefined && count !== null && params.some(({ name }) => name === count) ? { count } : {}),
      ...(row?.bytes === undefined ? {} : { bytes: row.bytes }),
      ...(row?.length === undefined ? {} : { length: row.length }),
    };
  });
}

/** The reviewed rows for a variant: those of its own name before those of its base name. */
function rowsOf({ name, base }: Variant, { directions }: Library): DirectionRow[] {
  const named = (wanted: string) => directions.filter((row) => isAmong(wanted, row.function));
  const { stem } = splitName(name);
  return stem === base ? named(base) : [...named(stem), ...named(base)];
}

function isAmong(name: string, names: string | readonly string[]): boolean {
  return typeof names === "string" ? names === name : names.includes(name);
}

/** NULL is a choice for some handles, and for what is handed through to a callback. */
function takesNull({ name, type }: Parameter, library: Library): boolean {
  if (type.kind === "pointer") return /^user_?data$/i.test(name);
  return type.kind === "name" && library.nullableTypes.some((row) => row.name === type.name);
}

type Inference = Pick<ApiParameter, "direction" | "nullable" | "count">;

function infer(
  base: string,
  params: readonly Parameter[],
  index: number,
  facts: ParameterFacts | undefined,
  scope: Scope,
): Inference {
  const { name, type } = params[index] as Parameter;
  const nullable = facts?.optional ? { nullable: true as const } : {};
  if (type.kind !== "pointer") return { direction: "in", ...(isPointer(type, scope) ? nullable : {}) };
  const target = type.to;
  const counter = countOf(params, index, scope);
  const counted = counter === null ? {} : { count: counter };
  if (isConst(target) || target.kind === "function")
    return { direction: "in", ...nullable, ...counted, ...noList(counter, target, scope) };

  const said = facts?.returned || /(_out|[a-z]Out)$/.test(name) || (facts === undefined && /^ph[A-Z]/.test(name));
  if (isVoid(target, scope)) {
    return { direction: said || /^dst/.test(name) ? "inout" : "in", ...nullable, ...counted };
  }
  if (isText(target)) return { direction: said ? "inout" : "in", ...nullable, ...counted };
  if (counter !== null) {
    return { direction: said ? "inout" : "in", ...nullable, ...counted, ...noList(counter, target, scope) };
  }
  // The count of a two-call query says how many there is room for, and comes back as how many there are.
  if (params.some((_, other) => countOf(params, other, scope) === name)) return { direction: "inout", ...nullable };
  const returned = said || (facts?.given !== true && gives(base, name, target, scope));
  return { direction: returned ? "out" : "in", ...nullable };
}

/** A list of none is NULL, and so is one that is only asked for its length. Bytes and texts are not lists. */
function noList(counter: string | null, target: ApiType, scope: Scope): { nullable?: true } {
  return counter === null || isVoid(target, scope) || isText(target) ? {} : { nullable: true };
}

/** Where the comment says nothing: functions of these names give what their pointers to handles and numbers point to. */
function gives(base: string, parameter: string, target: ApiType, scope: Scope): boolean {
  if (!/(Get|Create|Register|Connect|Acquire|EndCapture)/.test(base)) return false;
  return /^ph?[A-Z]/.test(parameter) || !isRecord(target, scope);
}

/** The parameter that counts the elements of the pointer at `index`: bytes for `void *` and text, else see `listCount`. */
function countOf(params: readonly Parameter[], index: number, scope: Scope): string | null {
  const own = params[index] as Parameter;
  if (own.type.kind !== "pointer") return null;
  if (isVoid(own.type.to, scope) || isText(own.type.to)) {
    const behind = params[index + 1];
    if (behind !== undefined && /^(len|size|bufferSize|bytesize|dataSize|ByteCount)$/.test(behind.name))
      return behind.name;
    return params.find(({ name }) => name === "ByteCount")?.name ?? null;
  }
  return isPlural(own) ? listCount(params, index, scope) : null;
}

/** Lists stand side by side; what counts them stands behind the last or, as a plain number, before the first of them. */
function listCount(params: readonly Parameter[], index: number, scope: Scope): string | null {
  let last = index;
  while (isList(params[last + 1], scope)) last++;
  const behind = params[last + 1];
  if (
    behind !== undefined &&
    isCountName(behind.name) &&
    (isInteger(behind.type, scope) || isNumberPointer(behind.type, scope))
  ) {
    return behind.name;
  }
  let first = index;
  while (isList(params[first - 1], scope)) first--;
  const before = params[first - 1];
  if (before === undefined || !isCountName(before.name) || !isInteger(before.type, scope)) return null;
  /* What counts the lists in front of it does not count those behind: numDependencies is not about nodeParams. */
  return isList(params[first - 2], scope) ? null : before.name;
}

function isList(param: Parameter | undefined, scope: Scope): boolean {
  return param !== undefined && param.type.kind === "pointer" && isPlural(param) && !isVoid(param.type.to, scope);
}

/** Whether a parameter's name says that its pointer leads to several elements, or to their number. */
export function saysSeveral(name: string): boolean {
  return /([^su]s|Array|List|[dD]ata|^from|^to)$/.test(name);
}

function isPlural({ name }: Parameter): boolean {
  return saysSeveral(name) && !isCountName(name);
}

function isCountName(name: string): boolean {
  return /^((num|nb)[A-Z]\w*(?<!_out)|count|\w*[a-z]Count)$/.test(name);
}

/** Follows typedefs to what the type is. */
function plain(type: ApiType, scope: Scope): ApiType {
  if (type.kind !== "name") return type;
  const found = lookUpName(scope, type.name);
  if (found?.kind === "external") return plain(parseType(found.type), scope);
  if (found?.kind !== "typedef") return type;
  const target = found.typedef.type;
  if (target.kind === "name") return plain({ kind: "name", name: target.name, const: false }, scope);
  return { kind: "pointer", to: { kind: "name", name: "void", const: false }, const: false };
}

function isPointer(type: ApiType, scope: Scope): boolean {
  return plain(type, scope).kind === "pointer";
}

function isVoid(type: ApiType, scope: Scope): boolean {
  const meant = plain(type, scope);
  return meant.kind === "name" && meant.name === "void";
}

function isRecord(type: ApiType, scope: Scope): boolean {
  const meant = plain(type, scope);
  return meant.kind === "name" && lookUpName(scope, meant.name)?.kind === "record";
}

function isText(type: ApiType): boolean {
  return type.kind === "name" && type.name === "char";
}

function isInteger(type: ApiType, scope: Scope): boolean {
  const meant = plain(type, scope);
  return (
    meant.kind === "name" &&
    /^(size_t|int|unsigned int|long|unsigned long|long long|unsigned long long|u?int(32|64)_t)$/.test(meant.name)
  );
}

function isNumberPointer(type: ApiType, scope: Scope): boolean {
  return type.kind === "pointer" && isInteger(type.to, scope);
}
