import { handwritten } from "./handwritten.ts";
import type { Plain } from "./moduleText.ts";
import {
  argument,
  argumentType,
  head,
  isArgument,
  isResult,
  listKind,
  outcome,
  outOf,
  together,
} from "./parameters.ts";
import type { Comfort, HookUse, PlannedFunction, PlannedParameter } from "./plan.ts";
import { valueType } from "./values.ts";

/** What stands over the plain form of a function, if anything does. */
export function overPlain(fn: PlannedFunction, async: boolean): Plain | null {
  if (fn.handwritten !== null) return handwritten(fn, async);
  if (fn.comfort !== null) return comfortable(fn, fn.comfort, async);
  if (fn.unhooks !== null) return unhooking(fn, fn.unhooks, async);
  /* On a pool thread no JavaScript function can be called at once. */
  if (fn.hook !== null && !(async && fn.hook.hook.kind === "direct")) return hooking(fn, fn.hook, async);
  return null;
}

/** Over the plain form: a callback may be a JavaScript function. */
function hooking(fn: PlannedFunction, { hook, callback, data, life, stream }: HookUse, async: boolean): Plain {
  const { type } = outcome(fn);
  const named = (param: PlannedParameter) =>
    param === callback ? "code" : param === data ? `data as ${argumentType(param)}` : param.name;
  const call = `plain_${fn.identifier}(${fn.params.filter(isArgument).map(named).join(", ")})`;
  const last = fn.params.filter(isArgument).at(-1);
  const parameters = fn.params.filter(isArgument).map((param) => {
    if (param === callback) return `${param.name}: hooks.${hook.name}Function | ${argumentType(param)}`;
    if (param !== data) return argument(param);
    return `${param.name}: HostMemory | bigint | null${param === last ? " = null" : ""}`;
  });
  const shared = { async, generics: "", parameters: parameters.join(", "), returns: async ? `Promise<${type}>` : type };
  if (hook.kind === "direct") {
    return {
      ...shared,
      body: [
        `return direct(hooks.${hook.name}, ${callback.name}, (code) => ${call.replace("code", "code as types.CUoccupancyB2DSize")});`,
      ],
    };
  }
  /* What a capturing stream takes becomes a node of a graph, which calls it at every launch. */
  const lives =
    stream === null || life === "registered" ? `"${life}"` : `hooks.isCaptured(${stream.name}) ? "registered" : "once"`;
  const given = `hooks.${hook.name}, ${callback.name}, ${data?.name}, ${lives}, "${fn.api.name}", "${data?.api.name}"`;
  return { ...shared, body: [`return hooked(${given}, (code, data) => ${call});`] };
}

/** Over the plain form: what was registered ends with its handle. */
function unhooking(fn: PlannedFunction, handle: PlannedParameter, async: boolean): Plain {
  const args = fn.params
    .filter(isArgument)
    .map(({ name }) => name)
    .join(", ");
  return {
    async,
    ...head(fn),
    returns: async ? "Promise<void>" : "void",
    body: [`${async ? "await " : ""}plain_${fn.identifier}(${args});`, `unhooked(${handle.name});`],
  };
}

/** Over the plain form: makes room for what the driver fills, and returns it. */
function comfortable(fn: PlannedFunction, { kind, lists, count, countBits }: Comfort, async: boolean): Plain {
  const wait = async ? "await " : "";
  const hidden = new Set([...lists.map(({ param }) => param), ...(kind === "enumerate" ? [count] : [])]);
  const place = (param: PlannedParameter) => {
    const index = lists.findIndex((list) => list.param === param);
    if (kind !== "enumerate") return index < 0 ? param.name : `room.memory[${index}] as HostMemory`;
    return param === count ? "total" : index < 0 ? param.name : `list[${index}] ?? null`;
  };
  const call = `plain_${fn.identifier}(${fn.params.filter(isArgument).map(place).join(", ")})`;
  const kinds = lists.map(({ of }) => listKind(of));

  const plainResults = fn.params.filter(isResult);
  const results = fn.params
    .filter((param) => isResult(param) || lists.some((list) => list.param === param))
    .map((param) => {
      const index = lists.findIndex((list) => list.param === param);
      if (index < 0) {
        const position = plainResults.length === 1 ? "" : `[${plainResults.indexOf(param)}]`;
        return { name: param.name, type: outOf(param, fn).type, expression: `result${position}` };
      }
      if (kind === "text") return { name: param.name, type: "string", expression: `textOf(room.memory[${index}])` };
      const type = `${valueType((lists[index] as Comfort["lists"][number]).of, false)}[]`;
      return { name: param.name, type, expression: `lists[${index}] as ${type}` };
    });
  const { type, expression } = together(results);
  const kept = plainResults.length > 0 ? "const result = " : "";
  const counted = `rooms([${kinds.join(", ")}], ${count.name}, "${fn.api.name}", "${count.api.name}")`;
  const enumerated = `${wait}enumerate([${kinds.join(", ")}], ${countBits}, (list, total) => ${call})`;
  const steps = {
    enumerate: [`const [lists${plainResults.length > 0 ? ", result" : ""}] = ${enumerated};`],
    collect: [`const room = ${counted};`, `${kept}${wait}${call};`, "const lists = room.lists();"],
    text: [`const room = ${counted};`, `${kept}${wait}${call};`],
  };
  return {
    async,
    generics: "",
    parameters: fn.params
      .filter((param) => isArgument(param) && !hidden.has(param))
      .map(argument)
      .join(", "),
    returns: async ? `Promise<${type}>` : type,
    body: [...steps[kind], `return ${expression};`],
  };
}
