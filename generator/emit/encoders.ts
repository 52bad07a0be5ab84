import { ENCODER_IMPORTS, importLines } from "./imports.ts";
import type { FunctionModule, FunctionText } from "./moduleText.ts";
import { takeCounts } from "./omittedCounts.ts";
import { declare, listKind, parameterList, readName } from "./parameters.ts";
import type { Plan, PlannedFunction } from "./planned.ts";
import { isArgument, isRecordOut, type Least, type PlannedParameter } from "./roles.ts";
import type { Meaning } from "./types.ts";
import { valueType } from "./values.ts";

/** `encoders.ts`: for each function, one that checks the arguments and writes them into the frame. */
export function encoders(plan: Plan): FunctionModule {
  const encoded = plan.functions.filter((fn) => fn.twin === null && fn.params.length > 0);
  return {
    imports: importLines(ENCODER_IMPORTS),
    functions: encoded.map((fn) => encoder(fn, plan)),
    aliases: [],
  };
}

function encoder(fn: PlannedFunction, { library }: Plan): FunctionText {
  const name = fn.api.name;
  const counted = ({ role }: PlannedParameter) =>
    ((role.kind === "memory" || role.kind === "list") && role.least !== null) ||
    (role.kind === "record" && role.count !== null) ||
    role.kind === "attribute";
  /* Sizes before the memory they count, attributes before their values: a bad one is refused as such. */
  const ordered = [...fn.params.filter((param) => !counted(param)), ...fn.params.filter(counted)];
  const owns = fn.params.some(({ role }) =>
    ["record", "list", "kernelParams", "string", "outRecord"].includes(role.kind),
  );
  const writes = ordered.map((param) => write(param, name, fn.api.base));
  const records = fn.params.filter(isRecordOut).map(({ name }) => ({ name, type: "Struct", optional: false }));
  const given = fn.params.filter(isArgument).map((param) => declare(param, fn));
  return {
    docs: [],
    async: false,
    exported: true,
    name: `encode_${name}`,
    generics: "",
    parameters: parameterList([...given, ...records]),
    returns: "void",
    /* Reading may run code of the program's, which may make calls: it comes before the frame is touched. */
    body: [
      ...fn.params.flatMap((param) => reading(param, name)),
      ...takeCounts(fn, library, readName),
      ...(owns ? ["startOwning();"] : []),
      ...writes,
    ],
  };
}

/** Reads the fields and elements of an argument. */
function reading(param: PlannedParameter, fn: string): string[] {
  const { role, name, api, lowered } = param;
  if (
    role.kind === "list" ||
    role.kind === "kernelParams" ||
    (role.kind === "record" && api.direction === "inout" && typeof lowered !== "object")
  ) {
    return [`const ${readName(param)} = readArray(${name});`];
  }
  if (role.kind !== "record") return [];
  return [
    `const ${readName(param)} = readStruct(${name}, records.${role.name}, "${fn}", "${api.name}", ${role.count !== null});`,
  ];
}

function write(param: PlannedParameter, fn: string, table: string): string {
  const { role, slot, api, lowered, guarded } = param;
  const name = readName(param);
  const named = `"${fn}", "${api.name}"`;
  const orNull = api.nullable ? "OrNull" : "";
  switch (role.kind) {
    case "value":
      return `put${guarded === "used" ? `LiveHandle${orNull}` : writer(role.meaning, orNull)}(${slot}, ${name}, ${named});`;
    case "string":
      return `putString${orNull}(${slot}, ${name}, ${named});`;
    case "record":
      if (typeof lowered === "object") return `putStructValue(${slot}, ${name}, records.${role.name}, ${named});`;
      return `put${api.direction === "inout" ? "Filled" : "Struct"}${orNull}(${slot}, ${name}, records.${role.name}, ${named}${role.count === null ? "" : `, ${role.count}`});`;
    case "memory": {
      if (role.orNumber) return `putMemoryOrNumber(${slot}, ${name}, ${named});`;
      if (role.least === null) return `putMemory${orNull}(${slot}, ${name}, ${named});`;
      return `putMemory${orNull}(${slot}, ${name}, ${named}, ${bytesOf(role.least)});`;
    }
    case "kernelParams":
      return `putKernelParams(${slot}, ${name}, ${named});`;
    case "list": {
      const given = role.least === null ? "" : `, ${bytesOf(role.least)}`;
      return `putList${orNull}(${slot}, ${name}, ${listKind(role.of)}, ${named}${given});`;
    }
    case "attribute": {
      if (!role.given) return `putAttributeRoom(${slot}, ${role.at}, ${role.slots});`;
      return `putAttribute(${slot}, ${role.at}, ${role.slots}, attributes.${table}, ${role.attribute}, ${name}, ${named});`;
    }
    case "inout": {
      const value = `put${writer(role.meaning, "")}(${role.at}, ${name}, ${named});`;
      return api.nullable
        ? `if (putPointer(${slot}, ${role.at}, ${name})) ${value.replace(`${name},`, `${name} as ${valueType(role.meaning, true)},`)}`
        : `putOut(${slot}, ${role.at}), ${value}`;
    }
    case "out":
    case "outString":
    case "outList":
      return `putOut(${slot}, ${role.at});`;
    case "outRecord":
      return `putFilled(${slot}, ${name}, records.${role.name}, ${named});`;
  }
}

function bytesOf({ count, size }: Least): string {
  if (size === 1) return count;
  return `${/^[a-zA-Z_]\w*$/.test(count) ? `Number(${count})` : count} * ${size}`;
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
    case "callback":
      return `Callback${orNull}`;
    default:
      return `Handle${orNull}`;
  }
}
