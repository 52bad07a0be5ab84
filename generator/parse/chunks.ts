import { HeaderError } from "../errors.ts";
import { dropAttributes } from "./attributes.ts";
import { type Item, position, type Token } from "./scan.ts";

/** One external declaration or function definition after preprocessing: everything up to its `;` or the end of its body. */
export interface Piece {
  tokens: readonly Token[];
  /** The documentation comment before it. */
  documentation: (Item & { kind: "documentation" }) | null;
  deprecated: boolean;
}

/** A piece that is to be parsed. */
export interface Chunk extends Piece {
  /** The tokens' spellings with one space between, for the grammar. */
  text: string;
}

export interface PieceCollector {
  pieces: Piece[];
  add(token: Token): void;
  /** A documentation comment: it belongs to the next declaration. */
  document(comment: Item & { kind: "documentation" }): void;
  /** What the last documentation comment belonged to was no declaration. */
  forget(): void;
  /** @throws HeaderError where a declaration is still open. */
  endHeader(): void;
}

/** Cuts a stream of preprocessed tokens into pieces. */
export function collectPieces(): PieceCollector {
  const pieces: Piece[] = [];
  let tokens: Token[] = [];
  let documentation: Piece["documentation"] = null;
  let own: Piece["documentation"] = null;
  let braces: Token[] = [];
  let body = false;

  function end(): void {
    const { kept, deprecated } = dropAttributes(tokens);
    if (declaresSomething(kept)) pieces.push({ tokens: kept, documentation: own, deprecated });
    tokens = [];
    braces = [];
    body = false;
  }

  return {
    pieces,
    add(token) {
      if (tokens.length === 0) {
        own = documentation;
        documentation = null;
      }
      tokens.push(token);
      if (token.kind !== "punctuator") return;
      if (token.text === ";") {
        if (braces.length === 0) end();
      } else if (token.text === "{") {
        if (braces.length === 0) body = tokens.at(-2)?.text === ")";
        braces.push(token);
      } else if (token.text === "}") {
        if (!braces.pop()) throw new HeaderError(position(token), '"}" without "{"');
        if (braces.length === 0 && body) end();
      }
    },
    document(comment) {
      if (tokens.length === 0) documentation = comment;
    },
    forget() {
      documentation = null;
    },
    endHeader() {
      const [brace] = braces;
      if (brace) throw new HeaderError(position(brace), '"{" without "}"; the header may be truncated');
      const [first] = dropAttributes(tokens).kept;
      if (first)
        throw new HeaderError(position(first), 'this declaration does not end in ";"; the header may be truncated');
      tokens = [];
    },
  };
}

/**
 * Makes chunks of the pieces that several configurations were cut into. Most are the same in all of them: each is made once.
 * @returns for each configuration the chunks of its pieces, in their order.
 */
export function shareChunks(configurations: readonly (readonly Piece[])[]): Chunk[][] {
  /** By the offset of the first token. */
  const known = new Map<number, Chunk[]>();
  const chunkOf = (piece: Piece): Chunk => {
    const offset = piece.tokens[0]?.offset ?? 0;
    const here = known.get(offset) ?? [];
    const same = here.find((chunk) => isSame(chunk, piece));
    if (same) return same;
    const chunk = { ...piece, text: piece.tokens.map(({ text }) => text).join(" ") };
    known.set(offset, [...here, chunk]);
    return chunk;
  };
  return configurations.map((pieces) => pieces.map(chunkOf));
}

function isSame(one: Piece, other: Piece): boolean {
  return (
    one.deprecated === other.deprecated &&
    one.tokens.length === other.tokens.length &&
    one.tokens[0]?.source === other.tokens[0]?.source &&
    one.tokens.every((token, index) => token === other.tokens[index] || token.text === other.tokens[index]?.text)
  );
}

/** A lone `;` and an assertion declare nothing. */
function declaresSomething(tokens: readonly Token[]): boolean {
  const first = tokens[0]?.text;
  return first !== undefined && first !== ";" && first !== "_Static_assert";
}

/** Where each token starts in the chunk's text. */
export function tokenStarts({ tokens }: Chunk): number[] {
  let next = 0;
  return tokens.map(({ text }) => {
    const start = next;
    next += text.length + 1;
    return start;
  });
}
