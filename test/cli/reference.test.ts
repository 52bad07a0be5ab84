/** The API reference that `npm run docs` builds. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import * as cuda from "cuda-driver";
import * as driver from "cuda-driver/v2/driver";
import { command } from "../support/command.ts";

const cwd = join(import.meta.dirname, "..", "..");
const out = mkdtempSync(join(tmpdir(), "codegen-docs-"));
after(() => rmSync(out, { recursive: true, force: true }));

/** No class, which has a page of its own kind. */
function isFunction(value: unknown): boolean {
  return typeof value === "function" && !/^class\b/.test(Function.prototype.toString.call(value));
}

test("the API reference is built without a warning, a page for each function", async () => {
  await command("npm", ["ci", "--silent", "--prefix", "docs/tool"], { cwd });
  await command("npm", ["run", "--silent", "build", "--prefix", "docs/tool", "--", "--out", out], { cwd });
  const page = (name: string) => join(out, "functions", `cuda-driver.${name}.html`);
  const listed = (module: string) =>
    new Set(readFileSync(join(out, "modules", `${module}.html`), "utf8").match(/\w+/g));
  const functions = (module: object) => Object.entries(module).filter(([, value]) => isFunction(value));
  const parts = [
    { module: cuda, file: "cuda-driver", prefix: "" },
    { module: cuda.promises, file: "cuda-driver.promises", prefix: "promises." },
  ];
  for (const { module, file, prefix } of parts) {
    const words = listed(file);
    /* Where a class has the same name but for case, the function's page has a number. */
    const named = functions(module).filter(([name]) => ["", "-1"].some((end) => existsSync(page(prefix + name + end))));
    const described = new Set(named.map(([, value]) => value));
    assert.ok(described.size > 700, `${described.size} pages of ${file}`);
    /* A plain spelling stands in the list, and leads to the page of the variant that it means. */
    const missing = functions(module).filter(([name, value]) => !described.has(value) || !words.has(name));
    assert.deepEqual(missing, [], file);
  }
  const words = listed("cuda-driver_v2_driver");
  assert.deepEqual(
    functions(driver).filter(([name]) => !words.has(name)),
    [],
  );
  const text = readFileSync(page("cuMemcpyHtoD_v2"), "utf8").replace(/<[^>]*>/g, "");
  assert.match(text, /undefined: as many as srcHost has/);
  assert.match(text, /Since CUDA 3\.2/);
});
