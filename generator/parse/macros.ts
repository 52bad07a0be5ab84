import { HeaderError } from "../errors.ts";
import { NOTHING_HIDDEN, position, type Token, tokenKind } from "./scan.ts";

export interface Macro {
  name: string;
  /** null: object-like. A variadic macro's last one takes all further arguments. */
  params: string[] | null;
  variadic: boolean;
  body: Token[];
  /** Its name in its definition. */
  at: Token;
}

export type MacroTable = Map<string, Macro>;

/** Macros that feed on each other grow without bounds: past these, far beyond any header's need, they are refused. */
const MOST_TOKENS = 65536;
const DEEPEST = 200;

interface Budget {
  /** How many tokens macros may still give. */
  left: number;
  /** Of calls in arguments of calls. */
  depth: number;
}

/** An empty argument beside `##`. */
const PLACEHOLDER = "";

/**
 * Reads what stands behind `#define`.
 * @throws HeaderError where C has no such definition.
 */
export function readDefinition(directive: Token, tokens: readonly Token[]): Macro {
  const [at, paren] = tokens;
  if (at?.kind !== "identifier" || at.text === "defined") {
    throw new HeaderError(position(at ?? directive), "#define without a name that can be defined");
  }
  if (paren?.text !== "(" || paren.space) {
    return checkBody({ name: at.text, params: null, variadic: false, body: tokens.slice(1), at });
  }
  const end = tokens.findIndex((token) => token.text === ")");
  const list = tokens.slice(2, Math.max(end, 2));
  const params: string[] = [];
  let variadic = false;
  let proper = end > 0;
  list.forEach((token, index) => {
    if (index % 2 === 1 && !(token.text === "..." && index === list.length - 1)) {
      proper &&= token.text === ",";
    } else if (token.text === "...") {
      // `args...` names what is `__VA_ARGS__` otherwise.
      variadic = true;
      proper &&= index === list.length - 1;
      if (index % 2 === 0) params.push("__VA_ARGS__");
    } else {
      proper &&= token.kind === "identifier" && !params.includes(token.text);
      params.push(token.text);
    }
  });
  if (list.length > 0 && list.length % 2 === 0 && !variadic) proper = false;
  if (!proper) throw new HeaderError(position(paren), `the parameter list of macro ${at.text} cannot be read`);
  return checkBody({ name: at.text, params, variadic, body: tokens.slice(end + 1), at });
}

function checkBody(macro: Macro): Macro {
  const { body, params } = macro;
  for (const edge of [body[0], body.at(-1)]) {
    if (edge?.text === "##") throw new HeaderError(position(edge), `## at an end of macro ${macro.name}`);
  }
  if (params) {
    body.forEach((token, index) => {
      if (token.text === "#" && !params.includes(body[index + 1]?.text ?? "")) {
        throw new HeaderError(position(token), `# before something that is no parameter of macro ${macro.name}`);
      }
    });
  }
  return macro;
}

/**
 * Expands all macros in `tokens`, as C does: arguments first, then the body, then the result together with what follows;
 * a macro is never expanded inside its own expansion. A token that comes out of a body stands where the macro was called.
 * @param marker a macro that is not expanded but leaves one token of kind `marker`.
 * @param most how many tokens macros may give.
 * @throws HeaderError for a call whose arguments do not fit, or a `##` that gives no token.
 */
export function expand(tokens: readonly Token[], macros: MacroTable, marker: string, most = MOST_TOKENS): Token[] {
  return expandWithin({ left: most, depth: 0 }, tokens, macros, marker);
}

function expandWithin(budget: Budget, tokens: readonly Token[], macros: MacroTable, marker: string): Token[] {
  const output: Token[] = [];
  // What macros gave and what is still to be looked at, last first; then `tokens` from `next` on.
  const pending: Token[] = [];
  let next = 0;
  for (;;) {
    const token = pending.pop() ?? tokens[next++];
    if (!token) return output;
    const macro = token.kind === "identifier" ? macros.get(token.text) : undefined;
    if (!macro || token.hidden.includes(macro.name)) {
      output.push(token);
      continue;
    }
    if (macro.name === marker) {
      output.push({ ...token, kind: "marker" });
      continue;
    }
    if (!macro.params) {
      if (macro.body.length > 0) pushBack(pending, substitute(budget, macro, [], token, token.hidden, macros, marker));
      continue;
    }
    const follower = pending.at(-1) ?? tokens[next];
    if (follower?.text !== "(") {
      output.push(token);
      continue;
    }
    const { args, close } = collectArguments(macro, token, () => pending.pop() ?? tokens[next++]);
    const hidden = token.hidden.filter((name) => close.hidden.includes(name));
    pushBack(pending, substitute(budget, macro, args, token, hidden, macros, marker));
  }
}

function pushBack(pending: Token[], tokens: Token[]): void {
  for (let index = tokens.length - 1; index >= 0; index--) pending.push(tokens[index] as Token);
}

/** Takes tokens up to the closing parenthesis of a call. */
function collectArguments(macro: Macro, call: Token, take: () => Token | undefined): { args: Token[][]; close: Token } {
  const params = macro.params ?? [];
  take();
  const args: Token[][] = [[]];
  for (let depth = 1; ; ) {
    const token = take();
    if (!token)
      throw new HeaderError(position(call), `the arguments of macro ${macro.name} do not end in one piece of text`);
    if (token.text === "(") depth++;
    else if (token.text === ")" && --depth === 0) {
      if (params.length === 0 && args.length === 1 && args[0]?.length === 0) args.pop();
      if (macro.variadic && args.length === params.length - 1) args.push([]);
      if (args.length !== params.length) {
        throw new HeaderError(
          position(call),
          `macro ${macro.name} takes ${params.length} arguments, not ${args.length}`,
        );
      }
      return { args, close: token };
    }
    if (token.text === "," && depth === 1 && !(macro.variadic && args.length === params.length)) args.push([]);
    else args.at(-1)?.push(token);
  }
}

function substitute(
  budget: Budget,
  macro: Macro,
  args: Token[][],
  call: Token,
  hidden: readonly string[],
  macros: MacroTable,
  marker: string,
): Token[] {
  const { body } = macro;
  const params = macro.params ?? [];
  const argument = (token: Token | undefined) =>
    token?.kind === "identifier" ? args[params.indexOf(token.text)] : undefined;
  const here = (token: Token): Token => ({ ...token, source: call.source, offset: call.offset });
  const output: Token[] = [];
  for (let index = 0; index < body.length; index++) {
    const token = body[index] as Token;
    const pasted = token.text === "##";
    const item = pasted ? (body[++index] as Token) : token;
    const isString = macro.params !== null && item.text === "#";
    const raw = argument(isString ? body[++index] : item);
    const pasteFollows = body[index + 1]?.text === "##";

    let tokens: Token[];
    if (raw === undefined) tokens = [here(item)];
    else if (isString) tokens = [stringify(raw, here(item))];
    else if (pasted || pasteFollows)
      tokens = raw.length > 0 ? raw : [{ ...here(item), kind: "other", text: PLACEHOLDER }];
    else {
      if (budget.depth === DEEPEST) throw new HeaderError(position(call), `macro ${macro.name} is nested too deeply`);
      tokens = expandWithin({ ...budget, depth: budget.depth + 1 }, raw, macros, marker);
    }

    if (pasted) paste(output, tokens, here(token), macro.variadic && item.text === params.at(-1));
    else for (const made of tokens) output.push(made);
  }
  budget.left -= output.length;
  if (budget.left < 0) {
    throw new HeaderError(position(call), `macro ${macro.name} stands in a text that expands to too many tokens`);
  }
  const all = [...hidden, macro.name];
  return output
    .filter((token) => token.text !== PLACEHOLDER)
    .map((token) => ({
      ...token,
      hidden: token.hidden === NOTHING_HIDDEN ? all : [...new Set([...token.hidden, ...all])],
    }));
}

/** Joins the last token of `output` with the first of `tokens`. */
function paste(output: Token[], tokens: Token[], operator: Token, variadic: boolean): void {
  const left = output.pop() as Token;
  const [right, ...rest] = tokens as [Token, ...Token[]];
  if (variadic && left.text === ",") {
    // gcc's `, ## __VA_ARGS__`: no arguments, no comma.
    if (right.text !== PLACEHOLDER) output.push(left, ...tokens);
    return;
  }
  const text = left.text + right.text;
  const kind = text === PLACEHOLDER ? "other" : tokenKind(text);
  if (kind === null) {
    throw new HeaderError(position(operator), `## joins ${left.text} and ${right.text}, which gives no token of C`);
  }
  output.push({ ...left, kind, text, hidden: NOTHING_HIDDEN }, ...rest);
}

function stringify(tokens: Token[], at: Token): Token {
  const text = tokens
    .map((token, index) => {
      const spelling =
        token.kind === "string" || token.kind === "character" ? token.text.replace(/[\\"]/g, "\\$&") : token.text;
      return (index > 0 && token.space ? " " : "") + spelling;
    })
    .join("");
  return { ...at, kind: "string", text: `"${text}"` };
}
