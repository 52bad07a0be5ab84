import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { formatVersion, UserError } from "../errors.ts";
import { driver as library } from "../libraries/driver.ts";
import { readManifest } from "../output.ts";
import { historyFile, readHistory } from "../store.ts";
import { findAll, locate } from "../toolkit/locate.ts";
import { count, print, printJson } from "./terminal.ts";

export interface Finding {
  about: "node" | "toolkit" | "history" | "pip" | "package" | "addon" | "driver" | "gpu";
  /** A note is worth knowing; only a problem makes the exit code 1. */
  level: "ok" | "note" | "problem";
  text: string;
}

const execute = promisify(execFile);
const oldestNode = [20, 17] as const;

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
    ...stubFindings(process.env),
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
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const old = major < oldestNode[0] || (major === oldestNode[0] && minor < oldestNode[1]);
  return old
    ? { about: "node", level: "problem", text: `${version} is too old: install ${oldestNode.join(".")} or later` }
    : { about: "node", level: "ok", text: version };
}

function toolkitFindings(): Finding[] {
  const refused = findAll(library).refused.map((text): Finding => ({ about: "toolkit", level: "problem", text }));
  try {
    const located = locate(library);
    const warnings = located.warnings
      .filter((warning) => !warning.startsWith("passed over"))
      .map((text): Finding => ({ about: "toolkit", level: "problem", text }));
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
  const python = process.platform === "win32" ? "python" : "python3";
  try {
    const { stdout } = await execute(python, ["-m", "pip", "--version"], { timeout: 20_000 });
    return { about: "pip", level: "ok", text: stdout.trim().split(" ").slice(0, 2).join(" ") };
  } catch {
    return { about: "pip", level: "note", text: "python3 with pip is not here: only codegen fetch needs it" };
  }
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
    const { toolkit } = manifest;
    const made: Finding = {
      about: "package",
      level: "ok",
      text: `made from CUDA ${formatVersion(toolkit)}, in ${out}`,
    };
    const addon = addons(out)[0];
    const built: Finding = addon
      ? { about: "addon", level: "ok", text: addon }
      : {
          about: "addon",
          level: "problem",
          text: `${out} has no built addon: run npm install there (it needs a C compiler)`,
        };
    return { findings: [made, built], toolkit };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { findings: [{ about: "package", level: "problem", text: error.message }], toolkit: null };
  }
}

function addons(out: string): string[] {
  return ["build/Release", "build/Debug", "prebuilds"].flatMap((folder) =>
    existsSync(join(out, folder))
      ? readdirSync(join(out, folder), { recursive: true, encoding: "utf8" })
          .filter((name) => name.endsWith(".node"))
          .map((name) => join(out, folder, name))
      : [],
  );
}

/** The toolkit's stub libraries are for linking; one on the loader's path is found before the driver. */
export function stubFindings(env: Readonly<Record<string, string | undefined>>): Finding[] {
  return (env.LD_LIBRARY_PATH ?? "").split(":").flatMap((folder): Finding[] => {
    const file = library.sharedLibrary.linux.map((name) => join(folder, name)).find((path) => existsSync(path));
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

/** Asked in a process of its own: a broken driver must not take the doctor along. */
async function driverFindings(out: string, toolkit: number | null): Promise<Finding[]> {
  if (addons(out).length === 0)
    return [{ about: "driver", level: "note", text: "can be asked only through a built package" }];
  const script = `
    const cuda = await import(${JSON.stringify(library.package)});
    const info = cuda.driverInfo();
    let devices = null, failure = null;
    try { cuda.cuInit(0); devices = cuda.cuDeviceGetCount(); } catch (error) { failure = String(error.message); }
    console.log(JSON.stringify({ path: info.path, version: info.version, devices, failure }));`;
  try {
    const { stdout } = await execute(process.execPath, ["--input-type=module", "--eval", script], {
      cwd: out,
      timeout: 60_000,
    });
    return describeDriver(JSON.parse(stdout) as DriverAnswer, toolkit);
  } catch (error) {
    const said = String((error as { stderr?: string }).stderr ?? error).split("\n");
    const line = said.find((line) => /^\w*Error/.test(line)) ?? said.find((line) => line.trim() !== "") ?? "no answer";
    return [{ about: "driver", level: "problem", text: line.trim() }];
  }
}

interface DriverAnswer {
  path: string;
  version: number;
  devices: number | null;
  failure: string | null;
}

function describeDriver({ path, version, devices, failure }: DriverAnswer, toolkit: number | null): Finding[] {
  const findings: Finding[] = [{ about: "driver", level: "ok", text: `CUDA ${formatVersion(version)} in ${path}` }];
  if (toolkit !== null && toolkit > version) {
    const text = `the package knows CUDA ${formatVersion(toolkit)}, the driver ${formatVersion(version)}: what is newer throws when it is called`;
    findings.push({ about: "driver", level: "note", text });
  }
  if (failure !== null) findings.push({ about: "gpu", level: "problem", text: failure });
  else if (devices === 0) findings.push({ about: "gpu", level: "problem", text: "the driver sees no GPU" });
  else findings.push({ about: "gpu", level: "ok", text: count(devices ?? 0, "GPU") });
  return findings;
}
