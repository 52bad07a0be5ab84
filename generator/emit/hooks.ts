import type { ApiCallback, StreamMode } from "../api/document.ts";
import type { Hook, HookParameter, Plan, PlannedFunction } from "./planned.ts";
import { className, type Meaning, type TypeIndex } from "./types.ts";
import { valueType } from "./values.ts";

/** The callbacks that can be JavaScript functions: those with data of the caller's, and those that only compute. */
export function hooksOf(callbacks: readonly ApiCallback[], types: TypeIndex): Hook[] {
  const hooks: Hook[] = [];
  for (const { name, result, params } of callbacks) {
    const returns = types.of(result);
    const planned = params.map((param) => ({ name: param.name, meaning: types.of(param.type) }));
    const data = params.findIndex((param) => param.type === "void *");
    const direct = data < 0 && returns.kind === "integer" && planned.every(({ meaning }) => meaning.kind === "integer");
    if (!direct && (data < 0 || returns.kind !== "void")) continue;
    const read = planned.map((param, index) => hookParameter(param, index === data, planned, types));
    const lengths = new Set(read.flatMap(({ copy }) => (copy?.kind === "text" ? [copy.length] : [])));
    hooks.push({
      index: hooks.length,
      name,
      kind: direct ? "direct" : "queued",
      params: read.map((param, index) => ({ ...param, given: index !== data && !lengths.has(index) })),
      data,
    });
  }
  return hooks;
}

function hookParameter(
  { name, meaning }: { name: string; meaning: Meaning },
  isData: boolean,
  all: readonly { name: string }[],
  types: TypeIndex,
): HookParameter {
  const plain: HookParameter = { name, meaning, copy: null, given: true };
  if (isData || meaning.kind !== "pointer") return plain;
  const target = types.meaning(meaning.to);
  if (target.kind === "record") {
    const { record } = target;
    return { ...plain, meaning: target, copy: { kind: "record", record: className(record.name), size: record.size } };
  }
  const length = all.findIndex((other) => /^(length|len|size)$/.test(other.name));
  const isText = target.kind === "integer" && target.character && length >= 0;
  return isText ? { ...plain, copy: { kind: "text", length } } : plain;
}

/** What `templates/hooks.ts.hbs` says: the types of the functions, and how their arguments are read. */
export function hooks({ hooks: planned, types, document, functions, library }: Plan) {
  const { callbacks } = document;
  return {
    capture: captureStatus(functions, library.captureStatus),
    hooks: planned.map((hook) => {
      const given = hook.params.filter((param) => param.given);
      const result = callbacks.find(({ name }) => name === hook.name)?.result ?? "void";
      return {
        index: hook.index,
        name: hook.name,
        direct: hook.kind === "direct",
        parameters: given.map((param) => `${param.name}: ${jsType(param)}`).join(", "),
        returns: hook.kind === "direct" ? valueType(types.of(result), true) : "void",
        arguments: hook.params
          .flatMap((param, slot) => (param.given ? [readArgument(param, slot, hook.params.length)] : []))
          .join(", "),
      };
    }),
  };
}

/** The functions that say whether a stream captures, of either stream mode; null: toolkits before 10.0 have none. */
function captureStatus(functions: readonly PlannedFunction[], base: string) {
  const of = (mode: StreamMode) =>
    functions.find(({ api }) => api.base === base && api.streamMode === mode)?.identifier;
  const legacy = of("legacy");
  return legacy === undefined ? null : { legacy, perThread: of("perThread") ?? legacy };
}

function jsType({ copy, meaning }: HookParameter): string {
  return copy?.kind === "text"
    ? "string"
    : copy?.kind === "record"
      ? `records.${copy.record}`
      : valueType(meaning, false);
}

function readArgument({ copy, meaning }: HookParameter, slot: number, slots: number): string {
  if (copy?.kind === "text") return `textIn(memory, ${8 * slots})`;
  if (copy?.kind === "record") return `recordIn(records.${copy.record}, memory, ${8 * slots})`;
  const type = valueType(meaning, false);
  if (meaning.kind === "enum" || (meaning.kind === "integer" && meaning.bits < 64)) {
    const signed = meaning.signed ? "getInt32" : "getUint32";
    return `new DataView(memory).${signed}(${8 * slot}, littleEndian) as ${type}`;
  }
  return `new DataView(memory).getBigUint64(${8 * slot}, littleEndian) as ${type}`;
}
