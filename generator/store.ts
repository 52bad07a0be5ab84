import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { emptyHistory, type History, loadHistory, saveHistory } from "./api/history.ts";
import { UserError } from "./errors.ts";
import type { Library } from "./libraries/library.ts";
import { packageRoot } from "./root.ts";

/** `CODEGEN_HISTORY` names another folder than this package's `headers/`. */
export function historyFile(library: Library): string {
  return join(process.env.CODEGEN_HISTORY || join(packageRoot(), "headers"), `${library.name}.json`);
}

/** What was learned of a library so far; an empty history where nothing was. @throws UserError if the file is damaged. */
export function readHistory(library: Library): History {
  return parse(readText(historyFile(library)), library);
}

function readText(file: string): string | null {
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

function parse(text: string | null, library: Library): History {
  return text === null ? emptyHistory(library.name) : loadHistory(text);
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
  patience = 30_000,
): Promise<{ before: History; after: History; changed: boolean }> {
  const file = historyFile(library);
  const attempt = (text: string | null) => {
    const before = parse(text, library);
    const after = change(before);
    return { before, after, changed: saveHistory(before) !== saveHistory(after) };
  };
  const text = readText(file);
  const first = attempt(text);
  if (!first.changed) return first;
  return await whileLocked(file, patience, () => {
    const now = readText(file);
    const made = now === text ? first : attempt(now);
    if (made.changed) replaceFile(file, saveHistory(made.after));
    return made;
  });
}

function replaceFile(file: string, text: string): void {
  const fresh = `${file}.${process.pid}`;
  try {
    writeFileSync(fresh, text);
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw notWritable(file, error);
  }
}

/** Does some work while no other process does so for this file. */
async function whileLocked<T>(file: string, patience: number, work: () => T): Promise<T> {
  const lock = `${file}.lock`;
  for (const start = Date.now(); !take(lock, file); await sleep(50)) {
    if (Date.now() - start >= patience) {
      throw new UserError(
        `another codegen learn is writing ${file}: run this again when that is done; if there is none, delete ${lock}`,
      );
    }
  }
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

/** Whether the lock is ours now: only one process can make a file that is not there. */
function take(lock: string, file: string): boolean {
  try {
    mkdirSync(dirname(lock), { recursive: true });
    writeFileSync(lock, "", { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw notWritable(file, error);
  }
}

function notWritable(file: string, error: unknown): UserError {
  return new UserError(
    `cannot write the history ${file} (${(error as Error).message}): set CODEGEN_HISTORY to a folder of your own`,
  );
}
