/** Small headers made of real ones: some functions, and whatever these need. Mutants of such are read in milliseconds. */
import type { HeaderText } from "../../generator/toolkit/toolkit.ts";
import type { Random } from "./random.ts";
import { isBlank, isComment, isWord, tokenize } from "./tokens.ts";

/** What a header is made of between two semicolons at its top level. Joined, the texts of all pieces are the header. */
export interface Piece {
  /** `frame`: the braces of `extern "C"`, and all else that must stay. */
  kind: "directive" | "comment" | "frame" | "type" | "function" | "proc";
  text: string;
  /** Names of the API in it. */
  names: readonly string[];
  /** Of a function or a typedef of one, or of what a macro stands for: `cuMemAlloc`. */
  base: string | null;
}

const API_NAME = /^(CU|cu[A-Z]|cuuint|PFN_|Vdp|GL|EGL)\w*$/;

/** `cuMemcpyHtoD_v2_ptds`, `PFN_cuMemcpyHtoD_v7000_ptds` -> `cuMemcpyHtoD` */
export function baseName(name: string): string {
  return name
    .replace(/^PFN_/, "")
    .replace(/_(ptds|ptsz)$/, "")
    .replace(/_v\d+$/, "");
}

export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let open: string[] = [];
  let depth = 0;
  let body = false;
  const close = () => {
    if (open.length > 0) pieces.push(classify(open));
    open = [];
    depth = 0;
    body = false;
  };
  const tokens = tokenize(text);
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at] as string;
    const fresh = open.every(isBlank);
    if (token === "#" && startsLine(tokens, at)) {
      const line = [...(fresh ? open : []), token];
      while (++at < tokens.length && tokens[at] !== "\n") line.push(tokens[at] as string);
      line.push("\n");
      // Conditionals inside a declaration belong to it.
      if (fresh) {
        open = line;
        close();
      } else open.push(...line);
      continue;
    }
    open.push(token);
    if (fresh && isComment(token)) close();
    else if (token === "{") {
      const before = open.filter((one) => !isBlank(one) && !isComment(one));
      if (depth === 0 && before.join(" ") === 'extern "C" {') close();
      else {
        if (depth === 0) body = before.at(-2) === ")";
        depth++;
      }
    } else if (token === "}") {
      if (depth === 0 || (--depth === 0 && body)) close();
    } else if (token === ";" && depth === 0) close();
  }
  close();
  return pieces;
}

function startsLine(tokens: readonly string[], at: number): boolean {
  let before = at - 1;
  while (before >= 0 && tokens[before] !== "\n" && isBlank(tokens[before] as string)) before--;
  return before < 0 || tokens[before] === "\n";
}

function classify(tokens: readonly string[]): Piece {
  const text = tokens.join("");
  const words = tokens.filter((token) => !isBlank(token) && !isComment(token));
  const names = [...new Set(words.filter((word) => API_NAME.test(word)))];
  const [first] = words;
  if (first === undefined) return { kind: "comment", text, names: [], base: null };
  if (first === "#") {
    const [, directive, name = ""] = words;
    const defines = directive === "define" || directive === "undef";
    // A constant is kept or left out like a type: it may stand for an enum's member, and an array's bound for it.
    if (directive === "define" && /^CU_/.test(name)) return { kind: "type", text, names, base: null };
    return { kind: "directive", text, names, base: defines && /^(cu[A-Z]|PFN_)/.test(name) ? baseName(name) : null };
  }
  if (words.length < 4) return { kind: "frame", text, names, base: null };
  if (first === "typedef") {
    const proc = names.find((name) => /^PFN_\w+_v\d+/.test(name));
    return { kind: proc ? "proc" : "type", text, names, base: proc ? baseName(proc) : null };
  }
  const called = words.find((word) => /^cu[A-Z]/.test(word));
  const isFunction = called !== undefined && !/^(struct|union|enum)$/.test(first) && isWord(first);
  return { kind: isFunction ? "function" : "type", text, names, base: isFunction ? baseName(called) : null };
}

export interface CutHeader {
  name: string;
  pieces: Piece[];
}

/**
 * Some functions of a toolkit with what they need.
 * @param functions how many base names are kept.
 * @param allTypes whether the types stay that these do not need. The package's fixed parts count on some.
 */
export function cut(headers: readonly CutHeader[], functions: number, allTypes: boolean, random: Random): HeaderText[] {
  const stems = new Set(headers.map(({ name }) => stemOf(name)).filter((stem) => stem === "" || random.chance(0.2)));
  const chosen = headers.filter(({ name }) => stemOf(name) === "" || stems.has(stemOf(name)));
  const all = chosen.flatMap(({ pieces }) => pieces);
  const bases = [...new Set(all.flatMap(({ kind, base }) => (kind === "function" && base !== null ? [base] : [])))];
  const kept = new Set(random.sample(bases, functions));
  const typePieces = all.filter(({ kind }) => kind === "type");
  const wanted = new Set(random.sample(typePieces, 8).flatMap(({ names }) => names));
  for (const piece of all) {
    if (piece.base !== null && piece.kind !== "directive" && kept.has(piece.base)) {
      for (const name of piece.names) wanted.add(name);
    }
  }
  const types = allTypes ? new Set(typePieces) : closure(typePieces, wanted);
  const withComments = random.chance(0.3) || allTypes;
  const keeps = (piece: Piece, after: Piece | undefined): boolean => {
    switch (piece.kind) {
      case "frame":
        return true;
      case "directive":
        return piece.base === null || kept.has(piece.base) || kept.has(firstBase(piece, kept));
      case "type":
        return types.has(piece);
      case "comment":
        return withComments && after !== undefined && after.kind !== "comment" && keeps(after, undefined);
      default:
        return piece.base !== null && kept.has(piece.base);
    }
  };
  return chosen.map(({ name, pieces }) => {
    const text = pieces
      .filter((piece, index) => keeps(piece, pieces[index + 1]))
      .map(({ kind, text }) => (kind === "type" && !withComments ? withoutComments(text) : text))
      // What ended the line before a directive may be gone.
      .map((text) => (/^\s*#/.test(text) ? `\n${text}` : text))
      .join("");
    return { name, path: name, text: `${text.replace(/\n\s*\n+/g, "\n")}\n`, sha256: "" };
  });
}

/** `cudaGL.h` and `cudaGLTypedefs.h` -> `GL`: these come together; "" for what is always there. */
function stemOf(name: string): string {
  return name.replace(/^cuda|Typedefs|\.h$/g, "");
}

/** A macro may be kept for what it stands for: `#define cuGraphInstantiate cuGraphInstantiateWithFlags`. */
function firstBase({ names }: Piece, kept: ReadonlySet<string>): string {
  return names.map(baseName).find((name) => kept.has(name)) ?? "";
}

/** All types that the wanted names need, by every piece that mentions such a name where it is declared. */
function closure(types: readonly Piece[], wanted: Set<string>): Set<Piece> {
  const declaring = new Map<string, Piece[]>();
  const seen = new Set<string>();
  for (const piece of types) {
    for (const name of declaredBy(piece, seen)) declaring.set(name, [...(declaring.get(name) ?? []), piece]);
  }
  const found = new Set<Piece>();
  const open = [...wanted];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    for (const piece of declaring.get(name) ?? []) {
      if (found.has(piece)) continue;
      found.add(piece);
      open.push(...piece.names);
    }
  }
  return found;
}

/** What is new in a piece is taken as declared by it; so is what its last words name. */
function declaredBy(piece: Piece, seen: Set<string>): string[] {
  const declared = piece.names.filter((name) => !seen.has(name));
  const last = /(\w+)\s*(?:\/[/*][\s\S]*)?;\s*$/.exec(piece.text)?.[1];
  if (last !== undefined && !declared.includes(last)) declared.push(last);
  for (const name of piece.names) seen.add(name);
  return declared;
}

function withoutComments(text: string): string {
  return tokenize(text)
    .filter((token) => !isComment(token))
    .join("");
}
