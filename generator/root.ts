import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of this package, where `headers/` and `templates/` lie: the same from `dist/` and from `generator/`. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error("the generator lies outside its package");
    folder = parent;
  }
  return folder;
}

/** What this package says of itself: its version, and the versions of Node it runs on. */
export function packageFacts(): { version: string; engines: { node: string } } {
  return JSON.parse(readFileSync(join(packageRoot(), "package.json"), "utf8"));
}

/** This generator's version, from its package.json. */
export function generatorVersion(): string {
  return packageFacts().version;
}
