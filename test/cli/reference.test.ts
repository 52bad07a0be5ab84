/** The API reference that `npm run docs` builds. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { command } from "../support/command.ts";

const cwd = join(import.meta.dirname, "..", "..");
const out = mkdtempSync(join(tmpdir(), "codegen-docs-"));
after(() => rmSync(out, { recursive: true, force: true }));

test("the API reference is built without a warning, a page for each function", async () => {
  await command("npm", ["ci", "--silent", "--prefix", "docs/tool"], { cwd });
  await command("npm", ["run", "--silent", "build", "--prefix", "docs/tool", "--", "--out", out], { cwd });
  const page = (name: string) => join(out, "functions", `cuda-driver.${name}.html`);
  for (const name of ["cuMemAlloc_v2", "promises.cuMemAlloc_v2", "cuStreamGetCaptureInfo_v3", "launchAttribute"]) {
    assert.ok(existsSync(page(name)), name);
  }
  const text = readFileSync(page("cuMemcpyHtoD_v2"), "utf8").replace(/<[^>]*>/g, "");
  assert.match(text, /undefined: as many as srcHost has/);
  assert.match(text, /Since CUDA 3\.2/);
});
