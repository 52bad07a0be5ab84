/**
 * Writes corpus.json anew: every release that `fetch` knows, each distinct cuda.h once (of equal ones the newest release).
 * When a new toolkit is out: `npx tsx scripts/lock-wheels.ts && npx tsx test/support/update-corpus.ts`.
 */
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { driver } from "../../generator/libraries/driver.ts";
import { available, fetchToolkit } from "../../generator/toolkit/fetch.ts";
import { cacheFolder } from "./cache.ts";
import { headerHash } from "./corpus.ts";

const rows = new Map<string, { version: number; release: string; sha256: string }>();
for (const { release } of available(driver)) {
  const { directory } = await fetchToolkit(release, driver, { cache: cacheFolder() });
  const header = await readFile(join(directory, "cuda.h"), "utf8");
  const version = Number(/^#define CUDA_VERSION (\d+)/m.exec(header)?.[1]);
  const sha256 = await headerHash(directory);
  const known = rows.get(sha256);
  console.log(`${release} ${version} ${sha256.slice(0, 12)}${known ? `, as ${known.release}` : ""}`);
  rows.delete(sha256); // so that a newer release of the same header comes at its own place
  rows.set(sha256, { version, release, sha256 });
}
const file = fileURLToPath(new URL("corpus.json", import.meta.url));
await writeFile(file, `[\n${[...rows.values()].map((row) => `  ${JSON.stringify(row)}`).join(",\n")}\n]\n`);
