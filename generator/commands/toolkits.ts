import { driver } from "../libraries/driver.ts";
import { readHistory } from "../store.ts";
import { cachedReleases } from "../toolkit/cache.ts";
import { available } from "../toolkit/fetch.ts";
import { findAll } from "../toolkit/locate.ts";
import { formatVersion } from "../versions.ts";
import { columns, print, printJson } from "./terminal.ts";

/** Lists every toolkit that is installed, fetched, in the history, or could be fetched. */
export async function toolkits(options: { json?: boolean }): Promise<number> {
  const { toolkits: installed, refused } = findAll(driver);
  const fetched = cachedReleases(driver).map(({ release, version, directory }) => ({ release, version, directory }));
  const history = readHistory(driver).toolkits.map(({ key, toolkit, release }) => ({
    version: toolkit,
    release: release ?? null,
    key,
  }));
  const fetchable = available(driver)
    .filter((entry) => !entry.cached)
    .map((entry) => entry.release);
  if (options.json) {
    const here = installed.map(({ version, directory, origin }) => ({ version, directory, origin }));
    printJson({ installed: here, refused, fetched, history, fetchable });
    return 0;
  }
  section(
    "installed",
    columns(installed.map((toolkit) => [formatVersion(toolkit.version), toolkit.directory, `(${toolkit.origin})`])),
  );
  if (refused.length > 0) section("passed over", refused.map((reason) => `  ${reason}`).join("\n"));
  section("fetched", columns(fetched.map((entry) => [formatVersion(entry.version), entry.release, entry.directory])));
  section(
    "in the history",
    columns(history.map((entry) => [formatVersion(entry.version), entry.release ?? "", entry.key])),
  );
  section("can be fetched", fetchable.length === 0 ? "" : `  ${fetchable.join(", ")}`);
  return 0;
}

function section(title: string, body: string): void {
  print(`${title}\n${body === "" ? "  none" : body}`);
}
