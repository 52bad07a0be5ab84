import { HeaderError } from "../errors.ts";
import type { ConstantMacro, Expression } from "./ast.ts";
import { readExpression } from "./expression.ts";
import { expand, type Macro, type MacroTable } from "./macros.ts";
import { position } from "./scan.ts";
import { SPECIFIER_WORDS } from "./types.ts";

/** No constant and no other name for a function is longer, once it is expanded. */
const MOST_TOKENS = 2000;

/**
 * The object-like macros among `defined` that are integer constant expressions.
 * @param members names of enum members, which such an expression may use beside other constants.
 */
export function readConstants(
  defined: MacroTable,
  macros: MacroTable,
  isType: (name: string) => boolean,
  members: ReadonlySet<string>,
): ConstantMacro[] {
  const read = new Map<string, { macro: Macro; value: Expression; names: string[] }>();
  for (const macro of defined.values()) {
    if (macro.params || macro.body.length === 0) continue;
    const value = readValue(macro, macros, isType);
    if (value) read.set(macro.name, { macro, value, names: [...namesIn(value)] });
  }
  // A name that is neither a member nor such a macro (a function's, say) makes no constant; nor does what uses one.
  for (let before = -1; before !== read.size; ) {
    before = read.size;
    for (const [name, { names }] of read) {
      if (!names.every((used) => members.has(used) || (used !== name && read.has(used)))) read.delete(name);
    }
  }
  return [...read.values()].map(({ macro, value }) => ({ name: macro.name, value, position: position(macro.at) }));
}

function readValue(macro: Macro, macros: MacroTable, isType: (name: string) => boolean): Expression | null {
  try {
    const body = expand(
      macro.body.map((token) => ({ ...token, hidden: [macro.name] })),
      macros,
      "",
      MOST_TOKENS,
    );
    const [only] = body;
    if (only?.kind === "identifier" && body.length === 1) return { kind: "name", name: only.text };
    return readExpression(body, macro.at, isType);
  } catch (error) {
    // A macro that is no constant expression is no mistake of the header.
    if (error instanceof HeaderError) return null;
    throw error;
  }
}

function* namesIn(expression: Expression): Generator<string> {
  switch (expression.kind) {
    case "name":
      yield expression.name;
      return;
    case "unary":
    case "cast":
      yield* namesIn(expression.operand);
      return;
    case "binary":
      yield* namesIn(expression.left);
      yield* namesIn(expression.right);
      return;
    case "conditional":
      yield* namesIn(expression.condition);
      yield* namesIn(expression.then);
      yield* namesIn(expression.else);
  }
}

/** The header's object-like macros that still stand at the end and come down to one other identifier. */
export function readAliases(defined: MacroTable, macros: MacroTable): Record<string, string> {
  const aliases: Record<string, string> = {};
  for (const { name, params, body, at } of defined.values()) {
    if (params || body.length === 0 || !macros.has(name)) continue;
    let expansion: ReturnType<typeof expand>;
    try {
      expansion = expand([at], macros, "", MOST_TOKENS);
    } catch (error) {
      if (error instanceof HeaderError) continue;
      throw error;
    }
    const [token] = expansion;
    if (expansion.length !== 1 || token?.kind !== "identifier" || token.text === name) continue;
    if (!SPECIFIER_WORDS.has(token.text)) aliases[name] = token.text;
  }
  return aliases;
}
