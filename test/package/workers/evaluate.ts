/**
 * Evaluates expressions one after the other, with the package as `cuda` and `driver`; tells what each gives or throws.
 * `log()`: what a driver of our own wrote down since the last time.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import * as cuda from "cuda-driver";
import * as driver from "cuda-driver/v2/driver";
import { native } from "../../../generated/dist/runtime/native.js";
import { answer, failure, type Outcome, question, settled } from "../child.ts";

const LOG = process.env.FAKE_LOG ?? "";

function log(): string[] {
  if (!existsSync(LOG)) return [];
  const lines = readFileSync(LOG, "utf8").split("\n").slice(0, -1);
  writeFileSync(LOG, "");
  return lines;
}

const scope = { cuda, driver, native, log, settled, kept: {} };
const outcomes: Outcome<unknown>[] = [];
for (const expression of await question<string[]>()) {
  try {
    const body = new Function(...Object.keys(scope), `return ${expression}`);
    outcomes.push({ value: await body(...Object.values(scope)) });
  } catch (error) {
    outcomes.push({ error: failure(error) });
  }
}
answer(outcomes);
