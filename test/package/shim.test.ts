import assert from "node:assert/strict";
import { join } from "node:path";
import { describe, it } from "node:test";
import { hasWindowsCompiler } from "../corpus/compilers.ts";
import { castxmlProgram } from "../support/castxml.ts";
import { attempt } from "../support/command.ts";
import { nodeHeaders } from "../support/nodeHeaders.ts";
import { PACKAGE } from "./child.ts";

const SHIM = join(PACKAGE, "native", "shim.c");
const STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"];
/* Some warnings need what the optimizer knows. */
const COMPILE = ["-O2", "-c", "-o", "/dev/null"];

async function complaints(program: string, args: readonly string[]): Promise<string> {
  const shared = ["-std=c11", ...STRICT, "-isystem", nodeHeaders(), SHIM];
  const { code, stderr } = await attempt(program, [...args, ...shared]);
  return code === 0 ? stderr : `${code}: ${stderr}`;
}

describe("the addon's source", () => {
  it("is strict C11 to gcc", async () => {
    assert.equal(await complaints("gcc", COMPILE), "");
  });

  it("is strict C11 to clang", async () => {
    const program = await castxmlProgram();
    assert.equal(await complaints(program, ["-x", "c", "-fsyntax-only"]), "");
  });

  it("is strict C11 where it is built for Windows", async (t) => {
    if (!(await hasWindowsCompiler())) return t.skip("x86_64-w64-mingw32-gcc is not installed");
    assert.equal(await complaints("x86_64-w64-mingw32-gcc", COMPILE), "");
  });
});
