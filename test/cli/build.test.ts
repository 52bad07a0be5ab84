/**
 * The program as `npm run build` leaves it. npx runs a project's own program through a link that it keeps from one
 * checkout to the next, and makes the file executable only where it makes the link: the build has to do so each time.
 */
import assert from "node:assert/strict";
import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { attempt, command } from "../support/command.ts";
import { work } from "./program.ts";

const root = new URL("../..", import.meta.url).pathname;
const project = join(work, "project");
const program = join(project, "dist", "cli.js");

before(async () => {
  mkdirSync(project);
  for (const name of ["package.json", "tsconfig.json", "tsconfig.build.json", "generator", "templates"]) {
    cpSync(join(root, name), join(project, name), { recursive: true });
  }
  symlinkSync(join(root, "node_modules"), join(project, "node_modules"));
  await command("npm", ["run", "--silent", "build:generator"], { cwd: project });
});

test("can be executed, without a link that makes it so", async () => {
  assert.match(await command(program, ["--version"]), /^\d+\.\d+\.\d+\n$/);
});

test("says so where the folder that it runs in is gone", async () => {
  mkdirSync(join(work, "gone"));
  const script = 'cd gone && rmdir ../gone && exec "$0" generate --toolkit 12.4';
  const { code, stderr } = await attempt("sh", ["-c", script, program], { cwd: work });
  assert.equal(code, 2, stderr);
  assert.match(stderr, /^(sh: .*\n)*codegen: the folder that this runs in is gone: run it in one that is there\n$/);
});
