/** Runs that meet in one folder, and runs that are ended in the middle: the folder holds one package, whole, after the next. */
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { manifestName, readManifest } from "../../generator/output.ts";
import { tree } from "../toolkit/fake.ts";
import { contents } from "./program.ts";

const writer = new URL("slowWriter.ts", import.meta.url).pathname;

function start(out: string, name: string): ChildProcess {
  return spawn(process.execPath, ["--import", import.meta.resolve("tsx"), writer, out, name], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** @returns the exit code, or the signal that ended it */
async function ended(child: ChildProcess): Promise<number | string> {
  const [code, signal] = await once(child, "exit");
  return code ?? signal;
}

/** In the middle of moving files. */
async function moving(child: ChildProcess): Promise<void> {
  assert.ok(child.stdout);
  await once(child.stdout, "data");
}

/** Whose package stands in the folder; nothing else is there, and nothing is missing. */
function packageIn(out: string): string {
  const { files } = readManifest(out) ?? assert.fail("no manifest");
  const there = contents(out);
  assert.ok(there.delete(manifestName));
  assert.deepEqual([...there.keys()].sort(), files);
  const [text = "", ...others] = new Set(there.values());
  assert.deepEqual(others, []);
  return text.split(" ").at(-1) ?? "";
}

test("two runs at once: both succeed, and the folder holds one of their packages", async (t) => {
  const out = join(tree(t), "out");
  assert.equal(await ended(start(out, "before")), 0);
  assert.deepEqual(await Promise.all([ended(start(out, "a")), ended(start(out, "b"))]), [0, 0]);
  assert.ok(["a", "b"].includes(packageIn(out)));
});

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  test(`${signal} in the middle takes effect when the package is whole`, async (t) => {
    const out = join(tree(t), "out");
    assert.equal(await ended(start(out, "before")), 0);
    const child = start(out, "after");
    await moving(child);
    child.kill(signal);
    // The program may be through before it learns of the signal.
    assert.match(String(await ended(child)), new RegExp(`^(0|${signal})$`));
    assert.equal(packageIn(out), "after");
    assert.deepEqual(readdirSync(out).sort(), ["codegen.json", "package.json", "shared.ts", "src"]);
  });
}

for (const before of ["an older package", "nothing"]) {
  test(`what was killed in the middle, over ${before}, is taken back by the next run`, async (t) => {
    const out = join(tree(t), "out");
    if (before !== "nothing") assert.equal(await ended(start(out, "before")), 0);
    const child = start(out, "killed");
    await moving(child);
    child.kill("SIGKILL");
    assert.equal(await ended(child), "SIGKILL");
    assert.ok(existsSync(join(out, ".codegen-stage", "moves.json")));
    assert.equal(await ended(start(out, "before")), 0);
    assert.equal(packageIn(out), "before");
  });
}
