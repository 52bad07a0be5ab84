import type { Library } from "../libraries/library.ts";
import { compareReleases } from "../versions.ts";
import { examineFolder, type Folder } from "./headers.ts";
import { type Machine, pathsOf } from "./machine.ts";

/** Where a toolkit may be, before anyone has looked. */
export interface Place {
  /** `CUDA_HOME`, `nvcc on PATH`, `/usr/local`, `conda`, `pip`. */
  origin: string;
  /** Root of a toolkit, or an include folder. */
  folder: string;
  /** Someone named it: it must hold a toolkit. */
  named: boolean;
}

/** What is at a place: its include folder and what that turned out to be. */
export interface Examined {
  directory: string;
  folder: Folder;
}

/** The variables that name a toolkit, in their order; only those that are set. */
export function variablePlaces(machine: Machine): Place[] {
  const versioned = Object.keys(machine.env)
    .filter((name) => /^CUDA_PATH_V\d+_\d+$/i.test(name))
    .sort((a, b) => compareReleases(variableVersion(b), variableVersion(a)));
  return ["CUDA_HOME", "CUDA_PATH", ...versioned].flatMap((name) => {
    const folder = (machine.env[name] ?? "").trim().replace(/^"(.*)"$/, "$1");
    return folder === "" ? [] : [{ origin: name, folder: tidy(machine, folder), named: true }];
  });
}

/** `CUDA_PATH_V11_8` -> `11.8` */
export function variableVersion(name: string): string {
  return name.replace(/^.*_V/i, "").replace("_", ".");
}

/** Every `nvcc` on PATH, as the toolkit it belongs to. */
export function nvccPlaces(machine: Machine): Place[] {
  const { join, dirname } = pathsOf(machine);
  const name = machine.platform === "win32" ? "nvcc.exe" : "nvcc";
  return pathFolders(machine)
    .map((folder) => join(folder, name))
    .filter((file) => machine.disk.isFile(file))
    .map((file) => ({ origin: "nvcc on PATH", folder: dirname(dirname(machine.disk.real(file))), named: false }));
}

/** The places where installers put toolkits: the chosen one (`cuda`) first, then by version, newest first. */
export function installedPlaces(machine: Machine): Place[] {
  const { join } = pathsOf(machine);
  if (machine.platform === "win32") {
    const parent = join(machine.env.ProgramFiles ?? "C:\\Program Files", "NVIDIA GPU Computing Toolkit", "CUDA");
    return machine.disk
      .list(parent)
      .filter((name) => /^v\d+\.\d+$/i.test(name))
      .sort((a, b) => compareReleases(b.slice(1), a.slice(1)))
      .map((name) => ({ origin: parent, folder: join(parent, name), named: false }));
  }
  const under = (...parts: string[]) => join(machine.root, ...parts);
  const local = machine.disk
    .list(under("usr", "local"))
    .filter((name) => /^cuda(-\d+(\.\d+)*)?$/.test(name))
    .sort((a, b) => (a === "cuda" ? -1 : b === "cuda" ? 1 : compareReleases(b.slice(5), a.slice(5))));
  return [
    ...local.map((name) => ({ origin: "/usr/local", folder: under("usr", "local", name), named: false })),
    { origin: "/opt", folder: under("opt", "cuda"), named: false },
    { origin: "/usr/include", folder: under("usr", "include"), named: false },
  ];
}

export function condaPlaces(machine: Machine): Place[] {
  const prefix = machine.env.CONDA_PREFIX;
  return prefix ? [{ origin: "conda", folder: tidy(machine, prefix), named: false }] : [];
}

/** Python's package folders: of the active environment, of the user, and of every Python on PATH, by looking only. */
export function pipPlaces(machine: Machine): Place[] {
  return packagePlaces(machine, sitePackages(machine));
}

/**
 * The package folders that Python itself names, which takes long: asked only where the first Python on PATH is a shim, with
 * no packages beside it.
 */
export function shimmedPipPlaces(machine: Machine): Place[] {
  const { join, dirname } = pathsOf(machine);
  const python = machine.platform === "win32" ? "python.exe" : "python3";
  const file = pathFolders(machine)
    .map((folder) => join(folder, python))
    .find((file) => machine.disk.isFile(file));
  if (file === undefined) return [];
  const prefixes =
    machine.platform === "win32" ? [dirname(file)] : [file, machine.disk.real(file)].map((at) => dirname(dirname(at)));
  if (prefixes.some((prefix) => libraryFolders(machine, prefix).length > 0)) return [];
  const answer = machine.run(python, [
    "-c",
    "import site; print('\\n'.join(site.getsitepackages() + [site.getusersitepackages()]))",
  ]);
  return packagePlaces(
    machine,
    (answer ?? "").split(/\r?\n/).filter((line) => line !== ""),
  );
}

/** Looks at one place. The first include folder that holds something counts. */
export function examinePlace(place: Place, library: Library, machine: Machine): Examined {
  const candidates = includeFolders(place.folder, machine);
  let first: Examined | null = null;
  for (const directory of candidates) {
    const folder = examineFolder(directory, library, machine);
    if (folder.state === "toolkit") return { directory, folder };
    if (folder.state === "refused") first ??= { directory, folder };
  }
  return first ?? { directory: place.folder, folder: { state: "none" } };
}

/** Names of `targets/` in the order that suits this machine. */
function targetNames(machine: Machine, present: readonly string[]): string[] {
  const hosts: Record<string, string[]> = {
    x64: ["x86_64-linux"],
    arm64: ["sbsa-linux", "aarch64-linux"],
    ppc64: ["ppc64le-linux"],
  };
  const own = (hosts[machine.arch] ?? []).filter((name) => present.includes(name));
  return [...own, ...present.filter((name) => !own.includes(name))];
}

function includeFolders(root: string, machine: Machine): string[] {
  const { join } = pathsOf(machine);
  const targets = targetNames(machine, machine.disk.list(join(root, "targets")));
  return [
    root,
    join(root, "include"),
    ...targets.map((name) => join(root, "targets", name, "include")),
    join(root, "Library", "include"),
  ];
}

function packagePlaces(machine: Machine, folders: readonly string[]): Place[] {
  const { join } = pathsOf(machine);
  return folders.flatMap((folder) =>
    machine.disk
      .list(join(folder, "nvidia"))
      .filter((name) => /^(cuda_runtime|cu\d+)$/.test(name))
      .map((name) => ({ origin: "pip", folder: join(folder, "nvidia", name), named: false })),
  );
}

function sitePackages(machine: Machine): string[] {
  const { join, dirname } = pathsOf(machine);
  const prefixes = [machine.env.VIRTUAL_ENV, machine.env.CONDA_PREFIX].filter(
    (prefix) => prefix !== undefined && prefix !== "",
  );
  if (machine.platform === "win32") {
    const pythons = pathFolders(machine).filter((folder) => machine.disk.isFile(join(folder, "python.exe")));
    return [...(prefixes as string[]), ...pythons].flatMap((prefix) => libraryFolders(machine, prefix));
  }
  const pythons = pathFolders(machine)
    .map((folder) => join(folder, "python3"))
    .filter((file) => machine.disk.isFile(file))
    .flatMap((file) => [dirname(dirname(file)), dirname(dirname(machine.disk.real(file)))]);
  const system = [join(machine.root, "usr", "local"), join(machine.root, "usr")];
  const user = machine.home === "" ? [] : [join(machine.home, ".local")];
  const all = [...new Set([...(prefixes as string[]), ...pythons, ...user, ...system])];
  return all.flatMap((prefix) => libraryFolders(machine, prefix));
}

/** The package folders of a Python that is installed under `prefix`. */
function libraryFolders(machine: Machine, prefix: string): string[] {
  const { join } = pathsOf(machine);
  if (machine.platform === "win32") {
    const folder = join(prefix, "Lib", "site-packages");
    return machine.disk.isFolder(folder) ? [folder] : [];
  }
  return ["lib", "lib64"].flatMap((lib) =>
    machine.disk
      .list(join(prefix, lib))
      .filter((name) => /^python3(\.\d+)?$/.test(name))
      .flatMap((name) => ["site-packages", "dist-packages"].map((packages) => join(prefix, lib, name, packages))),
  );
}

function pathFolders(machine: Machine): string[] {
  const variable = machine.env.PATH ?? machine.env.Path ?? "";
  return variable.split(machine.platform === "win32" ? ";" : ":").filter((folder) => folder !== "");
}

/** Without a separator at the end, and with one kind of separator. */
function tidy(machine: Machine, folder: string): string {
  const { normalize, parse } = pathsOf(machine);
  const normal = normalize(folder);
  return normal === parse(normal).root ? normal : normal.replace(machine.platform === "win32" ? /[\\/]+$/ : /\/+$/, "");
}
