import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
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
  const file = historyFile(library);
  return existsSync(file) ? loadHistory(readFileSync(file, "utf8")) : emptyHistory(library.name);
}

/** Replaces the history at once, so that a reader never sees half of it. @throws UserError if it cannot be written. */
export function writeHistory(history: History, library: Library): void {
  const file = historyFile(library);
  const fresh = `${file}.${process.pid}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(fresh, saveHistory(history));
    renameSync(fresh, file);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw new UserError(
      `cannot write the history ${file} (${(error as Error).message}): set CODEGEN_HISTORY to a folder of your own`,
    );
  }
}
