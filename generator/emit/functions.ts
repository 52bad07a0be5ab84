import { describeFunction } from "./describe.ts";
import type { Plan, PlannedFunction, PlannedParameter } from "./plan.ts";
import type { Meaning } from "./types.ts";
import { valueType } from "./values.ts";

/** CUDA_ERROR_NOT_READY. */
const NOT_READY = 600;

/** One function of a module, as `templates/functions.ts.hbs` writes it. */
interface FunctionText {
  docs: string[];
  async: boolean;
  name: string;
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
  ...["putMemoryOrNull", "putOut", "putString", "putStringOrNull", "putU8", "putU16", "putU32", "putU64", "startText"],
];

function encoder(fn: PlannedFunction): FunctionText {
  const name = fn.api.name;
  const counted = ({ role }: PlannedParameter) => role.kind === "memory" && role.least !== null;
  /* Sizes before the memory they count: a bad size is refused as such. */
  const ordered = [...fn.params.filter((param) => !counted(param)), ...fn.params.filter(counted)];
  const starts = fn.params.some(({ role }) => role.kind === "string") ? ["startText();"] : [];
  const records = fn.params.filter(isRecordOut).map((param) => `${param.name}: Struct`);
  return {
    docs: [],
    async: false,
    name: `enter_${name}`,
    parameters: [...fn.params.filter(isArgument).map(argument), ...records].join(", "),
    returns: "void",
    body: [...starts, ...ordered.map((param) => write(param, name))],
  };
}

function isArgument({ role }: PlannedParameter): boolean {
  return role.kind !== "out" && role.kind !== "outRecord" && role.kind !== "outString";
}

function isRecordOut({ role }: PlannedParameter): boolean {
  return role.kind === "outRecord";
}

function argument(param: PlannedParameter): string {
  return `${param.name}: ${argumentType(param)}`;
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
    default:
      throw new Error(`${api.name} is no argument`);
  }
}

function isAddress(meaning: Meaning): boolean {
  return meaning.kind === "handle" || meaning.kind === "callback";
}

function write({ role, slot, name, api, lowered }: PlannedParameter, fn: string): string {
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
  const outs = fn.params.filter((param) => !isArgument(param)).map((param) => ({ name: param.name, ...outOf(param) }));
  const [first] = outs;
  if (first === undefined) return { type: "void", expression: null };
  if (outs.length === 1) return { type: first.type, expression: first.expression };
  return {
    type: `[${outs.map(({ name, type }) => `${name}: ${type}`).join(", ")}]`,
    expression: `[${outs.map(({ expression }) => expression).join(", ")}]`,
  };
}

function outOf({ role, name }: PlannedParameter): { type: string; expression: string } {
  switch (role.kind) {
    case "out":
      return { type: valueType(role.meaning, false), expression: read(role.meaning, role.at) };
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
      ...wrapperImports("retry, retryQuery"),
      'import { native } from "./runtime/native.ts";',
      "",
      "const call = native.call;",
    ],
    functions: plan.functions.map((fn) => wrapper(fn, plan)),
    aliases: [],
  };
}

/** `promises.ts`: every function, called on a pool thread; the plain spellings too. */
export function promises(plan: Plan): FunctionModule {
  const aliases = [...plan.plain].filter(([name, target]) => name !== target);
  return {
    imports: wrapperImports("callAsync, settled, settledQuery"),
    functions: plan.functions.map((fn) => asyncWrapper(fn)),
    aliases: aliases.map(([name, target]) => `${target} as ${name}`),
  };
}

function wrapperImports(driver: string): string[] {
  return [
    'import * as enter from "./enter.ts";',
    'import type * as enums from "./enums.ts";',
    'import * as records from "./records.ts";',
    `import { ${driver} } from "./runtime/driver.ts";`,
    'import { f32, f64, getString, i32, i64, owned, u32, u64 } from "./runtime/frame.ts";',
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
    .filter(({ role }) => ["record", "memory", "outRecord"].includes(role.kind))
    .map(({ name }) => name);
  const owns = fn.params.some(({ role }) => role.kind === "record" || role.kind === "string");
  return { prepare, kept, owns };
}

function wrapper(fn: PlannedFunction, plan: Plan): FunctionText {
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
    docs: describeFunction(fn, plan),
    async: false,
    name: fn.identifier,
    parameters: fn.params.filter(isArgument).map(argument).join(", "),
    returns: type,
    body: [...prepare, `u32[0] = ${fn.index};`, `call(${kept.join(", ")});`, ...after],
  };
}

function asyncWrapper(fn: PlannedFunction): FunctionText {
  const { prepare, kept } = body(fn);
  const { type, expression } = outcome(fn);
  const path = fn.path === null ? "" : `, ${fn.path}`;
  const settle = fn.query ? `settledQuery(${fn.index}, ${NOT_READY})` : `settled(${fn.index}${path})`;
  const leave = expression === null ? `() => ${settle}` : `() => (${settle}, ${expression})`;
  return {
    docs: [`As {@link index.${fn.identifier}}, on a pool thread.`],
    async: true,
    name: fn.identifier,
    parameters: fn.params.filter(isArgument).map(argument).join(", "),
    returns: `Promise<${type}>`,
    body: [...prepare, `return callAsync<${type}>(${[String(fn.index), leave, ...kept].join(", ")});`],
  };
}
