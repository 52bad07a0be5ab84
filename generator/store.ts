import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { emptyHistory, type History, loadHistory, saveHistory } from "./api/history.ts";
import { UserError } from "./errors.ts";
import type { Library } from "./libraries/library.ts";
import { PATIENCE, whileLocked } from "./lock.ts";
import { packageRoot } from "./root.ts";

/** `CODEGEN_HISTORY` names another folder than this package's `headers/`. */
export function historyFile(library: Library): string {
  return join(process.env.CODEGEN_HISTORY || join(packageRoot(), "headers"), `${library.name}.json`);
}

/** What was learned of a library so far; an empty history where nothing was. @throws UserError if the file is damaged. */
export function readHistory(library: Library): History {
  const file = historyFile(library);
  return parse(readText(file), library, file);
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return null;
    throw new UserError(`cannot read the history ${file} (${message}): CODEGEN_HISTORY names the folder of another`);
  }
}

function parse(text: string | null, library: Library, file: string): History {
  return text === null ? emptyHistory(library.name) : loadHistory(text, file);
}

/**
 * Puts what `change` makes of the history in its place, at once, so that a reader never sees half of it. What another process
 * writes meanwhile is not lost: while one changes the history, the others wait.
 * @param patience for how long, in milliseconds.
 * @throws UserError if it cannot be written, or if the other process takes too long.
 */
export async function updateHistory(
  library: Library,
  change: (history: History) => History,
  patience = PATIENCE,
): Promise<{ before: History; after: History; changed: boolean }> {
  const file = historyFile(library);
  const attempt = (text: string | null) => {
    const before = parse(text, library, file);
    const after = change(before);
    return { before, after, changed: saveHistory(before) !== saveHistory(after) };
  };
  const text = readText(file);
  const first = attempt(text);
  if (!first.changed) return first;
  const busy = `another codegen learn is writing ${file}: run this again when that is done`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    return await whileLocked(file, busy, patience, () => {
      const now = readText(file);
      const made = now === text ? first : attempt(now);
      if (made.changed) replaceFile(file, saveHistory(made.after));
      return made;
    });
  } catch (error) {
    throw (error as NodeJS.ErrnoException).syscall === undefined ? error : notWritable(file, error);
  }
}

function replaceFile(file: string, text: string): void {
  const fresh = `${file}.${process.pid}`;
  try {
    writeFileSync(fresh, text);
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw error;
  }
}

function notWritable(file: string, error: unknown): UserError {
  return new UserError(
    `cannot write the history ${file} (${(error as Error).message}): set CODEGEN_HISTORY to a folder of your own`,
  );
}
