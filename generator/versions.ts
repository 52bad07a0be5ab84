import { UserError } from "./errors.ts";

/** A version as a person writes it. */
export interface VersionRequest {
  /** As written. */
  text: string;
  /** 12040 for `12.4`, `12040` and `12.4.127`. */
  version: number;
  /** `12.4.127`, where all three numbers were given. */
  release: string | null;
}

/** Reads `12.4`, `12040`, `12.4.1` or `v12.4`; null if the text is not of such a form (a folder, for example). */
export function parseVersionRequest(text: string): VersionRequest | null {
  const dotted = /^v?(\d{1,2})\.(\d{1,2})(\.\d+)?$/i.exec(text);
  if (dotted) {
    const version = Number(dotted[1]) * 1000 + Number(dotted[2]) * 10;
    return { text, version, release: dotted[3] === undefined ? null : text.replace(/^v/i, "") };
  }
  if (/^\d{4,5}$/.test(text)) return { text, version: Number(text), release: null };
  if (/^v?\d+$/i.test(text)) throw new UserError(`"${text}" is no CUDA version: write it as 12.4 or as 12040`);
  return null;
}

/** Orders `12.4.99` before `12.4.127`. */
export function compareReleases(a: string, b: string): number {
  const left = a.split(".").map(Number);
  const right = b.split(".").map(Number);
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** `12.4.127` -> 12040. */
export function versionOfRelease(release: string): number {
  const [major = 0, minor = 0] = release.split(".").map(Number);
  return major * 1000 + minor * 10;
}

/** `13000` as people write it: `13.0`. */
export function formatVersion(version: number): string {
  return `${Math.trunc(version / 1000)}.${Math.trunc((version % 1000) / 10)}`;
}

/** `12.4 (12040)`, for messages. */
export function describeVersion(version: number): string {
  return `${formatVersion(version)} (${version})`;
}
