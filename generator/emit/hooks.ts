import type { ApiCallback, StreamMode } from "../api/document.ts";
import { UserError } from "../errors.ts";
import type { Hook, HookCopy, HookParameter, HookSlot, Plan } from "./planned.ts";
import { className, type Meaning, type TypeIndex } from "./types.ts";
import { valueType } from "./values.ts";

/**
 * The callbacks that can be JavaScript functions: those with data of the caller's, and those that only compute.
 * @throws UserError naming such a callback that cannot be carried across
 */
export function hooksOf(callbacks: readonly ApiCallback[], types: TypeIndex): Hook[] {
  const hooks: Hook[] = [];
  for (const { name, result, params } of callbacks) {
    const returns = types.of(result);
    const planned = params.map((param) => ({ ...param, meaning: types.of(param.type) }));
    const data = params.findIndex((param) => param.type === "void *");
    const direct = data < 0 && returns.kind === "integer" && planned.every(({ meaning }) => meaning.kind === "integer");
    if (!direct && (data < 0 || returns.kind !== "void")) continue;
    if (planned.length === 0)
      throw new UserError(`${name} takes nothing, which a JavaScript function cannot stand for`);
    if (returns.kind === "integer" && (returns.signed || returns.bits !== 64)) {
      throw new UserError(`${name} returns "${result}"; a JavaScript function can only give C a "size_t"`);
    }
    const read = planned.map((param, index) => hookParameter(name, param, index === data, planned, types));
    if (read.filter(({ copy }) => copy !== null).length > 1) {
      throw new UserError(`${name} points to more than one thing; a JavaScript function can only be given one`);
    }
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

interface Declared {
  name: string;
  type: string;
  meaning: Meaning;
}

/** @throws UserError naming the callback */
function hookParameter(
  callback: string,
  { name, type, meaning }: Declared,
  isData: boolean,
  all: readonly Declared[],
  types: TypeIndex,
): HookParameter {
  const plain = { name, meaning, copy: null, given: true };
  if (isData) return { ...plain, slot: "pointer" };
  const copied = meaning.kind === "pointer" ? copyOf(types.meaning(meaning.to), all) : null;
  if (copied !== null) return { ...plain, ...copied, slot: "pointer" };
  const slot = slotOf(meaning);
  if (slot === null) {
    throw new UserError(`${callback}: ${name} is "${type}", which a JavaScript function cannot be given`);
  }
  return { ...plain, slot };
}

/** What of the driver's memory is copied; null: not known how much. */
function copyOf(target: Meaning, all: readonly Declared[]): { copy: HookCopy; meaning?: Meaning } | null {
  if (target.kind === "record") {
    const { record } = target;
    return { meaning: target, copy: { kind: "record", record: className(record.name), size: record.size } };
  }
  const length = all.findIndex(
    (other) => /^(length|len|size)$/.test(other.name) && other.meaning.kind === "integer" && !other.meaning.signed,
  );
  const isText = target.kind === "integer" && target.character && length >= 0;
  return isText ? { copy: { kind: "text", length } } : null;
}

/** null: it does not fit a slot, or is memory that is gone when the JavaScript function runs. */
function slotOf(meaning: Meaning): HookSlot | null {
  switch (meaning.kind) {
    case "integer":
      return `${meaning.signed ? "i" : "u"}${meaning.bits}`;
    case "float":
      return `f${meaning.bits}`;
    case "enum":
      return meaning.signed ? "i32" : "u32";
    case "handle":
    case "callback":
      return "pointer";
    default:
      return null;
  }
}

/** What of `DataView` reads a slot. */
const READERS: Readonly<Record<HookSlot, string>> = {
  i8: "getInt8",
  u8: "getUint8",
  i16: "getInt16",
  u16: "getUint16",
  i32: "getInt32",
  u32: "getUint32",
  i64: "getBigInt64",
  u64: "getBigUint64",
  f32: "getFloat32",
  f64: "getFloat64",
  pointer: "getBigUint64",
};

/** What `templates/hooks.ts.hbs` says: the types of the functions, and how their arguments are read. */
export function hooks({ hooks: planned, types, document }: Plan) {
  const { callbacks } = document;
  return {
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
          .flatMap((param, position) => (param.given ? [readArgument(param, position, hook.params.length)] : []))
          .join(", "),
      };
    }),
  };
}

/** The function that says whether a stream captures, in a stream mode; null: toolkits before 10.0 have none. */
export function captureStatus({ functions, library }: Plan, mode: StreamMode): string | null {
  const of = (mode: StreamMode) =>
    functions.find(({ api }) => api.base === library.captureStatus && api.streamMode === mode)?.identifier;
  return of(mode) ?? of("legacy") ?? null;
}

function jsType({ copy, meaning }: HookParameter): string {
  return copy?.kind === "text"
    ? "string"
    : copy?.kind === "record"
      ? `records.${copy.record}`
      : valueType(meaning, false);
}

function readArgument({ copy, meaning, slot }: HookParameter, position: number, slots: number): string {
  if (copy?.kind === "text") return `textIn(memory, ${8 * slots})`;
  if (copy?.kind === "record") return `recordIn(records.${copy.record}, memory, ${8 * slots})`;
  const order = slot.endsWith("8") ? "" : ", littleEndian";
  return `new DataView(memory).${READERS[slot]}(${8 * position}${order}) as ${valueType(meaning, false)}`;
}
