/** What compilers say of a mutant, and of the package that was made of it. */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ApiDocument, Omission } from "../../generator/api/document.ts";
import { complete } from "../../generator/api/history.ts";
import { UserError } from "../../generator/errors.ts";
import { driver } from "../../generator/libraries/driver.ts";
import { emit } from "../../generator/pipeline.ts";
import { readHistory } from "../../generator/store.ts";
import type { HeaderText } from "../../generator/toolkit/toolkit.ts";
import { compare } from "../corpus/compare.ts";
import { compile } from "../corpus/compilers.ts";
import { definesOf, judgements, readable } from "../corpus/judges.ts";
import { includes, STAND_INS } from "../support/castxml.ts";
import { attempt } from "../support/command.ts";
import { nodeHeaders } from "../support/nodeHeaders.ts";

const MODULES = fileURLToPath(new URL("../../node_modules", import.meta.url));

/** A temporary folder for as long as `body` runs. */
export async function inFolder<T>(body: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "codegen-fuzz-"));
  try {
    return await body(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export async function writeHeaders(headers: readonly HeaderText[], folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const { name, text } of headers) await writeFile(join(folder, name), text);
}

/** The first error of gcc in any configuration; null where it takes the headers. */
export async function gccError(headers: readonly HeaderText[]): Promise<string | null> {
  return inFolder(async (folder) => {
    await writeHeaders(headers, folder);
    const source = join(folder, "all.c");
    await writeFile(source, includes(await readable(folder)));
    for (const { name } of driver.configurations) {
      const macros = Object.entries(definesOf(name)).map(([macro, value]) => `-D${macro}=${value}`);
      const args = ["-std=c11", "-fsyntax-only", "-w", "-I", folder, "-isystem", STAND_INS, ...macros, source];
      const { code, stderr } = await attempt("gcc", args);
      if (code !== 0) return firstError(stderr, folder);
    }
    return null;
  });
}

/** Where castxml, gcc and clang read the same headers otherwise than the document. @throws Error where they cannot be asked */
export async function differences(
  headers: readonly HeaderText[],
  document: ApiDocument,
  omissions: readonly Omission[],
): Promise<string[]> {
  const fields = new Set(document.records.flatMap((record) => record.fields.map(({ name }) => name)));
  const shadowed = [
    ...omissions.filter(({ reason }) => reason === "a type has this name"),
    ...document.constants.filter(({ name }) => fields.has(name)),
  ];
  if (shadowed[0]) throw new Error(`the macro ${shadowed[0].name} has the name of a type or a field`);
  return inFolder(async (folder) => {
    await writeHeaders(headers, folder);
    const judged = await judgements(folder);
    const { differences } = compare(document, omissions, judged);
    const refused = await compile(document, folder, judged);
    const said = Object.entries(refused).flatMap(([judge, lines]) => lines.map((line) => `${judge}: ${line}`));
    return [
      ...differences.filter((line) => !isSameButForNames(line)),
      ...said.filter((line) => WORD_AGAINST.test(line)),
    ];
  });
}

/**
 * What counts of all that compilers say: a mutant need not be C++, and where a macro has the name of what the judges ask for,
 * their text is not understood. What `#define` says of other names than the API's is no loss.
 */
const WORD_AGAINST =
  /^(gcc|clang) C11: .*(assertion failed.*: "|conflicting types|redefinition)|^constant values: \w+ is -?\d+$|^header defaults: .*preprocessor cu\w+$|^header defaults: \w+ \(legacy\).*preprocessor nothing$/;

/** A parameter without a name is called after its place in the document. */
function isSameButForNames(line: string): boolean {
  const [, ours, theirs] = /document "(.*)", castxml "(.*)"$/.exec(line) ?? [];
  return ours !== undefined && ours.replace(/ : arg\d+(?=[,)])/g, " : ") === theirs;
}

export interface Sample {
  index: number;
  document: ApiDocument;
}

/** `refused`: the printers say in one line that they cannot carry something across. `errors`: the output does not compile. */
export interface CompileReport {
  compiled: number;
  refused: { index: number; message: string }[];
  errors: { index: number; message: string }[];
}

/** Makes a package of each document and gives all of them to the TypeScript and C compilers. */
export async function compilePackages(samples: Iterable<Sample>): Promise<CompileReport> {
  const report: CompileReport = { compiled: 0, refused: [], errors: [] };
  let batch: Sample[] = [];
  for (const sample of samples) {
    batch.push(sample);
    if (batch.length === BATCH) {
      await compileBatch(batch, report);
      batch = [];
    }
  }
  if (batch.length > 0) await compileBatch(batch, report);
  return report;
}

/** So many packages one run of the TypeScript compiler takes. */
const BATCH = 20;

async function compileBatch(samples: readonly Sample[], report: CompileReport): Promise<void> {
  const history = readHistory(driver);
  await inFolder(async (folder) => {
    for (const { index, document } of samples) {
      let files: Map<string, string>;
      try {
        files = await emit({ document: complete(document, history), history }, driver);
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        const isRefusal = error instanceof UserError && !message.includes("\n");
        (isRefusal ? report.refused : report.errors).push({ index, message: isRefusal ? message : stackOf(error) });
        continue;
      }
      for (const [name, text] of files) {
        const path = join(folder, String(index), name);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, text);
      }
      const shim = join(folder, String(index), "native/shim.c");
      const { code, stderr } = await attempt("gcc", ["-std=c11", "-fsyntax-only", "-I", nodeHeaders(), shim]);
      if (code !== 0) report.errors.push({ index, message: firstError(stderr, folder) });
      report.compiled++;
      const options = JSON.parse(files.get("tsconfig.json") ?? "{}").compilerOptions;
      await writeFile(
        join(folder, "tsconfig.json"),
        JSON.stringify({
          compilerOptions: { ...options, rootDir: ".", noEmit: true, typeRoots: [join(MODULES, "@types")] },
          include: ["*/src"],
        }),
      );
    }
    if (!existsSync(join(folder, "tsconfig.json"))) return;
    const { stdout } = await attempt(process.execPath, [join(MODULES, "typescript/bin/tsc"), "-p", "."], {
      cwd: folder,
    });
    const seen = new Set<string>();
    for (const line of stdout.split("\n")) {
      const [, index] = /^(?:.*[/\\])?(\d+)[/\\]src[/\\].*error TS/.exec(line) ?? [];
      if (index === undefined ? !/error TS/.test(line) : seen.has(index)) continue;
      if (index !== undefined) seen.add(index);
      report.errors.push({ index: Number(index ?? -1), message: line.slice(0, 300) });
    }
  });
}

function firstError(stderr: string, folder: string): string {
  const line = stderr.split("\n").find((one) => /error/.test(one)) ?? stderr;
  return line.replaceAll(`${folder}/`, "").slice(0, 300);
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message).slice(0, 600) : String(error);
}
