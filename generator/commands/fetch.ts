import { driver } from "../libraries/driver.ts";
import { type FetchedToolkit, fetchToolkit } from "../toolkit/fetch.ts";
import { describeVersion } from "../versions.ts";
import { during, print, printJson } from "./terminal.ts";

/** Puts the headers of one or more releases into the cache. */
export async function fetchHeaders(versions: readonly string[], options: { json?: boolean }): Promise<number> {
  const fetched: FetchedToolkit[] = [];
  for (const version of versions) {
    const toolkit = await during(`looking for CUDA ${version}`, (progress) =>
      fetchToolkit(version, driver, { progress }),
    );
    fetched.push(toolkit);
    if (!options.json) print(describe(toolkit));
  }
  if (options.json) printJson(fetched.length === 1 ? fetched[0] : fetched);
  return 0;
}

function describe({ release, version, directory, wheel, fromCache, listed }: FetchedToolkit): string {
  const head = `CUDA ${describeVersion(version)}, release ${release}: ${fromCache ? "in the cache already" : "fetched, the hash agrees"}`;
  const line = `  ${wheel.sha256.slice(0, 16)}  ${wheel.file}`;
  const note = listed ? [] : ["  this release is not in our own list: its hash is the one that pip's index gave"];
  return [head, line, ...note, directory].join("\n");
}
