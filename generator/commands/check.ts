import { resolve } from "node:path";
import { comparePackage, type Difference, formatDifferences } from "../compare.ts";
import { formatVersion, UserError } from "../errors.ts";
import { driver } from "../libraries/driver.ts";
import { isFolder, type Manifest, manifestName, readManifest } from "../output.ts";
import { type Api, emit, obtain, remembered } from "../pipeline.ts";
import { readHistory } from "../store.ts";
import { count, during, print, printJson, warn } from "./terminal.ts";

export interface CheckOptions {
  toolkit?: string;
  out: string;
  json?: boolean;
}

/** Regenerates in memory and compares: 0 if the folder holds exactly that, 1 if not. */
export async function check(options: CheckOptions): Promise<number> {
  const out = resolve(options.out);
  if (!isFolder(out)) throw new UserError(`there is no folder ${out} to check: run codegen generate first`);
  const { api, differences } = await during("checking", async () => {
    const api = options.toolkit === undefined ? asGenerated(out) : obtain({ toolkit: options.toolkit }, driver);
    return { api, differences: comparePackage(out, await emit(api, driver)) };
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
  let manifest: Manifest | null = null;
  try {
    manifest = readManifest(out);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return remembered(null, history, [`${manifestName} is damaged: comparing with the newest toolkit of the history`]);
  }
  if (manifest === null) {
    return remembered(null, history, [
      `${out} has no ${manifestName}: comparing with the newest toolkit of the history`,
    ]);
  }
  // By the hashes alone: the version beside them may be what was changed.
  const sources = JSON.stringify(manifest.sources);
  const known = history.toolkits.find((entry) => JSON.stringify(entry.sources) === sources);
  if (known) return remembered(known.key, history);
  try {
    return obtain({ toolkit: formatVersion(manifest.toolkit) }, driver);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return remembered(null, history, [`${error.message}; comparing with the newest toolkit of the history`]);
  }
}

function report(api: Api, out: string, differences: Difference[], json: boolean): void {
  const version = formatVersion(api.document.toolkit);
  if (json) {
    const files = differences.map(({ path, change }) => ({ path, change }));
    printJson({ drift: differences.length > 0, toolkit: api.document.toolkit, out, files });
  } else if (differences.length === 0) {
    print(`${out} is what CUDA ${version} gives`);
  } else {
    print(formatDifferences(differences));
    print(
      `${count(differences.length, "file")} in ${out} ${differences.length === 1 ? "differs" : "differ"} from what CUDA ${version} gives: run codegen generate`,
    );
  }
}
