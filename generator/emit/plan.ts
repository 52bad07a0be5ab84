import { type ApiType, formatType, parseType } from "../api/ctype.ts";
import type { ApiDocument, ApiFunction, ApiParameter } from "../api/document.ts";
import { plainSpellings } from "../api/spellings.ts";
import { UserError } from "../errors.ts";
import type { HandwrittenRow, Library } from "../libraries/library.ts";
import { type Hook, hooksOf } from "./hooks.ts";
import { identifier, isDeclarable } from "./identifier.ts";
import { type Meaning, type TypeIndex, typeIndex } from "./types.ts";

/** Slots of the frame that hold parameters; the rest hold out values. Mirrors templates/runtime/frame.ts. */
export const OUT_SLOT = 32;
export const FRAME_SIZE = 8192;
/** Slots that the widest attribute takes. */
const ATTRIBUTE_SLOTS = 2;

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
  /** A handle that can be given back: one that was is refused, one that is returned may be used again. */
  guarded: boolean;
}

export type Role =
  | { kind: "value"; meaning: Scalar }
  | { kind: "string" }
  /** `const T *` or `T *` of a record, or a record by value. `count`: the argument that counts them. */
  | { kind: "record"; name: string; count: string | null }
  /** Host memory. `least`: the parameter (or the number) that counts it, and the bytes of one element. */
  | { kind: "memory"; least: { count: string; size: number } | null }
  /** A list of numbers, handles or pointers that the driver reads; `least` as for memory. */
  | { kind: "list"; of: Meaning; least: { count: string; size: number } | null }
  /** A pointer to one value, given and (if `returned`) read back, at out slot `at`. */
  | { kind: "inout"; meaning: Scalar; at: number; returned: boolean }
  /** A value that the driver writes at out slot `at`, returned. */
  | { kind: "out"; meaning: Meaning; at: number }
  /** A value, at out slot `at`, of the type that the parameter `attribute` decides: returned, or (`given`) passed. */
  | { kind: "attribute"; at: number; attribute: string; given: boolean }
  /** A record that the driver fills, returned. */
  | { kind: "outRecord"; name: string }
  /** A `const char *` that the driver writes at out slot `at`, returned as a string. */
  | { kind: "outString"; at: number };

export type Scalar = Extract<Meaning, { kind: "integer" | "float" | "enum" | "handle" | "callback" }>;

/**
 * A comfortable form over the plain one: lists and texts that the driver fills are returned.
 * - enumerate: two calls, one for the count and one for the lists
 * - collect: lists whose length the caller says
 * - text: a text whose room the caller says
 */
export interface Comfort {
  kind: "enumerate" | "collect" | "text";
  /** Parameters that hold the lists or the text, each with what one element is. */
  lists: { param: PlannedParameter; of: Meaning }[];
  /** Parameter that counts them, or points to their count, and the bits of that number. */
  count: PlannedParameter;
  countBits: number;
}

/** A callback parameter that may be a JavaScript function. */
export interface HookUse {
  hook: Hook;
  callback: PlannedParameter;
  /** Parameter that C hands back to a queued hook. */
  data: PlannedParameter | null;
  /** Registered: called until a handle that the function returns is given back. */
  life: "once" | "registered";
  /** The stream whose capture would make a call of it part of a graph. */
  stream: PlannedParameter | null;
}

export interface PlannedFunction {
  /** The addon's number for it. */
  index: number;
  api: ApiFunction;
  /** Its TypeScript name: the exported name, unless the plain spelling means another variant. */
  identifier: string;
  params: PlannedParameter[];
  /** Index into `Plan.signatures`. */
  signature: number;
  /** CUDA_ERROR_NOT_READY is an answer here, not an error. */
  query: boolean;
  /** The parameter that names a file, for errors. */
  path: string | null;
  comfort: Comfort | null;
  hook: HookUse | null;
  handwritten: HandwrittenRow | null;
  /** The handle of a registered callback that this function ends. */
  unhooks: PlannedParameter | null;
  /** The function whose parameters are the very same, in the other stream mode; its encoder serves both. */
  twin: PlannedFunction | null;
}

/** Everything that the files of the package say, decided. */
export interface Plan {
  library: Library;
  document: ApiDocument;
  types: TypeIndex;
  functions: PlannedFunction[];
  /** Distinct lowered signatures. */
  signatures: Lowered[][];
  /** Callbacks that can be JavaScript functions. */
  hooks: Hook[];
  /** Plain spelling -> identifier of the function it means, for the legacy mode. */
  plain: Map<string, string>;
  /** Exported name -> text of the header's comment that is to be copied. */
  comments: ReadonlyMap<string, string>;
}

/** Decides how every function of a document crosses. Throws UserError, naming the function, for one that cannot. */
export function plan(document: ApiDocument, library: Library, comments: ReadonlyMap<string, string> = new Map()): Plan {
  const { enums, records, handles, typedefs, callbacks, constants, functions: declared } = document;
  for (const { name } of [...enums, ...records, ...handles, ...typedefs, ...callbacks, ...constants, ...declared]) {
    if (!isDeclarable(name))
      throw new UserError(`"${name}" is a word of TypeScript's own: nothing can be called so there`);
  }
  const types = typeIndex(document);
  const plain = plainSpellings(document);
  const hooks = hooksOf(document.callbacks, types);
  const functions: PlannedFunction[] = [];
  const signatures = new Map<string, { index: number; lowered: Lowered[] }>();
  const byName = new Map<string, PlannedFunction>();
  const givenBack = new Set(
    declared.filter((api) => handwrittenRow(api, library)?.form === "unloader").map(({ params }) => params[0]?.type),
  );

  for (const api of document.functions) {
    if (api.result !== library.resultType) {
      throw new UserError(
        `${api.name} returns ${api.result}; the shim only carries functions that return ${library.resultType}`,
      );
    }
    const params = planParameters(api, types, library, givenBack);
    const lowered = params.map((param) => param.lowered);
    const key = JSON.stringify(lowered);
    let signature = signatures.get(key);
    if (signature === undefined) {
      signature = { index: signatures.size, lowered };
      signatures.set(key, signature);
    }
    const planned: PlannedFunction = {
      index: functions.length,
      api,
      identifier: identifierOf(api, plain),
      params,
      signature: signature.index,
      query: library.queries.includes(api.base),
      path:
        params.find(({ role, name }) => role.kind === "string" && /^(fname|fileName|path)$/.test(name))?.name ?? null,
      comfort: comfortOf(params, types),
      hook: hookUse(params, hooks),
      handwritten: handwrittenRow(api, library),
      unhooks: unhookedHandle(api, params),
      twin: null,
    };
    functions.push(planned);
    byName.set(api.name, planned);
  }
  for (const fn of functions) {
    const twin = byName.get(fn.api.name.replace(/_(ptds|ptsz)$/, ""));
    if (twin !== undefined && twin !== fn && JSON.stringify(twin.api.params) === JSON.stringify(fn.api.params))
      fn.twin = twin;
  }
  const identifiers = new Map([...plain].map(([name, target]) => [name, byName.get(target)?.identifier ?? target]));
  return {
    library,
    document,
    types,
    functions,
    hooks,
    signatures: [...signatures.values()].map(({ lowered }) => lowered),
    plain: identifiers,
    comments,
  };
}

/** First CUDA version of a function; the toolkit's own where nothing says. */
export function sinceOf({ api }: PlannedFunction, { document }: Plan): number {
  return api.since ?? document.toolkit;
}

/** A retired export such as the 32-bit cuMemAlloc, whose name now means another variant, is called cuMemAlloc_v1. */
function identifierOf(api: ApiFunction, plain: Map<string, string>): string {
  const meant = plain.get(api.name);
  return meant === undefined || meant === api.name ? api.name : `${api.name}_v1`;
}

/** Of the exported name, or of the base name for all its variants. */
function handwrittenRow({ name, base }: ApiFunction, { handwritten }: Library): HandwrittenRow | null {
  return handwritten[name] ?? handwritten[base] ?? null;
}

function planParameters(
  api: ApiFunction,
  types: TypeIndex,
  library: Library,
  givenBack: ReadonlySet<string | undefined>,
): PlannedParameter[] {
  if (api.params.length >= OUT_SLOT) throw new UserError(`${api.name} has more parameters than the frame has slots`);
  /* What gives a handle back claims it first. */
  const isUnloader = handwrittenRow(api, library)?.form === "unloader";
  const isGuarded = (meaning: Meaning) => meaning.kind === "handle" && givenBack.has(meaning.name) && !isUnloader;
  let nextOut = OUT_SLOT;
  return api.params.map((param, position) => {
    const type = parseType(param.type);
    const meaning = types.meaning(type);
    const planned = (role: Role, lowered: Lowered): PlannedParameter => ({
      name: identifier(param.name),
      api: param,
      type,
      slot: position + 1,
      lowered,
      role,
      guarded: (role.kind === "value" || role.kind === "out") && isGuarded(role.meaning),
    });
    switch (meaning.kind) {
      case "integer":
        return planned({ kind: "value", meaning }, `${meaning.signed ? "i" : "u"}${meaning.bits}`);
      case "float":
        return planned({ kind: "value", meaning }, `f${meaning.bits}`);
      case "enum":
        return planned({ kind: "value", meaning }, "i32");
      case "handle":
      case "callback":
        return planned({ kind: "value", meaning }, "pointer");
      case "record":
        return planned({ kind: "record", name: meaning.name, count: null }, { record: meaning.record.name });
      case "pointer": {
        const target = meaning.to.kind === "function" ? null : types.meaning(meaning.to);
        const constant = meaning.to.kind !== "array" && meaning.to.kind !== "function" && meaning.to.const;
        if (target === null) return planned({ kind: "memory", least: null }, "pointer");
        const row = library.attributes.find((found) => found.function === api.base && found.value === param.name);
        if (row !== undefined) {
          const at = nextOut;
          nextOut += ATTRIBUTE_SLOTS;
          const attribute = identifier(row.attribute);
          return planned({ kind: "attribute", at, attribute, given: param.direction === "in" }, "out");
        }
        if (param.direction === "out") {
          if (target.kind === "record") return planned({ kind: "outRecord", name: target.name }, "pointer");
          if (target.kind === "pointer" && isConstChar(target.to, types)) {
            return planned({ kind: "outString", at: nextOut++ }, "out");
          }
          if (target.kind !== "void" && target.kind !== "array") {
            return planned({ kind: "out", meaning: target, at: nextOut++ }, "out");
          }
        }
        if (isSingle(param, meaning.to, target) && isScalar(target)) {
          return planned(
            { kind: "inout", meaning: target, at: nextOut++, returned: param.direction === "inout" },
            param.nullable ? "frame" : "out",
          );
        }
        if (constant && target.kind === "integer" && target.character) return planned({ kind: "string" }, "frame");
        const counter = api.params.find(({ name }) => name === param.count);
        const counted = counter !== undefined && isGivenNumber(counter, types);
        if (target.kind === "record") {
          const count = counted ? identifier(counter.name) : null;
          return planned({ kind: "record", name: target.name, count }, "pointer");
        }
        const least = counted
          ? { count: identifier(counter.name), size: types.size(meaning.to) }
          : param.bytes === undefined
            ? null
            : { count: String(param.bytes), size: 1 };
        const listed = param.direction === "in" && (isScalar(target) || target.kind === "pointer");
        return planned(
          listed && !isText(target) ? { kind: "list", of: target, least } : { kind: "memory", least },
          "pointer",
        );
      }
      default:
        throw new UserError(`${api.name}: ${param.name} is "${formatType(type)}", which cannot be passed`);
    }
  });
}

/** A count that the caller says: a number, or one behind a pointer that comes back. */
function isGivenNumber(param: ApiParameter, types: TypeIndex): boolean {
  const meaning = types.of(param.type);
  if (meaning.kind !== "pointer" || meaning.to.kind === "function") return meaning.kind === "integer";
  const target = types.meaning(meaning.to);
  return target.kind === "integer" && isSingle(param, meaning.to, target);
}

function isScalar(meaning: Meaning): meaning is Scalar {
  return ["integer", "float", "enum", "handle", "callback"].includes(meaning.kind);
}

function isText(meaning: Meaning): boolean {
  return meaning.kind === "integer" && meaning.character;
}

/** A pointer to one value that the function reads: in-out values, and handles behind a pointer that is not to a list. */
function isSingle(param: ApiParameter, to: ApiType, target: Meaning): boolean {
  if (param.count !== undefined || isText(target)) return false;
  if (param.direction === "inout") return !/_?(list|array|s)$/i.test(param.name) && target.kind !== "float";
  const one = target.kind === "handle" || (target.kind === "integer" && !/s$/i.test(param.name));
  return param.direction === "in" && one && to.kind === "name" && !to.const;
}

function comfortOf(params: readonly PlannedParameter[], types: TypeIndex): Comfort | null {
  const filled = params.filter(({ api, role }) => {
    return api.direction === "inout" && api.count !== undefined && (role.kind === "memory" || role.kind === "record");
  });
  const count = params.find(({ api }) => api.name === filled[0]?.api.count);
  if (count === undefined) return null;
  const lists = filled
    .filter((param) => param.api.count === count.api.name)
    .map((param) => ({ param, of: elementOf(param, types) }))
    .filter((list): list is { param: PlannedParameter; of: Meaning } => list.of !== null);
  if (lists.length === 0) return null;

  const behind = count.type.kind === "pointer";
  const counter = types.meaning(count.type.kind === "pointer" ? count.type.to : count.type);
  if (counter.kind !== "integer") return null;
  const countBits = counter.bits;
  const nullable = lists.every(({ param }) => param.api.nullable);
  if (behind) {
    return count.api.direction === "inout" && nullable ? { kind: "enumerate", lists, count, countBits } : null;
  }
  /* Where bytes may be binary, they are counted by a size_t: those stay memory. */
  if (lists.every(({ of }) => isText(of))) return counter.signed ? { kind: "text", lists, count, countBits } : null;
  return nullable ? { kind: "collect", lists, count, countBits } : null;
}

/** Numbers, handles, records or text that a pointer points to; null for void and for memory of somebody else's. */
function elementOf({ type }: PlannedParameter, types: TypeIndex): Meaning | null {
  if (type.kind !== "pointer" || type.to.kind === "function") return null;
  const target = types.meaning(type.to);
  return isScalar(target) || target.kind === "record" ? target : null;
}

function hookUse(params: readonly PlannedParameter[], hooks: readonly Hook[]): HookUse | null {
  for (const callback of params) {
    const { role } = callback;
    if (role.kind !== "value" || role.meaning.kind !== "callback") continue;
    const { name } = role.meaning;
    const hook = hooks.find((candidate) => candidate.name === name);
    if (hook === undefined) return null;
    const data = params.find(({ api }) => api.type === "void *") ?? null;
    if (hook.kind === "queued" && data === null) return null;
    const registered = params.some((param) => param.role.kind === "out" && isCallbackHandle(param.role.meaning));
    const stream = params.find((param) => param.role.kind === "value" && param.api.type === "CUstream") ?? null;
    return { hook, callback, data, life: registered ? "registered" : "once", stream };
  }
  return null;
}

function isCallbackHandle(meaning: Meaning): boolean {
  return meaning.kind === "handle" && meaning.name.endsWith("CallbackHandle");
}

function unhookedHandle({ base }: ApiFunction, params: readonly PlannedParameter[]): PlannedParameter | null {
  if (!/(Unr|Der)egister/.test(base)) return null;
  return params.find(({ role }) => role.kind === "value" && isCallbackHandle(role.meaning)) ?? null;
}

function isConstChar(type: ApiType, types: TypeIndex): boolean {
  if (type.kind !== "name" || !type.const) return false;
  const meaning = types.meaning(type);
  return meaning.kind === "integer" && meaning.character;
}
