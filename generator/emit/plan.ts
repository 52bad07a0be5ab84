import type { ApiDocument, ApiFunction, ApiParameter } from "../api/document.ts";
import { plainSpellings } from "../api/spellings.ts";
import { UserError } from "../errors.ts";
import type { HandwrittenRow, Library } from "../libraries/library.ts";
import { splitName } from "../names.ts";
import { comfortOf } from "./comfort.ts";
import { hooksOf } from "./hooks.ts";
import { isDeclarable } from "./identifier.ts";
import type { Hook, HookUse, Plan, PlannedFunction } from "./planned.ts";
import { type Guards, type Lowered, type PlannedParameter, planParameters } from "./roles.ts";
import { typeIndex } from "./types.ts";

/** Decides how every function of a document crosses. Throws UserError, naming the function, for one that cannot. */
export function plan(document: ApiDocument, library: Library, comments: ReadonlyMap<string, string> = new Map()): Plan {
  const { enums, records, handles, typedefs, callbacks, constants, functions: declared } = document;
  for (const { name } of [...enums, ...records, ...handles, ...typedefs, ...callbacks, ...constants, ...declared]) {
    if (!isDeclarable(name))
      throw new UserError(`"${name}" is a word of TypeScript's own: nothing can be called so there`);
  }
  const types = typeIndex(document, library);
  const plain = plainSpellings(document);
  const hooks = hooksOf(document.callbacks, types);
  const functions: PlannedFunction[] = [];
  const signatures = new Map<string, { index: number; lowered: Lowered[] }>();
  const byName = new Map<string, PlannedFunction>();

  const results = document.enums.find(({ name }) => name === library.resultType)?.members ?? [];
  const resultOf = (name: string | undefined) => results.find((each) => each.name === name)?.value ?? null;
  const explainedBy = (api: ApiFunction): PlannedFunction["explained"] => {
    const row = library.explained.find((each) => each.function === api.base);
    const parameters = api.params.flatMap(({ name }) => (row?.parameters.includes(name) ? [name] : []));
    const errno = resultOf(row?.result);
    /* On a result that the headers do not have, none can be. */
    const isKnown = parameters.length > 0 && (row?.result === undefined || errno !== null);
    return isKnown ? { parameters, errno } : null;
  };
  const notReady = resultOf(library.queries.result);
  const guards = guardedTypes(document.functions, library);
  const registered = callbackHandles(document.functions, library);
  for (const api of document.functions) {
    if (api.result !== library.resultType) {
      throw new UserError(
        `${api.name} returns ${api.result}; the shim only carries functions that return ${library.resultType}`,
      );
    }
    const handwritten = handwrittenRow(api, library);
    /* A destroying call claims the handle before it is encoded; checking it as well would refuse the call itself. */
    const params = planParameters(api, types, library, handwritten?.form === "destroy" ? new Map() : guards);
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
      query: library.queries.functions.includes(api.base) ? notReady : null,
      explained: explainedBy(api),
      path:
        params.find(({ role, api: { name } }) => role.kind === "string" && library.paths.includes(name))?.name ?? null,
      comfort: null,
      hook: hookUse(params, hooks, registered, library),
      handwritten,
      destroys: params.find((param) => param.api === destroyed(api, library)?.handle) ?? null,
      twin: null,
    };
    functions.push(planned);
    byName.set(api.name, planned);
  }
  const whole = functions.map((fn) => ({
    ...fn,
    comfort: comfortOf(fn, functions, types, library),
    twin: twinOf(fn, byName),
  }));
  const identifiers = new Map([...plain].map(([name, target]) => [name, byName.get(target)?.identifier ?? target]));
  return {
    library,
    document,
    types,
    functions: whole,
    hooks,
    signatures: [...signatures.values()].map(({ lowered }) => lowered),
    plain: identifiers,
    comments,
  };
}

/** The function that takes the same arguments in the legacy mode: one encoder does for both. */
function twinOf({ api }: PlannedFunction, byName: ReadonlyMap<string, PlannedFunction>): PlannedFunction | null {
  const twin = byName.get(splitName(api.name).stem);
  const isSame = twin !== undefined && JSON.stringify(twin.api.params) === JSON.stringify(api.params);
  return isSame && twin.api !== api ? twin : null;
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

/** The handle that a function destroys. */
function destroyed(api: ApiFunction, library: Library): { row: HandwrittenRow; handle: ApiParameter } | null {
  const row = handwrittenRow(api, library);
  const handle = api.params.find(({ name }, at) => (row?.handle === undefined ? at === 0 : name === row.handle));
  return row?.form === "destroy" && handle !== undefined ? { row, handle } : null;
}

function guardedTypes(functions: readonly ApiFunction[], library: Library): Guards {
  return new Map(
    functions.flatMap((api) => {
      const found = destroyed(api, library);
      return found === null ? [] : [[found.handle.type, found.row.refusedOnUse ? "used" : "destroyed"] as const];
    }),
  );
}

/** Types of the handles of registered callbacks. */
function callbackHandles(functions: readonly ApiFunction[], library: Library): ReadonlySet<string> {
  return new Set(
    functions.flatMap((api) => {
      const found = destroyed(api, library);
      return found?.row.callback === true ? [found.handle.type] : [];
    }),
  );
}

function hookUse(
  params: readonly PlannedParameter[],
  hooks: readonly Hook[],
  handles: ReadonlySet<string>,
  library: Library,
): HookUse | null {
  for (const callback of params) {
    const { role } = callback;
    if (role.kind !== "value" || role.meaning.kind !== "callback") continue;
    const { name } = role.meaning;
    const hook = hooks.find((candidate) => candidate.name === name);
    if (hook === undefined) return null;
    const data = params.find(({ api }) => api.type === "void *") ?? null;
    if (hook.kind === "queued" && data === null) return null;
    const registered = params.some(
      ({ role: { kind }, api }) => kind === "out" && handles.has(api.type.replace(/ \*$/, "")),
    );
    const stream = params.find((param) => param.role.kind === "value" && param.api.type === library.streamType) ?? null;
    return { hook, callback, data, life: registered ? "registered" : stream === null ? "finally" : "once", stream };
  }
  return null;
}
