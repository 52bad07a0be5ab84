/** Compilers as judges: they include the real headers and are asked to refuse what the API document says wrongly. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApiDocument, StreamMode } from "../../generator/api/document.ts";
import { driver } from "../../generator/libraries/driver.ts";
import { castxmlProgram, includes, STAND_INS } from "../support/castxml.ts";
import { attempt, command } from "../support/command.ts";
import { definesOf, type Judgements } from "./judges.ts";
import { constantProgram, layoutOnWindows, layoutProgram, prototypeProgram, spellingProgram } from "./program.ts";

export interface Compiler {
  name: string;
  program: string;
  args: string[];
}

/** gcc and g++ as they are installed, and clang's front end as castxml brings it along. */
export async function compilers(): Promise<Compiler[]> {
  const clang = await castxmlProgram();
  return [
    { name: "gcc C11", program: "gcc", args: ["-x", "c", "-std=c11", "-fmax-errors=0"] },
    { name: "g++ C++17", program: "g++", args: ["-x", "c++", "-std=c++17", "-fmax-errors=0"] },
    {
      name: "clang C11",
      program: clang,
      args: ["--castxml-cc-gnu-c", "gcc", "-x", "c", "-std=c11", "-ferror-limit=0"],
    },
    {
      name: "clang C++17",
      program: clang,
      args: ["--castxml-cc-gnu", "g++", "-x", "c++", "-std=c++17", "-ferror-limit=0"],
    },
  ];
}

/** gcc as it builds for 64-bit Windows, with Windows' own C headers. */
const WINDOWS: Compiler = {
  name: "mingw-w64 C11",
  program: "x86_64-w64-mingw32-gcc",
  args: ["-x", "c", "-std=c11", "-fmax-errors=0"],
};

/** Whether it is installed: castxml judges the layouts of Windows too, so that it may be missing. */
export async function hasWindowsCompiler(): Promise<boolean> {
  return attempt(WINDOWS.program, ["--version"]).then(
    ({ code }) => code === 0,
    () => false,
  );
}

/** What each compiler refuses: one line each, none when all agree with the document. */
export async function compile(
  document: ApiDocument,
  directory: string,
  judged: Judgements,
): Promise<Record<string, string[]>> {
  const folder = await mkdtemp(join(tmpdir(), "codegen-compile-"));
  const include = ["-isystem", directory, "-isystem", STAND_INS];
  const macros = (name: string) => Object.entries(definesOf(name)).map(([macro, value]) => `-D${macro}=${value}`);
  const refused: Record<string, string[]> = {};

  async function write(name: string, text: string): Promise<string> {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  }
  try {
    const plain = new Set(judged.default.records.map(({ name }) => name));
    const procs = new Set(judged.internal.typedefs.map(({ name }) => name));
    const layout = await write("layout.c", layoutProgram(document, judged.headers, plain));
    const prototypes = await write("prototypes.c", prototypeProgram(document, judged.headers, procs));
    for (const { name, program, args } of await compilers()) {
      const quiet = [...args, "-fsyntax-only", "-w", "-Wno-deprecated-declarations", ...include];
      const first = await attempt(program, [...quiet, ...macros("default"), layout]);
      const second = await attempt(program, [...quiet, ...macros("internal"), prototypes]);
      refused[name] = [...errorsOf(first), ...errorsOf(second)];
    }
    if (await hasWindowsCompiler()) {
      const windows = await write("windows.c", layoutProgram(layoutOnWindows(document), judged.headers, plain));
      const { name, program, args } = WINDOWS;
      refused[name] = errorsOf(await attempt(program, [...args, "-fsyntax-only", "-w", ...include, windows]));
    }

    const constants = await write("constants.c", constantProgram(document, judged.headers));
    await command("gcc", ["-std=c11", "-w", ...include, "-o", join(folder, "constants"), constants]);
    refused["constant values"] = (await command(join(folder, "constants"), [])).trim().split("\n").slice(0, -1);

    const dump = async (source: string) => command("gcc", ["-std=c11", "-E", "-dM", ...include, source]);
    const all = await dump(await write("all.c", includes(judged.headers)));
    const foreign = await dump(await write("foreign.c", `${includes([])}#include <stdlib.h>\n#include <stdint.h>\n`));
    refused["constant values"].push(...missingConstants(all, foreign, document));

    const spellings = await write("spellings.c", spellingProgram(document, judged.headers));
    refused["header defaults"] = [];
    for (const [mode, configuration] of [
      ["legacy", "default"],
      ["perThread", "perThread"],
    ] as const) {
      const text = await command("gcc", ["-std=c11", "-E", "-P", ...include, ...macros(configuration), spellings]);
      refused["header defaults"].push(...defaultsOf(text, document, mode, judged));
    }
    return refused;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function errorsOf({ code, stderr }: { code: number; stderr: string }): string[] {
  if (code === 0) return [];
  const errors = stderr.split("\n").filter((line) => /\berror:/.test(line));
  return errors.length > 0 ? errors : [stderr.trim() || `ended with ${code}`];
}

/** Object-like macros of the headers that are neither constants in the document nor spellings of something declared. */
function missingConstants(all: string, foreign: string, document: ApiDocument): string[] {
  const { functions, aliases, constants } = document;
  const outside = new Set(foreign.split("\n"));
  const known = new Set([...constants, ...aliases, ...functions].map(({ name }) => name));
  for (const { base } of functions) known.add(base);
  return all.split("\n").flatMap((line) => {
    const [, name = "", body = ""] = /^#define (\w+) (.+)$/.exec(line) ?? [];
    if (name === "" || outside.has(line) || known.has(name) || body === name) return [];
    if (name.startsWith("_") || name.startsWith(driver.procTypedefPrefix)) return [];
    return [`${name} is missing: ${body}`];
  });
}

/** Compares what the preprocessor makes of each plain spelling with the document's header default. */
function defaultsOf(text: string, document: ApiDocument, mode: StreamMode, judged: Judgements): string[] {
  const differences: string[] = [];
  const ours = new Map<string, string>();
  // Where nothing is said for per-thread mode, what legacy mode means serves both.
  for (const wanted of mode === "legacy" ? ["legacy"] : ["legacy", "perThread"]) {
    for (const { base, name, streamMode, default: isDefault } of document.functions) {
      if (isDefault && streamMode === wanted) ours.set(base, name);
    }
    for (const { name, streamMode, target } of document.aliases) {
      if (streamMode === wanted) ours.set(name, target);
    }
  }
  const declared = new Map(judged[mode === "legacy" ? "default" : mode].functions.map((one) => [one.name, one]));
  const unread = new Set(
    document.functions.filter(({ header }) => !judged.headers.includes(header)).map(({ base }) => base),
  );
  for (const [, base = "", means = ""] of text.matchAll(/^"spelling" "(\w+)" (\w+)$/gm)) {
    // A helper with a body (cuGetProcAddress in per-thread mode) is no variant: the document has nothing to say of it.
    if (unread.has(base) || declared.get(means)?.inline) continue;
    const theirs = declared.has(means) ? means : undefined;
    if (ours.get(base) !== theirs) {
      differences.push(
        `${base} (${mode}): document ${ours.get(base) ?? "nothing"}, preprocessor ${theirs ?? "nothing"}`,
      );
    }
  }
  return differences;
}
