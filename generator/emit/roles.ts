import { type ApiType, formatType, parseType } from "../api/ctype.ts";
import { saysSeveral } from "../api/direction.ts";
import type { ApiFunction, ApiLength, ApiParameter } from "../api/document.ts";
import { UserError } from "../errors.ts";
import type { AttributeRow, Library } from "../libraries/library.ts";
import { knownAttributes } from "./attributeRows.ts";
import { OUT_SLOT, TEXT_SLOT } from "./frameLayout.ts";
import { identifier } from "./identifier.ts";
import { ownsLists } from "./recordLists.ts";
import type { Meaning, TypeIndex } from "./types.ts";

/** How one parameter crosses: the C type in the prototype and the slot's member. */
export type Lowered =
  | "i8"
  | "u8"
  | "i16"
  | "u16"
  | "i32"
  | "u32"
  | "i64"
  | "u64"
  | "f32"
  | "f64"
  /** An address. */
  | "pointer"
  /** The offset of an out value in the frame. */
  | "out"
  /** An address, or an offset into the frame: strings, and in-out values that may be NULL. */
  | "frame"
  /** A record by value; the slot holds its address. */
  | { record: string };

/** What TypeScript does with one parameter. */
export interface PlannedParameter {
  /** Safe as a TypeScript identifier. */
  name: string;
  api: ApiParameter;
  type: ApiType;
  /** Slot in the frame: 1 for the first parameter. */
  slot: number;
  lowered: Lowered;
  role: Role;
  /**
   * Set for handle types that some function destroys; one that is returned is alive (again).
   * - used: a destroyed one is refused in every call
   * - destroyed: only when it is destroyed again
   */
  guarded: "used" | "destroyed" | null;
  /** Another type of handle that goes there too. */
  also: string | null;
  /** NULL where it is left out. */
  leftOut: boolean;
}

/** Handle type -> where a destroyed one is refused. */
export type Guards = ReadonlyMap<string, "used" | "destroyed">;

export type Role =
  | { kind: "value"; meaning: Scalar }
  | { kind: "string" }
  /** `const T *` or `T *` of a record, or a record by value. `count`: the argument that counts them. */
  | { kind: "record"; name: string; count: string | null }
  /** Memory: of the host, or `onDevice`. `orNumber`: what C takes for a pointer may be a small integer. */
  | { kind: "memory"; least: Least | null; orNumber: boolean; onDevice: boolean }
  /** The arguments of a kernel. */
  | { kind: "kernelParams" }
  /** A list of numbers, handles or pointers that the driver reads. */
  | { kind: "list"; of: Meaning; least: Least | null }
  /** A pointer to one value, given and (if `returned`) read back, at out slot `at`. */
  | { kind: "inout"; meaning: Scalar; at: number; returned: boolean }
  /**
   * A value that the driver writes at out slot `at`, returned; not if it only counts another that is. `origin`: of a handle of a
   * guarded type.
   */
  | { kind: "out"; meaning: Meaning; at: number; counts: boolean; origin: "born" | "found" | null }
  /** A value, at out slots from `at` on, of the type that the parameter `attribute` decides: returned, or (`given`) passed. */
  | { kind: "attribute"; at: number; slots: number; attribute: string; given: boolean }
  /** The address of an array of the driver's, at out slot `at`, with as many elements as the parameter `count` says: returned as a copy. */
  | { kind: "outList"; of: Meaning; at: number; count: string }
  /** A record that the driver fills, returned. `owns`: it may point to lists in the driver's memory. */
  | { kind: "outRecord"; name: string; owns: boolean }
  /** A `const char *` that the driver writes at out slot `at`, returned as a string. */
  | { kind: "outString"; at: number };

/** How much memory there must be: as many elements as an expression of other parameters says, of `size` bytes each. */
export interface Least {
  count: string;
  /** The same in words. */
  said: string;
  size: number;
}

export type Scalar = Extract<Meaning, { kind: "integer" | "float" | "enum" | "handle" | "callback" }>;

/** What a parameter's role is decided from. */
interface Context {
  api: ApiFunction;
  types: TypeIndex;
  library: Library;
  guards: Guards;
  /** Takes as many slots for out values: the first of them. */
  take(slots?: number): number;
}

type Crossing = Pick<PlannedParameter, "role" | "lowered">;

/** Decides how each parameter of a function crosses. */
export function planParameters(
  api: ApiFunction,
  types: TypeIndex,
  library: Library,
  guards: Guards,
): PlannedParameter[] {
  if (api.params.length >= OUT_SLOT) throw new UserError(`${api.name} has more parameters than the frame has slots`);
  let next = OUT_SLOT;
  const take = (slots = 1) => {
    next += slots;
    return next - slots;
  };
  const params = api.params.map((param, position): PlannedParameter => {
    const type = parseType(param.type);
    const crossing = crossingOf(param, type, { api, types, library, guards, take });
    const guarded = guardOf(crossing.role, guards);
    const name = identifier(param.name);
    const also = alsoTaken(api, param, types, library);
    const isLast = position === api.params.length - 1 && param.nullable === true;
    const leftOut = isLast && library.leftOut.some(({ parameter }) => parameter === param.name);
    return { name, api: param, type, slot: position + 1, ...crossing, guarded, also, leftOut };
  });
  if (next > TEXT_SLOT) throw new UserError(`${api.name} has more out values than the frame has slots`);
  return params;
}

function alsoTaken({ base }: ApiFunction, { type }: ApiParameter, types: TypeIndex, library: Library): string | null {
  const row = library.alsoTaken.find(({ functions, declared }) => functions.includes(base) && declared === type);
  return row !== undefined && types.isHandle(row.type) ? row.type : null;
}

function crossingOf(param: ApiParameter, type: ApiType, context: Context): Crossing {
  const meaning = context.types.meaning(type);
  switch (meaning.kind) {
    case "integer":
      return { role: { kind: "value", meaning }, lowered: `${meaning.signed ? "i" : "u"}${meaning.bits}` };
    case "float":
      return { role: { kind: "value", meaning }, lowered: `f${meaning.bits}` };
    case "enum":
      return { role: { kind: "value", meaning }, lowered: "i32" };
    case "handle":
    case "callback":
      return { role: { kind: "value", meaning }, lowered: "pointer" };
    case "record":
      return {
        role: { kind: "record", name: meaning.name, count: null },
        lowered: { record: meaning.record.name },
      };
    case "pointer":
      return pointerCrossing(param, meaning.to, context);
    default:
      throw new UserError(`${context.api.name}: ${param.name} is "${formatType(type)}", which cannot be passed`);
  }
}

/** The first that fits: an attribute's value; what the driver writes; one value that it reads; a text, records, a list; memory. */
function pointerCrossing(param: ApiParameter, to: ApiType, context: Context): Crossing {
  const { api, types, library, take } = context;
  if (to.kind === "function")
    return { role: { kind: "memory", least: null, orNumber: false, onDevice: false }, lowered: "pointer" };
  const target = types.meaning(to);
  const row = library.attributes.find((found) => found.function === api.base && found.value === param.name);
  if (row !== undefined && row.size === undefined) {
    const slots = attributeSlots(row, api, types);
    const attribute = identifier(row.attribute);
    const given = param.direction === "in";
    return { role: { kind: "attribute", at: take(slots), slots, attribute, given }, lowered: "out" };
  }
  const written = param.direction === "out" ? outCrossing(param, target, context) : null;
  if (written !== null) return written;
  if (isSingle(param, to, target) && isScalar(target)) {
    const returned = param.direction === "inout";
    const lowered = param.nullable ? "frame" : "out";
    return { role: { kind: "inout", meaning: target, at: take(), returned }, lowered };
  }
  if (param.name === library.kernelParams && target.kind === "pointer")
    return { role: { kind: "kernelParams" }, lowered: "pointer" };
  const isConstant = to.kind !== "array" && to.const;
  if (isConstant && isText(target)) return { role: { kind: "string" }, lowered: "frame" };
  const counter = api.params.find(({ name }) => name === param.count);
  const isGiven = counter !== undefined && isGivenNumber(counter, types);
  const least = leastOf(param, isGiven ? counter : undefined, types.size(to));
  if (target.kind === "record")
    return { role: { kind: "record", name: target.name, count: least?.count ?? null }, lowered: "pointer" };
  if (param.direction === "in" && (isScalar(target) || target.kind === "pointer") && !isText(target))
    return { role: { kind: "list", of: target, least }, lowered: "pointer" };
  const orNumber = library.numbersInPointers.some(
    ({ function: name, parameter }) => name === api.base && parameter === param.name,
  );
  const onDevice = library.deviceAddresses.some(
    ({ function: name, parameter }) => parameter === param.name && (name === undefined || name === api.base),
  );
  return { role: { kind: "memory", least, orNumber, onDevice }, lowered: "pointer" };
}

/** What the driver writes behind a pointer; null: bytes, which the caller has room for. */
function outCrossing(param: ApiParameter, target: Meaning, context: Context): Crossing | null {
  const { api, types, library, take } = context;
  if (target.kind === "pointer" && param.count !== undefined) {
    const of = target.to.kind === "function" ? target : types.meaning(target.to);
    return { role: { kind: "outList", of, at: take(), count: identifier(param.count) }, lowered: "out" };
  }
  if (target.kind === "record") {
    const owns = ownsLists(target.record, types, library);
    return { role: { kind: "outRecord", name: target.name, owns }, lowered: "pointer" };
  }
  if (target.kind === "pointer" && isConstChar(target.to, types))
    return { role: { kind: "outString", at: take() }, lowered: "out" };
  if (target.kind === "void" || target.kind === "array") return null;
  const counts = api.params.some(({ count, direction }) => direction === "out" && count === param.name);
  const origin = originOf(target, context);
  return { role: { kind: "out", meaning: target, at: take(), counts, origin }, lowered: "out" };
}

/** Whether a guarded handle is a new one, or one that is looked up. */
function originOf(target: Meaning, { api, library, guards }: Context): "born" | "found" | null {
  if (target.kind !== "handle" || !guards.has(target.name)) return null;
  const looksUp = /Get/.test(api.base) && !library.makers.some(({ function: name }) => name === api.base);
  return looksUp ? "found" : "born";
}

function guardOf(role: Role, guards: Guards): PlannedParameter["guarded"] {
  if (role.kind !== "value" && role.kind !== "out") return null;
  return role.meaning.kind === "handle" ? (guards.get(role.meaning.name) ?? null) : null;
}

/** As many elements as a parameter says, some parameters say, or the function touches always. */
function leastOf({ bytes, length }: ApiParameter, counter: ApiParameter | undefined, size: number): Least | null {
  if (counter !== undefined) return { count: identifier(counter.name), said: counter.name, size };
  if (length !== undefined) return { count: lengthExpression(length), said: lengthWords(length), size };
  return bytes === undefined ? null : { count: String(bytes / size), said: String(bytes / size), size };
}

/** In TypeScript, of arguments that were checked. */
function lengthExpression({ of, minus, per }: ApiLength): string {
  const value = `Number(${identifier(of)})`;
  return per === undefined ? `(${value} - ${minus ?? 0})` : `Math.ceil(${value} / Number(${identifier(per)}))`;
}

function lengthWords({ of, minus, per }: ApiLength): string {
  return per === undefined ? `${of} - ${minus ?? 0}` : `${of} / ${per}`;
}

/** Slots that the widest value takes; of an attribute that no header names one is read. */
function attributeSlots(row: AttributeRow, api: ApiFunction, types: TypeIndex): number {
  const sizes = knownAttributes(row, api, types).map(({ type }) => types.size(parseType(type)));
  return Math.ceil(Math.max(8, ...sizes) / 8);
}

/** A count that the caller says: a number, or one behind a pointer that comes back. */
function isGivenNumber(param: ApiParameter, types: TypeIndex): boolean {
  const meaning = types.of(param.type);
  if (meaning.kind !== "pointer" || meaning.to.kind === "function") return meaning.kind === "integer";
  const target = types.meaning(meaning.to);
  return target.kind === "integer" && isSingle(param, meaning.to, target);
}

export function isScalar(meaning: Meaning): meaning is Scalar {
  return ["integer", "float", "enum", "handle", "callback"].includes(meaning.kind);
}

/** Bytes of a text, or of anything. */
export function isText(meaning: Meaning): boolean {
  return meaning.kind === "integer" && meaning.character;
}

/** A pointer to one value that the function reads: in-out values, and handles behind a pointer that is not to a list. */
function isSingle(param: ApiParameter, to: ApiType, target: Meaning): boolean {
  if (param.count !== undefined || isText(target)) return false;
  if (param.direction === "inout") return !saysSeveral(param.name) && target.kind !== "float";
  const one = target.kind === "handle" || (target.kind === "integer" && !saysSeveral(param.name));
  return param.direction === "in" && one && to.kind === "name" && !to.const;
}

function isConstChar(type: ApiType, types: TypeIndex): boolean {
  if (type.kind !== "name" || !type.const) return false;
  const meaning = types.meaning(type);
  return meaning.kind === "integer" && meaning.character;
}

/** Whether a program passes this parameter. */
export function isArgument({ role }: PlannedParameter): boolean {
  return role.kind === "attribute" ? role.given : !role.kind.startsWith("out");
}

export function isRecordOut({ role }: PlannedParameter): boolean {
  return role.kind === "outRecord";
}

/** Whether it is returned; what only counts a list that is returned is not. */
export function isResult(param: PlannedParameter): boolean {
  const { role } = param;
  if (role.kind === "inout") return role.returned;
  return !isArgument(param) && !(role.kind === "out" && role.counts);
}
