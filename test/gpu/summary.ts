/** Joins the reports of all runs: node summary.ts FOLDER -> FOLDER/gpu-counts.json, and a few lines to read. */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cuda } from "./count.ts";
import { gpu } from "./device.ts";

const LEAST = 300;
const folder = process.argv[2] ?? ".";

interface Line {
  called?: string[];
  promised?: string[];
  lookups?: string;
  asked?: number;
  differences?: number;
}

/** `cuMemAlloc_v2` and `cuMemcpy_ptds` are variants of one function; C's own names are counted, and base names too. */
const bases = new Map<string, string>();
for (const [base, variants] of Object.entries(cuda.symbols))
  for (const [exported] of variants) bases.set(exported, base);

function baseOf(name: string): string {
  return bases.get(name) ?? bases.get(name.replace(/_v1$/, "")) ?? name;
}

const runs = readdirSync(folder)
  .filter((name) => /^gpu-.*\.jsonl$/.test(name))
  .sort()
  .map((name) => {
    const lines = readFileSync(join(folder, name), "utf8").trim().split("\n").filter(Boolean);
    const reports = lines.map((line) => JSON.parse(line) as Line);
    const called = new Set(reports.flatMap((line) => line.called ?? []));
    const promised = new Set(reports.flatMap((line) => line.promised ?? []));
    const all = [...new Set([...called, ...promised])].filter((name) => !name.startsWith("cuda")).sort();
    const log = readFileSync(join(folder, name.replace("jsonl", "log")), "utf8");
    const tests = Object.fromEntries(
      ["tests", "pass", "fail", "cancelled", "skipped"].map((key) => [
        key,
        Number(new RegExp(`^ℹ ${key} (\\d+)`, "m").exec(log)?.[1] ?? 0),
      ]),
    );
    const lookups = reports
      .filter((line) => line.lookups !== undefined)
      .map(({ lookups, asked, differences }) => ({ lookups, asked, differences }));
    return {
      mode: name.replace(/^gpu-|\.jsonl$/g, ""),
      tests,
      functions: all.length,
      bases: new Set(all.map(baseOf)).size,
      promises: promised.size,
      lookups,
      names: all,
    };
  });

const names = [...new Set(runs.flatMap((run) => run.names))].sort();
const counts = {
  gpu: gpu.name,
  capability: gpu.capability,
  driver: gpu.version,
  toolkit: cuda.toolkit,
  node: process.version,
  functions: names.length,
  bases: new Set(names.map(baseOf)).size,
  runs: runs.map(({ names: _, ...run }) => run),
  names,
};
writeFileSync(join(folder, "gpu-counts.json"), `${JSON.stringify(counts, null, 1)}\n`);
for (const run of counts.runs) {
  console.log(`${run.mode}: ${run.functions} functions (${run.bases} base names), ${run.promises} of them as promises`);
  for (const { lookups, asked, differences } of run.lookups)
    console.log(`  ${lookups}: ${asked} asked, ${differences} differences`);
}
console.log(`all runs: ${counts.functions} exported functions, ${counts.bases} base names`);
if (gpu.count > 0 && counts.bases < LEAST) {
  console.log(`fewer than ${LEAST}`);
  process.exitCode = 1;
}
