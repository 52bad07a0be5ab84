/**
 * The truth about look-ups: every name, at every version in steps of 10, with every flag, through the package and from C.
 * The C programs are test/support/ask.c (the driver) and entryPoint.c (the runtime).
 */
import assert from "node:assert/strict";
import { appendFileSync } from "node:fs";
import { test } from "node:test";
import { cuda } from "./count.ts";
import { ask, compile, mapped, runtimeLibrary } from "./judge.ts";

const names = Object.keys(cuda.symbols);
const FLAGS = [0, 1, 2];
/** Names for one run of a judge: so many that starting it costs little, so few that its answers fit into memory. */
const BATCH = 40;

/** None of this needs a GPU: a driver is enough. */
function skipWithoutDriver(): string | false {
  try {
    cuda.driverInfo();
    return false;
  } catch (error) {
    if (error instanceof cuda.CudaDriverNotFoundError) return "no CUDA driver here";
    throw error;
  }
}

const skip = skipWithoutDriver();
const driverJudge = skip ? null : compile("../support/ask.c");
const noCompiler = skip || (driverJudge === null && "there is no C compiler here");

/** A program that works on the per-thread stream means it by the default flag, in C by a macro and here by itself. */
function flagInC(flag: number): number {
  return flag === 0 && cuda.streamMode() === "perThread" ? 2 : flag;
}

/** [result, status, pointer] in the judge's words. */
function answer(look: () => readonly [pfn: bigint, status: number], base: bigint): string {
  try {
    const [pfn, status] = look();
    return `0 ${status} ${pfn === 0n ? "null" : (pfn - base).toString(16)}`;
  } catch (error) {
    if (!(error instanceof cuda.CudaError)) throw error;
    return `${error.errno} untouched untouched`;
  }
}

interface Question {
  /** For the judge. */
  asked: string;
  look: () => readonly [pfn: bigint, status: number];
}

/** Asks both; gives how many questions there were, and the first differences. */
function compare(program: string, library: string, base: bigint, questionsOf: (name: string) => Question[]) {
  let asked = 0;
  const wrong: string[] = [];
  for (let first = 0; first < names.length; first += BATCH) {
    const questions = names.slice(first, first + BATCH).flatMap(questionsOf);
    const expected = ask(
      program,
      library,
      questions.map((question) => question.asked),
    );
    for (const [i, question] of questions.entries()) {
      const got = answer(question.look, base);
      if (got !== expected[i]) wrong.push(`${question.asked}: C says ${expected[i]}, the package ${got}`);
    }
    asked += questions.length;
  }
  return { asked, wrong };
}

function report(what: string, asked: number, differences: number): void {
  const line = { lookups: what, mode: cuda.streamMode(), names: names.length, asked, differences };
  if (process.env.GPU_REPORT) appendFileSync(process.env.GPU_REPORT, `${JSON.stringify(line)}\n`);
}

function upTo(version: number): number[] {
  return Array.from({ length: Math.floor(version / 10) + 1 }, (_, i) => 10 * i);
}

test("cuGetProcAddress: every name, version and flag", { skip: noCompiler, timeout: 600_000 }, (t) => {
  const { path, version } = cuda.driverInfo();
  const library = mapped(path);
  const versions = upTo(version + 20);
  const { asked, wrong } = compare(driverJudge as string, library.path, library.base, (name) => {
    const digits = Buffer.from(name).toString("hex");
    return versions.flatMap((at) =>
      FLAGS.map((flag) => ({
        asked: `new ${at} ${flagInC(flag)} ${digits}`,
        look: () => cuda.cuGetProcAddress(name, at, flag),
      })),
    );
  });
  t.diagnostic(`${asked} look-ups of ${names.length} names, ${wrong.length} differences`);
  report("cuGetProcAddress", asked, wrong.length);
  assert.deepEqual(wrong.slice(0, 10), []);
  assert.equal(asked, names.length * versions.length * 3);
});

test("cudaGetDriverEntryPoint and ByVersion, against the real runtime", { skip: noCompiler, timeout: 600_000 }, (t) => {
  const { path, version } = cuda.driverInfo();
  const runtime = runtimeLibrary(Math.floor(version / 1000));
  if (runtime === null) {
    t.skip("there is no libcudart here; CUDART_LIBRARY may name one");
    return;
  }
  const program = compile("entryPoint.c") as string;
  const { base } = mapped(path);
  const [result, runtimeVersion = 0] = (ask(program, runtime, ["runtime"])[0] ?? "").split(" ").map(Number);
  assert.equal(result, 0);

  const plain = compare(program, runtime, base, (name) =>
    FLAGS.map((flag) => ({
      asked: `plain ${flagInC(flag)} ${name}`,
      look: () => cuda.cudaGetDriverEntryPoint(name, flag),
    })),
  );
  const versions = upTo(version + 20);
  const byVersion = compare(program, runtime, base, (name) =>
    versions.flatMap((at) =>
      FLAGS.map((flag) => ({
        asked: `at ${at} ${flagInC(flag)} ${name}`,
        look: () => cuda.cudaGetDriverEntryPointByVersion(name, at, flag),
      })),
    ),
  );
  t.diagnostic(
    `runtime ${runtimeVersion}: ${plain.asked} + ${byVersion.asked} look-ups, ${plain.wrong.length} + ${byVersion.wrong.length} differences`,
  );
  report("cudaGetDriverEntryPoint", plain.asked, plain.wrong.length);
  report("cudaGetDriverEntryPointByVersion", byVersion.asked, byVersion.wrong.length);
  /* The plain one asks at the runtime's own version, the package at its toolkit's: the same only within one driver. */
  if (runtimeVersion >= Math.min(cuda.toolkit, version)) assert.deepEqual(plain.wrong.slice(0, 10), []);
  assert.deepEqual(byVersion.wrong.slice(0, 10), []);
});
