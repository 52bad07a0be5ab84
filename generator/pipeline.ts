import { buildDocument } from "./api/build.ts";
import type { ApiDocument, Omission } from "./api/document.ts";
import { complete, extract, find, type History, toolkitKey } from "./api/history.ts";
import { supplement } from "./api/supplement.ts";
import { buildSymbolTable, symbolsLearned, symbolsOf } from "./api/symbols.ts";
import { UserError } from "./errors.ts";
import type { Library } from "./libraries/library.ts";
import { withManifest } from "./output.ts";
import type { Translation } from "./parse/ast.ts";
import { copyComments } from "./parse/documentation.ts";
import { parseHeaders } from "./parse/parse.ts";
import { generatorVersion } from "./root.ts";
import { readHistory } from "./store.ts";
import { type FoundToolkit, type LocateRequest, locate, readToolkit } from "./toolkit/locate.ts";
import type { Toolkit } from "./toolkit/toolkit.ts";
import { formatVersion } from "./versions.ts";

/** A toolkit's API, and where it came from. */
export interface Api {
  /** With what the history knows beside. */
  document: ApiDocument;
  /** The headers that were read; null: the history answered. */
  toolkit: Toolkit | null;
  /** What the headers declare and the document leaves out; known only when headers were read. */
  omissions: Omission[];
  /** Exported name -> text of the headers' comment, where the package is to carry it. */
  comments?: ReadonlyMap<string, string>;
  history: History;
  warnings: string[];
}

/** Which toolkit to read, and what for. */
interface ApiRequest extends LocateRequest {
  /** The package is to carry the headers' comments: the history, which has none, is no answer. */
  docs?: boolean | undefined;
}

/**
 * One toolkit's API, and the files of its package: path -> text.
 * @throws UserError, HeaderError
 */
export async function generate(request: ApiRequest, library: Library): Promise<Api & { files: Map<string, string> }> {
  const api = obtain(request, library);
  return { ...api, files: await emit(api, library) };
}

/** locate -> headers -> parse -> API document, or the history where no headers are here. @throws UserError, HeaderError */
export function obtain(request: ApiRequest, library: Library): Api {
  const located = locate(library, request);
  const history = readHistory(library);
  const warnings = located.warnings.map(({ text }) => text);
  if (located.kind === "found") return read(located.toolkit, history, library, warnings, request);
  const { version, release, near } = located;
  if (request.docs) throw new UserError(noComments(request.toolkit));
  if (release === null) return remembered(version, history, warnings);
  if (find(history, release)) return remembered(release, history, warnings);
  const note = (what: string) =>
    `CUDA ${release} is neither here nor in the history: another release is taken, ${what}`;
  if (near) return read(near, history, library, [note(`from ${near.directory} (${near.origin})`)], request);
  return remembered(version, history, [note("the newest of that version in the history")]);
}

function read(
  found: FoundToolkit,
  history: History,
  library: Library,
  warnings: string[],
  { machine, docs }: ApiRequest,
): Api {
  const toolkit = readToolkit(found, library, machine);
  const { document, omissions, translations } = readDocument(toolkit, library);
  const api = { document: complete(document, history), toolkit, omissions, history, warnings };
  return docs ? { ...api, comments: copyComments(translations) } : api;
}

/** What one toolkit's headers say by themselves. @throws HeaderError */
export function readDocument(
  toolkit: Toolkit,
  library: Library,
): { document: ApiDocument; omissions: Omission[]; translations: Translation[] } {
  const sources = toolkit.headers.map(({ name, sha256 }) => ({ name, sha256 }));
  const translations = parseHeaders(toolkit.headers, library);
  return { ...buildDocument(translations, library, sources), translations };
}

/** The document of a toolkit that was learned: by version, release or key, or (null) the newest. @throws UserError */
export function remembered(wanted: number | string | null, history: History, warnings: string[] = []): Api {
  const known = wanted === null ? history.toolkits.at(-1) : find(history, wanted);
  if (!known) throw new UserError(unknownVersion(wanted, history));
  const document = complete(extract(history, known.key), history);
  return { document, toolkit: null, omissions: [], history, warnings };
}

/** The files of a package, with the symbol table over every toolkit known. */
export async function emit(
  { document, history, comments }: Pick<Api, "document" | "history" | "comments">,
  library: Library,
): Promise<Map<string, string>> {
  // Loaded here: whoever only reads a document need not wait for the printers.
  const { emitPackage } = await import("./emit/package.ts");
  const { toolkit, sources } = document;
  const isLearned = find(history, toolkitKey(document)) !== null;
  const table = buildSymbolTable([...symbolsLearned(history), ...(isLearned ? [] : symbolsOf(document))]);
  const newest = history.toolkits.at(-1);
  const donor = () =>
    newest && newest.toolkit >= toolkit ? complete(extract(history, newest.key), history) : document;
  const everywhere = Object.entries(library.handwritten).flatMap(([name, row]) => (row.everywhere ? [name] : []));
  const whole = supplement(document, donor, everywhere);
  return withManifest(emitPackage(whole, table, library, comments), {
    generator: generatorVersion(),
    library: library.name,
    toolkit,
    sources,
    ...(comments ? { docs: true } : {}),
  });
}

function noComments(toolkit: string | undefined): string {
  const what = toolkit === undefined ? "" : ` of CUDA ${toolkit}`;
  return `the comments are copied out of headers, and none${what} are here: run codegen fetch ${toolkit ?? "newest"} and name that version, or a folder, with --toolkit`;
}

function unknownVersion(wanted: number | string | null, history: History): string {
  if (wanted === null)
    return "no toolkit is installed here and none was ever learned: name one with --toolkit, or run codegen fetch newest";
  const versions = [...new Set(history.toolkits.map((entry) => formatVersion(entry.toolkit)))];
  const version = typeof wanted === "number" ? formatVersion(wanted) : wanted;
  const known = versions.length === 0 ? "the history is empty" : `the history has ${versions.join(", ")}`;
  return `CUDA ${version} is not installed, not fetched and not in the history (${known}): name one of those, run codegen fetch ${version}, or name a folder`;
}
