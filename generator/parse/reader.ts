import type { Declaration, Expression } from "./ast.ts";
import { type Chunk, tokenStarts } from "./chunks.ts";
import { notUnderstood } from "./diagnosis.ts";
import { readExpression } from "./expression.ts";
import type { Token } from "./scan.ts";
import { lastNotAfter } from "./source.ts";
import type { Syntax } from "./syntax.ts";
import { KEYWORDS } from "./types.ts";

/** A type that a declaration names, as `CType` names it. */
export interface NamedType {
  name: string;
  unnamed: boolean;
}

/** The way from the nodes of a chunk back to its tokens, and what was read from it so far. */
export interface ChunkReader {
  chunk: Chunk;
  /** In order: records and enums, which may be defined anywhere in a declaration, come before what uses them. */
  declarations: Declaration[];
  /** The token that a leaf is. @throws HeaderError for a node that is not exactly one word. */
  leaf(node: Syntax): Token;
  /** The same for a name. @throws HeaderError for a keyword too */
  name(node: Syntax): Token;
  /** The tokens that stand between two offsets of the chunk's text. */
  tokensOf(start: number, end: number): Token[];
  /** The constant expression that a node is. */
  expression(node: Syntax): Expression;
  /**
   * The type that a specifier names; a record or enum that it defines is added to the declarations.
   * @param place the tag of one that is defined without a tag.
   */
  typeName(node: Syntax, place: () => string): NamedType;
  /** What an `alignas_qualifier` asks for. */
  alignment(node: Syntax): Expression;
  /** @throws HeaderError that names the token at which the node starts. */
  refuse(node: Pick<Syntax, "start">, what?: string): never;
}

/**
 * @param types names of types known so far, which decide how an expression reads.
 * @param readTypeName reads type specifiers. Declarators, specifiers and records stand within each other: none of their files
 * needs to import what it may stand in.
 */
export function chunkReader(
  chunk: Chunk,
  types: ReadonlySet<string>,
  readTypeName: (reader: ChunkReader, node: Syntax, place: () => string) => NamedType,
): ChunkReader {
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
  function refuse(node: Pick<Syntax, "start">, what?: string): never {
    throw notUnderstood(chunk, node.start, what);
  }
  function leaf(node: Syntax): Token {
    const token = chunk.tokens[tokenIndex(node.start)];
    if (token?.kind !== "identifier" || node.end - node.start !== token.text.length) refuse(node);
    return token;
  }
  const reader: ChunkReader = {
    chunk,
    declarations: [],
    leaf,
    name(node) {
      const token = leaf(node);
      if (KEYWORDS.has(token.text)) refuse(node, "is a word of C, which can name nothing");
      return token;
    },
    tokensOf,
    expression,
    typeName: (node, place) => readTypeName(reader, node, place),
    alignment(node) {
      const [, open, inner, close] = node.children;
      if (open?.type !== "(" || !inner || close?.type !== ")") refuse(node);
      if (inner.type !== "type_descriptor") return expression(inner);
      const [first, ...rest] = tokensOf(open.start, close.end) as [Token, ...Token[]];
      return readExpression([{ ...first, kind: "identifier", text: "_Alignof" }, first, ...rest], first, isType);
    },
    refuse,
  };
  return reader;
}
