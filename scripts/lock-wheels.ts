/**
 * For a maintainer: asks pip for releases that generator/toolkit/wheels.ts does not list yet, and adds them.
 * `npx tsx scripts/lock-wheels.ts && npm run format`
 */
import { readFileSync, writeFileSync } from "node:fs";
import { driver } from "../generator/libraries/driver.ts";
import type { Library } from "../generator/libraries/library.ts";
import { packageName } from "../generator/toolkit/fetch.ts";
import { offeredVersions, resolveWheel } from "../generator/toolkit/pip.ts";
import { lockedWheels, type Wheel } from "../generator/toolkit/wheels.ts";
import { compareReleases } from "../generator/versions.ts";

const libraries = [driver];
/** Majors whose wheels carry headers; from 13 on all share one name. */
const majors = [11000, 12000, 13000];

async function lockLibrary(library: Library): Promise<Wheel[]> {
  const wheels = [...(lockedWheels[library.name] ?? [])];
  for (const name of majors.map((major) => packageName(library.wheel, major))) {
    for (const release of await offeredVersions(name)) {
      if (wheels.some(({ version }) => version === release)) continue;
      const wheel = await resolveWheel(`${name}==${release}`);
      wheels.push(wheel);
      console.error(wheel.file);
    }
  }
  return wheels.sort((a, b) => compareReleases(a.version, b.version));
}

const file = new URL("../generator/toolkit/wheels.ts", import.meta.url);
const head = readFileSync(file, "utf8").split("= {")[0] ?? "";
const body: Record<string, Wheel[]> = {};
for (const library of libraries) body[library.name] = await lockLibrary(library);
writeFileSync(file, `${head}= ${JSON.stringify(body, null, 2).replace(/"(\w+)":/g, "$1:")};\n`);
