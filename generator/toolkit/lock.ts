/** For a maintainer: `npx tsx generator/toolkit/lock.ts` asks pip for releases that wheels.ts does not list yet, and adds them. */
import { readFileSync, writeFileSync } from "node:fs";
import { driver } from "../libraries/driver.ts";
import type { Library } from "../libraries/library.ts";
import { companionVersion, packageName } from "./fetch.ts";
import { offeredVersions, resolveWheel } from "./pip.ts";
import { compareReleases, versionOfRelease } from "./version.ts";
import { lockedWheels, type Wheel, type WheelRelease } from "./wheels.ts";

const libraries = [driver];
/** Majors whose wheels carry headers; from 13 on all share one name. */
const majors = [11000, 12000, 13000];

async function offered(name: string): Promise<Map<number, string[]>> {
  const byMajor = new Map<number, string[]>();
  for (const major of majors) byMajor.set(major, await offeredVersions(packageName(name, major)));
  return byMajor;
}

async function lockLibrary(library: Library): Promise<WheelRelease[]> {
  const [main, ...companions] = library.wheels;
  if (!main) return [];
  const known = [...(lockedWheels[library.name] ?? [])];
  const companionOffers = await Promise.all(companions.map((row) => offered(row.name)));
  for (const [major, releases] of await offered(main.name)) {
    for (const release of releases) {
      if (known.some((entry) => entry.release === release)) continue;
      const wheels: Wheel[] = [await resolveWheel(`${packageName(main.name, major)}==${release}`)];
      for (const [index, row] of companions.entries()) {
        const version = companionVersion(release, companionOffers[index]?.get(major) ?? []);
        if (version !== null)
          wheels.push(await resolveWheel(`${packageName(row.name, versionOfRelease(version))}==${version}`));
      }
      known.push({ release, wheels });
      console.error(`${release}: ${wheels.map((wheel) => wheel.file).join(", ")}`);
    }
  }
  return known.sort((a, b) => compareReleases(a.release, b.release));
}

const file = new URL("./wheels.ts", import.meta.url);
const head = readFileSync(file, "utf8").split("= {")[0] ?? "";
const body: Record<string, WheelRelease[]> = {};
for (const library of libraries) body[library.name] = await lockLibrary(library);
writeFileSync(file, `${head}= ${JSON.stringify(body, null, 2).replace(/"(\w+)":/g, "$1:")};\n`);
