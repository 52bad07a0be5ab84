import { attributeForm } from "./attributeForms.ts";
import { limitOf, notPassed } from "./comfort.ts";
import { handwritten } from "./handwritten.ts";
import { captureStatus } from "./hooks.ts";
import type { Plain } from "./moduleText.ts";
import { takeCounts } from "./omittedCounts.ts";
import {
  argumentType,
  declare,
  explain,
  listKind,
  listType,
  outcome,
  outOf,
  parameterList,
  plainCall,
  together,
} from "./parameters.ts";
import type { Comfort, HookUse, Length, Plan, PlannedFunction } from "./planned.ts";
import { isArgument, isResult, type PlannedParameter } from "./roles.ts";

/** What stands over the plain form of a function, if anything does. */
export function overPlain(fn: PlannedFunction, plan: Plan, async: boolean): Plain | null {
  if (fn.handwritten !== null) return handwritten(fn, plan, async);
  const attributes = attributeForm(fn, plan, async);
  if (attributes !== null) return attributes;
  if (fn.comfort !== null) return comfortable(fn, fn.comfort, plan, async);
  /* On a pool thread no JavaScript function can be called at once. */
  if (fn.hook !== null && !(async && fn.hook.hook.kind === "direct")) return hooking(fn, fn.hook, plan, async);
  return null;
}

/** Over the plain form: a callback may be a JavaScript function. */
function hooking(fn: PlannedFunction, use: HookUse, plan: Plan, async: boolean): Plain {
  const { hook, callback, data, life, stream } = use;
  const { type } = outcome(fn);
  const last = fn.params.filter(isArgument).at(-1);
  const declared = fn.params.filter(isArgument).map((param) => {
    const plain = declare(param, fn);
    if (param === callback) return { ...plain, type: `hooks.${hook.name}Function | ${plain.type}` };
    if (param !== data) return plain;
    return {
      ...plain,
      type: "HostMemory | bigint | null",
      ...(param === last ? { optional: true, initial: "null" } : {}),
    };
  });
  const shared = {
    async,
    generics: "",
    parameters: parameterList(declared),
    returns: async ? `Promise<${type}>` : type,
  };
  const taken = `["${fn.api.name}", "${callback.api.name}", ${callback.api.nullable === true}], ${callback.name}`;
  if (hook.kind === "direct") {
    const call = plainCall(fn, new Map([[callback, `$code as types.${hook.name}`]]));
    return { ...shared, body: [`return direct(hooks.${hook.name}, "${hook.name}", ${taken}, ($code) => ${call});`] };
  }
  const replaced = new Map([[callback, "$code"]]);
  if (data !== null) replaced.set(data, `$data as ${argumentType(data)}`);
  const given = `hooks.${hook.name}, ${taken}, "${data?.api.name}", ${data?.name}`;
  const call = `($code, $data) => ${plainCall(fn, replaced)}`;
  const status = captureStatus(plan, fn.api.streamMode);
  if (stream === null || life !== "once" || status === null) {
    return { ...shared, body: [`return hooked(${given}, () => "${life}", ${call});`] };
  }
  /* The other arguments are checked before the stream is asked. */
  const checked = fn.params
    .filter(isArgument)
    .map((param) => (param === callback ? `0n as types.${hook.name}` : param === data ? "0n" : param.name));
  return {
    ...shared,
    body: [
      "const $life = () => {",
      `  encoders.encode_${(fn.twin ?? fn).api.name}(${checked.join(", ")});`,
      /* What a capturing stream takes becomes a node of a graph, which calls it at every launch. */
      `  return captures(() => ${async ? "functions." : ""}${status}(${stream.name})) ? "registered" : "once";`,
      "};",
      `return hooked(${given}, $life, ${call});`,
    ],
  };
}

/** Over the plain form: makes room for what the driver fills, and returns it. */
function comfortable(fn: PlannedFunction, comfort: Comfort, { library }: Plan, async: boolean): Plain {
  const { kind, lists, length, notReturned, listed } = comfort;
  const wait = async ? "await " : "";
  const hiddenArguments = new Set(notPassed(comfort));
  const indexOf = (param: PlannedParameter) => lists.findIndex((list) => list.param === param);
  const textIn = (param: PlannedParameter) => `textOf($room.memory[${indexOf(param)}])`;
  const place = (param: PlannedParameter) => {
    const index = indexOf(param);
    if (index >= 0) return kind === "enumerate" ? `$list[${index}] ?? null` : `$room.memory[${index}] as HostMemory`;
    return kind === "enumerate" ? "$total" : "$length";
  };
  const plain = plainCall(fn, new Map([...hiddenArguments].map((param) => [param, place(param)])));
  const texts = kind === "text" ? lists.map(({ param }) => [param.api.name, textIn(param)] as const) : [];
  const call = explain(fn, texts, plain);
  const kinds = `[${lists.map(({ of }) => listKind(of)).join(", ")}]`;

  const plainResults = fn.params.filter(isResult);
  const plainResult = (param: PlannedParameter) =>
    plainResults.length === 1 ? "$result" : `$result[${plainResults.indexOf(param)}]`;
  const results = fn.params
    .filter((param) => (isResult(param) && !notReturned.includes(param)) || indexOf(param) >= 0)
    .map((param) => {
      const index = indexOf(param);
      if (index < 0) return { label: param.api.name, type: outOf(param, fn).type, expression: plainResult(param) };
      if (kind === "text") return { label: param.api.name, type: "string", expression: textIn(param) };
      const type = listType((lists[index] as Comfort["lists"][number]).of);
      return { label: param.api.name, type, expression: `$lists[${index}] as ${type}` };
    });
  const { type, expression } = together(results);
  const isKept = plainResults.some((param) => !notReturned.includes(param) || param === listed);
  const kept = isKept ? "const $result = " : "";
  const [expected, counted] = expectedLength(length);
  /* What is wrong, or lacking, is so of this function, not of the one that counts. */
  const unfilled = fn.params.filter(isArgument).map((param) => {
    return indexOf(param) >= 0 ? "null" : hiddenArguments.has(param) ? "0" : param.name;
  });
  const asked = (counter: string, args: string[]) => [
    `encoders.encode_${(fn.twin ?? fn).api.name}(${unfilled.join(", ")});`,
    `required(${fn.index});`,
    `const $length = ${wait}${counter}(${args.join(", ")});`,
  ];
  const count = length.kind === "function" ? asked(length.name, length.args) : [];
  const least = kind === "text" ? Math.max(0, ...lists.map(({ param }) => param.api.bytes ?? 0)) : 0;
  const room = `const $room = rooms(${kinds}, ${expected}, "${fn.api.name}", "${counted}"${least === 0 ? "" : `, ${least}`});`;
  const bits = length.kind === "parameter" ? length.bits : 0;
  const limit = limitOf(fn);
  const most = limit === null ? "" : `, ["${fn.api.name}", "${limit.api.name}", ${limit.name}]`;
  const enumerated = `${wait}enumerate(${kinds}, ${bits}, ($list, $total) => ${call}${most})`;
  const steps = {
    enumerate: [`const [$lists${isKept ? ", $result" : ""}] = ${enumerated};`],
    collect: [
      ...count,
      room,
      `${kept}${wait}${call};`,
      `const $lists = $room.lists(${listed === null ? "" : plainResult(listed)});`,
    ],
    text: [room, `${kept}${wait}${call};`],
  };
  return {
    async,
    generics: "",
    parameters: parameterList([
      ...fn.params
        .filter((param) => isArgument(param) && !hiddenArguments.has(param))
        .map((param) => declare(param, fn)),
      ...(limit === null ? [] : [{ name: limit.name, type: "number", optional: true }]),
    ]),
    returns: async ? `Promise<${type}>` : type,
    body: [...takeCounts(fn, library), ...steps[kind], `return ${expression};`],
  };
}

/** The number of elements as an expression, and the parameter that is wrong where it is. */
function expectedLength(length: Length): [expression: string, said: string] {
  switch (length.kind) {
    case "parameter":
      return [length.param.name, length.param.api.name];
    case "function":
      return ["$length", length.param.api.name];
    case "computed":
      return [length.expression, length.of];
  }
}
