/**
 * What a generate takes, from the start of the process to its end, and what rust-bindgen takes for cuda.h where it is installed
 * (Debian: bindgen, libclang1, rustfmt). Medians of one run, in seconds.
 *
 *   npm run bench:generate               of the newest toolkit; builds first
 *   BENCH_ROUNDS=20                      how often
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { corpusOf } from "../support/corpus.ts";

const rounds = Number(process.env.BENCH_ROUNDS ?? 11);
const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "cuda-bench-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));

const newest = (await corpusOf([])).at(-1);
if (newest === undefined) throw new Error("no headers are here: run codegen fetch newest");
const { directory, release } = newest;

const contenders: [name: string, command: string, args: string[]][] = [
  [
    `codegen, ${process.version}: ${release}, all headers`,
    process.execPath,
    [cli, "generate", "--toolkit", directory, "--out", join(work, "out")],
  ],
  [
    "bindgen: cuda.h, one file",
    "bindgen",
    [join(directory, "cuda.h"), "-o", join(work, "out.rs"), "--", "-x", "c", `-I${directory}`],
  ],
];
const times = contenders.map((): number[] => []);
for (let round = 0; round < rounds; round++) {
  for (const [index, [, command, args]] of contenders.entries()) {
    const start = performance.now();
    const { error, status } = spawnSync(command, args, { stdio: "ignore" });
    if (error === undefined && status === 0) times[index]?.push((performance.now() - start) / 1000);
  }
}
for (const [index, [name]] of contenders.entries()) {
  const sorted = times[index]?.sort((a, b) => a - b) ?? [];
  const median = sorted[Math.floor(sorted.length / 2)];
  console.log(`${(median?.toFixed(2) ?? "not here").padStart(8)}  ${name}`);
}
