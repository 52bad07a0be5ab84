import { resolve } from "node:path";
import { comparePackage, type Difference, formatDifferences } from "../compare.ts";
import type { DeclarationChanges } from "../declarations.ts";
import { UserError } from "../errors.ts";
import { driver } from "../libraries/driver.ts";
import { isFolder, type Manifest, manifestName, readManifest } from "../output.ts";
import { type Api, emit, obtain, remembered } from "../pipeline.ts";
import { readHistory } from "../store.ts";
import { formatVersion } from "../versions.ts";
import { count, during, print, printJson, warn } from "./terminal.ts";

interface CheckOptions {
  toolkit?: string;
  out: string;
  json?: boolean;
}

/** Regenerates in memory and compares: 0 if the folder holds exactly that, 1 if not. */
export async function check(options: CheckOptions): Promise<number> {
  const out = resolve(options.out);
  if (!isFolder(out)) throw new UserError(`there is no folder ${out} to check: run codegen generate first`);
  const { api, differences } = await during("checking", async () => {
    const { toolkit } = options;
    const api = toolkit === undefined ? asGenerated(out) : obtain({ toolkit, docs: hasComments(out) }, driver);
    const differences = comparePackage(out, await emit(api, driver));
    return { api, differences: await withDeclarations(differences) };
  });
  warn(api.warnings);
  report(api, out, differences, options.json === true);
  return differences.length === 0 ? 0 : 1;
}

/**
 * What the folder says that it was made from. A manifest that says nothing usable is itself a difference, so that the newest
 * toolkit known stands in for it.
 */
function asGenerated(out: string): Api {
  const history = readHistory(driver);
  const newest = (why: string) =>
    remembered(null, history, [`${why}: comparing with the newest toolkit of the history`]);
  const manifest = manifestOf(out);
  if (manifest === "damaged") return newest(`${manifestName} is damaged`);
  if (manifest === null) return newest(`${out} has no ${manifestName}`);
  // By the hashes alone: the version beside them may be what was changed.
  const sources = JSON.stringify(manifest.sources);
  const known = history.toolkits.find((entry) => JSON.stringify(entry.sources) === sources);
  if (known && !manifest.docs) return remembered(known.key, history);
  const version = formatVersion(known?.toolkit ?? manifest.toolkit);
  let api: Api;
  try {
    api = obtain({ toolkit: version, docs: manifest.docs }, driver);
  } catch (error) {
    if (manifest.docs || !(error instanceof UserError)) throw error;
    return newest(error.message);
  }
  if (JSON.stringify(api.document.sources) === sources) return api;
  const others = `${out} was made from other headers of CUDA ${version} than those that are here: name them with --toolkit`;
  if (manifest.docs) throw new UserError(others);
  return { ...api, warnings: [...api.warnings, others] };
}

function hasComments(out: string): boolean {
  const manifest = manifestOf(out);
  return manifest !== null && manifest !== "damaged" && manifest.docs === true;
}

function manifestOf(out: string): Manifest | "damaged" | null {
  try {
    return readManifest(out);
  } catch (error) {
    if (error instanceof UserError) return "damaged";
    throw error;
  }
}

/** A difference, and what it means for the programs that use the package. */
type Drift = Difference & { declarations: DeclarationChanges | null };

/** Says what the changed TypeScript files declare differently. */
async function withDeclarations(differences: readonly Difference[]): Promise<Drift[]> {
  if (differences.length === 0) return [];
  /* Loading the compiler behind it takes longer than a check that finds nothing. */
  const { compareDeclarations } = await import("../declarations.ts");
  return differences.map((each) => ({
    ...each,
    declarations:
      each.path.endsWith(".ts") && each.change === "changed" ? compareDeclarations(each.present, each.wanted) : null,
  }));
}

/** "src/functions.ts declares 2 more (a, b), 1 otherwise (c)"; "" where the declarations are the same. */
function describeDeclarations({ path, declarations }: Drift): string {
  if (declarations === null) return "";
  const { added, removed, changed } = declarations;
  const some = (names: readonly string[], what: string) => {
    const shown = names.slice(0, 4).join(", ") + (names.length > 4 ? ", ..." : "");
    return names.length === 0 ? [] : [`${names.length} ${what} (${shown})`];
  };
  const parts = [...some(added, "more"), ...some(removed, "fewer"), ...some(changed, "otherwise")];
  return parts.length === 0 ? "" : `${path} would declare ${parts.join(", ")}`;
}

function report(api: Api, out: string, differences: readonly Drift[], json: boolean): void {
  const version = formatVersion(api.document.toolkit);
  if (json) {
    const files = differences.map(({ path, change, declarations }) => ({ path, change, declarations }));
    printJson({ drift: differences.length > 0, toolkit: api.document.toolkit, out, files });
  } else if (differences.length === 0) {
    print(`${out} is what CUDA ${version} gives`);
  } else {
    print(formatDifferences(differences));
    print(differences.map(describeDeclarations).filter(Boolean).join("\n"));
    print(
      `${count(differences.length, "file")} in ${out} ${differences.length === 1 ? "differs" : "differ"} from what CUDA ${version} gives: run codegen generate`,
    );
  }
}
