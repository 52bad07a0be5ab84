import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import path from "node:path";

/** Everything that finding a toolkit may ask of the world, so that a test can put another world in its place. */
export interface Machine {
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  /** As `process.arch`. */
  arch: string;
  home: string;
  /** Stands before the fixed places such as `/usr/local`; "/" on a real machine. */
  root: string;
  disk: Disk;
  /** Standard output of a program, or null if it cannot be run or fails. */
  run(command: string, args: string[]): string | null;
}

/** Reading only. A path that is not there, or may not be read, is simply not there. */
export interface Disk {
  isFile(file: string): boolean;
  isFolder(folder: string): boolean;
  /** Names in a folder, sorted; none if there is no such folder. */
  list(folder: string): string[];
  read(file: string): Uint8Array | null;
  /** With symbolic links followed; the path itself if it does not exist. */
  real(file: string): string;
}

export const realDisk: Disk = {
  isFile: (file) => attempt(() => statSync(file).isFile()) ?? false,
  isFolder: (folder) => attempt(() => statSync(folder).isDirectory()) ?? false,
  list: (folder) => attempt(() => readdirSync(folder).sort()) ?? [],
  read: (file) => attempt(() => readFileSync(file)) ?? null,
  real: (file) => attempt(() => realpathSync.native(file)) ?? file,
};

export function thisMachine(): Machine {
  return {
    env: process.env,
    platform: process.platform,
    arch: process.arch,
    home: process.env[process.platform === "win32" ? "USERPROFILE" : "HOME"] ?? "",
    root: "/",
    disk: realDisk,
    run: (command, args) =>
      attempt(() =>
        execFileSync(command, args, { encoding: "utf8", timeout: 10_000, stdio: ["ignore", "pipe", "ignore"] }),
      ) ?? null,
  };
}

/** The path rules of the machine's own platform. */
export function pathsOf(machine: Machine): path.PlatformPath {
  return machine.platform === "win32" ? path.win32 : path.posix;
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch {
    return undefined;
  }
}
