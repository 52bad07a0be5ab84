import { describeFunction } from "./describe.ts";
import type { Comfort, HookUse, Plan, PlannedFunction, PlannedParameter } from "./plan.ts";
import type { Meaning } from "./types.ts";
import { valueType } from "./values.ts";

/** CUDA_ERROR_NOT_READY. */
const NOT_READY = 600;

/** One function of a module, as `templates/functions.ts.hbs` writes it. */
interface FunctionText {
  docs: string[];
  async: boolean;
  exported: boolean;
  name: string;
  /** Type parameters with their brackets, or "". */
  generics: string;
  parameters: string;
  returns: string;
  body: string[];
}

/** A module of functions. */
export interface FunctionModule {
  imports: string[];
  functions: FunctionText[];
  aliases: string[];
}

/** `enter.ts`: for each function, one that checks the arguments and writes them into the frame. */
export function encoders(plan: Plan): FunctionModule {
  const encoded = plan.functions.filter((fn) => fn.twin === null && fn.params.length > 0);
  return {
    imports: [
      'import type * as enums from "./enums.ts";',
      'import * as records from "./records.ts";',
      `import { ${FRAME_WRITERS.join(", ")} } from "./runtime/frame.ts";`,
      'import * as attributes from "./attributes.ts";',
      'import { putAttribute, putAttributeRoom } from "./runtime/attributes.ts";',
      'import { putList, putListOrNull } from "./runtime/lists.ts";',
      'import type { HostMemory } from "./runtime/memory.ts";',
      'import { putFilled, putFilledOrNull, putStruct, putStructOrNull, type Struct, type StructArgument } from "./runtime/struct.ts";',
      'import type * as types from "./types.ts";',
    ],
    functions: encoded.map(encoder),
    aliases: [],
  };
}

const FRAME_WRITERS = [
  ...[
    "putEnum",
    "putF32",
    "putF64",
    "putHandle",
    "putHandleOrNull",
    "putI8",
    "putI16",
    "putI32",
    "putI64",
    "putMemory",
  ],
  ...[
    "putMemoryOrNull",
    "putOut",
    "putPointer",
    "putString",
    "putStringOrNull",
    "putU8",
    "putU16",
    "putU32",
    "putU64",
    "startText",
  ],
];

function encoder(fn: PlannedFunction): FunctionText {
  const name = fn.api.name;
  const counted = ({ role }: PlannedParameter) =>
    (role.kind === "memory" || role.kind === "list") && role.least !== null;
  /* Sizes before the memory they count: a bad size is refused as such. */
  const ordered = [...fn.params.filter((param) => !counted(param)), ...fn.params.filter(counted)];
  const starts = fn.params.some(({ role }) => role.kind === "string") ? ["startText();"] : [];
  const records = fn.params.filter(isRecordOut).map((param) => `${param.name}: Struct`);
  return {
    docs: [],
    async: false,
    exported: true,
    name: `enter_${name}`,
    generics: "",
    parameters: [...fn.params.filter(isArgument).map(argument), ...records].join(", "),
    returns: "void",
    body: [...starts, ...ordered.map((param) => write(param, name, fn.api.base))],
  };
}

function isArgument({ role }: PlannedParameter): boolean {
  if (role.kind === "attribute") return role.given;
  return role.kind !== "out" && role.kind !== "outRecord" && role.kind !== "outString";
}

function isRecordOut({ role }: PlannedParameter): boolean {
  return role.kind === "outRecord";
}

function argument(param: PlannedParameter): string {
  return `${param.name}: ${argumentType(param)}`;
}

/** The attribute that the type of a function's outcome depends on. */
function decidingAttribute({ params }: PlannedFunction): PlannedParameter | undefined {
  const value = params.find(({ role }) => role.kind === "attribute" && !role.given);
  return params.find(({ name }) => value?.role.kind === "attribute" && value.role.attribute === name);
}

/** Parameters of a wrapper, and its type parameters. */
function head(fn: PlannedFunction): { generics: string; parameters: string } {
  const deciding = decidingAttribute(fn);
  const parameters = fn.params.filter(isArgument).map((param) => {
    return param === deciding ? `${param.name}: Attribute` : argument(param);
  });
  const generics = deciding === undefined ? "" : `<Attribute extends ${argumentType(deciding)}>`;
  return { generics, parameters: parameters.join(", ") };
}

/** TypeScript type of an argument. */
export function argumentType({ role, api, lowered }: PlannedParameter): string {
  const orNull = api.nullable ? " | null" : "";
  switch (role.kind) {
    case "value":
      return valueType(role.meaning, true) + (isAddress(role.meaning) ? orNull : "");
    case "string":
      return `string${orNull}`;
    case "record":
      if (typeof lowered === "object") return `records.${role.name} | records.${role.name}Fields`;
      if (api.direction === "inout") return `records.${role.name} | HostMemory | bigint${orNull}`;
      return `StructArgument<records.${role.name}, records.${role.name}Fields>${orNull}`;
    case "memory":
      return `HostMemory | bigint${orNull}`;
    case "list":
      return `readonly ${elementType(role.of)}[] | HostMemory | bigint${orNull}`;
    case "inout":
      return `${valueType(role.meaning, true)}${orNull}`;
    case "attribute":
      return "number | bigint | boolean";
    default:
      throw new Error(`${api.name} is no argument`);
  }
}

/** One element of a list that is passed. */
function elementType(meaning: Meaning): string {
  if (meaning.kind === "pointer") return "(bigint | HostMemory | null)";
  const type = valueType(meaning, true);
  return isAddress(meaning) ? `(${type} | null)` : type.includes("|") ? `(${type})` : type;
}

/** How `templates/runtime/lists.ts` calls the C type of an element. */
function listKind(meaning: Meaning): string {
  switch (meaning.kind) {
    case "integer":
      return meaning.character ? '"u8"' : `"${meaning.signed ? "i" : "u"}${meaning.bits}"`;
    case "float":
      return `"f${meaning.bits}"`;
    case "enum":
      return meaning.signed ? '"i32"' : '"u32"';
    case "record":
      return `records.${meaning.name}`;
    default:
      return '"u64"';
  }
}

function isAddress(meaning: Meaning): boolean {
  return meaning.kind === "handle" || meaning.kind === "callback";
}

function write({ role, slot, name, api, lowered }: PlannedParameter, fn: string, table: string): string {
  const named = `"${fn}", "${api.name}"`;
  const orNull = api.nullable ? "OrNull" : "";
  switch (role.kind) {
    case "value":
      return `put${writer(role.meaning, orNull)}(${slot}, ${name}, ${named});`;
    case "string":
      return `putString${orNull}(${slot}, ${name}, ${named});`;
    case "record":
      if (api.direction === "inout") return `putFilled${orNull}(${slot}, ${name}, records.${role.name}, ${named});`;
      return `putStruct${typeof lowered === "object" ? "" : orNull}(${slot}, ${name}, records.${role.name}, ${named});`;
    case "memory": {
      if (role.least === null) return `putMemory${orNull}(${slot}, ${name}, ${named});`;
      const { count, size } = role.least;
      return `putMemory${orNull}(${slot}, ${name}, ${named}, ${size === 1 ? count : `Number(${count}) * ${size}`});`;
    }
    case "list": {
      const given = role.least === null ? "" : `, Number(${role.least.count}) * ${role.least.size}`;
      return `putList${orNull}(${slot}, ${name}, ${listKind(role.of)}, ${named}${given});`;
    }
    case "attribute": {
      if (!role.given) return `putAttributeRoom(${slot}, ${role.at});`;
      return `putAttribute(${slot}, ${role.at}, attributes.${table}, ${role.attribute}, ${name}, ${named});`;
    }
    case "inout": {
      const value = `put${writer(role.meaning, "")}(${role.at}, ${name}, ${named});`;
      return api.nullable
        ? `if (putPointer(${slot}, ${role.at}, ${name})) ${value.replace(`${name},`, `${name} as ${valueType(role.meaning, true)},`)}`
        : `putOut(${slot}, ${role.at}), ${value}`;
    }
    case "out":
    case "outString":
      return `putOut(${slot}, ${role.at});`;
    case "outRecord":
      return `putFilled(${slot}, ${name}, records.${role.name}, ${named});`;
  }
}

function writer(meaning: Meaning, orNull: string): string {
  switch (meaning.kind) {
    case "integer":
      if (meaning.bits === 64 && meaning.name !== null) return meaning.signed ? "I64" : "Handle";
      return `${meaning.signed ? "I" : "U"}${meaning.bits}`;
    case "float":
      return `F${meaning.bits}`;
    case "enum":
      return "Enum";
    default:
      return `Handle${orNull}`;
  }
}

/** How an out value is read from its slot. */
function read(meaning: Meaning, at: number): string {
  switch (meaning.kind) {
    case "integer":
      if (meaning.bits === 64) return cast(`${meaning.signed ? "i64" : "u64"}[${at}]`, meaning);
      if (meaning.bits === 32) return cast(`${meaning.signed ? "i32" : "u32"}[${2 * at}]`, meaning);
      return meaning.signed
        ? `(i32[${2 * at}] as number) << ${32 - meaning.bits} >> ${32 - meaning.bits}`
        : `(u32[${2 * at}] as number) & ${2 ** meaning.bits - 1}`;
    case "float":
      return meaning.bits === 32 ? `f32[${2 * at}] as number` : `f64[${at}] as number`;
    case "enum":
      return cast(`${meaning.signed ? "i32" : "u32"}[${2 * at}]`, meaning);
    default:
      return cast(`u64[${at}]`, meaning);
  }
}

function cast(expression: string, meaning: Meaning): string {
  return `${expression} as ${valueType(meaning, false)}`;
}

/** What a function gives back: its TypeScript type and the expression that reads it. */
export function outcome(fn: PlannedFunction): { type: string; expression: string | null } {
  if (fn.query) return { type: "boolean", expression: null };
  return together(fn.params.filter(isResult).map((param) => ({ name: param.name, ...outOf(param, fn) })));
}

/** Several results make a labelled tuple, in C's order. */
function together(outs: readonly { name: string; type: string; expression: string }[]): {
  type: string;
  expression: string | null;
} {
  const [first] = outs;
  if (first === undefined) return { type: "void", expression: null };
  if (outs.length === 1) return { type: first.type, expression: first.expression };
  return {
    type: `[${outs.map(({ name, type }) => `${name}: ${type}`).join(", ")}]`,
    expression: `[${outs.map(({ expression }) => expression).join(", ")}]`,
  };
}

function isResult(param: PlannedParameter): boolean {
  return !isArgument(param) || (param.role.kind === "inout" && param.role.returned);
}

function outOf({ role, name, api }: PlannedParameter, fn: PlannedFunction): { type: string; expression: string } {
  switch (role.kind) {
    case "out":
      return { type: valueType(role.meaning, false), expression: read(role.meaning, role.at) };
    case "inout": {
      const type = valueType(role.meaning, false);
      const value = read(role.meaning, role.at);
      if (!api.nullable) return { type, expression: value };
      return { type: `${type} | null`, expression: `${name} === null ? null : (${value})` };
    }
    case "attribute": {
      const type = `AttributeValue<attributes.${fn.api.base}Types, Attribute>`;
      return { type, expression: `readAttribute(attributes.${fn.api.base}, ${role.attribute}, ${role.at}) as ${type}` };
    }
    case "outRecord":
      return { type: `records.${role.name}`, expression: name };
    case "outString":
      return { type: "string | null", expression: `getString(${role.at})` };
    default:
      throw new Error(`${name} is no out value`);
  }
}

/** `functions.ts`: every function, called on this thread. */
export function functions(plan: Plan): FunctionModule {
  return {
    imports: [
      ...wrapperImports("retry, retryQuery", "enumerate", "direct, hooked, unhooked"),
      'import { native } from "./runtime/native.ts";',
      "",
      "const call = native.call;",
    ],
    functions: plan.functions.flatMap((fn) => wrappers(fn, describeFunction(fn, plan), wrapper)),
    aliases: [],
  };
}

/** `promises.ts`: every function, called on a pool thread; the plain spellings too. */
export function promises(plan: Plan): FunctionModule {
  const aliases = [...plan.plain].filter(([name, target]) => name !== target);
  return {
    imports: wrapperImports("callAsync, settled, settledQuery", "enumerateAsync", "hookedAsync, unhooked"),
    functions: plan.functions.flatMap((fn) =>
      wrappers(fn, [`As {@link index.${fn.identifier}}, on a pool thread.`], asyncWrapper),
    ),
    aliases: aliases.map(([name, target]) => `${target} as ${name}`),
  };
}

function wrapperImports(driver: string, enumerate: string, hooks: string): string[] {
  return [
    'import * as attributes from "./attributes.ts";',
    'import * as enter from "./enter.ts";',
    'import type * as enums from "./enums.ts";',
    'import * as hooks from "./hooks.ts";',
    'import * as records from "./records.ts";',
    'import { type AttributeValue, readAttribute } from "./runtime/attributes.ts";',
    `import { ${driver} } from "./runtime/driver.ts";`,
    'import { f32, f64, getString, i32, i64, owned, u32, u64 } from "./runtime/frame.ts";',
    `import { ${hooks} } from "./runtime/hooks.ts";`,
    `import { ${enumerate}, rooms, textOf } from "./runtime/lists.ts";`,
    'import type { HostMemory } from "./runtime/memory.ts";',
    'import type { StructArgument } from "./runtime/struct.ts";',
    'import "./tables.ts";',
    'import type * as types from "./types.ts";',
  ];
}

interface Body {
  /** Before the call: records for the driver to fill, and the encoder. */
  prepare: string[];
  /** Arguments that hold memory, to be kept alive during the call. */
  kept: string[];
  /** There may be temporaries. */
  owns: boolean;
}

function body(fn: PlannedFunction): Body {
  const prepare = fn.params.filter(isRecordOut).map(({ name, role }) => {
    return `const ${name} = new records.${role.kind === "outRecord" ? role.name : ""}();`;
  });
  if (fn.params.length > 0) {
    const names = [...fn.params.filter(isArgument), ...fn.params.filter(isRecordOut)].map(({ name }) => name);
    prepare.push(`enter.enter_${(fn.twin ?? fn).api.name}(${names.join(", ")});`);
  }
  const kept = fn.params
    .filter(({ role }) => ["record", "memory", "list", "outRecord"].includes(role.kind))
    .map(({ name }) => name);
  const owns = fn.params.some(({ role }) => ["record", "string", "list"].includes(role.kind));
  return { prepare, kept, owns };
}

type Plain = Omit<FunctionText, "docs" | "exported" | "name">;

/** A function as it is exported; where there is a comfortable form, the plain one stands in front of it for its use. */
function wrappers(fn: PlannedFunction, docs: string[], make: (fn: PlannedFunction) => Plain): FunctionText[] {
  const plain = make(fn);
  const name = fn.identifier;
  const over = overPlain(fn, plain.async);
  if (over === null) return [{ ...plain, docs, exported: true, name }];
  return [
    { ...plain, docs: [], exported: false, name: `plain_${name}` },
    { ...over, docs, exported: true, name },
  ];
}

function wrapper(fn: PlannedFunction): Plain {
  const { prepare, kept, owns } = body(fn);
  const { type, expression } = outcome(fn);
  if (owns) {
    prepare.push("const kept = owned();");
    kept.push("kept");
  }
  const more = kept.length > 0 ? `, ${fn.path ?? "undefined"}, ${kept.join(", ")}` : "";
  const after = fn.query
    ? [`return i32[0] === 0 || retryQuery(${fn.index}, ${NOT_READY});`]
    : [`if (i32[0] !== 0) retry(${fn.index}${more});`, ...(expression === null ? [] : [`return ${expression};`])];
  return {
    async: false,
    ...head(fn),
    returns: type,
    body: [...prepare, `u32[0] = ${fn.index};`, `call(${kept.join(", ")});`, ...after],
  };
}

function asyncWrapper(fn: PlannedFunction): Plain {
  const { prepare, kept } = body(fn);
  const { type, expression } = outcome(fn);
  const path = fn.path === null ? "" : `, ${fn.path}`;
  const settle = fn.query ? `settledQuery(${fn.index}, ${NOT_READY})` : `settled(${fn.index}${path})`;
  const leave = expression === null ? `() => ${settle}` : `() => (${settle}, ${expression})`;
  return {
    async: true,
    ...head(fn),
    returns: `Promise<${type}>`,
    body: [...prepare, `return callAsync<${type}>(${[String(fn.index), leave, ...kept].join(", ")});`],
  };
}

/** What stands over the plain form of a function, if anything does. */
function overPlain(fn: PlannedFunction, async: boolean): Plain | null {
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
  return { ...shared, body: [`return ${async ? "hookedAsync" : "hooked"}(${given}, (code, data) => ${call});`] };
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
  const enumerated = `${wait}${async ? "enumerateAsync" : "enumerate"}([${kinds.join(", ")}], ${countBits}, (list, total) => ${call})`;
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
