import { type ApiType, formatType, parseType } from "../api/ctype.ts";
import type { ApiDocument, ApiFunction, ApiParameter } from "../api/document.ts";
import { UserError } from "../errors.ts";
import type { Library } from "../libraries/library.ts";
import { identifier } from "./identifier.ts";
import { type Meaning, type TypeIndex, typeIndex } from "./types.ts";

/** Slots of the frame that hold parameters; the rest hold out values. Mirrors templates/runtime/frame.ts. */
export const OUT_SLOT = 32;
export const FRAME_SIZE = 8192;

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
  /** An address, or an offset into the frame: out values and strings. */
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
}

export type Role =
  | { kind: "value"; meaning: Extract<Meaning, { kind: "integer" | "float" | "enum" | "handle" | "callback" }> }
  | { kind: "string" }
  /** `const T *` or `T *` of a record, or a record by value. */
  | { kind: "record"; name: string }
  /** Host memory. `least`: the parameter that counts it, and the bytes of one element. */
  | { kind: "memory"; least: { count: string; size: number } | null }
  /** A value that the driver writes at out slot `at`, returned. */
  | { kind: "out"; meaning: Meaning; at: number }
  /** A record that the driver fills, returned. */
  | { kind: "outRecord"; name: string }
  /** A `const char *` that the driver writes at out slot `at`, returned as a string. */
  | { kind: "outString"; at: number };

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
  /** Plain spelling -> identifier of the function it means, for the legacy mode. */
  plain: Map<string, string>;
}

/** Decides how every function of a document crosses. Throws UserError, naming the function, for one that cannot. */
export function plan(document: ApiDocument, library: Library): Plan {
  const types = typeIndex(document);
  const plain = plainSpellings(document);
  const functions: PlannedFunction[] = [];
  const signatures = new Map<string, { index: number; lowered: Lowered[] }>();
  const byName = new Map<string, PlannedFunction>();

  for (const api of document.functions) {
    if (api.result !== library.resultType) {
      throw new UserError(
        `${api.name} returns ${api.result}; the shim only carries functions that return ${library.resultType}`,
      );
    }
    const params = planParameters(api, types);
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
    signatures: [...signatures.values()].map(({ lowered }) => lowered),
    plain: identifiers,
  };
}

/** First CUDA version of a function; the toolkit's own where nothing says. */
export function sinceOf({ api }: PlannedFunction, { document }: Plan): number {
  return api.since ?? document.toolkit;
}

/** What the plain spellings mean in the legacy mode: exported names by base name. */
function plainSpellings(document: ApiDocument): Map<string, string> {
  const plain = new Map<string, string>();
  for (const { name, base, default: isDefault, streamMode } of document.functions) {
    if (isDefault && streamMode === "legacy") plain.set(base, name);
  }
  for (const { name, target, streamMode } of document.aliases) if (streamMode === "legacy") plain.set(name, target);
  return plain;
}

/** A retired export such as the 32-bit cuMemAlloc, whose name now means another variant, is called cuMemAlloc_v1. */
function identifierOf(api: ApiFunction, plain: Map<string, string>): string {
  const meant = plain.get(api.name);
  return meant === undefined || meant === api.name ? api.name : `${api.name}_v1`;
}

function planParameters(api: ApiFunction, types: TypeIndex): PlannedParameter[] {
  if (api.params.length >= OUT_SLOT) throw new UserError(`${api.name} has more parameters than the frame has slots`);
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
        return planned({ kind: "record", name: meaning.name }, { record: meaning.record.name });
      case "pointer": {
        const target = meaning.to.kind === "function" ? null : types.meaning(meaning.to);
        const constant = meaning.to.kind !== "array" && meaning.to.kind !== "function" && meaning.to.const;
        if (target === null) return planned({ kind: "memory", least: null }, "pointer");
        if (param.direction === "out") {
          if (target.kind === "record") return planned({ kind: "outRecord", name: target.name }, "pointer");
          if (target.kind === "pointer" && isConstChar(target.to, types)) {
            return planned({ kind: "outString", at: nextOut++ }, "frame");
          }
          if (target.kind !== "void" && target.kind !== "array") {
            return planned({ kind: "out", meaning: target, at: nextOut++ }, "frame");
          }
        }
        if (constant && target.kind === "integer" && target.character) return planned({ kind: "string" }, "frame");
        if (target.kind === "record") return planned({ kind: "record", name: target.name }, "pointer");
        const counter = api.params.find(({ name }) => name === param.count);
        const counted = counter !== undefined && types.of(counter.type).kind === "integer";
        const least = counted ? { count: identifier(counter.name), size: types.size(meaning.to) } : null;
        return planned({ kind: "memory", least }, "pointer");
      }
      default:
        throw new UserError(`${api.name}: ${param.name} is "${formatType(type)}", which cannot be passed`);
    }
  });
}

function isConstChar(type: ApiType, types: TypeIndex): boolean {
  if (type.kind !== "name" || !type.const) return false;
  const meaning = types.meaning(type);
  return meaning.kind === "integer" && meaning.character;
}
