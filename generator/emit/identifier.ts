import { importedNames } from "./imports.ts";

/** Words that cannot name anything in an ES module. */
const RESERVED = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false " +
    "finally for function if implements import in instanceof interface let new null package private protected public return " +
    "static super switch this throw true try typeof undefined var void while with yield"
  ).split(" "),
);

/** Names that the generated functions use: what they import, and JavaScript's own. Their locals start with $, as no C name does. */
const USED = new Set([...importedNames(), "call", "BigInt", "Math", "Number", "undefined"]);

/** A C parameter's name as a TypeScript identifier: the same, unless the language or the generated code needs it. */
export function identifier(name: string): string {
  return RESERVED.has(name) || USED.has(name) || /^(encode|plain)_/.test(name) ? `${name}_` : name;
}

/** Whether TypeScript can declare a type, an enum or a constant of this name. */
export function isDeclarable(name: string): boolean {
  return !RESERVED.has(name);
}
