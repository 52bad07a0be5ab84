import { join } from "node:path";
import { emptyHistory, type History, type Lesson, learn } from "../../generator/api/history.ts";
import { driver } from "../../generator/libraries/driver.ts";
import { corpus } from "../support/corpus.ts";
import { readRelease } from "./read.ts";

/** The committed history. */
export const HISTORY = join(import.meta.dirname, "..", "..", "headers", `${driver.name}.json`);

/** The documents of the whole corpus, oldest release first. */
export async function corpusLessons(): Promise<(Lesson & { release: string })[]> {
  const lessons: (Lesson & { release: string })[] = [];
  for (const { release } of await corpus()) lessons.push({ document: (await readRelease(release)).document, release });
  return lessons;
}

export async function learnCorpus(): Promise<History> {
  return learn(emptyHistory(driver.name), ...(await corpusLessons()));
}
