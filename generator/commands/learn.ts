import { learn, saveHistory, toolkitKey } from "../api/history.ts";
import { UserError } from "../errors.ts";
import { driver } from "../libraries/driver.ts";
import { readDocument } from "../pipeline.ts";
import { historyFile, readHistory, writeHistory } from "../store.ts";
import { locate, readToolkit } from "../toolkit/locate.ts";
import { describeVersion } from "../toolkit/version.ts";
import { during, print, printJson, warn } from "./terminal.ts";

/** Reads headers into the history. Learning the same headers twice changes nothing. */
export async function learnToolkit(options: { toolkit?: string; json?: boolean }): Promise<number> {
  const located = locate(driver, { toolkit: options.toolkit });
  warn(located.warnings);
  if (located.kind === "history") {
    const what = options.toolkit ?? "newest";
    throw new UserError(
      `there are no headers here to learn from: name a folder with --toolkit, or run codegen fetch ${what}`,
    );
  }
  const { document, before, after } = await during("learning", () => {
    const { document } = readDocument(readToolkit(located.toolkit, driver), driver);
    const before = readHistory(driver);
    return { document, before, after: learn(before, document) };
  });
  const changed = saveHistory(before) !== saveHistory(after);
  if (changed) writeHistory(after, driver);
  const key = toolkitKey(document);
  const { directory } = located.toolkit;
  const file = historyFile(driver);
  if (options.json) printJson({ key, toolkit: document.toolkit, directory, changed, file });
  else {
    const what = `CUDA ${describeVersion(document.toolkit)} from ${directory} as ${key}`;
    print(changed ? `learned ${what}, written to ${file}` : `${what} was known already, nothing changed`);
  }
  return 0;
}
