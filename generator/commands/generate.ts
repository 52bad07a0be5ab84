import { isAbsolute, relative, resolve, sep } from "node:path";
import type { Omission } from "../api/document.ts";
import { driver } from "../libraries/driver.ts";
import { writePackage } from "../output.ts";
import { type Api, generate as generatePackage } from "../pipeline.ts";
import { formatVersion } from "../versions.ts";
import { count, describeCounts, during, print, printJson, warn } from "./terminal.ts";

interface GenerateOptions {
  toolkit?: string;
  out: string;
  /** Copy the headers' comments into the package. */
  docs?: boolean;
  json?: boolean;
}

/** Reads headers (or the history), and writes the package. */
export async function generate(options: GenerateOptions): Promise<number> {
  const api = await during("generating", () =>
    generatePackage({ toolkit: options.toolkit, docs: options.docs }, driver),
  );
  const out = resolve(options.out);
  const report = await writePackage(out, api.files);
  warn(api.warnings);
  const { document, omissions } = api;
  if (options.json) {
    printJson({ ...readFacts(api), omissions, out, ...report });
    return 0;
  }
  print(describeSource(api, options.toolkit));
  print(describeCounts(document));
  print(describeOmissions(omissions));
  const { written, unchanged, removed } = report;
  print(`wrote ${count(written.length, "file")} to ${out} (${unchanged.length} unchanged, ${removed.length} removed)`);
  if (written.length > 0) print(`to use it: ${installation(options.out)}`);
  return 0;
}

/** npm builds what it installs from a folder only where that lies inside the project; elsewhere it must have been built. */
function installation(folder: string): string {
  const path = asPath(folder);
  const way = relative(process.cwd(), resolve(folder));
  const isElsewhere = isAbsolute(way) || way.split(sep)[0] === "..";
  return isElsewhere ? `npm --prefix ${path} install && npm install ${path}` : `npm install ${path}`;
}

/** For a shell. npm takes a word for the name of a package, and two with a slash between for a repository of somebody's. */
function asPath(folder: string): string {
  const path = isAbsolute(folder) || /^\.{1,2}([/\\]|$)/.test(folder) ? folder : `./${folder}`;
  return /^[\w./\\:@%+=,-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}

/** What was read and from where, as data. */
function readFacts({ document, toolkit }: Api) {
  return {
    toolkit: document.toolkit,
    origin: toolkit?.origin ?? "history",
    directory: toolkit?.directory ?? null,
    sources: document.sources,
  };
}

function describeSource({ document, toolkit }: Api, asked: string | undefined): string {
  const version = formatVersion(document.toolkit);
  const why = asked === undefined ? "no toolkit is installed here: " : "";
  const head = toolkit
    ? `read the headers of CUDA ${version} from ${toolkit.directory} (${toolkit.origin})`
    : `${why}read CUDA ${version} from the history${asked === undefined ? ", the newest it has" : ""}`;
  const sources = document.sources.map((source) => `  ${source.sha256.slice(0, 16)}  ${source.name}`);
  return [head, ...sources].join("\n");
}

function describeOmissions(omissions: readonly Omission[]): string {
  if (omissions.length === 0) return "";
  const byReason = new Map<string, string[]>();
  for (const { name, reason } of omissions) byReason.set(reason, [...(byReason.get(reason) ?? []), name]);
  const lines = Array.from(byReason, ([reason, names]) => `  ${names.join(", ")}: ${reason}`);
  return [`left out ${count(omissions.length, "name")}:`, ...lines].join("\n");
}
