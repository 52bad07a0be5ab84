import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { driver } from "../../generator/libraries/driver.ts";
import { fetchToolkit } from "../../generator/toolkit/fetch.ts";
import { cacheFolder } from "./cache.ts";
import rows from "./corpus.json" with { type: "json" };

/** A toolkit's headers, as NVIDIA's wheels have them. */
export interface CorpusToolkit {
  /** CUDA_VERSION: 12040. */
  version: number;
  /** `12.4.127`: two releases of one version can have different headers. */
  release: string;
  /** The include folder. */
  directory: string;
}

/** Every distinct cuda.h of the corpus, oldest release first; fetched on the first call, offline afterwards. */
export async function corpus(): Promise<CorpusToolkit[]> {
  const toolkits: CorpusToolkit[] = [];
  for (const row of rows) {
    const { directory } = await fetchToolkit(row.release, driver, { cache: cacheFolder() });
    const sha256 = await headerHash(directory);
    if (sha256 !== row.sha256) {
      throw new Error(`cuda.h of ${row.release} has sha256 ${sha256}, test/support/corpus.json says ${row.sha256}`);
    }
    toolkits.push({ version: row.version, release: row.release, directory });
  }
  return toolkits;
}

/** The toolkits that the arguments name by version or release (`12.4`, `12.4.127`); all of them for none. */
export async function corpusOf(names: readonly string[]): Promise<CorpusToolkit[]> {
  const all = await corpus();
  for (const name of names) {
    if (!all.some((toolkit) => matches(toolkit, name))) {
      throw new Error(`no ${name} in the corpus: it has ${all.map((toolkit) => toolkit.release).join(", ")}`);
    }
  }
  return names.length === 0 ? all : all.filter((toolkit) => names.some((name) => matches(toolkit, name)));
}

/** Of the bytes of cuda.h. */
export async function headerHash(directory: string): Promise<string> {
  return createHash("sha256")
    .update(await readFile(join(directory, "cuda.h")))
    .digest("hex");
}

function matches({ release }: CorpusToolkit, name: string): boolean {
  return release === name || release.startsWith(`${name}.`);
}
