/**
 * A process opens one libcuda only, so a test over drivers asks child processes: each is one of the scripts in workers/, reads
 * its question as JSON from standard input and prints its answer as JSON. Bigints travel as "123n".
 */
import { fileURLToPath } from "node:url";
import { attempt } from "../support/command.ts";
import type { DriverBuild } from "../support/drivers.ts";

/** The generated package. */
export const PACKAGE = fileURLToPath(new URL("../../generated", import.meta.url));
export const ADDON = `${PACKAGE}/build/Release/cuda_driver.node`;

export type Mode = "legacy" | "perThread";

export interface ChildOptions {
  /** The real driver to open; none: `env` says what is there. */
  driver?: DriverBuild;
  /** By the environment variable. */
  mode?: Mode;
  env?: Record<string, string | undefined>;
  input?: unknown;
}

/** What a worker script answers. @throws where it fails, with what it said */
export async function ask<T>(worker: string, { driver, mode, env, input }: ChildOptions = {}): Promise<T> {
  const script = fileURLToPath(new URL(`workers/${worker}.ts`, import.meta.url));
  const { code, stdout, stderr } = await attempt(process.execPath, ["--import", "tsx", "--expose-gc", script], {
    input: encode(input ?? null),
    env: {
      CUDA_API_PER_THREAD_DEFAULT_STREAM: mode === "perThread" ? "1" : undefined,
      CUDA_DRIVER_LIBRARY: driver?.path,
      LD_PRELOAD: undefined,
      NODE_TEST_CONTEXT: undefined,
      ...driver?.env,
      ...env,
    },
  });
  if (code !== 0) throw new Error(`${worker} failed (${code}): ${stderr.trim().slice(-3000)}`);
  return decode(stdout) as T;
}

/** The question of this worker script. */
export async function question<T>(): Promise<T> {
  const chunks: Buffer[] = [];
  for await (const chunk of process.stdin) chunks.push(chunk as Buffer);
  return decode(Buffer.concat(chunks).toString()) as T;
}

/** Answers for this worker script. */
export function answer(value: unknown): void {
  process.stdout.write(encode(value));
}

/** What an error says, as data. */
export interface Failure {
  name: string;
  message: string;
  /** Names of the classes that it is an instance of, nearest first, up to Error. */
  classes: string[];
  code?: string;
  errno?: number;
  syscall?: string;
  path?: string;
  needed?: number;
  present?: number;
  tried?: { path: string; reason: string }[];
}

export type Outcome<T> = { value: T; error?: never } | { value?: never; error: Failure };

export function failure(error: unknown): Failure {
  if (!(error instanceof Error)) throw new Error(`thrown was ${String(error)}, no Error`);
  const classes: string[] = [];
  for (let at = error.constructor; at !== Function.prototype; at = Object.getPrototypeOf(at)) classes.push(at.name);
  const { tried } = error as { tried?: Failure["tried"] };
  return {
    ...(error as object),
    ...(tried ? { tried } : {}),
    name: error.name,
    message: error.message,
    classes,
  } as Failure;
}

/** What a function gives or throws. */
export function outcome<T>(body: () => T): Outcome<T> {
  try {
    return { value: body() };
  } catch (error) {
    return { error: failure(error) };
  }
}

/** As `outcome`, for a promise; a function that throws instead of rejecting is told apart. */
export async function settled<T>(body: () => Promise<T>): Promise<Outcome<T> & { thrown?: true }> {
  let promise: Promise<T>;
  try {
    promise = body();
  } catch (error) {
    return { error: failure(error), thrown: true };
  }
  try {
    return { value: await promise };
  } catch (error) {
    return { error: failure(error) };
  }
}

function encode(value: unknown): string {
  return JSON.stringify(value, (_, item) => (typeof item === "bigint" ? `${item}n` : item)) ?? "null";
}

function decode(text: string): unknown {
  return JSON.parse(text, (_, item) =>
    typeof item === "string" && /^-?\d+n$/.test(item) ? BigInt(item.slice(0, -1)) : item,
  );
}

/** What expressions over the package give or throw, one after the other in one process: see workers/evaluate.ts. */
export function evaluate(
  expressions: string[],
  options: Omit<ChildOptions, "input"> = {},
): Promise<Outcome<unknown>[]> {
  return ask("evaluate", { ...options, input: expressions });
}

/** The error that was thrown. @throws where there was none */
export function errorOf(outcome: Outcome<unknown> | undefined): Failure {
  if (!outcome?.error) throw new Error(`nothing was thrown, the answer is ${encode(outcome)}`);
  return outcome.error;
}

/** The values. @throws where one was an error */
export function valuesOf(outcomes: readonly Outcome<unknown>[]): unknown[] {
  return outcomes.map(({ value, error }, index) => {
    if (error) throw new Error(`expression ${index}: ${error.name}: ${error.message}`);
    return value;
  });
}
