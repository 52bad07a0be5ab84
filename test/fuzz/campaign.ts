import { type CompileReport, compilePackages, differences, gccError, type Sample } from "./judge.ts";
import { type Breeder, breeder } from "./mutant.ts";
import { read } from "./outcome.ts";
import { readMutants } from "./pool.ts";
import type { Report } from "./worker.ts";

export interface CampaignOptions {
  seed: number;
  count: number;
  /** How many accepted mutants are compiled as packages, and how many are brought before castxml and the compilers. */
  compiled: number;
  judged: number;
  workers: number;
  progress?: (text: string) => void;
}

export interface Finding {
  index: number;
  message: string;
}

export interface Campaign {
  reports: Report[];
  /** Neither a document nor a located error, or not in time. */
  broken: Finding[];
  compile: CompileReport;
  /** Documents that castxml or a compiler contradicts, of headers that gcc takes. */
  contradicted: Finding[];
  judged: number;
  undecided: Finding[];
  /** For a person to look at: gcc refuses what we take, or takes what we refuse. */
  laxer: Finding[];
  stricter: Finding[];
}

/** The processor time that reading one mutant may take, in milliseconds. */
const LIMIT = 5000;

/** A whole run; the same seed and count give the same answer. */
export async function fuzz(options: CampaignOptions): Promise<Campaign> {
  const { seed, count, workers, progress } = options;
  const indices = Array.from({ length: count }, (_, index) => index);
  const reports = await readMutants({
    seed,
    indices,
    workers,
    limit: LIMIT,
    progress: (done) => progress?.(`${done} read`),
  });
  const breed = await breeder(seed);
  const sample = chooseAccepted(
    reports.filter(({ size }) => size !== "small"),
    options.compiled,
  );
  progress?.(`${sample.length} packages are compiled`);
  const compile = await compilePackages(documents(breed, sample));
  const judging = await judge(breed, reports, options);
  return {
    reports,
    broken: reports
      .filter(({ kind }) => kind !== "document" && kind !== "refused")
      .map(({ index, kind, message }) => ({ index, message: `${kind}: ${message}` })),
    compile,
    ...judging,
  };
}

/** The first of every shape, every fiftieth, and others until there are enough; at most `limit`. */
function chooseAccepted(reports: readonly Report[], limit: number): number[] {
  const accepted = reports.filter(({ kind }) => kind === "document");
  const shapes = new Map(accepted.map(({ shape, index }) => [shape, index]));
  const chosen = new Set([...shapes.values()].slice(0, limit));
  for (let at = 0; at < accepted.length && chosen.size < limit; at += 50) chosen.add((accepted[at] as Report).index);
  return [...chosen].sort((a, b) => a - b);
}

function* documents({ mutant }: Breeder, indices: readonly number[]): Generator<Sample> {
  for (const index of indices) {
    const outcome = read(mutant(index).headers);
    if (outcome.kind === "document") yield { index, document: outcome.document };
  }
}

async function judge({ mutant }: Breeder, reports: readonly Report[], { judged: limit, progress }: CampaignOptions) {
  const contradicted: Finding[] = [];
  const laxer: Finding[] = [];
  const stricter: Finding[] = [];
  const undecided: Finding[] = [];
  let judged = 0;
  for (const index of chooseAccepted(reports, limit)) {
    progress?.(`${judged} judged`);
    const { headers } = mutant(index);
    const outcome = read(headers);
    if (outcome.kind !== "document") continue;
    const error = await gccError(headers);
    if (error !== null) {
      laxer.push({ index, message: error });
      continue;
    }
    let said: string[];
    try {
      said = await differences(headers, outcome.document, outcome.omissions);
    } catch (error) {
      // A mutant may spoil the judges' own text: `#define sizeof x`.
      undecided.push({ index, message: String(error).split("\n")[0] ?? "" });
      continue;
    }
    judged++;
    if (said.length > 0) contradicted.push({ index, message: said.slice(0, 3).join(" | ") });
  }
  // One of every kind of refusal is shown to gcc.
  const kinds = new Map<string, Report>();
  for (const report of reports) {
    const kind = kindOfMessage(report.message);
    if (report.kind === "refused" && !kinds.has(kind)) kinds.set(kind, report);
  }
  for (const { index, message } of [...kinds.values()].slice(0, limit)) {
    progress?.(`${kinds.size} kinds of refusals are shown to gcc`);
    if ((await gccError(mutant(index).headers)) === null) stricter.push({ index, message });
  }
  return { contradicted, judged, undecided, laxer, stricter };
}

/** A message without the names and numbers in it. */
export function kindOfMessage(message: string): string {
  return message
    .replace(/^\S+:\d+:\d+: /, "")
    .replace(/"[^"]*"/g, '"..."')
    .replace(/: .*$/, "")
    .replace(/\b(CU|cu|PFN_)\w*|\b\w*[_\d]\w*/g, "X");
}
