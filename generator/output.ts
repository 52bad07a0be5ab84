import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { UserError } from "./errors.ts";

/** Stands in the output and says what it was made from, and which files are ours. */
export interface Manifest {
  generator: string;
  library: string;
  toolkit: number;
  sources: { name: string; sha256: string }[];
  /** Carries the headers' comments. */
  docs?: true;
  /** Paths of all other generated files, sorted. */
  files: string[];
}

export const manifestName = "codegen.json";

interface WriteReport {
  /** Paths within the folder. */
  written: string[];
  unchanged: string[];
  removed: string[];
}

/** The generated files with the manifest among them. */
export function withManifest(files: ReadonlyMap<string, string>, facts: Omit<Manifest, "files">): Map<string, string> {
  const manifest: Manifest = { ...facts, files: [...files.keys()].sort() };
  return new Map([...files, [manifestName, `${JSON.stringify(manifest, null, 2)}\n`]]);
}

/** What stands in an output folder; null if nothing of ours does. @throws UserError if it cannot be read. */
export function readManifest(out: string): Manifest | null {
  const file = join(out, manifestName);
  if (!existsSync(file)) return null;
  try {
    const manifest = JSON.parse(readFileSync(file, "utf8")) as Manifest;
    if (!Array.isArray(manifest.files) || typeof manifest.toolkit !== "number") throw new Error("facts are missing");
    return { ...manifest, files: manifest.files.filter((path) => isInside(out, path)) };
  } catch (error) {
    throw new UserError(
      `${file} is damaged (${(error as Error).message}): put it back, or delete it and generate again`,
    );
  }
}

/**
 * Puts a generated package into a folder, whole or not at all: if anything fails, the folder is as it was, or the error says
 * what could not be put back. Files that are as they should be are not touched, files of an earlier run that are no longer
 * generated go, and what is not ours stays.
 * @throws UserError if the folder cannot be written, or belongs to another package.
 */
export function writePackage(out: string, files: ReadonlyMap<string, string>): WriteReport {
  const changed: string[] = [];
  const unchanged: string[] = [];
  const stale = staleFiles(out, files);
  refuseForeignPackage(out, files);
  refuseForeignFiles(out, files);
  for (const [path, text] of files) (currentText(join(out, path)) === text ? unchanged : changed).push(path);
  if (changed.length > 0 || stale.length > 0) replaceFiles(out, files, changed, stale);
  return { written: changed, unchanged, removed: stale };
}

/** Files of an earlier run that this run does not make. */
export function staleFiles(out: string, files: ReadonlyMap<string, string>): string[] {
  const before = readManifest(out)?.files ?? [];
  return before.filter((path) => !files.has(path) && existsSync(join(out, path))).sort();
}

/** A file's text, or null if it is not there. @throws UserError if it is there but cannot be read. */
export function currentText(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return null;
    throw new UserError(`cannot read ${file} (${message}): move it away, or name another folder with --out`);
  }
}

function replaceFiles(
  out: string,
  files: ReadonlyMap<string, string>,
  changed: readonly string[],
  stale: readonly string[],
): void {
  const done: Step[] = [];
  let created: string | undefined;
  let stage: string | undefined;
  try {
    created = mkdirSync(out, { recursive: true });
    // Inside the folder, so that moving is renaming.
    stage = mkdtempSync(join(out, ".codegen-"));
    for (const path of changed) {
      const file = join(stage, "new", path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, files.get(path) ?? "");
    }
    // Old files go first: one of them may stand where a folder comes.
    for (const path of stale) setAside(out, stage, path, done);
    for (const path of changed) {
      const file = join(out, path);
      setAside(out, stage, path, done);
      const folder = mkdirSync(dirname(file), { recursive: true });
      done.push(...removal(folder, "is new"));
      renameSync(join(stage, "new", path), file);
      done.push(...removal(file, "is the new one"));
    }
  } catch (error) {
    const left = undoAll(done);
    // Where something could not be put back, it lies in the stage.
    if (left.length === 0) left.push(...undoAll([created, stage].flatMap((folder) => removal(folder, "stays"))));
    const what = left.length === 0 ? "nothing was changed" : `and not all could be put back (${left.join("; ")})`;
    throw new UserError(`cannot write to ${out} (${reasonOf(error)}), ${what}: name another folder with --out`);
  }
  for (const path of stale) removeEmptyFolders(out, dirname(path));
  try {
    rmSync(stage, { recursive: true, force: true });
  } catch {
    // The package is whole; what is left of the stage is no part of it.
  }
}

/** What was done to the folder: how to take it back, and how the folder differs from before if that fails. */
interface Step {
  undo(): void;
  otherwise: string;
}

/** The way to remove what was made, if it was. */
function removal(path: string | undefined, otherwise: string): Step[] {
  if (path === undefined) return [];
  return [{ undo: () => rmSync(path, { recursive: true, force: true }), otherwise: `${path} ${otherwise}` }];
}

/** Moves a file that is to be replaced or removed, if it is there, out of the way. */
function setAside(out: string, stage: string, path: string, done: Step[]): void {
  const file = join(out, path);
  const old = join(stage, "old", path);
  if (!existsSync(file)) return;
  mkdirSync(dirname(old), { recursive: true });
  renameSync(file, old);
  done.push({ undo: () => renameSync(old, file), otherwise: `${path} is now ${old}` });
}

/** Takes steps back, the last first, as far as that goes. @returns what could not be taken back */
function undoAll(steps: readonly Step[]): string[] {
  return [...steps].reverse().flatMap(({ undo, otherwise }) => {
    try {
      undo();
      return [];
    } catch (error) {
      return [`${otherwise}: ${reasonOf(error)}`];
    }
  });
}

function reasonOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? (error as Error).message;
}

/** `--out .` in somebody's own project must not overwrite its package.json. */
function refuseForeignPackage(out: string, files: ReadonlyMap<string, string>): void {
  const here = packageNameIn(currentText(join(out, "package.json")));
  const ours = packageNameIn(files.get("package.json") ?? null);
  if (here !== null && ours !== null && here !== ours) {
    throw new UserError(`${out} holds another package, "${here}": name an empty folder with --out`);
  }
}

function entriesOf(folder: string): string[] {
  return isFolder(folder) ? readdirSync(folder).sort() : [];
}

/** A folder with neither our manifest nor our package.json is not ours: nothing is put among what lies there. */
function refuseForeignFiles(out: string, files: ReadonlyMap<string, string>): void {
  const ours = existsSync(join(out, manifestName)) || packageNameIn(currentText(join(out, "package.json"))) !== null;
  if (ours) return;
  const there = entriesOf(out).find((name) => {
    return !name.startsWith(".") && (!files.has(name) || files.get(name) !== currentText(join(out, name)));
  });
  if (there !== undefined)
    throw new UserError(`${join(out, there)} is there already and is not codegen's: name an empty folder with --out`);
}

function packageNameIn(text: string | null): string | null {
  if (text === null) return null;
  try {
    const { name } = JSON.parse(text) as { name?: unknown };
    return typeof name === "string" ? name : "(without a name)";
  } catch {
    return null;
  }
}

function removeEmptyFolders(out: string, folder: string): void {
  for (let path = folder; path !== "." && path !== ""; path = dirname(path)) {
    try {
      rmdirSync(join(out, path));
    } catch {
      return;
    }
  }
}

function isInside(out: string, path: string): boolean {
  const inside = relative(resolve(out), resolve(out, path));
  return inside !== "" && !inside.startsWith("..") && !isAbsolute(inside);
}

export function isFolder(path: string): boolean {
  return existsSync(path) && statSync(path).isDirectory();
}
