import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cached } from "./cache.ts";
import { command } from "./command.ts";
import type { DriverBuild } from "./drivers.ts";

/** A question to cuGetProcAddress_v2 (`new`; `bare`: with a null status pointer) or to the four-argument function (`old`). */
export interface Question {
  verb: "new" | "bare" | "old";
  symbol: string;
  cudaVersion: number;
  flags: bigint;
}

/** What C got. */
export interface Answer {
  /** CUresult */
  result: number;
  /** null where the driver left it alone, and for `bare` and `old`, which have none. */
  status: number | null;
  /** Every name that the library exports at that address, sorted; [] for NULL; null where the driver left it alone. */
  names: string[] | null;
  /** From the start of the library; null for NULL and where the driver left it alone. */
  offset: bigint | null;
}

/** One driver, asked from C. */
export interface Judge {
  /** Exported functions: name -> offset from the library's start. */
  exports: Map<string, bigint>;
  /** cuDriverGetVersion's number. */
  version: number;
  /** In the order of the questions; null where the library does not have the function that was to answer. */
  ask(questions: Question[]): Promise<(Answer | null)[]>;
  /** dlsym, as offsets from the library's start; null: not there. */
  symbols(names: string[]): Promise<(bigint | null)[]>;
}

/** Opens a driver for questions; the answers come from a C program of our own, compiled once into the cache. */
export async function judge(driver: DriverBuild): Promise<Judge> {
  const program = await compile();

  async function lines(questions: string[]): Promise<string[]> {
    const said = await command(program, [driver.path], { env: driver.env, input: `${questions.join("\n")}\n` });
    const answers = said.split("\n").slice(0, -1);
    if (answers.length !== questions.length) {
      throw new Error(`${driver.path} gave ${answers.length} answers to ${questions.length} questions`);
    }
    return answers;
  }

  const [versionLine = "", exportsLine = ""] = await lines(["version", "exports"]);
  const exports = new Map<string, bigint>();
  const namesAt = new Map<bigint, string[]>();
  for (const pair of exportsLine.trim().split(" ")) {
    const [name = "", digits = ""] = pair.split("=");
    const offset = BigInt(`0x${digits}`);
    exports.set(name, offset);
    namesAt.set(offset, [...(namesAt.get(offset) ?? []), name].sort());
  }

  function read(line: string): Answer | null {
    if (line === "absent") return null;
    const [result = "", status = "", pointer = ""] = line.split(" ");
    if (pointer === "outside") throw new Error(`${driver.path} answered with a pointer outside of itself`);
    const offset = /^[0-9a-f]+$/.test(pointer) ? BigInt(`0x${pointer}`) : null;
    const names = pointer === "untouched" ? null : offset === null ? [] : (namesAt.get(offset) ?? []);
    return { result: Number(result), status: /^\d+$/.test(status) ? Number(status) : null, names, offset };
  }

  return {
    exports,
    version: Number(versionLine.split(" ")[1]),
    ask: async (questions) =>
      (await lines(questions.map((q) => `${q.verb} ${q.cudaVersion} ${q.flags} ${hex(q.symbol)}`))).map(read),
    symbols: async (names) =>
      (await lines(names.map((name) => `symbol ${hex(name)}`))).map((line) =>
        line === "null" ? null : BigInt(`0x${line}`),
      ),
  };
}

function hex(text: string): string {
  return Buffer.from(text).toString("hex");
}

async function compile(): Promise<string> {
  const source = fileURLToPath(new URL("ask.c", import.meta.url));
  const key = createHash("sha256")
    .update(await readFile(source))
    .digest("hex")
    .slice(0, 16);
  const folder = await cached(`ask/${key}`, async (empty) => {
    await command("cc", ["-std=gnu11", "-O1", "-Wall", "-Wextra", "-o", join(empty, "ask"), source, "-ldl"]);
  });
  return join(folder, "ask");
}
