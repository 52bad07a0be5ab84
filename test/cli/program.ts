/** The program as its users run it, in a folder that is gone afterwards. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { driver } from "../../generator/libraries/driver.ts";
import { cacheFolder } from "../../generator/toolkit/cache.ts";
import { fetchToolkit } from "../../generator/toolkit/fetch.ts";

const program = new URL("../../generator/cli.ts", import.meta.url).pathname;
const tsx = import.meta.resolve("tsx");
export const work = mkdtempSync(join(tmpdir(), "codegen-cli-"));
export const history = join(work, "history");
export const out = join(work, "out");

after(() => rmSync(work, { recursive: true, force: true }));

export interface Ran {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the program with a history of its own and no CUDA variables. */
export function codegen(
  args: string[],
  options: { input?: string; env?: Record<string, string>; closeEarly?: boolean } = {},
): Promise<Ran> {
  const inherited = Object.entries(process.env).filter(([name]) => !/^CUDA_|^CONDA_PREFIX$|^FORCE_COLOR$/.test(name));
  const env = {
    ...Object.fromEntries(inherited),
    CODEGEN_HISTORY: history,
    CODEGEN_CACHE: cacheFolder(),
    ...options.env,
  };
  const child = spawn(process.execPath, ["--import", tsx, program, ...args], { cwd: work, env });
  return new Promise((resolve) => {
    const ran: Ran = { code: null, stdout: "", stderr: "" };
    child.stdout.on("data", (data) => {
      ran.stdout += data;
      if (options.closeEarly) child.stdout.destroy();
    });
    child.stderr.on("data", (data) => {
      ran.stderr += data;
    });
    child.on("close", (code) => resolve({ ...ran, code }));
    child.stdin.end(options.input ?? "");
  });
}

export async function succeeds(args: string[], options: Parameters<typeof codegen>[1] = {}): Promise<string> {
  const ran = await codegen(args, options);
  assert.equal(ran.code, 0, ran.stderr || ran.stdout.slice(0, 2000));
  assert.ok(!(ran.stdout + ran.stderr).includes("\u001b"));
  return ran.stdout;
}

export async function fails(
  args: string[],
  message: RegExp,
  options: Parameters<typeof codegen>[1] = {},
): Promise<void> {
  const { code, stdout, stderr } = await codegen(args, options);
  assert.equal(code, 2, stdout + stderr);
  assert.match(stderr, /^codegen: [^\n]+\n$/);
  assert.match(stderr, message);
  assert.equal(stdout, "");
}

/** Path within a folder -> text. */
export function contents(folder: string): Map<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort();
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return new Map(files.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

/** Lets the program learn 11.8 and 12.4. @returns the folder of 12.4's headers */
export async function learn(): Promise<string> {
  const { directory } = await fetchToolkit("12.4", driver);
  await fetchToolkit("11.8", driver);
  await succeeds(["learn", "--toolkit", "11.8"]);
  await succeeds(["learn", "--toolkit", "12.4"]);
  return directory;
}
