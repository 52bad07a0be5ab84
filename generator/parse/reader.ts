import type { Expression } from "./ast.ts";
import { type Chunk, tokenStarts } from "./chunks.ts";
import { notUnderstood } from "./diagnosis.ts";
import { readExpression } from "./expression.ts";
import type { Token } from "./scan.ts";
import { lastNotAfter } from "./source.ts";
import type { Syntax } from "./syntax.ts";
import { KEYWORDS } from "./types.ts";

/** The way from the nodes of a chunk back to its tokens. */
export interface ChunkReader {
  /** The token that a leaf is. @throws HeaderError for a node that is not exactly one word. */
  leaf(node: Syntax): Token;
  /** The same for a name. @throws HeaderError for a keyword too */
  name(node: Syntax): Token;
  /** The tokens that stand between two offsets of the chunk's text. */
  tokensOf(start: number, end: number): Token[];
  /** The constant expression that a node is. */
  expression(node: Syntax): Expression;
  /** What an `alignas_qualifier` asks for. */
  alignment(node: Syntax): Expression;
}

/** @param types names of types known so far, which decide how an expression reads. */
export function chunkReader(chunk: Chunk, types: ReadonlySet<string>): ChunkReader {
  const starts = tokenStarts(chunk);
  const isType = (name: string) => types.has(name);
  const tokenIndex = (offset: number) =>
    Math.max(
      0,
      lastNotAfter(starts, offset, (start) => start),
    );
  const tokensOf = (start: number, end: number) => chunk.tokens.slice(tokenIndex(start), tokenIndex(end - 1) + 1);
  const expression = (node: Syntax) => {
    const tokens = tokensOf(node.start, node.end);
    return readExpression(tokens, tokens[0] as Token, isType);
  };
  const leaf = (node: Syntax) => {
    const token = chunk.tokens[tokenIndex(node.start)];
    if (token?.kind !== "identifier" || node.end - node.start !== token.text.length)
      throw notUnderstood(chunk, node.start);
    return token;
  };
  return {
    leaf,
    name(node) {
      const token = leaf(node);
      if (KEYWORDS.has(token.text)) throw notUnderstood(chunk, node.start, "is a word of C, which can name nothing");
      return token;
    },
    tokensOf,
    expression,
    alignment(node) {
      const [, open, inner, close] = node.children;
      if (open?.type !== "(" || !inner || close?.type !== ")") throw notUnderstood(chunk, node.start);
      if (inner.type !== "type_descriptor") return expression(inner);
      const [first, ...rest] = tokensOf(open.start, close.end) as [Token, ...Token[]];
      return readExpression([{ ...first, kind: "identifier", text: "_Alignof" }, first, ...rest], first, isType);
    },
  };
}
