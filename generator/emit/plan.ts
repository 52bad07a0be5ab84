import type { ApiDocument, ApiFunction, ApiParameter } from "../api/document.ts";
import { plainSpellings } from "../api/spellings.ts";
import { UserError } from "../errors.ts";
import type { HandwrittenRow, Library } from "../libraries/library.ts";
import { type Comfort, planComforts } from "./comfort.ts";
import { type Hook, hooksOf } from "./hooks.ts";
import { isDeclarable } from "./identifier.ts";
import { type Guards, type Lowered, type PlannedParameter, planParameters } from "./roles.ts";
import { type Meaning, type TypeIndex, typeIndex } from "./types.ts";

export { FRAME_SIZE, type Lowered, OUT_SLOT, type PlannedParameter, type Role } from "./roles.ts";

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

  const guards = guardedTypes(document.functions, library);
  for (const api of document.functions) {
    if (api.result !== library.resultType) {
      throw new UserError(
        `${api.name} returns ${api.result}; the shim only carries functions that return ${library.resultType}`,
      );
    }
    const handwritten = handwrittenRow(api, library);
    /* What gives a handle back takes the right to it first, and with it the handle is refused to all others. */
    const params = planParameters(api, types, library, handwritten?.form === "unloader" ? new Map() : guards);
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
      comfort: null,
      hook: hookUse(params, hooks),
      handwritten,
      unhooks: unhookedHandle(api, params),
      twin: null,
    };
    functions.push(planned);
    byName.set(api.name, planned);
  }
  planComforts(functions, types, library);
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

/** Handles that a function gives back. */
function guardedTypes(functions: readonly ApiFunction[], library: Library): Guards {
  const guards = new Map<string, "used" | "given back">();
  for (const api of functions) {
    const row = handwrittenRow(api, library);
    const [handle] = api.params;
    if (row?.form === "unloader" && handle !== undefined) guards.set(handle.type, row.lasting ? "used" : "given back");
    for (const { type } of unregistered(api)) guards.set(type, "given back");
  }
  return guards;
}

/** Handles of callbacks that a function ends. */
function unregistered({ base, params }: ApiFunction): ApiParameter[] {
  return /(Unr|Der)egister/.test(base) ? params.filter(({ type }) => type.endsWith("CallbackHandle")) : [];
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

function unhookedHandle(api: ApiFunction, params: readonly PlannedParameter[]): PlannedParameter | null {
  const [handle] = unregistered(api);
  return params.find((param) => param.api === handle) ?? null;
}
