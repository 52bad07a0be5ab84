import type { ApiLength } from "../api/document.ts";
import type { Library } from "../libraries/library.ts";
import { identifier } from "./identifier.ts";
import type { Comfort, PlannedFunction } from "./planned.ts";
import { isScalar, isText, type PlannedParameter } from "./roles.ts";
import type { Meaning, TypeIndex } from "./types.ts";

/** The comfortable form of a function, if it has one. `functions`: all that are planned, since some are counted by others. */
export function comfortOf(
  fn: PlannedFunction,
  functions: readonly PlannedFunction[],
  types: TypeIndex,
  library: Library,
): Comfort | null {
  const filled = fn.params
    .filter(({ api, role }) => api.direction === "inout" && (role.kind === "memory" || role.kind === "record"))
    .filter(({ api }) => api.count !== undefined || api.length !== undefined || api.bytes !== undefined)
    .map((param) => ({ param, of: elementOf(param, types) }))
    .filter((list): list is { param: PlannedParameter; of: Meaning } => list.of !== null);
  const [first] = filled;
  if (first === undefined) return null;
  const plain = { notReturned: [], listed: null, limited: false };
  const { count, length, bytes } = first.param.api;
  if (count === undefined) {
    const expression =
      length === undefined ? String((bytes ?? 0) / elementSize(first.param, types)) : computed(fn.api.name, length);
    const of = length?.of ?? first.param.api.name;
    return { ...plain, kind: "collect", lists: [first], length: { kind: "computed", expression, of } };
  }
  const counter = fn.params.find(({ api }) => api.name === count);
  if (counter === undefined) return null;
  const counted = filled.filter(({ param }) => param.api.count === count);
  const meaning = types.meaning(counter.type.kind === "pointer" ? counter.type.to : counter.type);
  if (meaning.kind !== "integer") return null;
  const behind = counter.type.kind === "pointer";
  const parameter = { kind: "parameter", param: counter, bits: meaning.bits, behind } as const;
  if (counted.every(({ of }) => isText(of))) {
    return { ...plain, kind: "text", lists: counted, length: parameter, notReturned: behind ? [counter] : [] };
  }
  /* Others that are counted with them are read too: those the caller has. */
  const lists = counted.filter(({ param }) => param.api.nullable);
  if (lists.length === 0) return null;
  const row = library.counters.find((each) => each.function === fn.api.base);
  const other = functions.find(({ api }) => api.name === row?.counter);
  if (row !== undefined && other !== undefined) {
    const args = other.params.filter(({ api }) => api.direction === "in").map(({ name }) => name);
    const listed = fn.params.find(({ api }) => api.name === row.listed) ?? null;
    const notReturned = listed === null ? [counter] : [counter, listed];
    return {
      kind: "collect",
      lists,
      length: { kind: "function", name: other.identifier, args, param: counter },
      notReturned,
      listed,
      limited: false,
    };
  }
  if (!behind) return { ...plain, kind: "collect", lists, length: parameter };
  return counter.api.direction === "inout"
    ? {
        ...plain,
        kind: "enumerate",
        lists,
        length: parameter,
        notReturned: [counter],
        limited: library.limited.some((each) => each.function === fn.api.base),
      }
    : null;
}

/** The length by arguments that are not checked yet. */
function computed(name: string, length: ApiLength): string {
  const args = [length.of, ...(length.per === undefined ? [] : [length.per])].map(identifier);
  return `lengthFrom("${name}", ${JSON.stringify(length)}, ${args.join(", ")})`;
}

function elementSize({ type }: PlannedParameter, types: TypeIndex): number {
  return type.kind === "pointer" ? types.size(type.to) : 1;
}

/** Numbers, handles, records or text that a pointer points to; null for void and for memory of somebody else's. */
function elementOf({ type }: PlannedParameter, types: TypeIndex): Meaning | null {
  if (type.kind !== "pointer" || type.to.kind === "function") return null;
  const target = types.meaning(type.to);
  return isScalar(target) || target.kind === "record" ? target : null;
}

/** The parameter by which the caller may say, as a last argument, how many elements there are to be at most. */
export function limitOf({ comfort }: PlannedFunction): PlannedParameter | null {
  return comfort?.limited && comfort.length.kind === "parameter" ? comfort.length.param : null;
}

/** Parameters that the comfortable form has no argument for. */
export function notPassed({ kind, lists, length }: Comfort): PlannedParameter[] {
  const filled = lists.map(({ param }) => param);
  const isCounted = kind === "enumerate" || length.kind === "function";
  return isCounted && length.kind !== "computed" ? [...filled, length.param] : filled;
}
