import { HeaderError } from "../errors.ts";
import type { Position } from "../position.ts";
import type { HeaderText } from "../toolkit/toolkit.ts";
import { positionAt, type Source, spliceLines } from "./source.ts";

/** `other` is a character that C has no use for; `marker` stands where the library's deprecation macro stood. */
type TokenKind = "identifier" | "number" | "string" | "character" | "punctuator" | "other" | "marker";

/** One preprocessing token. A token that a macro made stands where the macro was called. */
export interface Token {
  kind: TokenKind;
  text: string;
  source: Source;
  offset: number;
  /** White space or a comment stands before it. */
  space: boolean;
  /** Macros that may no longer be expanded in it. */
  hidden: readonly string[];
}

/** What a header is made of, in order; one scan serves every configuration. */
export type Item =
  | { kind: "code"; tokens: Token[] }
  | { kind: "directive"; name: string; at: Token; tokens: Token[] }
  | { kind: "documentation"; source: Source; start: number; end: number };

export interface ScannedHeader {
  name: string;
  source: Source;
  items: Item[];
}

export const NOTHING_HIDDEN: readonly string[] = [];

const LETTER = 1;
const DIGIT = 2;
const BLANK = 3;
const SINGLE = 4;
const OPERATOR = 5;
/** What each ASCII character can begin. */
const CLASSES = new Uint8Array(128);
for (const letter of "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_") CLASSES[letter.charCodeAt(0)] = LETTER;
for (const digit of "0123456789") CLASSES[digit.charCodeAt(0)] = DIGIT;
for (const blank of " \t\v\f\r") CLASSES[blank.charCodeAt(0)] = BLANK;
for (const single of "()[]{},;:?~") CLASSES[single.charCodeAt(0)] = SINGLE;
for (const operator of "+-*/%&|^!=<>.#") CLASSES[operator.charCodeAt(0)] = OPERATOR;

const LONG_OPERATORS = new Set("... <<= >>= << >> <= >= == != && || ## -> ++ -- += -= *= /= %= &= |= ^=".split(" "));

/**
 * Cuts a header into code, directives and documentation comments; other comments are white space.
 * @throws HeaderError for a comment without an end.
 */
export function scan(header: Pick<HeaderText, "name" | "text">): ScannedHeader {
  const source = spliceLines(header);
  const { text } = source;
  const items: Item[] = [];
  let code: Token[] | null = null;
  let directive: { at: Token; tokens: Token[] } | null = null;
  let lineStart = true;
  let space = false;
  // Comments inside parentheses document no declaration; they may stand in a macro's arguments.
  let depth = 0;

  const endLine = () => {
    if (directive) items.push(nameDirective(directive));
    directive = null;
    lineStart = true;
    space = true;
  };

  for (let at = 0; at < text.length; ) {
    const first = text.charCodeAt(at);
    if (first === 10) {
      endLine();
      at++;
      continue;
    }
    if (CLASSES[first] === BLANK) {
      space = true;
      at++;
      continue;
    }
    if (first === 47 && text.charCodeAt(at + 1) === 47) {
      const end = text.indexOf("\n", at);
      at = end < 0 ? text.length : end;
      continue;
    }
    if (first === 47 && text.charCodeAt(at + 1) === 42) {
      const end = text.indexOf("*/", at + 2) + 2;
      if (end < 2)
        throw new HeaderError(positionAt(source, at), "this comment has no end; the header may be truncated");
      if (!directive && depth === 0 && isDocumentation(text, at, end)) {
        items.push({ kind: "documentation", source, start: at, end });
        code = null;
      }
      space = true;
      at = end;
      continue;
    }
    const kind = kindAt(text, at, first);
    const end = tokenEnd(text, at, kind);
    const token: Token = {
      kind: end < 0 ? "other" : kind,
      text: end < 0 ? text.charAt(at) : text.slice(at, end),
      source,
      offset: at,
      space,
      hidden: NOTHING_HIDDEN,
    };
    at += token.text.length;
    space = false;
    if (directive) {
      (directive as { tokens: Token[] }).tokens.push(token);
    } else if (lineStart && token.text === "#") {
      directive = { at: token, tokens: [] };
      code = null;
    } else if (code) {
      code.push(token);
    } else {
      code = [token];
      items.push({ kind: "code", tokens: code });
    }
    lineStart = false;
    if (token.kind === "punctuator" && !directive) {
      if (token.text === "(") depth++;
      else if (token.text === ")") depth = Math.max(0, depth - 1);
      else if (token.text === ";" || token.text === "{" || token.text === "}") depth = 0;
    }
  }
  endLine();
  return { name: header.name, source, items };
}

/** The only token that `text` is, or null when it is none or several. */
export function tokenKind(text: string): TokenKind | null {
  const kind = kindAt(text, 0, text.charCodeAt(0));
  return kind !== "other" && tokenEnd(text, 0, kind) === text.length ? kind : null;
}

/** Where a token stands in the header as the user has it. */
export function position(token: Pick<Token, "source" | "offset">): Position {
  return positionAt(token.source, token.offset);
}

function nameDirective({ at, tokens }: { at: Token; tokens: Token[] }): Item {
  const [first] = tokens;
  if (first?.kind !== "identifier") return { kind: "directive", name: "", at, tokens };
  return { kind: "directive", name: first.text, at: first, tokens: tokens.slice(1) };
}

/** A documentation comment of what follows: not one of what stands before it, nor a mere group mark. */
function isDocumentation(text: string, at: number, end: number): boolean {
  const mark = text.charAt(at + 2);
  if ((mark !== "*" && mark !== "!") || end - at < 6 || text.charAt(at + 3) === "<") return false;
  return end - at > 60 || !/^[\s*]*[\\@][{}][\s*]*\/$/.test(text.slice(at + 3, end));
}

function kindAt(text: string, at: number, first: number): TokenKind {
  const kind = CLASSES[first];
  if (kind === LETTER)
    return text.charCodeAt(at + 1) === 39 || text.charCodeAt(at + 1) === 34 ? prefixed(first) : "identifier";
  if (kind === DIGIT || (first === 46 && CLASSES[text.charCodeAt(at + 1)] === DIGIT)) return "number";
  if (kind === SINGLE || kind === OPERATOR) return "punctuator";
  if (first === 34) return "string";
  if (first === 39) return "character";
  return "other";
}

/** `L'x'`, `u"x"`, `U"x"`: refused as a whole where they are used, which is nowhere in these headers. */
function prefixed(first: number): TokenKind {
  return "LuU".includes(String.fromCharCode(first)) ? "other" : "identifier";
}

/** Where the token at `at` ends; -1 if it is no token of C, or a literal that its line does not end. */
function tokenEnd(text: string, at: number, kind: TokenKind): number {
  let end = at + 1;
  switch (kind) {
    case "identifier":
      for (;;) {
        const next = CLASSES[text.charCodeAt(end)];
        if (next !== LETTER && next !== DIGIT) return end;
        end++;
      }
    case "number":
      for (;;) {
        const next = text.charCodeAt(end);
        const exponent = (next === 43 || next === 45) && "eEpP".includes(text.charAt(end - 1));
        if (CLASSES[next] !== LETTER && CLASSES[next] !== DIGIT && next !== 46 && !exponent) return end;
        end++;
      }
    case "punctuator":
      if (CLASSES[text.charCodeAt(at)] !== OPERATOR || CLASSES[text.charCodeAt(end)] !== OPERATOR) return end;
      if (LONG_OPERATORS.has(text.slice(at, at + 3))) return at + 3;
      return LONG_OPERATORS.has(text.slice(at, at + 2)) ? at + 2 : end;
    case "string":
    case "character": {
      const quote = text.charCodeAt(at);
      for (; end < text.length; end++) {
        const next = text.charCodeAt(end);
        if (next === quote) return end + 1;
        if (next === 10) return -1;
        if (next === 92) end++;
      }
      return -1;
    }
    default:
      return -1;
  }
}
