/** Every example as a user runs it, each in a process of its own. They check their results themselves. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { cuda } from "./count.ts";
import { gpu, skip } from "./device.ts";

const folder = fileURLToPath(new URL("../../examples/", import.meta.url));
const flags = process.execArgv.filter((flag) => !flag.startsWith("--test"));

async function run(name: string, ...args: string[]): Promise<string> {
  const env = { ...process.env };
  /* A child is no test file of the runner's. */
  delete env.NODE_TEST_CONTEXT;
  const child = spawn(process.execPath, [...flags, join(folder, name), ...args], { env, timeout: 90_000 });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data) => {
      said += data;
    });
  }
  const [code, signal] = await once(child, "close");
  assert.equal(code, 0, `${name} ended with ${signal ?? code}: ${said}`);
  return said;
}

const apart = ["deviceQuery.ts", "image.ts"]; // looked at more closely below

for (const name of readdirSync(folder).filter((name) => name.endsWith(".ts") && !apart.includes(name))) {
  test(name, { skip, timeout: 120_000 }, async (t) => {
    for (const line of (await run(name)).trimEnd().split("\n")) t.diagnostic(line);
  });
}

test("deviceQuery.ts names this GPU", { skip, timeout: 120_000 }, async () => {
  const said = await run("deviceQuery.ts");
  assert.ok(said.includes(`device 0: ${gpu.name}\n`), said);
  assert.ok(said.includes(cuda.cuDeviceGetPCIBusId(32, cuda.cuDeviceGet(0))), said);
});

test("image.ts writes a PNG file", { skip, timeout: 120_000 }, async (t) => {
  const scratch = mkdtempSync(join(tmpdir(), "gpu-"));
  t.after(() => rmSync(scratch, { recursive: true }));
  const file = join(scratch, "image.png");
  await run("image.ts", file);
  assert.ok(statSync(file).size > 10_000);
});

/* Made by examples/kernels/build.sh where there is nvcc. */
const built = join(folder, "kernels/build");
const missing = ["cubin", "ptx", "fatbin"].some((format) => !existsSync(join(built, `saxpy.${format}`)));

test("saxpy.ts from the three formats", {
  skip: skip || (missing ? "the examples' kernels are not built: run examples/kernels/build.sh where nvcc is" : false),
  timeout: 120_000,
}, async () => {
  const said = await run("saxpy.ts", built);
  assert.equal(said.match(/^(cubin|ptx|fatbin): 1000000 of 1000000 /gm)?.length, 3, said);
});
