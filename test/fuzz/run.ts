/**
 * `npm run fuzz [-- --seed N] [--count N] [--compiled N] [--judged N] [--workers N]`: mutants of real headers, every one of which
 * must give a document or a located error, and packages that compile. Exit code 1 if one does not.
 * `--only INDEX --out DIR` writes one mutant of that seed to a folder and says what becomes of it.
 */
import { parseArgs } from "node:util";
import { type Campaign, type Finding, fuzz, kindOfMessage } from "./campaign.ts";
import { writeHeaders } from "./judge.ts";
import { breeder } from "./mutant.ts";
import { read } from "./outcome.ts";

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    count: { type: "string", default: "10000" },
    compiled: { type: "string", default: "400" },
    judged: { type: "string", default: "100" },
    workers: { type: "string", default: "2" },
    only: { type: "string" },
    out: { type: "string" },
  },
});
const seed = wholeNumber("seed", values.seed);

if (values.only !== undefined) {
  const { mutant } = await breeder(seed);
  const { release, mutations, headers } = mutant(wholeNumber("only", values.only));
  console.log(`${release}: ${mutations.join("; ")}`);
  if (values.out !== undefined) await writeHeaders(headers, values.out);
  const outcome = read(headers);
  console.log(outcome.kind === "document" ? "a document" : `${outcome.kind}: ${outcome.message}`);
} else {
  const start = performance.now();
  const campaign = await fuzz({
    seed,
    count: wholeNumber("count", values.count),
    compiled: wholeNumber("compiled", values.compiled),
    judged: wholeNumber("judged", values.judged),
    workers: wholeNumber("workers", values.workers),
    progress: (text) => process.stderr.isTTY && process.stderr.write(`\r\u001b[K${text}`),
  });
  if (process.stderr.isTTY) process.stderr.write("\r\u001b[K");
  print(campaign, Math.round((performance.now() - start) / 1000));
}

function print(campaign: Campaign, seconds: number): void {
  const { reports, broken, compile, contradicted, judged, undecided, laxer, stricter } = campaign;
  const count = (test: (report: (typeof reports)[number]) => boolean) => reports.filter(test).length;
  const slowest = Math.max(0, ...reports.map(({ milliseconds }) => milliseconds));
  console.log(
    `seed ${seed}: ${reports.length} mutants (${count(({ size }) => size === "whole")} of whole headers) in ${seconds} s`,
  );
  console.log(
    `documents ${count(({ kind }) => kind === "document")}, refused ${count(({ kind }) => kind === "refused")}`,
  );
  console.log(`slowest ${Math.round(slowest)} ms`);
  console.log(`packages compiled ${compile.compiled}, refused by the printers ${compile.refused.length}`);
  console.log(`documents compared with castxml, gcc and clang ${judged}`);
  list("broken", broken);
  list("packages that do not compile", compile.errors);
  list("documents that a compiler contradicts", contradicted);
  list("refused by the printers", compile.refused);
  list("could not be judged", undecided);
  list("taken here, refused by gcc", laxer);
  list("refused here, taken by gcc", stricter);
  const kinds = new Map<string, number>();
  for (const { kind, message } of reports) {
    if (kind === "refused") kinds.set(kindOfMessage(message), (kinds.get(kindOfMessage(message)) ?? 0) + 1);
  }
  console.log(`\n${kinds.size} kinds of refusals, the most common`);
  for (const [kind, times] of [...kinds].sort((a, b) => b[1] - a[1]).slice(0, 25)) console.log(`- ${times} ${kind}`);
  if (broken.length + compile.errors.length + contradicted.length > 0) process.exitCode = 1;

  function list(title: string, findings: readonly Finding[]): void {
    if (findings.length === 0) return;
    console.log(`\n${title}: ${findings.length}`);
    for (const { index, message } of findings) {
      const mutations = reports[index]?.mutations.join("; ") ?? "";
      console.log(`- ${index} (${mutations.slice(0, 200)}): ${message.slice(0, 600)}`);
    }
  }
}

function wholeNumber(name: string, text: string): number {
  if (/^\d+$/.test(text)) return Number(text);
  console.error(`--${name} ${text} is no whole number`);
  process.exit(2);
}
