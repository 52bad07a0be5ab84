/** How the suite starts a process of its own, and how that process answers. */
import { spawn } from "node:child_process";
import { writeSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** What a child came to: its answer, or how it ended without one. */
export interface Outcome<Answer> {
  readonly answer: Answer | null;
  readonly code: number | null;
  readonly signal: string | null;
  readonly errors: string;
}

/** Bigints travel as strings with an n behind. */
function pack(value: unknown): string {
  return JSON.stringify(value, (_, item) => (typeof item === "bigint" ? `${item}n` : item));
}

function unpack(text: string): unknown {
  return JSON.parse(text, (_, item) =>
    typeof item === "string" && /^\d+n$/.test(item) ? BigInt(item.slice(0, -1)) : item,
  );
}

/**
 * Runs children/`script` with one argument and gives back what it answered.
 * @param descriptors open files, which the child finds as its descriptors 3, 4, ...
 */
export function child<Answer>(
  script: string,
  argument: unknown,
  descriptors: number[] = [],
  environment: Record<string, string> = {},
): Promise<Outcome<Answer>> {
  return new Promise((resolve, reject) => {
    const path = fileURLToPath(new URL(script, import.meta.url));
    const args = [...process.execArgv.filter((flag) => !flag.startsWith("--test")), path, pack(argument)];
    const env = { ...process.env, ...environment };
    /* A child is no test file of the runner's. */
    delete env.NODE_TEST_CONTEXT;
    const running = spawn(process.execPath, args, {
      stdio: ["ignore", "pipe", "pipe", ...descriptors],
      env,
      timeout: 90_000,
    });
    let said = "";
    let errors = "";
    running.stdout?.on("data", (data) => {
      said += data;
    });
    running.stderr?.on("data", (data) => {
      errors += data;
    });
    running.on("error", reject);
    running.on("close", (code, signal) => {
      const line = said.trim().split("\n").at(-1) ?? "";
      const answer = line.startsWith("{") ? (unpack(line) as Answer) : null;
      resolve({ answer, code, signal, errors });
    });
  });
}

/** In the child: the argument. */
export function argument<T>(): T {
  return unpack(process.argv.at(-1) ?? "null") as T;
}

/** In the child: the answer, an object. */
export function answer(value: object): void {
  writeSync(1, `${pack(value)}\n`);
}
