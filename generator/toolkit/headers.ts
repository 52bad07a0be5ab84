import { createHash } from "node:crypto";
import { UserError } from "../errors.ts";
import type { Library } from "../libraries/library.ts";
import { splitName } from "../names.ts";
import { formatVersion } from "../versions.ts";
import { type Machine, pathsOf, thisMachine } from "./machine.ts";
import type { HeaderText } from "./toolkit.ts";

/** What an include folder turns out to be. */
export type Folder =
  | { state: "none" }
  /** A header of the right name is there, but it is not what it seems. */
  | { state: "refused"; reason: string }
  /** The headers that it holds, in the library's order. */
  | { state: "toolkit"; version: number; headers: HeaderText[] };

/**
 * Reads the library's headers from an include folder, in the library's order.
 * @throws UserError if a required header is missing or is not what it seems.
 */
export function readHeaders(directory: string, library: Library, machine: Machine = thisMachine()): HeaderText[] {
  const folder = examineFolder(directory, library, machine);
  if (folder.state === "toolkit") return folder.headers;
  if (folder.state === "refused") throw new UserError(folder.reason);
  const name = firstHeader(library);
  throw new UserError(`no ${name} in ${directory}: name a toolkit's folder, or the folder that holds ${name}`);
}

/** The header without which a toolkit is none. */
export function firstHeader(library: Library): string {
  return library.headers.find((row) => row.required)?.name ?? "header";
}

/** Says what an include folder is, without throwing. */
export function examineFolder(directory: string, library: Library, machine: Machine = thisMachine()): Folder {
  const headers = collect(directory, library, machine);
  if (library.headers.some((row) => row.required && !headers.some((header) => header.name === row.name))) {
    return { state: "none" };
  }
  const reason = reasonToRefuse(headers, library);
  if (reason !== null) return { state: "refused", reason };
  const version = findVersion(headers, library)?.version;
  if (version === undefined)
    return { state: "refused", reason: `no header in ${directory} defines ${library.versionMacro}` };
  return { state: "toolkit", version, headers };
}

/** The first header that defines the version macro, and its number. */
function findVersion(headers: readonly HeaderText[], library: Library): { main: HeaderText; version: number } | null {
  for (const main of headers) {
    const version = readVersion(main.text, library);
    if (version !== null) return { main, version };
  }
  return null;
}

/**
 * Text of a header, the same for every copy of one release: no byte order mark, LF line ends. Bytes that are not UTF-8 are
 * read as Latin-1, all of them, so that no byte is lost and the result never depends on the machine.
 */
export function normaliseHeader(bytes: Uint8Array): string {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
      .toString("latin1")
      .replace(/^\u00ef\u00bb\u00bf/, "");
  }
  return text.replace(/\r\n?/g, "\n");
}

export function sha256(data: string | Uint8Array): string {
  return createHash("sha256").update(data).digest("hex");
}

function collect(directory: string, library: Library, machine: Machine): HeaderText[] {
  const { join } = pathsOf(machine);
  return library.headers.flatMap(({ name }) => {
    const path = join(directory, name);
    const bytes = machine.disk.isFile(path) ? machine.disk.read(path) : null;
    if (bytes === null) return [];
    const text = normaliseHeader(bytes);
    return [{ name, path, text, sha256: sha256(text) }];
  });
}

function reasonToRefuse(headers: readonly HeaderText[], library: Library): string | null {
  for (const row of library.headers.filter((row) => row.required)) {
    const header = headers.find((header) => header.name === row.name);
    if (!header) continue;
    const reason = falseFriend(header, library);
    if (reason !== null) return `${header.path} ${reason}: name the full header's folder with --toolkit`;
  }
  return mixedVersions(headers, library);
}

/** A file may carry the header's name and still be no toolkit's header. */
function falseFriend(header: HeaderText, library: Library): string | null {
  const { text } = header;
  if (text.length < 1000 && /^[^\s#]*[/\\][^\s#]*\s*$/.test(text)) {
    return `holds only the path "${text.trim()}", the text of a symbolic link that was never made`;
  }
  if (readVersion(text, library) === null)
    return `does not define ${library.versionMacro}, so it is not the toolkit's header`;
  const declared = declaredFunctions(text, library).size;
  if (declared < library.minimumFunctions) {
    return `declares ${declared} functions where every release has more than ${library.minimumFunctions}, so it is a stub or a subset`;
  }
  return null;
}

/**
 * Typedef headers carry no version, but the typedefs in them do: none is above the toolkit's own, and where none reaches it,
 * they still name every function (true of all 33 releases measured, 11.7 to 13.5).
 */
function mixedVersions(headers: readonly HeaderText[], library: Library): string | null {
  const found = findVersion(headers, library);
  if (!found) return null;
  const { main, version } = found;
  const rows = library.headers.filter((row) => row.typedefs);
  for (const header of headers) {
    if (!rows.some((row) => row.name === header.name)) continue;
    const typedefs = procTypedefs(header.text, library);
    const newest = Math.max(0, ...typedefs.values());
    const mixed = `two toolkits are mixed, use the headers of one`;
    if (newest > version) {
      return `${main.path} is of CUDA ${formatVersion(version)} but ${header.path} is of ${formatVersion(newest)} or later: ${mixed}`;
    }
    if (header.name !== rows[0]?.name || newest === version) continue;
    const unknown = Array.from(declaredFunctions(main.text, library), (name) => splitName(name).base).find(
      (base) => !typedefs.has(base),
    );
    if (unknown !== undefined) {
      return `${header.path} is older than ${main.path}, which is of CUDA ${formatVersion(version)} (it does not know ${unknown}): ${mixed}`;
    }
  }
  return null;
}

/** Base name -> its highest version, of every versioned typedef that the text names. */
function procTypedefs(text: string, library: Library): Map<string, number> {
  const newest = new Map<string, number>();
  for (const [, name = ""] of text.matchAll(new RegExp(`\\b${library.procTypedefPrefix}(\\w+)`, "g"))) {
    const { base, version } = splitName(name);
    if (version !== null && version >= 1000) newest.set(base, Math.max(newest.get(base) ?? 0, version));
  }
  return newest;
}

function declaredFunctions(text: string, library: Library): Set<string> {
  const pattern = new RegExp(`\\b${library.resultType}\\b(?:\\s+\\w+)?\\s+(${library.prefix}[A-Z]\\w*)\\s*\\(`, "g");
  return new Set(Array.from(text.matchAll(pattern), (match) => match[1] ?? ""));
}

function readVersion(text: string, library: Library): number | null {
  const match = new RegExp(`^[ \\t]*#[ \\t]*define[ \\t]+${library.versionMacro}[ \\t]+(\\d+)`, "m").exec(text);
  return match ? Number(match[1]) : null;
}
