import { HeaderError } from "../errors.ts";
import { position, type Token } from "./scan.ts";

/** gcc's spellings of C's own words, and words that say nothing about a type or a layout (blanked). */
const RESPELLED: ReadonlyMap<string, string> = new Map([
  ["__extension__", ""],
  ["restrict", ""],
  ["__restrict", ""],
  ["__restrict__", ""],
  ["_Noreturn", ""],
  ["register", ""],
  ["__inline", "inline"],
  ["__inline__", "inline"],
  ["__const", "const"],
  ["__const__", "const"],
  ["__signed", "signed"],
  ["__signed__", "signed"],
  ["__alignof", "_Alignof"],
  ["__alignof__", "_Alignof"],
]);

const ATTRIBUTE_WORDS: ReadonlySet<string> = new Set(["__attribute__", "__attribute", "__declspec", "_Pragma"]);

/** Attributes that change neither a layout nor how a function is called. */
const HARMLESS: ReadonlySet<string> = new Set([
  "deprecated",
  "unavailable",
  "visibility",
  "unused",
  "used",
  "nothrow",
  "noreturn",
  "noinline",
  "always_inline",
  "gnu_inline",
  "artificial",
  "const",
  "pure",
  "malloc",
  "leaf",
  "hot",
  "cold",
  "nonnull",
  "returns_nonnull",
  "warn_unused_result",
  "format",
  "sentinel",
  "may_alias",
  "dllimport",
  "dllexport",
  "weak",
  "enum_extensibility",
  "flag_enum",
]);

/**
 * Takes attributes out of a declaration's tokens.
 * `deprecated`: one of them, or the library's own macro, marks the declaration itself (not a member of it) so.
 * @throws HeaderError for an attribute that may change what the declaration means, such as `packed`.
 */
export function dropAttributes(tokens: readonly Token[]): { kept: readonly Token[]; deprecated: boolean } {
  const start = tokens.findIndex(isSpecial);
  if (start < 0) return { kept: tokens, deprecated: false };
  const kept: Token[] = [];
  let deprecated = false;
  let depth = 0;
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as Token;
    if (token.kind === "marker") {
      if (depth === 0) deprecated = true;
    } else if (token.kind === "punctuator") {
      if (token.text === "{") depth++;
      if (token.text === "}") depth--;
      kept.push(token);
    } else if (token.kind === "other") {
      throw new HeaderError(position(token), `"${token.text}" has no place in a declaration`);
    } else if (token.kind === "identifier" && ATTRIBUTE_WORDS.has(token.text)) {
      const end = closing(tokens, index + 1);
      if (end < 0) throw new HeaderError(position(token), `${token.text} without its parentheses`);
      const names = checkAttributes(token, tokens.slice(index + 2, end));
      if (depth === 0 && names.includes("deprecated")) deprecated = true;
      index = end;
    } else {
      const respelled = token.kind === "identifier" ? RESPELLED.get(token.text) : undefined;
      if (respelled === undefined) kept.push(token);
      else if (respelled !== "") kept.push({ ...token, text: respelled });
    }
  }
  return { kept, deprecated };
}

/**
 * Pragmas change nothing that is read here, but for those that change the layout of records.
 * @param name the pragma's first word.
 * @throws HeaderError for such a one, at the `pragma` or `_Pragma` that is `at`.
 */
export function checkPragma(name: string, at: Token): void {
  if (!LAYOUT_PRAGMAS.has(name)) return;
  const pragma = at.text === "_Pragma" ? at.text : `#${at.text}`;
  throw new HeaderError(position(at), `${pragma} ${name} changes the layout of records, which is not supported`);
}

const LAYOUT_PRAGMAS: ReadonlySet<string> = new Set(["pack", "ms_struct", "scalar_storage_order"]);

function isSpecial({ kind, text }: Token): boolean {
  if (kind === "identifier") return RESPELLED.has(text) || ATTRIBUTE_WORDS.has(text);
  return kind === "marker" || kind === "other";
}

/** Index of the parenthesis that closes the one at `open`; -1 if there is none. */
function closing(tokens: readonly Token[], open: number): number {
  if (tokens[open]?.text !== "(") return -1;
  let depth = 0;
  for (let index = open; index < tokens.length; index++) {
    if (tokens[index]?.text === "(") depth++;
    if (tokens[index]?.text === ")" && --depth === 0) return index;
  }
  return -1;
}

function checkAttributes(word: Token, content: readonly Token[]): string[] {
  if (word.text === "_Pragma") {
    const text = content.find(({ kind }) => kind === "string")?.text ?? "";
    checkPragma(/\w+/.exec(text)?.[0] ?? "", word);
    return [];
  }
  const names: string[] = [];
  let depth = 0;
  for (const token of content) {
    if (token.text === "(") depth++;
    else if (token.text === ")") depth--;
    // `__attribute__((name(arguments), ...))`, `__declspec(name(arguments) ...)`
    else if (token.kind === "identifier" && depth === (word.text === "__declspec" ? 0 : 1)) {
      const name = token.text.replace(/^__(.+)__$/, "$1");
      if (!HARMLESS.has(name)) {
        throw new HeaderError(
          position(token),
          `attribute ${name} may change the meaning of this declaration; it is not supported`,
        );
      }
      names.push(name);
    }
  }
  return names;
}
