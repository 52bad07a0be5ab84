import { join } from "node:path";
import type { ApiDocument } from "../../generator/api/document.ts";
import { emptyHistory, type History, learn } from "../../generator/api/history.ts";
import { driver } from "../../generator/libraries/driver.ts";
import { corpus } from "../support/corpus.ts";
import { readRelease } from "./read.ts";

/** The committed history. */
export const HISTORY = join(import.meta.dirname, "..", "..", "headers", `${driver.name}.json`);

/** The documents of the whole corpus, oldest release first. */
export async function corpusDocuments(): Promise<ApiDocument[]> {
  const documents: ApiDocument[] = [];
  for (const { release } of await corpus()) documents.push((await readRelease(release)).document);
  return documents;
}

export async function learnCorpus(): Promise<History> {
  return (await corpusDocuments()).reduce(learn, emptyHistory(driver.name));
}
