/**
 * The program as `npm run build` leaves it. npx runs a project's own program through a link that it keeps from one
 * checkout to the next, and makes the file executable only where it makes the link: the build has to do so each time.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { work } from "./program.ts";

const root = new URL("../..", import.meta.url).pathname;
const project = join(work, "project");

test("the built program can be executed, without a link that makes it so", () => {
  mkdirSync(project);
  for (const name of ["package.json", "tsconfig.json", "tsconfig.build.json", "generator", "templates"]) {
    cpSync(join(root, name), join(project, name), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
  execFileSync("npm", ["run", "--silent", "build:generator"], { cwd: project });
  const said = execFileSync(join(project, "dist", "cli.js"), ["--version"], { encoding: "utf8" });
  assert.match(said, /^\d+\.\d+\.\d+\n$/);
});
