import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { type History, learn, saveHistory } from "../../generator/api/history.ts";
import { UserError } from "../../generator/errors.ts";
import { driver } from "../../generator/libraries/driver.ts";
import { historyFile, readHistory, updateHistory } from "../../generator/store.ts";
import { read } from "../api/read.ts";

const folder = mkdtempSync(join(tmpdir(), "codegen-store-"));
process.env.CODEGEN_HISTORY = folder;
after(() => rmSync(folder, { recursive: true, force: true }));

/** Learns a toolkit of ours. */
const lesson = (toolkit: number) => (history: History) =>
  learn(history, { document: { ...read(`CUresult cuFoo${toolkit}(int a);`).document, toolkit } });
const known = () => readHistory(driver).toolkits.map(({ toolkit }) => toolkit);

test("what another process learns meanwhile is not lost", async () => {
  let calls = 0;
  const { after } = await updateHistory(driver, (history) => {
    if (calls++ === 0) writeFileSync(historyFile(driver), saveHistory(lesson(12040)(history)));
    return lesson(13000)(history);
  });
  assert.equal(after.toolkits.length, 2);
  assert.deepEqual(known(), [12040, 13000]);
  assert.deepEqual(readdirSync(folder), ["driver.json"]);
});

test("two that learn at once wait for each other", async () => {
  await Promise.all([12050, 12060].map((version) => updateHistory(driver, lesson(version))));
  assert.deepEqual(known(), [12040, 12050, 12060, 13000]);
  assert.deepEqual(readdirSync(folder), ["driver.json"]);
});

test("one that is being written is waited for, and the wait has an end", async () => {
  const lock = `${historyFile(driver)}.lock`;
  writeFileSync(lock, "");
  await assert.rejects(updateHistory(driver, lesson(11080), 0), (error: Error) => {
    return error instanceof UserError && /another codegen learn is writing .*: run this again when/.test(error.message);
  });
  assert.deepEqual(known(), [12040, 12050, 12060, 13000]);
  // What is known already needs no lock.
  assert.equal((await updateHistory(driver, lesson(13000), 0)).changed, false);
  setTimeout(() => rmSync(lock), 100);
  assert.equal((await updateHistory(driver, lesson(11080))).changed, true);
  assert.deepEqual(known(), [11080, 12040, 12050, 12060, 13000]);
  assert.ok(!existsSync(lock));
});
