import assert from "node:assert/strict";
import fs, { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { UserError } from "../../generator/errors.ts";
import { manifestName, readManifest, withManifest, writePackage } from "../../generator/output.ts";
import { tree } from "../toolkit/fake.ts";
import { contents as textsIn } from "./program.ts";

const facts = { generator: "1.0.0", library: "driver", toolkit: 12040, sources: [] };

function files(entries: Record<string, string>): Map<string, string> {
  return withManifest(new Map(Object.entries(entries)), facts);
}

/** Path -> text of everything in a folder. */
const contents = (folder: string) => Object.fromEntries(textsIn(folder));

test("a new folder gets all files and a manifest that names them", async (t) => {
  const out = join(tree(t), "deep/out");
  const report = await writePackage(out, files({ "package.json": '{"name":"p"}', "src/a.ts": "a" }));
  assert.deepEqual(report, { written: ["package.json", "src/a.ts", manifestName], unchanged: [], removed: [] });
  assert.deepEqual(readManifest(out), { ...facts, files: ["package.json", "src/a.ts"] });
});

test("a second run touches only what differs, removes what is stale, and keeps what is not ours", async (t) => {
  const out = tree(t);
  await writePackage(out, files({ "src/a.ts": "a", "src/b.ts": "b", "old/deep/c.ts": "c" }));
  const others = { "node_modules/x/index.js": "x", "build/Release/addon.node": "binary", "src/own.ts": "mine" };
  for (const [path, text] of Object.entries(others)) {
    mkdirSync(dirname(join(out, path)), { recursive: true });
    writeFileSync(join(out, path), text);
  }
  const before = statSync(join(out, "src/a.ts")).mtimeMs;
  const report = await writePackage(out, files({ "src/a.ts": "a", "src/b.ts": "new", "src/d.ts": "d" }));
  assert.deepEqual(report, {
    written: ["src/b.ts", "src/d.ts", manifestName],
    unchanged: ["src/a.ts"],
    removed: ["old/deep/c.ts"],
  });
  assert.equal(statSync(join(out, "src/a.ts")).mtimeMs, before);
  assert.ok(!existsSync(join(out, "old")));
  const { [manifestName]: _, ...rest } = contents(out);
  assert.deepEqual(rest, {
    "build/Release/addon.node": "binary",
    "node_modules/x/index.js": "x",
    "src/a.ts": "a",
    "src/b.ts": "new",
    "src/d.ts": "d",
    "src/own.ts": "mine",
  });
});

test("a run that fails half way leaves everything as it was", async (t) => {
  const out = tree(t);
  await writePackage(out, files({ "a.ts": "a", "stale.ts": "s" }));
  writeFileSync(join(out, "z"), "a file where a folder must come");
  const before = contents(out);
  await assert.rejects(writePackage(out, files({ "a.ts": "changed", "z/b.ts": "b" })), UserError);
  assert.deepEqual(contents(out), before);
  mkdirSync(join(out, "folder.ts"));
  await assert.rejects(writePackage(out, files({ "a.ts": "changed", "folder.ts": "b" })), /cannot read .*folder\.ts/);
  assert.deepEqual(contents(out), before);
});

test("what cannot be put back is named, and not lost", async (t) => {
  const out = tree(t);
  await writePackage(out, files({ "a.ts": "a", "b.ts": "b" }));
  writeFileSync(join(out, "z"), "a file where a folder must come");
  const { renameSync } = fs;
  fs.renameSync = (from, to) => {
    if (to === join(out, "a.ts") && /[/\\]old[/\\]/.test(String(from)))
      throw Object.assign(new Error(), { code: "EIO" });
    renameSync(from, to);
  };
  syncBuiltinESMExports();
  t.after(() => {
    fs.renameSync = renameSync;
    syncBuiltinESMExports();
  });
  let message = "";
  try {
    await writePackage(out, files({ "a.ts": "changed", "b.ts": "changed", "z/b.ts": "b" }));
  } catch (error) {
    message = (error as Error).message;
  }
  const [, old = ""] = /not all could be put back \(a\.ts is now (.*): EIO\): name another/.exec(message) ?? [];
  assert.ok(old.startsWith(join(out, ".codegen-stage")), message);
  assert.equal(readFileSync(old, "utf8"), "a");
  assert.equal(readFileSync(join(out, "b.ts"), "utf8"), "b");
});

test("a folder that cannot be made is named, and nothing is left", async (t) => {
  const root = tree(t, { file: "" });
  await assert.rejects(
    writePackage(join(root, "file/out"), files({ a: "a" })),
    /cannot write to .*file\/out \(ENOTDIR\), nothing was changed: name another/,
  );
  assert.deepEqual(contents(root), { file: "" });
});

test("somebody else's files are not overwritten, nor is anything put among them", async (t) => {
  const notes = tree(t, { "notes/today.txt": "mine", ".hidden": "" });
  await assert.rejects(
    writePackage(notes, files({ "README.md": "ours" })),
    /notes is there already .* name an empty folder/,
  );
  assert.deepEqual(contents(notes), { ".hidden": "", "notes/today.txt": "mine" });

  const out = tree(t, { "README.md": "mine" });
  await assert.rejects(
    writePackage(out, files({ "README.md": "ours" })),
    /README\.md is there already .* name an empty folder/,
  );
  assert.deepEqual(contents(out), { "README.md": "mine" });
});

test("somebody else's package is not overwritten", async (t) => {
  const out = tree(t, { "package.json": '{"name":"my-project"}' });
  await assert.rejects(
    writePackage(out, files({ "package.json": '{"name":"cuda-driver"}' })),
    /holds another package, "my-project"/,
  );
  assert.deepEqual(contents(out), { "package.json": '{"name":"my-project"}' });
});

test("a damaged manifest is an error, and one that points outside removes nothing", async (t) => {
  const out = tree(t, { "in/codegen.json": "{", "out/victim": "v" });
  assert.throws(() => readManifest(join(out, "in")), /codegen\.json is damaged/);
  writeFileSync(
    join(out, "in/codegen.json"),
    JSON.stringify({ ...facts, files: ["../out/victim", join(out, "out/victim")] }),
  );
  const { removed } = await writePackage(join(out, "in"), files({ a: "a" }));
  assert.deepEqual(removed, []);
  assert.ok(existsSync(join(out, "out/victim")));
});
