import { expander, formatType, parseType } from "./ctype.ts";
import type { ApiDocument } from "./document.ts";

/**
 * Signatures of a document's functions with all typedefs resolved, so that two toolkits' can be compared: records and enums
 * are called by their tags, handles are pointers. undefined: no such function.
 */
export function signatures(document: ApiDocument): (name: string) => string | undefined {
  const types = resolver(document);
  const functions = new Map(document.functions.map((variant) => [variant.name, variant]));
  return (name) => {
    const variant = functions.get(name);
    if (variant === undefined) return undefined;
    return `${types(variant.result)} (${variant.params.map((param) => types(param.type)).join(", ")})`;
  };
}

/** Resolves one document's types. */
export function resolver(document: ApiDocument): (type: string) => string {
  const meaning = new Map<string, string>();
  for (const { name, tag } of document.handles) meaning.set(name, `struct ${tag} *`);
  for (const { name, type } of document.typedefs) meaning.set(name, type);
  for (const { name, tag, kind } of document.records) if (tag !== null) meaning.set(name, `${kind} ${tag}`);
  for (const { name, tag } of document.enums) if (tag !== null) meaning.set(name, `enum ${tag}`);
  for (const { name, result, params } of document.callbacks) {
    meaning.set(name, `${result} (*)(${params.length === 0 ? "void" : params.map((param) => param.type).join(", ")})`);
  }
  const expand = expander((name) => {
    const text = meaning.get(name);
    return text === undefined ? null : parseType(text);
  });
  const texts = new Map<string, string>();
  return (type) => {
    const known = texts.get(type);
    if (known !== undefined) return known;
    const made = formatType(expand(parseType(type)));
    texts.set(type, made);
    return made;
  };
}
