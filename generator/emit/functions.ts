import {
  type FunctionDeclarationStructure,
  type ImportDeclarationStructure,
  type JSDocStructure,
  type OptionalKind,
  type ParameterDeclarationStructure,
  type StatementStructures,
  StructureKind,
} from "ts-morph";
import { describeFunction } from "./describe.ts";
import { plainAliases } from "./modules.ts";
import type { Plan, PlannedFunction, PlannedParameter } from "./plan.ts";
import type { Meaning } from "./types.ts";
import { valueType } from "./values.ts";

/** CUDA_ERROR_NOT_READY. */
const NOT_READY = 600;

type Statement = StatementStructures | string;

/** `enter.ts`: for each signature in each name, a function that checks the arguments and writes them into the frame. */
export function encoders(plan: Plan): Statement[] {
  const encoded = plan.functions.filter((fn) => fn.twin === null && fn.params.length > 0);
  return [
    runtimeImport("frame", [...FRAME_WRITERS], false),
    runtimeImport("struct", ["putFilled", "putFilledOrNull", "putStruct", "putStructOrNull"], false),
    runtimeImport("memory", ["HostMemory"], true),
    runtimeImport("struct", ["Struct", "StructArgument"], true),
    'import * as records from "./records.ts";',
    'import type * as types from "./types.ts";',
    'import type * as enums from "./enums.ts";',
    ...encoded.map(encoder),
  ];
}

const FRAME_WRITERS = [
  "putEnum",
  "putF32",
  "putF64",
  "putHandle",
  "putHandleOrNull",
  "putI16",
  "putI32",
  "putI64",
  "putI8",
  "putMemory",
  "putMemoryOrNull",
  "putOut",
  "putString",
  "putStringOrNull",
  "putU16",
  "putU32",
  "putU64",
  "putU8",
  "startText",
] as const;

function runtimeImport(module: string, names: string[], typeOnly: boolean): ImportDeclarationStructure {
  return {
    kind: StructureKind.ImportDeclaration,
    isTypeOnly: typeOnly,
    moduleSpecifier: `./runtime/${module}.ts`,
    namedImports: names,
  };
}

function encoder(fn: PlannedFunction): FunctionDeclarationStructure {
  const name = fn.api.name;
  const counted = ({ role }: PlannedParameter) => role.kind === "memory" && role.least !== null;
  /* Sizes before the memory they count: a bad size is refused as such. */
  const ordered = [...fn.params.filter((param) => !counted(param)), ...fn.params.filter(counted)];
  const writes = ordered.map((param) => write(param, name));
  if (fn.params.some(({ role }) => role.kind === "string")) writes.unshift("startText();");
  return {
    kind: StructureKind.Function,
    isExported: true,
    name: `enter_${name}`,
    parameters: [
      ...fn.params.filter(isArgument).map(argument),
      ...fn.params.filter(isRecordOut).map((param) => ({ name: param.name, type: "Struct" })),
    ],
    returnType: "void",
    statements: writes,
  };
}

function isArgument({ role }: PlannedParameter): boolean {
  return role.kind !== "out" && role.kind !== "outRecord" && role.kind !== "outString";
}

function isRecordOut({ role }: PlannedParameter): boolean {
  return role.kind === "outRecord";
}

function argument(param: PlannedParameter): OptionalKind<ParameterDeclarationStructure> {
  return { name: param.name, type: argumentType(param) };
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
export function functions(plan: Plan): Statement[] {
  return [
    ...wrapperImports(["retry", "retryQuery"]),
    "const call = native.call;",
    ...plan.functions.map((fn) => wrapper(fn, plan)),
  ];
}

/** `promises.ts`: every function, called on a pool thread. */
export function promises(plan: Plan): Statement[] {
  return [
    ...wrapperImports(["callAsync", "settled", "settledQuery"]),
    ...plan.functions.map((fn) => asyncWrapper(fn, plan)),
    ...plainAliases(plan),
  ];
}

function wrapperImports(driver: string[]): Statement[] {
  const typeImports = [
    runtimeImport("memory", ["HostMemory"], true),
    runtimeImport("struct", ["StructArgument"], true),
    'import type * as enums from "./enums.ts";',
    'import type * as types from "./types.ts";',
  ];
  return [
    'import * as enter from "./enter.ts";',
    'import * as records from "./records.ts";',
    runtimeImport("driver", driver, false),
    runtimeImport("frame", ["f32", "f64", "getString", "i32", "i64", "owned", "u32", "u64"], false),
    ...(driver.includes("retry") ? [runtimeImport("native", ["native"], false)] : []),
    ...typeImports,
    'import "./tables.ts";',
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

function wrapper(fn: PlannedFunction, plan: Plan): FunctionDeclarationStructure {
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
    kind: StructureKind.Function,
    isExported: true,
    name: fn.identifier,
    docs: docs(fn, plan),
    parameters: fn.params.filter(isArgument).map(argument),
    returnType: type,
    statements: [...prepare, `u32[0] = ${fn.index};`, `call(${kept.join(", ")});`, ...after],
  };
}

function asyncWrapper(fn: PlannedFunction, plan: Plan): FunctionDeclarationStructure {
  const { prepare, kept } = body(fn);
  const { type, expression } = outcome(fn);
  const path = fn.path === null ? "" : `, ${fn.path}`;
  const settle = fn.query ? `settledQuery(${fn.index}, ${NOT_READY})` : `settled(${fn.index}${path})`;
  const leave = expression === null ? `() => ${settle}` : `() => {\n  ${settle};\n  return ${expression};\n}`;
  return {
    kind: StructureKind.Function,
    isExported: true,
    isAsync: true,
    name: fn.identifier,
    docs: docs(fn, plan),
    parameters: fn.params.filter(isArgument).map(argument),
    returnType: `Promise<${type}>`,
    statements: [...prepare, `return callAsync<${type}>(${[String(fn.index), leave, ...kept].join(", ")});`],
  };
}

function docs(fn: PlannedFunction, plan: Plan): OptionalKind<JSDocStructure>[] {
  return [{ description: `\n${describeFunction(fn, plan).join("\n")}` }];
}
