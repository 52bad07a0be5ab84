import { builtinType } from "../builtins.ts";
import { HeaderError } from "../errors.ts";
import type { CType, Expression } from "./ast.ts";
import { type Arithmetic, COMPILED, fits, type IntegerType } from "./integers.ts";
import { position, type Token } from "./scan.ts";
import { joinSpecifiers, SPECIFIER_WORDS } from "./types.ts";

/** Binary operators of a constant expression and how tightly they bind. */
const PRECEDENCE: Readonly<Record<string, number>> = {
  "||": 1,
  "&&": 2,
  "|": 3,
  "^": 4,
  "&": 5,
  "==": 6,
  "!=": 6,
  "<": 7,
  ">": 7,
  "<=": 7,
  ">=": 7,
  "<<": 8,
  ">>": 8,
  "+": 9,
  "-": 9,
  "*": 10,
  "/": 10,
  "%": 10,
};

/** Of tokens. Longer expressions are no header's: they are refused before they can overflow the stack. */
const LONGEST = 1000;

const ESCAPES: Readonly<Record<string, number>> = {
  n: 10,
  t: 9,
  r: 13,
  a: 7,
  b: 8,
  f: 12,
  v: 11,
  "\\": 92,
  "'": 39,
  '"': 34,
  "?": 63,
};

/**
 * Reads preprocessed tokens as one integer constant expression.
 * @param isType says whether a name is that of a type, which decides what a parenthesis before an operand means.
 * @param arithmetic that decides the types of literals.
 * @throws HeaderError where they are none.
 */
export function readExpression(
  tokens: readonly Token[],
  at: Token,
  isType: (name: string) => boolean,
  arithmetic: Arithmetic = COMPILED,
): Expression {
  let next = 0;

  function fail(token: Token | undefined): never {
    const what = token ? `"${token.text}" is not understood` : "something is missing";
    throw new HeaderError(position(token ?? tokens.at(-1) ?? at), `${what} in a constant expression`);
  }
  function take(text: string): void {
    const token = tokens[next++];
    if (token?.text !== text) fail(token);
  }
  function startsType(token: Token | undefined): boolean {
    if (token?.kind !== "identifier") return false;
    return TYPE_KEYWORDS.has(token.text) || builtinType(token.text) !== undefined || isType(token.text);
  }

  /** A type name as in a cast: specifiers, then pointers and array bounds. */
  function readType(): CType {
    const words: string[] = [];
    let isConst = false;
    let named: string | null = null;
    const first = tokens[next];
    for (; tokens[next]?.kind === "identifier"; next++) {
      const { text } = tokens[next] as Token;
      if (text === "const") isConst = true;
      else if (text === "struct" || text === "union" || text === "enum") {
        if (tokens[next + 1]?.kind !== "identifier" || named !== null) fail(tokens[next + 1]);
        named = `${text} ${tokens[++next]?.text}`;
      } else if (SPECIFIER_WORDS.has(text)) words.push(text);
      else if (named === null && words.length === 0 && startsType(tokens[next])) named = text;
      else fail(tokens[next]);
    }
    const name = words.length > 0 ? joinSpecifiers(words) : named;
    if (name === null || (words.length > 0 && named !== null)) fail(first);
    let type: CType = { kind: "name", name, const: isConst };
    while (tokens[next]?.text === "*") {
      next++;
      const pointerConst = tokens[next]?.text === "const";
      if (pointerConst) next++;
      type = { kind: "pointer", to: type, const: pointerConst };
    }
    const bounds: Expression[] = [];
    while (tokens[next]?.text === "[") {
      next++;
      bounds.push(readConditional());
      take("]");
    }
    for (const length of bounds.reverse()) type = { kind: "array", of: type, length };
    return type;
  }

  function readPrimary(): Expression {
    const token = tokens[next++];
    if (!token) fail(token);
    if (token.kind === "number") return readInteger(token, arithmetic);
    if (token.kind === "character") return readCharacter(token, arithmetic);
    if (token.text === "(") {
      const inner = readConditional();
      take(")");
      return inner;
    }
    if (token.kind !== "identifier" || startsType(token) || tokens[next]?.text === "(") fail(token);
    return { kind: "name", name: token.text };
  }

  function readUnary(): Expression {
    const token = tokens[next];
    switch (token?.text) {
      case "-":
      case "+":
      case "~":
      case "!":
        next++;
        return { kind: "unary", operator: token.text, operand: readUnary() };
      case "sizeof":
      case "_Alignof": {
        next++;
        take("(");
        if (!startsType(tokens[next])) fail(tokens[next]);
        const type = readType();
        take(")");
        return { kind: token.text === "sizeof" ? "sizeof" : "alignof", type };
      }
      case "(":
        if (startsType(tokens[next + 1])) {
          next++;
          const type = readType();
          take(")");
          return { kind: "cast", type, operand: readUnary() };
        }
    }
    return readPrimary();
  }

  function readBinary(least: number): Expression {
    let left = readUnary();
    for (;;) {
      const token = tokens[next];
      const precedence = token?.kind === "punctuator" ? PRECEDENCE[token.text] : undefined;
      if (!token || precedence === undefined || precedence < least) return left;
      next++;
      left = { kind: "binary", operator: token.text, left, right: readBinary(precedence + 1) };
    }
  }

  function readConditional(): Expression {
    const condition = readBinary(1);
    if (tokens[next]?.text !== "?") return condition;
    next++;
    const then = readConditional();
    take(":");
    return { kind: "conditional", condition, then, else: readConditional() };
  }

  if (tokens.length > LONGEST)
    throw new HeaderError(position(tokens[LONGEST] as Token), "a constant expression is too long");
  const expression = readConditional();
  if (next < tokens.length) fail(tokens[next]);
  return expression;
}

const TYPE_KEYWORDS = new Set([...SPECIFIER_WORDS, "const", "struct", "union", "enum"]);

/** An integer literal, with the type that C gives it: of those that its suffix and its base allow the first that holds it. */
function readInteger(token: Token, arithmetic: Arithmetic): Expression {
  const match = /^(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)([uU]?)([lL]{0,2})([uU]?)$/.exec(token.text);
  const [, digits = "", before = "", long = "", after = ""] = match ?? [];
  const octal = /^0[0-9]+$/.test(digits);
  if (!match || (before && after) || long === "lL" || long === "Ll" || (octal && /[89]/.test(digits))) {
    throw new HeaderError(position(token), `${token.text} is not an integer`);
  }
  const value = BigInt(octal ? `0o${digits.slice(1)}` : digits);
  if (value >= 1n << 64n) throw new HeaderError(position(token), `${token.text} does not fit into 64 bits`);
  const unsigned = before !== "" || after !== "";
  const decimal = /^[1-9]/.test(digits);
  const type = arithmetic.find(
    (type) =>
      (type.signed ? !unsigned : unsigned || !decimal) && (long === "" || type.bits === 64) && fits(value, type),
  );
  // A decimal one that no signed type holds is unsigned all the same, as gcc has it.
  return { kind: "integer", value, type: type ?? (arithmetic.at(-1) as IntegerType) };
}

function readCharacter(token: Token, [int]: Arithmetic): Expression {
  const match = /^'(?:([^\\])|\\([ntrabfv\\'"?])|\\([0-7]{1,3})|\\x([0-9a-fA-F]{1,2}))'$/.exec(token.text);
  if (!match || (match[1] ?? "").charCodeAt(0) > 126) {
    throw new HeaderError(position(token), `${token.text} is not a character that can be read`);
  }
  const [, plain, escaped, octal, hex] = match;
  let value = plain !== undefined ? plain.charCodeAt(0) : escaped !== undefined ? (ESCAPES[escaped] ?? 0) : 0;
  if (octal !== undefined) value = Number.parseInt(octal, 8);
  if (hex !== undefined) value = Number.parseInt(hex, 16);
  return { kind: "integer", value: BigInt.asIntN(8, BigInt(value)), type: int };
}
