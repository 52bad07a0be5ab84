import { createHash } from "node:crypto";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { UserError } from "../errors.ts";
import type { Library } from "../libraries/library.ts";
import {
  compareReleases,
  formatVersion,
  parseVersionRequest,
  type VersionRequest,
  versionOfRelease,
} from "../versions.ts";
import {
  type CachedRelease,
  cachedReleases,
  cacheFolder,
  libraryFolder,
  type ReleaseFile,
  readCached,
  releaseFolder,
} from "./cache.ts";
import { examineFolder, sha256 } from "./headers.ts";
import { downloadWheel, PipError, resolveWheel, unpackWheel } from "./pip.ts";
import { lockedWheels, type Wheel } from "./wheels.ts";

interface FetchOptions {
  cache?: string;
  /** Told what is about to happen, for a progress line. */
  progress?: (what: string) => void;
}

export interface FetchedToolkit extends CachedRelease {
  fromCache: boolean;
  /** The hashes stand in our own list; otherwise only pip's index vouches for them. */
  listed: boolean;
}

/** Releases that `fetch` knows, oldest first, and whether they are in the cache already. */
export function available(
  library: Library,
  cache: string = cacheFolder(),
): { release: string; version: number; cached: boolean }[] {
  const cached = new Set(cachedReleases(library, cache).map((entry) => entry.release));
  const releases = new Set([...locked(library).map((wheel) => wheel.version), ...cached]);
  return [...releases]
    .sort(compareReleases)
    .map((release) => ({ release, version: versionOfRelease(release), cached: cached.has(release) }));
}

/**
 * Puts a toolkit's headers from NVIDIA's own Python wheels into the cache, through the machine's pip, and says where.
 * @param request `12.4` (its newest release that we list), `12040`, `12.4.127`, or `newest` (what the index has).
 * @throws UserError for a version that nobody knows, or if the wheel cannot be had or is not what it should be.
 */
export async function fetchToolkit(
  request: string,
  library: Library,
  options: FetchOptions = {},
): Promise<FetchedToolkit> {
  const cache = options.cache ?? cacheFolder();
  const wheel = await chooseWheel(request, library);
  const listed = locked(library).includes(wheel);
  const cached = readCached(library, wheel.version, cache);
  if (cached) return { ...cached, fromCache: true, listed };
  options.progress?.(`fetching the headers of CUDA ${wheel.version}`);
  await install(wheel, library, cache);
  const fetched = readCached(library, wheel.version, cache);
  if (!fetched)
    throw new UserError(`the cache ${cache} does not keep what is written to it: set CODEGEN_CACHE to another folder`);
  return { ...fetched, fromCache: false, listed };
}

/** `nvidia-cuda-runtime` and 12040 -> `nvidia-cuda-runtime-cu12`; from 13 on the name stands alone. */
export function packageName(name: string, version: number): string {
  const major = Math.trunc(version / 1000);
  return major >= 13 ? name : `${name}-cu${major}`;
}

function locked(library: Library): readonly Wheel[] {
  return lockedWheels[library.name] ?? [];
}

/** From our list; for a release that it does not have, pip's own report gives the hash. */
async function chooseWheel(text: string, library: Library): Promise<Wheel> {
  const known = locked(library);
  if (text === "newest") {
    try {
      const wheel = await resolveWheel(library.wheel);
      return known.find(({ version }) => version === wheel.version) ?? wheel;
    } catch (error) {
      const newest = known.at(-1);
      if (error instanceof PipError && newest) return newest;
      throw error;
    }
  }
  const request = parseVersionRequest(text);
  if (!request) throw new UserError(`"${text}" is no CUDA version: write it as 12.4, 12.4.127 or newest`);
  const match = known.findLast(({ version }) =>
    request.release ? version === request.release : versionOfRelease(version) === request.version,
  );
  if (match) return match;
  // Wheels begin where our list begins.
  const first = known[0];
  if (first && request.version < versionOfRelease(first.version)) throw unknownVersion(request, known);
  const name = packageName(library.wheel, request.version);
  try {
    return await resolveWheel(`${name}==${request.release ?? `${formatVersion(request.version)}.*`}`);
  } catch (error) {
    if (error instanceof PipError && error.kind === "unknown version") throw unknownVersion(request, known);
    throw error;
  }
}

function unknownVersion(request: VersionRequest, known: readonly Wheel[]): UserError {
  const releases = known.map(({ version }) => version);
  const same = releases.filter((release) => versionOfRelease(release) === request.version);
  const minors = releases.map((release) => formatVersion(versionOfRelease(release)));
  const offered = same.length > 0 ? same : [...new Set(minors)];
  return new UserError(`NVIDIA's wheels hold no CUDA ${request.text}: name one of ${offered.join(", ")}`);
}

async function install(wheel: Wheel, library: Library, cache: string): Promise<void> {
  const target = releaseFolder(library, wheel.version, cache);
  let scratch: string;
  try {
    await mkdir(libraryFolder(library, cache), { recursive: true });
    scratch = await mkdtemp(join(libraryFolder(library, cache), ".fetch-"));
  } catch (error) {
    throw new UserError(
      `cannot write to the cache ${cache} (${(error as Error).message}): set CODEGEN_CACHE to a folder that can be written`,
    );
  }
  try {
    await downloadWheel(wheel, scratch);
    const whole = join(scratch, "whole");
    const include = join(whole, "include");
    await mkdir(include, { recursive: true });
    const headers = await takeHeaders(join(scratch, wheel.file), wheel, library, join(scratch, "unpacked"), include);
    const folder = examineFolder(include, library);
    if (folder.state === "none")
      throw new UserError(`the wheel of CUDA ${wheel.version} holds no headers: name another release`);
    if (folder.state === "refused") throw new UserError(folder.reason);
    const file: ReleaseFile = { wheel, headers };
    await writeFile(join(whole, "release.json"), `${JSON.stringify(file, null, 2)}\n`);
    await replaceFolder(whole, target, scratch, () => readCached(library, wheel.version, cache) !== null);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Moves a finished folder into place. If another process was quicker with a whole one, its folder stays. */
async function replaceFolder(from: string, to: string, scratch: string, isWhole: () => boolean): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await rename(from, to);
    } catch (error) {
      if (isWhole()) return;
      if (attempt === 3) throw error;
      // What stands there is broken: out of the way with it.
      await rename(to, join(scratch, `broken-${attempt}`)).catch(() => undefined);
    }
  }
}

/** Copies the library's headers out of a wheel, each checked against the wheel's own list. Gives their hashes. */
async function takeHeaders(
  file: string,
  wheel: Wheel,
  library: Library,
  scratch: string,
  include: string,
): Promise<Record<string, string>> {
  const bytes = await readFile(file);
  if (sha256(bytes) !== wheel.sha256)
    throw new UserError(
      `${wheel.file} is not the file that is known by that name: nothing was kept; check which index pip uses`,
    );
  await unpackWheel(file, scratch);
  const record = await readRecord(scratch, wheel);
  const wanted = new Set(library.headers.map((row) => row.name));
  const headers: Record<string, string> = {};
  for (const [path, digest] of record) {
    const name = basename(path);
    if (!wanted.has(name) || !/\/include\/[^/]+$/.test(path)) continue;
    const header = await readFile(join(scratch, path));
    if (createHash("sha256").update(header).digest("base64url") !== digest) {
      throw new UserError(
        `${name} in ${wheel.file} differs from the wheel's own list: nothing was kept; fetch it again`,
      );
    }
    await copyFile(join(scratch, path), join(include, name));
    headers[name] = sha256(header);
  }
  return headers;
}

/** Path -> sha256 (base64url) from a wheel's RECORD. */
async function readRecord(folder: string, wheel: Wheel): Promise<Map<string, string>> {
  const info = (await readdir(folder)).find((name) => name.endsWith(".dist-info"));
  if (info === undefined) throw new UserError(`${wheel.file} has no list of its files: it is no wheel`);
  const text = await readFile(join(folder, info, "RECORD"), "utf8");
  return new Map(
    Array.from(text.matchAll(/^"?([^"\n]+?)"?,sha256=([^,\n]+),\d*\r?$/gm), (match) => [
      match[1] ?? "",
      match[2] ?? "",
    ]),
  );
}
