import { HeaderError } from "../errors.ts";
import { evaluate, type Names } from "./evaluate.ts";
import { readExpression } from "./expression.ts";
import { PREPROCESSED } from "./integers.ts";
import { expand, type MacroTable } from "./macros.ts";
import { position, type Token } from "./scan.ts";

/**
 * Says whether the condition of an `#if` or `#elif` holds.
 * @throws HeaderError where it is no integer expression.
 */
export function holds(tokens: readonly Token[], directive: Token, macros: MacroTable): boolean {
  if (tokens.length === 0) throw new HeaderError(position(directive), `#${directive.text} without a condition`);
  const answered: Token[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as Token;
    if (token.text !== "defined") {
      answered.push(token);
      continue;
    }
    const paren = tokens[index + 1]?.text === "(";
    const name = tokens[index + (paren ? 2 : 1)];
    if (name?.kind !== "identifier" || (paren && tokens[index + 3]?.text !== ")")) {
      throw new HeaderError(position(token), "defined without the name of a macro");
    }
    answered.push({ ...token, kind: "number", text: macros.has(name.text) ? "1" : "0" });
    index += paren ? 3 : 1;
  }
  const expression = readExpression(expand(answered, macros, ""), directive, () => false, PREPROCESSED);
  try {
    return evaluate(expression, NAMES, PREPROCESSED).value !== 0n;
  } catch (error) {
    if (error instanceof HeaderError || !(error instanceof Error)) throw error;
    throw new HeaderError(position(directive), `${error.message}, in the condition of #${directive.text}`);
  }
}

/** A name that is no macro is 0; the preprocessor knows no types. */
const NAMES: Names = {
  constant: () => ({ value: 0n, integer: PREPROCESSED[0], type: PREPROCESSED[0].name }),
  size: () => refuse("sizeof"),
  align: () => refuse("_Alignof"),
  cast: () => refuse("a cast"),
};

function refuse(what: string): never {
  throw new Error(`${what} has no value`);
}
