/** What a bundler leaves of the package where a program uses little of it: the answers stay the same. */
import assert from "node:assert/strict";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { rollup } from "rollup";
import { command } from "../support/command.ts";
import { PACKAGE } from "./child.ts";
import { fakeEnvironment, scratchFolder } from "./fakes.ts";

const programs = [
  ["the version of the driver", `import { driverInfo } from "PACKAGE"; console.log(driverInfo().version);`],
  [
    "the runtime's look-up",
    `import { cudaGetDriverEntryPoint } from "PACKAGE"; console.log(cudaGetDriverEntryPoint("cuMemAlloc")[1]);`,
  ],
  [
    "the symbol table alone",
    `import { lookup, symbols } from "PACKAGE"; console.log(lookup(symbols, { symbol: "cuMemAlloc", cudaVersion: 12000, flags: 0, driver: 12000 }).exported);`,
  ],
  ["the addon alone", `import { addressOf } from "PACKAGE"; console.log(addressOf(new Uint8Array(8)) > 0n);`],
  ["errors", `import { cuInit } from "PACKAGE"; try { cuInit(-1) } catch (error) { console.log(error.message) }`],
] as const;

test("a bundle answers as the package does", async () => {
  const env = await fakeEnvironment();
  const work = await scratchFolder();
  /* The addon is looked for where it lies beside dist/runtime/. */
  await mkdir(join(work, "dist/runtime"), { recursive: true });
  await symlink(join(PACKAGE, "build"), join(work, "build"));
  for (const [index, [what, text]] of programs.entries()) {
    const source = join(work, `program${index}.mjs`);
    await writeFile(source, text.replace("PACKAGE", join(PACKAGE, "dist/index.js")));
    const bundle = await rollup({ input: source, external: /^node:/ });
    const file = join(work, `dist/runtime/bundle${index}.mjs`);
    await bundle.write({ file });
    await bundle.close();
    const run = (path: string) => command(process.execPath, [path], { env });
    const answer = await run(source);
    assert.notEqual(answer.trim(), "", what);
    assert.equal(await run(file), answer, what);
  }
});
