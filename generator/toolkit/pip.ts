import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { UserError } from "../errors.ts";
import type { Wheel } from "./wheels.ts";

const execute = promisify(execFile);

/**
 * Headers do not differ by platform, so that everyone reads the same wheel: Linux on x86-64, whatever the machine is.
 * NVIDIA's tags have changed over the years; later glibc steps are named ahead.
 */
const platforms = [
  "manylinux1",
  "manylinux2014",
  ..."17 24 26 27 28 31 34 35 38 39".split(" ").map((minor) => `manylinux_2_${minor}`),
];
const wheelsOnly = ["--no-deps", "--only-binary=:all:", ...platforms.flatMap((tag) => ["--platform", `${tag}_x86_64`])];
const quick = ["--retries", "2", "--timeout", "20", "--disable-pip-version-check", "--no-input"];

/** What went wrong when pip was asked. */
export class PipError extends UserError {
  override name = "PipError";
  readonly kind: "no pip" | "unknown version" | "unreachable";
  constructor(kind: PipError["kind"], message: string) {
    super(message);
    this.kind = kind;
  }
}

/**
 * Asks pip which wheel a requirement such as `nvidia-cuda-runtime==13.0.*` means.
 * @throws PipError
 */
export async function resolveWheel(requirement: string): Promise<Wheel> {
  // pip wants a target folder for a foreign platform, though a dry run writes nothing there.
  const target = join(tmpdir(), "codegen-never-written");
  const dry = ["--dry-run", "--ignore-installed", "--quiet", "--report", "-", "--target", target];
  const report: unknown = JSON.parse(await pip(["install", ...dry, ...quick, ...wheelsOnly, requirement], requirement));
  const wheel = readReport(report);
  if (wheel === null)
    throw new PipError(
      "unreachable",
      `pip reported no hash for ${requirement}: update pip (22.2 or later) and try again`,
    );
  return wheel;
}

/** All versions that the index offers of one package, newest first. @throws PipError */
export async function offeredVersions(name: string): Promise<string[]> {
  const text = await pip(
    ["index", "versions", name, ...quick, "--only-binary=:all:", "--platform", "manylinux2014_x86_64"],
    name,
  );
  return (/^Available versions: (.*)$/m.exec(text)?.[1] ?? "")
    .split(", ")
    .filter((version) => /^[\d.]+$/.test(version));
}

/** Downloads a wheel into a folder; pip refuses one whose hash differs. @throws PipError */
export async function downloadWheel({ name, version, file, sha256 }: Wheel, folder: string): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), "codegen-pip-"));
  try {
    const requirements = join(scratch, "requirements.txt");
    await writeFile(requirements, `${name}==${version} --hash=sha256:${sha256}\n`);
    await pip(
      [
        "download",
        "--quiet",
        "--require-hashes",
        ...quick,
        ...wheelsOnly,
        "--dest",
        folder,
        "--requirement",
        requirements,
      ],
      `${name} ${version}`,
    );
    if (!(await readdir(folder)).includes(file))
      throw new PipError("unreachable", `pip did not deliver ${file}: try again, or name another release`);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** `pip 24.0`, the one that is asked; null: this machine has none. */
export async function pipVersion(): Promise<string | null> {
  try {
    return (await python(["-m", "pip", "--version"], 20_000)).trim().split(" ").slice(0, 2).join(" ");
  } catch {
    return null;
  }
}

/** Unpacks a wheel; Python is there anyway, for pip. */
export async function unpackWheel(file: string, folder: string): Promise<void> {
  await python(["-m", "zipfile", "-e", file, folder]);
}

/** One wheel out of pip's installation report; null if it lacks one of the facts. */
export function readReport(report: unknown): Wheel | null {
  const item = (report as { install?: Record<string, unknown>[] }).install?.[0] as
    | {
        metadata?: { name?: string; version?: string };
        download_info?: { url?: string; archive_info?: { hash?: string; hashes?: { sha256?: string } } };
      }
    | undefined;
  const archive = item?.download_info?.archive_info;
  const sha256 = archive?.hashes?.sha256 ?? archive?.hash?.replace(/^sha256=/, "");
  const url = item?.download_info?.url;
  const { name, version } = item?.metadata ?? {};
  if (!name || !version || !url || !sha256 || !/^[0-9a-f]{64}$/.test(sha256)) return null;
  return {
    name: name.toLowerCase().replace(/[._]+/g, "-"),
    version,
    file: decodeURIComponent(new URL(url).pathname.split("/").at(-1) ?? ""),
    sha256,
  };
}

async function pip(args: string[], what: string): Promise<string> {
  try {
    return await python(["-m", "pip", ...args]);
  } catch (error) {
    if (error instanceof PipError) throw error;
    throw explain(String((error as { stderr?: string }).stderr ?? error), what);
  }
}

/** pip says "No matching distribution found" both for a version that is not there and for an index that cannot be reached. */
function explain(stderr: string, what: string): PipError {
  if (/No module named pip/.test(stderr)) {
    return new PipError(
      "no pip",
      "this machine's Python has no pip: install it (python3 -m ensurepip, or the package python3-pip) and try again",
    );
  }
  if (/DO NOT MATCH THE HASHES/i.test(stderr)) {
    return new PipError(
      "unreachable",
      `the index delivered another file for ${what} than the one known: nothing was kept; check which index pip uses`,
    );
  }
  const offered = /\(from versions: ([^)]*)\)/.exec(stderr)?.[1];
  if (offered !== undefined && offered !== "none" && !/connection|timed out|retrying/i.test(stderr)) {
    return new PipError("unknown version", `there is no wheel ${what}`);
  }
  const broken = /\[Errno -?\d+\] [^'")\n]+|\btimed out\b|\bcertificate verify failed\b/.exec(stderr)?.[0];
  const reason = broken ?? stderr.trim().split("\n").at(-1)?.slice(0, 200) ?? "";
  return new PipError(
    "unreachable",
    `pip could not get ${what}: check the network and pip's index, then try again (pip: ${reason})`,
  );
}

/** Standard output of the first Python that is there. @param timeout in milliseconds; 0: none. */
async function python(args: string[], timeout = 0): Promise<string> {
  const names = process.platform === "win32" ? ["py", "python", "python3"] : ["python3", "python"];
  for (const name of names) {
    try {
      const { stdout } = await execute(name, args, {
        maxBuffer: 64 << 20,
        timeout,
        env: { ...process.env, PYTHONIOENCODING: "utf-8", PIP_REQUIRE_VIRTUALENV: "0" },
      });
      return stdout;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
  }
  throw new PipError(
    "no pip",
    "no python3 on PATH: NVIDIA's headers are fetched through pip, so install Python 3 with pip and try again",
  );
}
