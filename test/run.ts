/**
 * Runs the tests: `tsx test/run.ts [PATH...]`, where a test belongs to a run if its path contains one of the arguments (all
 * do if there are none). Node's own runner does the work and has the last word: its closing lines and its exit code.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { cacheFolder } from "../generator/toolkit/cache.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const filters = process.argv.slice(2).map((path) => path.replace(/^\.?\//, ""));
const files = readdirSync(join(root, "test"), { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".test.ts") && !name.includes("fixtures"))
  .map((name) => join("test", name))
  .filter((name) => filters.length === 0 || filters.some((filter) => name.includes(filter)))
  .sort();

if (files.length === 0) {
  console.error(`no test's path contains ${filters.join(" or ")}`);
  process.exit(2);
}
// The readable report goes to the terminal; the closing lines of the other are the ones that CI looks for (`# pass 12`).
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "codegen-test-")));
const report = join(scratch, "report.tap");
const reporters = ["spec", "stdout", "tap", report].map((value, i) =>
  i % 2 === 0 ? `--test-reporter=${value}` : `--test-reporter-destination=${value}`,
);
/** What a user or a CI has set for itself decides nothing here. */
const env = {
  ...process.env,
  // A runner inside a runner would speak its protocol instead of ours.
  NODE_TEST_CONTEXT: undefined,
  FORCE_COLOR: undefined,
  CUDA_API_PER_THREAD_DEFAULT_STREAM: undefined,
  CUDA_MODULE_LOADING: undefined,
  CUDA_DRIVER_LIBRARY: undefined,
  // Programs tell where things are without links.
  TMPDIR: scratch,
  ...(existsSync(cacheFolder()) ? { CODEGEN_CACHE: realpathSync(cacheFolder()) } : {}),
};
const child = spawn(
  process.execPath,
  /* What hangs is a failure, in the end. */
  ["--import", "tsx", "--test", "--test-concurrency=2", "--test-timeout=900000", ...reporters, ...files],
  { cwd: root, stdio: "inherit", env },
);
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`the tests could not be started: ${error.message}`);
  process.exit(1);
});
child.on("exit", (code) => {
  const lines = existsSync(report) ? readFileSync(report, "utf8").split("\n") : [];
  console.log(
    lines.filter((line) => /^# (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /.test(line)).join("\n"),
  );
  rmSync(scratch, { recursive: true, force: true });
  process.exitCode = code ?? 1;
});
