import { HeaderError } from "../errors.ts";
import { dropAttributes } from "./attributes.ts";
import { type Item, position, type Token } from "./scan.ts";

/** One external declaration or function definition after preprocessing: everything up to its `;` or the end of its body. */
export interface Chunk {
  tokens: readonly Token[];
  /** The tokens' spellings with one space between, for the grammar. */
  text: string;
  /** The documentation comment before it. */
  documentation: (Item & { kind: "documentation" }) | null;
  deprecated: boolean;
}

export interface ChunkCollector {
  chunks: Chunk[];
  add(token: Token): void;
  /** A documentation comment: it belongs to the next declaration. */
  document(comment: Item & { kind: "documentation" }): void;
  /** What the last documentation comment belonged to was no declaration. */
  forget(): void;
  /** @throws HeaderError where a declaration is still open. */
  endHeader(): void;
}

/** Cuts a stream of preprocessed tokens into chunks. */
export function collectChunks(): ChunkCollector {
  const chunks: Chunk[] = [];
  let tokens: Token[] = [];
  let documentation: Chunk["documentation"] = null;
  let own: Chunk["documentation"] = null;
  let braces: Token[] = [];
  let body = false;

  function end(): void {
    const { kept, deprecated } = dropAttributes(tokens);
    if (declaresSomething(kept)) {
      chunks.push({ tokens: kept, text: kept.map(({ text }) => text).join(" "), documentation: own, deprecated });
    }
    tokens = [];
    braces = [];
    body = false;
  }

  return {
    chunks,
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
