import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path, { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import { type Disk, type Machine, realDisk } from "../../generator/toolkit/machine.ts";

/** A header of our own that is as complete as a toolkit's: it has a version and more than a hundred functions. */
export function fakeHeader(version: number, functions = 120): string {
  const lines = [
    "#ifndef FAKE_H",
    "#define FAKE_H",
    `#define CUDA_VERSION ${version}`,
    "typedef enum cudaError_enum { CUDA_SUCCESS = 0 } CUresult;",
  ];
  for (let i = 0; i < functions; i++) lines.push(`CUresult cuFake${i}(int *value);`);
  return [...lines, "#endif", ""].join("\n");
}

/** Versioned typedefs for the functions of `fakeHeader`; `newest` is the version of the last. */
export function fakeTypedefs(newest: number, functions = 120): string {
  const lines = ["#ifndef FAKE_TYPEDEFS_H", "#define FAKE_TYPEDEFS_H"];
  for (let i = 0; i < functions; i++) {
    lines.push(`typedef CUresult (*PFN_cuFake${i}_v${i === functions - 1 ? newest : 2000})(int *value);`);
  }
  return [...lines, "#endif", ""].join("\n");
}

/** A folder that goes when the test ends, with these files in it. */
export function tree(t: TestContext, files: Record<string, string> = {}): string {
  const root = mkdtempSync(join(tmpdir(), "codegen-test-"));
  t.after(() => rmSync(root, { recursive: true, force: true }));
  plant(root, files);
  return root;
}

export function plant(root: string, files: Record<string, string>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = join(root, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** A Linux machine whose fixed places lie under `root`, and whose environment is only what is given. */
export function linux(root: string, env: Record<string, string> = {}, more: Partial<Machine> = {}): Machine {
  return { env, platform: "linux", arch: "x64", home: "", root, disk: realDisk, run: () => null, ...more };
}

/** A Windows machine with these files; forward slashes in the names stand for backslashes. */
export function windows(files: Record<string, string>, env: Record<string, string> = {}): Machine {
  const all = new Map(Object.entries(files).map(([name, text]) => [path.win32.normalize(name).toLowerCase(), text]));
  const key = (name: string) =>
    path.win32
      .normalize(name)
      .replace(/(?<!:)\\$/, "")
      .toLowerCase();
  const disk: Disk = {
    isFile: (file) => all.has(key(file)),
    isFolder: (folder) => [...all.keys()].some((name) => name.startsWith(`${key(folder)}\\`)),
    list: (folder) => {
      const prefix = `${key(folder)}\\`;
      const names = [...all.keys()]
        .filter((name) => name.startsWith(prefix))
        .map((name) => name.slice(prefix.length).split("\\")[0] ?? "");
      return [...new Set(names)].sort();
    },
    read: (file) => {
      const text = all.get(key(file));
      return text === undefined ? null : Buffer.from(text);
    },
    real: (file) => key(file),
  };
  return { env, platform: "win32", arch: "x64", home: "C:\\Users\\x", root: "/", disk, run: () => null };
}
