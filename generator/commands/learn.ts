import type { ApiDocument } from "../api/document.ts";
import { find, type History, learn, toolkitKey } from "../api/history.ts";
import { API_LISTS, type ApiList } from "../api/serialize.ts";
import { UserError } from "../errors.ts";
import { driver } from "../libraries/driver.ts";
import { readDocument } from "../pipeline.ts";
import { historyFile, updateHistory } from "../store.ts";
import { locate, readToolkit } from "../toolkit/locate.ts";
import { describeVersion } from "../versions.ts";
import { describeCounts, during, print, printJson, warn } from "./terminal.ts";

/** Reads headers into the history. Learning the same headers twice changes nothing. */
export async function learnToolkit(options: { toolkit?: string; json?: boolean }): Promise<number> {
  const located = locate(driver, { toolkit: options.toolkit });
  warn(located.warnings.map(({ text }) => text));
  if (located.kind === "history") {
    const what = options.toolkit ?? "newest";
    throw new UserError(
      `there are no headers here to learn from: name a folder with --toolkit, or run codegen fetch ${what}`,
    );
  }
  const { release, directory } = located.toolkit;
  const { document, before, after, changed } = await during("learning", async () => {
    const { document } = readDocument(readToolkit(located.toolkit, driver), driver);
    return { document, ...(await updateHistory(driver, (history) => learn(history, { document, release }))) };
  });
  const key = toolkitKey(document);
  const file = historyFile(driver);
  const added = newNames(document, before);
  if (options.json) {
    const { toolkit } = document;
    printJson({ key, toolkit, release: find(after, key)?.release ?? null, directory, changed, file, new: added });
    return 0;
  }
  const what = `CUDA ${describeVersion(document.toolkit)} from ${directory} as ${key}`;
  print(changed ? `learned ${what}` : `${what} was known already, nothing changed`);
  print(`  ${describeCounts(document)}`);
  if (!changed) return 0;
  for (const [list, names] of Object.entries(added)) print(`  new ${list}: ${someOf(names)}`);
  if (Object.keys(added).length === 0) print("  no name that the history did not have");
  print(`written to ${file}`);
  return 0;
}

function someOf(names: readonly string[]): string {
  const shown = names.slice(0, 20).join(", ");
  return names.length > 20 ? `${shown} and ${names.length - 20} more` : shown;
}

/** What the document names and no toolkit learned before it, list by list; lists without news are left out. */
function newNames(document: ApiDocument, history: History): Partial<Record<ApiList, string[]>> {
  const added: Partial<Record<ApiList, string[]>> = {};
  for (const list of API_LISTS) {
    const known = new Set(history.lists[list].map(({ name }) => name));
    const names = document[list].map(({ name }) => name).filter((name) => !known.has(name));
    if (names.length > 0) added[list] = [...new Set(names)];
  }
  return added;
}
