/**
 * `npm run corpus [-- VERSION...]`: every toolkit of the corpus before all judges, as a Markdown table of counts and
 * differences. Differences are listed below it; any makes the exit code 1.
 */
import { corpusOf } from "../support/corpus.ts";
import { type Examination, examine } from "./examine.ts";

const toolkits = await corpusOf(process.argv.slice(2));
const found: Examination[] = [];
let printed = false;
for (const toolkit of toolkits) {
  const examination = await examine(toolkit);
  const { counts, constants, refused } = examination;
  const cells = { toolkit: toolkit.release, ...counts, constants, ...mapValues(refused, (lines) => lines.length) };
  if (!printed) {
    console.log(`| ${Object.keys(cells).join(" | ")} |`);
    console.log(`|${" --- |".repeat(Object.keys(cells).length)}`);
    printed = true;
  }
  console.log(`| ${Object.values(cells).join(" | ")} |`);
  found.push(examination);
}
for (const { toolkit, refused, notes } of found) {
  const lines = Object.entries(refused).flatMap(([judge, said]) => said.map((line) => `- ${judge}: ${line}`));
  if (lines.length > 0) console.log(`\n${toolkit.release}: ${lines.length} differences\n${lines.join("\n")}`);
  if (lines.length > 0) process.exitCode = 1;
  if (notes.length > 0)
    console.log(`\n${toolkit.release}: left out or not judged\n${notes.map((n) => `- ${n}`).join("\n")}`);
}

function mapValues<T, U>(record: Record<string, T>, map: (value: T) => U): Record<string, U> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
