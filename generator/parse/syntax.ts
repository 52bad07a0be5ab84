import Parser from "tree-sitter";
import C from "tree-sitter-c";
import type { HeaderError } from "../errors.ts";
import type { Chunk } from "./chunks.ts";
import { notUnderstood, refusedByGrammar } from "./diagnosis.ts";

/** A node of the grammar's tree over one chunk; `start` and `end` count in the chunk's text. */
export interface Syntax {
  type: string;
  start: number;
  end: number;
  children: Syntax[];
}

/**
 * Nodes that are not entered: leaves, bodies of inline functions, which say nothing about the interface, and expressions,
 * which are read from the tokens.
 */
const CLOSED = /^(\W+|\w*identifier|primitive_type|compound_statement|\w+_literal|\w+_expression)$/;

const NO_CHILDREN: Syntax[] = [];

/** Deeper trees are no header's: they are refused before they can overflow the stack. */
const DEEPEST = 500;

/** A string of 32,768 characters or more must be handed over in pieces. */
const PIECE = 16384;

/**
 * Reads chunks with the C grammar, all at once.
 * @returns for each chunk, in their order, the top nodes that stand in it.
 * @throws HeaderError for anything the grammar does not take: no ERROR and no MISSING node is let through.
 */
export function* readSyntax(chunks: readonly Chunk[]): Generator<[Chunk, Syntax[]]> {
  const parser = new Parser();
  parser.setLanguage(C as unknown as Parser.Language);
  const text = chunks.map((chunk) => `${chunk.text}\n`).join("");
  const tree = parse(parser, text);
  if (tree.rootNode.hasError) throw findError(parser, chunks);

  const cursor = tree.walk();
  const types: NodeType[] = [];
  let start = 0;
  let more = cursor.gotoFirstChild();
  for (const chunk of chunks) {
    const end = start + chunk.text.length;
    const nodes: Syntax[] = [];
    for (; more && cursor.startIndex <= end; more = cursor.gotoNextSibling()) {
      const node = readNode(cursor, types, start, 0);
      if (node === null) throw notUnderstood(chunk, 0, "begins what is nested too deeply");
      if (node.end > chunk.text.length) throw notUnderstood(chunk, 0);
      nodes.push(node);
    }
    yield [chunk, nodes];
    start = end + 1;
  }
}

/** What a number of the grammar's node types means; looked up once, as every question to the cursor costs. */
interface NodeType {
  name: string;
  closed: boolean;
}

/** @returns null for a tree deeper than `DEEPEST` */
function readNode(cursor: Parser.TreeCursor, types: NodeType[], base: number, depth: number): Syntax | null {
  if (depth > DEEPEST) return null;
  const id = cursor.nodeTypeId;
  let type = types[id];
  if (!type) {
    const name = cursor.nodeType;
    type = { name, closed: CLOSED.test(name) };
    types[id] = type;
  }
  const node = { type: type.name, start: cursor.startIndex - base, end: cursor.endIndex - base, children: NO_CHILDREN };
  if (!type.closed && cursor.gotoFirstChild()) {
    node.children = [];
    do {
      const child = readNode(cursor, types, base, depth + 1);
      if (child === null) return null;
      node.children.push(child);
    } while (cursor.gotoNextSibling());
    cursor.gotoParent();
  }
  return node;
}

function parse(parser: Parser, text: string): Parser.Tree {
  return parser.parse((index) => (index < text.length ? text.slice(index, index + PIECE) : null));
}

/** The first place that the grammar refuses. */
function findError(parser: Parser, chunks: readonly Chunk[]): HeaderError {
  for (const chunk of chunks) {
    const { rootNode } = parse(parser, `${chunk.text}\n`);
    if (rootNode.hasError) return refusedByGrammar(chunk, errorOffset(rootNode), chunks);
  }
  const [first] = chunks;
  return notUnderstood(first as Chunk, 0);
}

function errorOffset(root: Parser.SyntaxNode): number {
  let first = Number.POSITIVE_INFINITY;
  const open = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.isError || node.isMissing) first = Math.min(first, node.startIndex);
    if (node.hasError) for (const child of node.children) open.push(child);
  }
  return first;
}
