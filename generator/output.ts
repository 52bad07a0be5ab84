import {
  existsSync,
  mkdirSync,
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
import { lockOf, PATIENCE, whileLocked } from "./lock.ts";

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

/** Holds what is to come and what has gone while a package is put into its folder. */
const STAGE = ".codegen-stage";

/** Stands in the stage while files are moved, and names them: without it, there is nothing to take back. */
const MOVES = "moves.json";
type Moves = Pick<WriteReport, "written" | "removed">;

/**
 * Puts a generated package into a folder, whole or not at all: if anything fails, the folder is as it was, or the error says
 * what could not be put back; a run that was killed is taken back by the next. Files that are as they should be are not
 * touched, files of an earlier run that are no longer generated go, and what is not ours stays.
 * @throws UserError if the folder cannot be written, or belongs to another package.
 */
export async function writePackage(out: string, files: ReadonlyMap<string, string>): Promise<WriteReport> {
  const stage = join(out, STAGE);
  // What another run is at, or was killed at, is no package to compare with.
  if (!existsSync(lockOf(stage)) && !existsSync(join(stage, MOVES))) {
    const report = compare(out, files);
    if (!isWork(report) && !existsSync(stage)) return report;
  }
  let created: string | undefined;
  try {
    created = mkdirSync(out, { recursive: true });
    const busy = `another codegen generate is writing to ${out}: run this again when that is done`;
    return await whileLocked(stage, busy, PATIENCE, () => {
      const left = rollBack(out);
      if (left.length > 0) throw new UserError(`an earlier run ended half way in ${out}, and ${notPutBack(left)}`);
      const report = compare(out, files);
      if (isWork(report)) replaceFiles(out, files, report);
      return report;
    });
  } catch (error) {
    if (created !== undefined) removeEmptyFolders(dirname(created), relative(dirname(created), out));
    if (error instanceof UserError) throw error;
    throw notWritten(out, error, "nothing was changed");
  }
}

function isWork({ written, removed }: WriteReport): boolean {
  return written.length > 0 || removed.length > 0;
}

/** What is to be done to a folder. @throws UserError if it belongs to another package, or cannot be read. */
function compare(out: string, files: ReadonlyMap<string, string>): WriteReport {
  refuseForeignPackage(out, files);
  refuseForeignFiles(out, files);
  const report: WriteReport = { written: [], unchanged: [], removed: staleFiles(out, files) };
  for (const [path, text] of files) {
    (currentText(join(out, path)) === text ? report.unchanged : report.written).push(path);
  }
  return report;
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

function replaceFiles(out: string, files: ReadonlyMap<string, string>, { written, removed }: WriteReport): void {
  const stage = join(out, STAGE);
  try {
    mkdirSync(join(stage, "new"), { recursive: true });
    for (const path of written) {
      const file = join(stage, "new", path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, files.get(path) ?? "");
    }
    const moves: Moves = { written, removed };
    writeFileSync(join(stage, "new", MOVES), JSON.stringify(moves));
    renameSync(join(stage, "new", MOVES), join(stage, MOVES));
    // Old files go first: one of them may stand where a folder comes.
    for (const path of removed) setAside(out, path);
    for (const path of written) {
      setAside(out, path);
      mkdirSync(dirname(join(out, path)), { recursive: true });
      renameSync(join(stage, "new", path), join(out, path));
    }
    rmSync(join(stage, MOVES));
  } catch (error) {
    const left = rollBack(out);
    throw notWritten(out, error, left.length === 0 ? "nothing was changed" : `and ${notPutBack(left)}`);
  }
  for (const path of removed) removeEmptyFolders(out, dirname(path));
  try {
    rmSync(stage, { recursive: true, force: true });
  } catch {
    // The package is whole; what is left of the stage is no part of it.
  }
}

/** Moves a file that is to be replaced or removed, if it is there, out of the way. */
function setAside(out: string, path: string): void {
  const old = join(out, STAGE, "old", path);
  if (!existsSync(join(out, path))) return;
  mkdirSync(dirname(old), { recursive: true });
  renameSync(join(out, path), old);
}

/**
 * Takes back what was moved, from what lies in the stage, as far as that goes.
 * @returns what could not be taken back; the stage stays then, with the files that belong elsewhere.
 */
function rollBack(out: string): string[] {
  const stage = join(out, STAGE);
  const left: string[] = [];
  const attempt = (otherwise: string, step: () => void) => {
    try {
      step();
    } catch (error) {
      left.push(`${otherwise}: ${reasonOf(error)}`);
    }
  };
  const moves = currentText(join(stage, MOVES));
  const { written, removed }: Moves = moves === null ? { written: [], removed: [] } : JSON.parse(moves);
  for (const path of written) {
    const file = join(out, path);
    const came = !existsSync(join(stage, "new", path));
    attempt(`${file} is the new one`, () => came && rmSync(file, { force: true }));
    removeEmptyFolders(out, dirname(path));
  }
  for (const path of [...written, ...removed]) {
    const file = join(out, path);
    const old = join(stage, "old", path);
    if (!existsSync(old)) continue;
    attempt(`${path} is now ${old}`, () => {
      mkdirSync(dirname(file), { recursive: true });
      renameSync(old, file);
    });
  }
  if (left.length === 0) attempt(`${stage} stays`, () => rmSync(stage, { recursive: true, force: true }));
  return left;
}

function notPutBack(left: readonly string[]): string {
  return `not all could be put back (${left.join("; ")})`;
}

function notWritten(out: string, error: unknown, what: string): UserError {
  return new UserError(`cannot write to ${out} (${reasonOf(error)}), ${what}: name another folder with --out`);
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
