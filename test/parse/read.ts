import { driver } from "../../generator/libraries/driver.ts";
import type { Library } from "../../generator/libraries/library.ts";
import type { CType, Declaration, Expression, FunctionDeclaration, Translation } from "../../generator/parse/ast.ts";
import { parseHeaders } from "../../generator/parse/parse.ts";

/** A library of our own, with two headers and typedefs of their functions. */
export const library: Library = {
  ...driver,
  name: "test",
  package: "test",
  versionMacro: "TEST_VERSION",
  headers: [
    { name: "first.h", required: true, typedefs: false },
    { name: "second.h", required: false, typedefs: false },
    { name: "typedefs.h", required: false, typedefs: true },
  ],
  configurations: [
    { name: "default", define: {} },
    { name: "perThread", define: { PER_THREAD: "1" } },
    { name: "internal", define: { INTERNAL: "1" } },
  ],
  externalTypes: [],
  systemHeaders: ["stdint.h"],
  deprecatedMacro: "TEST_DEPRECATED",
};

const VERSION = "#define TEST_VERSION 13000\n";

/** Reads headers by name; `first.h` is given the version in a line of its own before its text. */
export function readAll(texts: Record<string, string>): Translation[] {
  const headers = Object.entries(texts).map(([name, text]) => ({
    name,
    path: name,
    text: name === "first.h" ? VERSION + text : text,
    sha256: "",
  }));
  return parseHeaders(headers, library);
}

/** Reads one header in the default configuration; its first line counts as 2. */
export function read(text: string): Translation {
  return readAll({ "first.h": text })[0] as Translation;
}

/** The message of the error that reading `text` gives, position included. */
export function refusal(text: string): string {
  try {
    read(text);
  } catch (error) {
    if (error instanceof Error && error.name === "HeaderError") return error.message;
    throw error;
  }
  throw new Error(`nothing is wrong with ${text}`);
}

/** Declarations in short: `cuFoo: CUresult (int * a)`. */
export function summary(translation: Translation): string[] {
  return translation.declarations.map(summarize);
}

function summarize(declaration: Declaration): string {
  switch (declaration.kind) {
    case "function":
      return `${declaration.inline ? "inline " : ""}${declaration.name}: ${spellFunction(declaration)}`;
    case "typedef":
      return `typedef ${declaration.name}: ${spell(declaration.type)}`;
    case "enum":
      return `enum ${declaration.tag}: ${declaration.members
        .map(({ name, value }) => (value ? `${name} = ${spellExpression(value)}` : name))
        .join(", ")}`;
    case "record": {
      const fields = declaration.fields?.map(
        ({ name, type, align }) => `${align ? `align ${spellExpression(align)} ` : ""}${name}: ${spell(type)}`,
      );
      return `${declaration.record} ${declaration.tag}${fields ? `: ${fields.join("; ")}` : ""}`;
    }
  }
}

function spellFunction({ result, params }: Pick<FunctionDeclaration, "result" | "params">, variadic = false): string {
  const list = params.map(({ name, type }) => `${spell(type)}${name ? ` ${name}` : ""}`);
  return `${spell(result)} (${[...list, ...(variadic ? ["..."] : [])].join(", ")})`;
}

export function spell(type: CType): string {
  switch (type.kind) {
    case "name":
      return (type.const ? "const " : "") + type.name;
    case "pointer":
      return `${spell(type.to)} *${type.const ? "const" : ""}`;
    case "array":
      return `${spell(type.of)} [${type.length ? spellExpression(type.length) : ""}]`;
    case "function":
      return spellFunction(type, type.variadic);
  }
}

export function spellExpression(expression: Expression): string {
  switch (expression.kind) {
    case "integer":
      return `${expression.value}${expression.type.signed ? "" : "u"}${expression.type.bits === 64 ? "l" : ""}`;
    case "name":
      return expression.name;
    case "unary":
      return `(${expression.operator}${spellExpression(expression.operand)})`;
    case "binary":
      return `(${spellExpression(expression.left)} ${expression.operator} ${spellExpression(expression.right)})`;
    case "conditional":
      return `(${[expression.condition, expression.then, expression.else].map(spellExpression).join(" : ")})`;
    case "cast":
      return `((${spell(expression.type)}) ${spellExpression(expression.operand)})`;
    default:
      return `${expression.kind}(${spell(expression.type)})`;
  }
}
