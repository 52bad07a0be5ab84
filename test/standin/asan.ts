/**
 * Runs the tests of this folder with the shim and the stand-in driver under AddressSanitizer: `npm run test:asan`.
 * Needs gcc with its libasan, and Node's headers beside the node in use (or in npm_config_nodedir).
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cached } from "../support/cache.ts";
import { attempt, command } from "../support/command.ts";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..");
const FLAGS = ["-std=c11", "-O1", "-g", "-fPIC", "-shared", "-Wall", "-Wextra", "-fvisibility=hidden"];
const SANITIZE = ["-fsanitize=address", "-fno-omit-frame-pointer"];
const HOOKS = ["--import", "tsx", "--import", join(here, "asanHook.ts"), "--expose-gc"];
const TESTS = [
  "functions.test.ts",
  "wrong.test.ts",
  "handles.test.ts",
  "counts.test.ts",
  "growing.test.ts",
  "recordLists.test.ts",
  "callbacks.test.ts",
  "rooms.test.ts",
  "hostile.test.ts",
  "records.test.ts",
];

async function addon(): Promise<string> {
  const source = join(root, "generated", "native", "shim.c");
  const prefix = process.env.npm_config_nodedir ?? dirname(dirname(process.execPath));
  const include = join(prefix, "include", "node");
  if (!existsSync(join(include, "node_api.h"))) {
    throw new Error(`${include} has no node_api.h: name the folder above include/node in npm_config_nodedir`);
  }
  const key = createHash("sha256").update(readFileSync(source)).update(include).digest("hex").slice(0, 16);
  const folder = await cached(`standin/asan-${key}`, async (empty) => {
    await command("gcc", [...FLAGS, ...SANITIZE, `-I${include}`, "-o", join(empty, "addon.node"), source, "-ldl"]);
  });
  return join(folder, "addon.node");
}

function run(test: string, env: Record<string, string>): Promise<number> {
  console.log(`# ${test} under AddressSanitizer`);
  const args = [...HOOKS, join(here, test)];
  const child = spawn(process.execPath, args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } });
  return new Promise((resolve) => child.on("close", (code, signal) => resolve(signal === null ? (code ?? 1) : 1)));
}

const libasan = (await command("gcc", ["-print-file-name=libasan.so"])).trim();
const env = {
  LD_PRELOAD: libasan,
  /* Node itself leaks at its end, and has its own handler for segmentation faults of WebAssembly. */
  ASAN_OPTIONS: "detect_leaks=0:abort_on_error=0:allocator_may_return_null=1",
  STANDIN_ADDON: await addon(),
  STANDIN_SANITIZE: "1",
  STANDIN_WRONG_CALLS: process.env.STANDIN_WRONG_CALLS ?? "30000",
  STANDIN_ROUNDS: process.env.STANDIN_ROUNDS ?? "4",
};
/* An alarm that never rings proves nothing. */
const alarm = await attempt(process.execPath, [...HOOKS, join(here, "asanAlarm.ts")], { cwd: root, env });
if (alarm.code === 0 || !alarm.stderr.includes("heap-buffer-overflow")) {
  throw new Error(`AddressSanitizer did not notice an overflow: ${alarm.stderr.slice(-2000)}`);
}
let failed = 0;
for (const test of process.argv.length > 2 ? process.argv.slice(2) : TESTS)
  failed += (await run(test, env)) === 0 ? 0 : 1;
process.exitCode = failed === 0 ? 0 : 1;
