import { HeaderError } from "../errors.ts";
import type { Library } from "../libraries/library.ts";
import { checkPragma } from "./attributes.ts";
import { collectPieces, type Piece, type PieceCollector } from "./chunks.ts";
import { holds } from "./conditions.ts";
import { expand, type Macro, type MacroTable, readDefinition } from "./macros.ts";
import { type Item, position, type ScannedHeader, type Token } from "./scan.ts";

/** The headers as one configuration sees them. */
export interface Preprocessed {
  /** In source order. */
  pieces: Piece[];
  /** The macros that stand at the end, the compiler's own among them. */
  macros: MacroTable;
  /** Every macro that a header defined, with its last definition, undefined again or not. */
  defined: MacroTable;
}

type Directive = Item & { kind: "directive" };

/** One `#if` that is still open. */
interface Conditional {
  at: Token;
  /** What stands around it is read. */
  around: boolean;
  /** One of its branches has been read, or is being. */
  taken: boolean;
  active: boolean;
  hasElse: boolean;
}

/**
 * Runs the preprocessor over all headers, one after the other with one table of macros, each header once.
 * @param prelude definitions that stand before the first line.
 * @throws HeaderError for what cannot be read: `#error`, unknown includes and directives, conditionals without an end.
 */
export function preprocess(prelude: ScannedHeader, headers: ScannedHeader[], library: Library): Preprocessed {
  const macros: MacroTable = new Map();
  for (const item of prelude.items) {
    if (item.kind === "directive") define(macros, readDefinition(item.at, item.tokens));
  }
  const defined: MacroTable = new Map();
  const entered = new Set<string>();
  const collector = collectPieces();

  function read(header: ScannedHeader): void {
    entered.add(header.name);
    const open: Conditional[] = [];
    let active = true;
    // Code between two directives; a macro call may go over several lines and comments of it.
    let run: Token[][] = [];
    const flush = () => {
      if (run.length > 0) expandRun(run.length === 1 ? (run[0] as Token[]) : run.flat(), macros, library, collector);
      run = [];
    };
    for (const item of header.items) {
      if (item.kind === "directive") {
        flush();
        if (isConditional(item.name)) active = step(open, active, item, macros);
        else if (active) obey(item);
      } else if (active) {
        if (item.kind === "code") run.push(item.tokens);
        else {
          flush();
          collector.document(item);
        }
      }
    }
    flush();
    const [unclosed] = open;
    if (unclosed) {
      throw new HeaderError(position(unclosed.at), `#${unclosed.at.text} without #endif; the header may be truncated`);
    }
  }

  function obey(item: Directive): void {
    switch (item.name) {
      case "define": {
        collector.forget();
        const macro = readDefinition(item.at, item.tokens);
        define(macros, macro);
        define(defined, macro);
        return;
      }
      case "undef":
        macros.delete(soleName(item));
        return;
      case "include": {
        const target = includeTarget(item, macros, headers, library);
        if (target && !entered.has(target.name)) read(target);
        return;
      }
      case "error":
        throw new HeaderError(position(item.at), `the header refuses this configuration: #error ${spell(item.tokens)}`);
      case "pragma":
        checkPragma(item.tokens[0]?.text ?? "", item.at);
        return;
      case "warning":
      case "ident":
      case "line":
        return;
      default:
        if (item.name === "" && item.tokens.length === 0) return;
        throw new HeaderError(position(item.at), `unknown directive #${item.name || spell(item.tokens)}`);
    }
  }

  for (const header of headers) {
    if (!entered.has(header.name)) read(header);
    collector.endHeader();
  }
  return { pieces: collector.pieces, macros, defined };
}

function define(table: MacroTable, macro: Macro): void {
  table.set(macro.name, macro);
}

/** Expands a piece of code that no directive interrupts. */
function expandRun(run: Token[], macros: MacroTable, library: Library, collector: PieceCollector): void {
  for (const token of expand(run, macros, library.deprecatedMacro)) collector.add(token);
}

function isConditional(name: string): boolean {
  return CONDITIONALS.has(name);
}

const CONDITIONALS = new Set(["if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif"]);

/** Takes a conditional directive and says whether what follows it is read. */
function step(open: Conditional[], active: boolean, item: Directive, macros: MacroTable): boolean {
  const { name, at } = item;
  if (name === "if" || name === "ifdef" || name === "ifndef") {
    const taken = active && test(item, macros);
    open.push({ at, around: active, taken, active: taken, hasElse: false });
    return taken;
  }
  const innermost = open.at(-1);
  if (!innermost) throw new HeaderError(position(at), `#${name} without #if`);
  if (name === "endif") {
    open.pop();
    return innermost.around;
  }
  if (innermost.hasElse) throw new HeaderError(position(at), `#${name} after #else`);
  innermost.hasElse = name === "else";
  innermost.active = innermost.around && !innermost.taken && (name === "else" || test(item, macros));
  innermost.taken ||= innermost.active;
  return innermost.active;
}

function test(item: Directive, macros: MacroTable): boolean {
  if (item.name === "if" || item.name === "elif") return holds(item.tokens, item.at, macros);
  return macros.has(soleName(item)) !== item.name.endsWith("ndef");
}

function soleName({ name, at, tokens }: Directive): string {
  const [first] = tokens;
  if (first?.kind !== "identifier")
    throw new HeaderError(position(first ?? at), `#${name} without the name of a macro`);
  return first.text;
}

/** The header of the set that an `#include` means; null where it is passed over. */
function includeTarget(
  item: Directive,
  macros: MacroTable,
  headers: ScannedHeader[],
  library: Library,
): ScannedHeader | null {
  const [first] = item.tokens;
  const tokens = first?.kind === "identifier" ? expand(item.tokens, macros, "") : item.tokens;
  const spelling = spell(tokens).trim();
  const name = /^<(.+)>$/.exec(spelling)?.[1] ?? /^"(.+)"$/.exec(spelling)?.[1];
  if (name === undefined) throw new HeaderError(position(item.at), `#include ${spelling} names no header`);
  if (library.systemHeaders.includes(name)) return null;
  const header = headers.find((candidate) => candidate.name === name);
  if (header) return header;
  // Some header packages hold an optional header's typedefs without that header: the typedefs are read all the same.
  const row = library.headers.find((candidate) => candidate.name === name);
  const includer = library.headers.find((candidate) => candidate.name === item.at.source.name);
  if (row && !row.required && includer?.typedefs && !includer.required) return null;
  const cause = row
    ? "which is not beside it; give the folder of a complete toolkit"
    : "which is neither one of its toolkit's headers nor a system header known here";
  throw new HeaderError(position(item.at), `${item.at.source.name} includes ${name}, ${cause}`);
}

function spell(tokens: readonly Token[]): string {
  return tokens.map((token, index) => (token.space && index > 0 ? " " : "") + token.text).join("");
}
