import { readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Library } from "../libraries/library.ts";
import { compareReleases, versionOfRelease } from "../versions.ts";
import { sha256 } from "./headers.ts";
import type { Wheel } from "./wheels.ts";

/** A release in the cache: its include folder is whole, or it is not listed. */
export interface CachedRelease {
  release: string;
  /** 12040 */
  version: number;
  /** The include folder. */
  directory: string;
  wheel: Wheel;
}

/** What `release.json` beside the include folder says. */
export interface ReleaseFile {
  wheel: Wheel;
  /** Header -> sha256 of its bytes. */
  headers: Record<string, string>;
}

/** `CODEGEN_CACHE`, or a folder of ours in the user's cache. Not beside the program: an installed one may not be written to. */
export function cacheFolder(env: Readonly<Record<string, string | undefined>> = process.env): string {
  if (env.CODEGEN_CACHE) return env.CODEGEN_CACHE;
  if (env.XDG_CACHE_HOME) return join(env.XDG_CACHE_HOME, "cuda-codegen");
  if (process.platform === "win32" && env.LOCALAPPDATA) return join(env.LOCALAPPDATA, "cuda-codegen", "cache");
  return join(env.HOME || homedir(), ".cache", "cuda-codegen");
}

export function releaseFolder(library: Library, release: string, cache: string): string {
  return join(libraryFolder(library, cache), release);
}

/** Where the releases of a library lie. */
export function libraryFolder(library: Library, cache: string): string {
  return join(cache, "headers", library.name);
}

/** The releases of a library (of one version) that lie whole in the cache, oldest first. */
export function cachedReleases(library: Library, cache: string = cacheFolder(), version?: number): CachedRelease[] {
  let names: string[];
  try {
    names = readdirSync(libraryFolder(library, cache));
  } catch {
    return [];
  }
  return names
    .filter((name) => /^\d+\.\d+\.\d+$/.test(name))
    .filter((name) => version === undefined || versionOfRelease(name) === version)
    .sort(compareReleases)
    .flatMap((release) => readCached(library, release, cache) ?? []);
}

/** One release from the cache; null if it is not there, or if a header in it is not what was put there. */
export function readCached(library: Library, release: string, cache: string = cacheFolder()): CachedRelease | null {
  const folder = releaseFolder(library, release, cache);
  const directory = join(folder, "include");
  try {
    const file = JSON.parse(readFileSync(join(folder, "release.json"), "utf8")) as ReleaseFile;
    for (const [name, hash] of Object.entries(file.headers)) {
      if (sha256(readFileSync(join(directory, name))) !== hash) return null;
    }
    return { release, version: versionOfRelease(release), directory, wheel: file.wheel };
  } catch {
    return null;
  }
}
