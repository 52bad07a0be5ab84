import { attributeForm } from "./attributeForms.ts";
import { type Comfort, hiddenByComfort, type Length } from "./comfort.ts";
import { takeCounts } from "./counts.ts";
import { handwritten } from "./handwritten.ts";
import type { Plain } from "./moduleText.ts";
import {
  argument,
  argumentType,
  declare,
  head,
  isArgument,
  isResult,
  listKind,
  listType,
  outcome,
  outOf,
  parameterList,
  together,
} from "./parameters.ts";
import type { HookUse, Plan, PlannedFunction, PlannedParameter } from "./plan.ts";

/** What stands over the plain form of a function, if anything does. */
export function overPlain(fn: PlannedFunction, plan: Plan, async: boolean): Plain | null {
  if (fn.handwritten !== null) return handwritten(fn, async);
  const attributes = attributeForm(fn, plan, async);
  if (attributes !== null) return attributes;
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
    body: [
      `${async ? "await " : ""}givingBack("${fn.api.name}", "${handle.api.name}", ${handle.name}, () => plain_${fn.identifier}(${args}));`,
      `unhooked(${handle.name});`,
    ],
  };
}

/** Over the plain form: makes room for what the driver fills, and returns it. */
function comfortable(fn: PlannedFunction, comfort: Comfort, async: boolean): Plain {
  const { kind, lists, length, hidden, listed } = comfort;
  const wait = async ? "await " : "";
  const hiddenArguments = new Set(hiddenByComfort(comfort));
  const indexOf = (param: PlannedParameter) => lists.findIndex((list) => list.param === param);
  const place = (param: PlannedParameter) => {
    const index = indexOf(param);
    if (index >= 0) return kind === "enumerate" ? `list[${index}] ?? null` : `room.memory[${index}] as HostMemory`;
    if (!hiddenArguments.has(param)) return param.name;
    return kind === "enumerate" ? "total" : "length";
  };
  const call = `plain_${fn.identifier}(${fn.params.filter(isArgument).map(place).join(", ")})`;
  const kinds = `[${lists.map(({ of }) => listKind(of)).join(", ")}]`;

  const plainResults = fn.params.filter(isResult);
  const plainResult = (param: PlannedParameter) =>
    plainResults.length === 1 ? "result" : `result[${plainResults.indexOf(param)}]`;
  const results = fn.params
    .filter((param) => (isResult(param) && !hidden.includes(param)) || indexOf(param) >= 0)
    .map((param) => {
      const index = indexOf(param);
      if (index < 0) return { name: param.name, type: outOf(param, fn).type, expression: plainResult(param) };
      if (kind === "text") return { name: param.name, type: "string", expression: `textOf(room.memory[${index}])` };
      const type = listType((lists[index] as Comfort["lists"][number]).of);
      return { name: param.name, type, expression: `lists[${index}] as ${type}` };
    });
  const { type, expression } = together(results);
  const isKept = plainResults.some((param) => !hidden.includes(param) || param === listed);
  const kept = isKept ? "const result = " : "";
  const [expected, said] = expectedLength(length);
  /* A driver that lacks the function lacks it, not the one that counts. */
  const asked = (counter: string, args: string[]) => [
    `required(${fn.index});`,
    `const length = ${wait}${counter}(${args.join(", ")});`,
  ];
  const count = length.kind === "function" ? asked(length.name, length.args) : [];
  const least = kind === "text" ? Math.max(0, ...lists.map(({ param }) => param.api.bytes ?? 0)) : 0;
  const room = `const room = rooms(${kinds}, ${expected}, "${fn.api.name}", "${said}"${least === 0 ? "" : `, ${least}`});`;
  const bits = length.kind === "parameter" ? length.bits : 0;
  const enumerated = `${wait}enumerate(${kinds}, ${bits}, (list, total) => ${call})`;
  const steps = {
    enumerate: [`const [lists${isKept ? ", result" : ""}] = ${enumerated};`],
    collect: [
      ...count,
      room,
      `${kept}${wait}${call};`,
      `const lists = room.lists(${listed === null ? "" : plainResult(listed)});`,
    ],
    text: [room, `${kept}${wait}${call};`],
  };
  return {
    async,
    generics: "",
    parameters: parameterList(
      fn.params.filter((param) => isArgument(param) && !hiddenArguments.has(param)).map((param) => declare(param, fn)),
    ),
    returns: async ? `Promise<${type}>` : type,
    body: [...takeCounts(fn), ...steps[kind], `return ${expression};`],
  };
}

/** The number of elements as an expression, and the parameter that is wrong where it is. */
function expectedLength(length: Length): [expression: string, said: string] {
  switch (length.kind) {
    case "parameter":
      return [length.param.name, length.param.api.name];
    case "function":
      return ["length", length.param.api.name];
    case "computed":
      return [length.expression, length.of];
  }
}
