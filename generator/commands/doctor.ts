import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { UserError } from "../errors.ts";
import { driver as library } from "../libraries/driver.ts";
import { readManifest } from "../output.ts";
import { packageFacts } from "../root.ts";
import { historyFile, readHistory } from "../store.ts";
import { findAll, locate } from "../toolkit/locate.ts";
import { pipVersion } from "../toolkit/pip.ts";
import { formatVersion } from "../versions.ts";
import { count, print, printJson } from "./terminal.ts";

export interface Finding {
  about: "node" | "toolkit" | "history" | "pip" | "package" | "addon" | "driver" | "gpu";
  /** A note is worth knowing; only a problem makes the exit code 1. */
  level: "ok" | "note" | "problem";
  text: string;
}

const execute = promisify(execFile);

/** Says what is here and what is wrong: 0 if nothing is, 1 if something is. */
export async function doctor(options: { out: string; json?: boolean }): Promise<number> {
  const out = resolve(options.out);
  const made = packageFindings(out);
  const findings = [
    nodeFinding(process.versions.node),
    ...toolkitFindings(),
    historyFinding(),
    await pipFinding(),
    ...made.findings,
    ...(await driverFindings(out, made.toolkit)),
  ];
  const problems = findings.filter((finding) => finding.level === "problem").length;
  if (options.json) printJson({ problems, findings });
  else {
    const marks = { ok: "ok     ", note: "note   ", problem: "PROBLEM" };
    for (const { about, level, text } of findings) print(`${marks[level]}  ${about.padEnd(8)} ${text}`);
    print(problems === 0 ? "nothing is wrong" : count(problems, "problem"));
  }
  return problems === 0 ? 0 : 1;
}

function nodeFinding(version: string): Finding {
  const numbers = (text: string) => Array.from(text.matchAll(/\d+/g), Number);
  const [major = 0, minor = 0] = numbers(version);
  const oldest = numbers(packageFacts().engines.node);
  const [oldestMajor = 0, oldestMinor = 0] = oldest;
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor)
    ? { about: "node", level: "problem", text: `${version} is too old: install ${oldest.join(".")} or later` }
    : { about: "node", level: "ok", text: version };
}

function toolkitFindings(): Finding[] {
  const refused = findAll(library).refused.map((text): Finding => ({ about: "toolkit", level: "problem", text }));
  try {
    const located = locate(library);
    // What was passed over stands in `refused`.
    const warnings = located.warnings
      .filter(({ about }) => about !== "passed over")
      .map(({ text }): Finding => ({ about: "toolkit", level: "note", text }));
    if (located.kind === "history") {
      return [
        { about: "toolkit", level: "note", text: "none is installed: the history answers" },
        ...warnings,
        ...refused,
      ];
    }
    const { version, directory, origin } = located.toolkit;
    return [
      { about: "toolkit", level: "ok", text: `${formatVersion(version)} in ${directory} (${origin})` },
      ...warnings,
      ...refused,
    ];
  } catch (error) {
    // A variable names no toolkit; `refused` says so too.
    if (error instanceof UserError) return refused;
    throw error;
  }
}

function historyFinding(): Finding {
  try {
    const { toolkits } = readHistory(library);
    const newest = toolkits.at(-1);
    return newest
      ? {
          about: "history",
          level: "ok",
          text: `${count(toolkits.length, "toolkit")}, the newest ${formatVersion(newest.toolkit)}`,
        }
      : {
          about: "history",
          level: "problem",
          text: `${historyFile(library)} is not there: take it from version control again`,
        };
  } catch (error) {
    if (error instanceof UserError) return { about: "history", level: "problem", text: error.message };
    throw error;
  }
}

async function pipFinding(): Promise<Finding> {
  const version = await pipVersion();
  return version === null
    ? { about: "pip", level: "note", text: "Python with pip is not here: only codegen fetch needs it" }
    : { about: "pip", level: "ok", text: version };
}

function packageFindings(out: string): { findings: Finding[]; toolkit: number | null } {
  try {
    const manifest = readManifest(out);
    if (!manifest) {
      return {
        findings: [{ about: "package", level: "note", text: `none in ${out}: run codegen generate` }],
        toolkit: null,
      };
    }
    const { toolkit, generator } = manifest;
    const what = `made from CUDA ${formatVersion(toolkit)} by cuda-codegen ${generator}, in ${out}`;
    const missing = manifest.files.filter((path) => !existsSync(join(out, path)));
    const made: Finding =
      missing.length === 0
        ? { about: "package", level: "ok", text: what }
        : {
            about: "package",
            level: "problem",
            text: `${what}, lacks ${missing.slice(0, 3).join(", ")}${missing.length > 3 ? ", ..." : ""}: run codegen generate`,
          };
    return { findings: [made], toolkit };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { findings: [{ about: "package", level: "problem", text: error.message }], toolkit: null };
  }
}

/** The toolkit's stub libraries are for linking; one on the loader's path is found before the driver. */
export function stubFindings(env: Readonly<Record<string, string | undefined>>): Finding[] {
  return (env.LD_LIBRARY_PATH ?? "").split(":").flatMap((folder): Finding[] => {
    const names = library.sharedLibrary.linux.filter((name) => !name.includes("/"));
    const file = names.map((name) => join(folder, name)).find((path) => existsSync(path));
    if (folder === "" || file === undefined || !/(^|\/)stubs(\/|$)/.test(folder)) return [];
    return [
      {
        about: "driver",
        level: "problem",
        text: `LD_LIBRARY_PATH leads to ${file}, a stub for linking only: take ${folder} out of it`,
      },
    ];
  });
}

/** What a built package says of itself and the driver; a stage that failed ends it. */
type DriverAnswer =
  | { failed: "package"; message: string }
  | { failed: "driver"; message: string; tried: Tried[] }
  | {
      failed: null;
      path: string;
      version: number;
      passedOver: Tried[];
      devices: number | null;
      error: DriverError | null;
    };

interface Tried {
  path: string;
  reason: string;
}

interface DriverError {
  code: string;
  message: string;
}

/** Asked in a process of its own: a broken driver must not take the doctor along. */
async function driverFindings(out: string, toolkit: number | null): Promise<Finding[]> {
  const stubs = stubFindings(process.env);
  const built = existsSync(join(out, "dist")) && existsSync(join(out, "build"));
  if (!built) {
    const text = "can be asked only through a built package";
    const how = toolkit === null ? "" : `: run npm install in ${out}`;
    return [...stubs, { about: "driver", level: "note", text: text + how }];
  }
  const script = `
    const message = (error) => String(error?.message ?? error).split("\\n")[0];
    async function ask() {
      let cuda, info;
      try { cuda = await import(${JSON.stringify(library.package)}); }
      catch (error) { return { failed: "package", message: message(error) }; }
      try { info = cuda.driverInfo(); }
      catch (error) { return { failed: "driver", message: message(error), tried: error.tried ?? [] }; }
      const { path, version, passedOver } = info;
      let devices = null, error = null;
      try { cuda.cuInit(0); devices = cuda.cuDeviceGetCount(); }
      catch (thrown) { error = { code: String(thrown.code), message: message(thrown) }; }
      return { failed: null, path, version, passedOver, devices, error };
    }
    console.log(JSON.stringify(await ask()));`;
  try {
    const { stdout } = await execute(process.execPath, ["--input-type=module", "--eval", script], {
      cwd: out,
      timeout: 60_000,
    });
    return [...stubs, ...describeDriver(JSON.parse(stdout) as DriverAnswer, toolkit, process.env.CUDA_DRIVER_LIBRARY)];
  } catch (error) {
    const { signal, code } = error as { signal?: string; code?: number };
    const text = `the process that asked the driver ended with ${signal ?? `exit code ${code}`}: reinstall the driver`;
    return [...stubs, { about: "driver", level: "problem", text }];
  }
}

/** @param named the library that the user named; one that is not there is then a problem. */
export function describeDriver(answer: DriverAnswer, toolkit: number | null, named: string | undefined): Finding[] {
  if (answer.failed === "package") {
    return [{ about: "addon", level: "problem", text: `the package does not load: ${answer.message}` }];
  }
  const loads: Finding = { about: "addon", level: "ok", text: "loads" };
  if (answer.failed === "driver") {
    const broken = answer.tried.filter((tried) => !isAbsent(tried));
    if (named !== undefined && broken.length === 0) {
      const text = `CUDA_DRIVER_LIBRARY names ${named}, which is not there: name another, or unset it`;
      return [loads, { about: "driver", level: "problem", text }];
    }
    const text = "none is here: what needs one throws until NVIDIA's driver is installed";
    return [loads, ...refusedLibraries(broken), { about: "driver", level: "note", text }];
  }
  const { path, version, passedOver, devices, error } = answer;
  const findings: Finding[] = [
    loads,
    ...refusedLibraries(passedOver.filter((tried) => !isAbsent(tried))),
    { about: "driver", level: "ok", text: `CUDA ${formatVersion(version)} in ${path}` },
  ];
  if (toolkit !== null && toolkit > version) {
    const text = `the package knows CUDA ${formatVersion(toolkit)}, the driver ${formatVersion(version)}: what is newer throws when it is called`;
    findings.push({ about: "driver", level: "note", text });
  }
  if (devices !== null && devices > 0) findings.push({ about: "gpu", level: "ok", text: count(devices, "GPU") });
  else if (error === null || error.code === "CUDA_ERROR_NO_DEVICE")
    findings.push({ about: "gpu", level: "note", text: "the driver sees none" });
  else findings.push({ about: "gpu", level: "problem", text: error.message });
  return findings;
}

function refusedLibraries(tried: readonly Tried[]): Finding[] {
  return tried.map(({ path, reason }) => ({
    about: "driver",
    level: "problem",
    text: `${path} was passed over: ${reason}`,
  }));
}

/** Nothing of that name is there, as the loaders say it. Where a library that it needs is missing, Linux begins with that one's name. */
function isAbsent({ reason }: Tried): boolean {
  return reason === "cannot open shared object file: No such file or directory" || /\berror 126\b/.test(reason);
}
