import { BUILTIN_TYPES } from "../builtins.ts";
import { HeaderError } from "../errors.ts";
import { type Chunk, tokenStarts } from "./chunks.ts";
import { position, type Token } from "./scan.ts";
import { lastNotAfter } from "./source.ts";
import { KEYWORDS } from "./types.ts";

/** An error at the token of a chunk that stands at or before `offset` of its text. */
export function notUnderstood(chunk: Chunk, offset: number, what = "is not understood here"): HeaderError {
  const index = Math.max(
    0,
    lastNotAfter(tokenStarts(chunk), offset, (start) => start),
  );
  return notUnderstoodAt(chunk, chunk.tokens[index] ?? (chunk.tokens[0] as Token), what);
}

/**
 * An error for a chunk that the grammar refuses at `offset`. The grammar often stumbles beside the cause: where a name stands
 * as only a macro can, that name is reported.
 */
export function refusedByGrammar(chunk: Chunk, offset: number, chunks: readonly Chunk[]): HeaderError {
  const macro = unknownMacro(chunk.tokens, typeNames(chunks));
  if (macro) return notUnderstoodAt(chunk, macro, "is no type, and no macro that these headers define");
  return notUnderstood(chunk, offset);
}

function notUnderstoodAt({ text }: Chunk, token: Token, what: string): HeaderError {
  const line = text.length > 100 ? `${text.slice(0, 100)}...` : text;
  return new HeaderError(position(token), `"${token.text}" ${what}: ${line}`);
}

/** The first unknown name that touches another name, as in `CUresult FOO cuBar(int a) FOO;`; one in capitals rather than others. */
function unknownMacro(tokens: readonly Token[], types: ReadonlySet<string>): Token | null {
  const isName = (token: Token | undefined) => token?.kind === "identifier";
  const closers = closingParentheses(tokens);
  const found = tokens.filter((token, index) => {
    if (!isName(token) || KEYWORDS.has(token.text) || types.has(token.text)) return false;
    const before = tokens[index - 1];
    const after = tokens[index + 1];
    const afterKnown = KEYWORDS.has(before?.text ?? "") || types.has(before?.text ?? "");
    if (isName(after)) return !TAGGED.has(before?.text ?? "");
    if (before?.text === ")" || before?.kind === "number" || (isName(before) && !afterKnown)) return true;
    // `void FOO *`, `void (FOO *name)`, `FOO(1) void name`
    if (after?.text === "*") return before?.text === "(" ? isName(tokens[index - 2]) : isName(before);
    return after?.text === "(" && isName(tokens[(closers.get(index + 1) ?? tokens.length) + 1]);
  });
  return found.find(({ text }) => text === text.toUpperCase()) ?? found[0] ?? null;
}

/** Index of an opening parenthesis -> index of the one that closes it. */
function closingParentheses(tokens: readonly Token[]): Map<number, number> {
  const closers = new Map<number, number>();
  const open: number[] = [];
  tokens.forEach(({ text }, index) => {
    if (text === "(") open.push(index);
    const opener = text === ")" ? open.pop() : undefined;
    if (opener !== undefined) closers.set(opener, index);
  });
  return closers;
}

/** Names that some chunk makes those of types, as far as that can be seen without a grammar. */
function typeNames(chunks: readonly Chunk[]): Set<string> {
  const names = new Set(Object.keys(BUILTIN_TYPES));
  for (const { tokens } of chunks) {
    const last = tokens.at(-2);
    if (tokens[0]?.text === "typedef" && last?.kind === "identifier") names.add(last.text);
  }
  return names;
}

const TAGGED = new Set(["struct", "union", "enum"]);
