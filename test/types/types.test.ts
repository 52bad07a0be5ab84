import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { lookup, symbols, toolkit } from "cuda-driver";
import * as functions from "../../generated/dist/functions.js";
import { attempt } from "../support/command.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TSC = join(ROOT, "node_modules", "typescript", "bin", "tsc");

/** The options of a strict user; the package is found as an installed one is. */
const OPTIONS = {
  target: "es2022",
  lib: ["es2023"],
  module: "nodenext",
  moduleResolution: "nodenext",
  types: ["node"],
  skipLibCheck: true, // the package's own declarations are checked below
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
};

interface Diagnostic {
  file: string;
  line: number;
  code: string;
  message: string;
}

describe("what the compiler knows", () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), "cuda-driver-types-"));
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    await mkdir(join(folder, "node_modules"));
    await symlink(join(ROOT, "generated"), join(folder, "node_modules", "cuda-driver"));
    await symlink(join(ROOT, "node_modules", "@types"), join(folder, "node_modules", "@types"));
    await writeFile(join(folder, "package.json"), `{ "type": "module" }\n`);
  });

  /** Compiles one file of a program of its own. */
  async function compile(
    name: string,
    text: string,
    options: object = {},
  ): Promise<{ diagnostics: Diagnostic[]; seconds: number; project: string }> {
    const place = join(folder, name);
    await mkdir(place, { recursive: true });
    await writeFile(join(place, "program.ts"), text);
    const project = join(place, "tsconfig.json");
    await writeFile(project, JSON.stringify({ compilerOptions: { ...OPTIONS, ...options }, files: ["program.ts"] }));
    return { ...(await check(project)), project };
  }

  async function check(project: string): Promise<{ diagnostics: Diagnostic[]; seconds: number }> {
    const start = performance.now();
    const { code, stdout, stderr } = await attempt(process.execPath, [TSC, "-p", project, "--pretty", "false"]);
    const seconds = (performance.now() - start) / 1000;
    const diagnostics: Diagnostic[] = [];
    for (const line of stdout.split("\n")) {
      const found = /^(.*?)\((\d+),\d+\): error (TS\d+): (.*)$/.exec(line);
      const last = diagnostics.at(-1);
      if (found) {
        const [, file = "", number = "", id = "", message = ""] = found;
        diagnostics.push({ file, line: Number(number), code: id, message });
      } else if (last && line.startsWith(" ")) last.message += `\n${line}`;
    }
    assert.equal(code === 0, diagnostics.length === 0, `${stdout}${stderr}`);
    return { diagnostics, seconds };
  }

  const fixture = (name: string) => readFile(new URL(`fixtures/${name}`, import.meta.url), "utf8");

  it("accepts what is right", async () => {
    assert.deepEqual((await compile("right", await fixture("right.ts"))).diagnostics, []);
  });

  it("needs no types of Node's, nor leave to skip the checking of libraries", async () => {
    const text = `import * as cuda from "cuda-driver";
      import { get_proc_address_v2 } from "cuda-driver/v2/driver";
      export const location = new cuda.CUmemLocation({ id: cuda.cuDeviceGet(0) });
      export const found = get_proc_address_v2("cuInit", 12000, 0n);`;
    assert.deepEqual((await compile("alone", text, { types: [], skipLibCheck: false })).diagnostics, []);
  });

  it("refuses what is wrong, each line for its own reason", async (t) => {
    const lines = (await fixture("wrong.ts")).split("\n");
    const expected = new Map<number, { code: string; message: RegExp }>();
    for (const [index, line] of lines.entries()) {
      const found = /^\/\/ @ts-expect-error (TS\d+) (.*)$/.exec(line);
      if (!found) continue;
      expected.set(index + 2, { code: found[1] ?? "", message: new RegExp(found[2] ?? "") });
      lines[index] = "//";
    }
    assert.ok(expected.size > 40);
    const { diagnostics } = await compile("wrong", lines.join("\n"));
    const problems: string[] = [];
    for (const [line, { code, message }] of expected) {
      const here = diagnostics.filter((each) => each.line === line);
      const [first] = here;
      const title = `line ${line}: ${lines[line - 1]}`;
      if (first === undefined) problems.push(`${title}: compiles`);
      else if (here.length > 1) problems.push(`${title}: ${here.length} errors`);
      else if (first.code !== code || !message.test(first.message)) {
        problems.push(`${title}: ${first.code} ${first.message.slice(0, 400)}, not ${code} ${message}`);
      }
    }
    for (const { line, message } of diagnostics) {
      if (!expected.has(line)) problems.push(`line ${line}: ${lines[line - 1]}: ${message}`);
    }
    t.diagnostic(`${expected.size} wrong lines`);
    assert.deepEqual(problems, []);
  });

  it("decides as the look-up does, for every symbol, breakpoint and flag", async (t) => {
    const questions: string[] = [];
    let never = 0;
    for (const [symbol, variants] of Object.entries(symbols)) {
      const versions = new Set([1000, 3019, toolkit, toolkit + 10, -1]);
      for (const [, since] of variants) versions.add(since).add(since - 10);
      for (const cudaVersion of versions) {
        for (const flags of [0, 1, 2, 3]) {
          const { exported } = lookup(symbols, { symbol, cudaVersion, flags, driver: 999999 });
          if (exported === null) never++;
          const wrapper = exported !== null && exported in functions ? exported : `${exported}_v1`;
          const type = exported === null ? "never" : `typeof functions.${wrapper}`;
          questions.push(`same<Proc<"${symbol}", ${cudaVersion}, ${flags}>, ${type}>();`);
        }
      }
    }
    const head = `
      import type { Proc } from "cuda-driver";
      import type * as functions from "${join(ROOT, "generated", "dist", "functions.js")}";
      type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
      declare function same<A, B>(..._: Equal<A, B> extends true ? [] : [never]): void;`;
    const { diagnostics, seconds } = await compile("every", `${head}\n${questions.join("\n")}\nexport {};\n`);
    t.diagnostic(
      `${questions.length} questions (${never} of them with no answer), ${diagnostics.length} differences, ${seconds.toFixed(1)} s`,
    );
    assert.ok(never > 500 && questions.length > 10_000);
    assert.deepEqual(diagnostics.slice(0, 10), []);
  });

  it("gives the union of the variants for a union of versions or flags", async () => {
    const { diagnostics } = await compile(
      "unions",
      `import * as cuda from "cuda-driver";
      type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
      declare function same<A, B>(..._: Equal<A, B> extends true ? [] : [never]): void;
      same<cuda.Proc<"cuMemAlloc", 2000 | 12000>, typeof cuda.cuMemAlloc_v1 | typeof cuda.cuMemAlloc_v2>();
      same<cuda.Proc<"cuMemAlloc", 4000 | 12000>, typeof cuda.cuMemAlloc_v2>();
      same<
        cuda.Proc<"cuCtxCreate", 2000 | 11000 | 13000>,
        typeof cuda.cuCtxCreate_v1 | typeof cuda.cuCtxCreate_v2 | typeof cuda.cuCtxCreate_v4
      >();
      same<
        cuda.Proc<"cuMemcpyHtoD", 3000 | 12000, 1 | 2>,
        typeof cuda.cuMemcpyHtoD_v1 | typeof cuda.cuMemcpyHtoD_v2 | typeof cuda.cuMemcpyHtoD_v2_ptds
      >();
      declare const either: 2000 | 12000;
      const alloc = cuda.getProc("cuMemAlloc", { cudaVersion: either });
      same<typeof alloc, typeof cuda.cuMemAlloc_v1 | typeof cuda.cuMemAlloc_v2>();`,
    );
    assert.deepEqual(diagnostics, []);
  });

  it("tells records of different kinds apart", async () => {
    const { diagnostics } = await compile(
      "records",
      `import * as cuda from "cuda-driver";
      cuda.cuMemcpy3D(new cuda.CUDA_MEMCPY2D());
      new cuda.CUDA_MEMCPY3D(new cuda.CUDA_MEMCPY2D());`,
    );
    assert.deepEqual(
      diagnostics.map(({ line }) => line),
      [2, 3],
    );
  });

  it("has in DriverFor what the symbol table has at that version", async () => {
    const probe = `
      import type { DriverFor } from "cuda-driver";
      type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
      declare function same<A, B>(..._: Equal<A, B> extends true ? [] : [never]): void;`;
    const checks = [2000, 6050, 11080, 12000, 12040, 13000, toolkit].map((version) => {
      const names = Object.values(symbols)
        .flat()
        .filter(([, since]) => since <= version)
        .map(([exported]) => (exported in functions ? exported : `${exported}_v1`));
      const later = Object.values(symbols)
        .flat()
        .filter(([exported, since]) => since > version && exported in functions)
        .map(([exported]) => exported);
      const union = (all: string[]) => (all.length === 0 ? "never" : all.map((name) => `"${name}"`).join(" | "));
      return `
        same<Exclude<${union(names)}, keyof DriverFor<${version}>>, never>();
        same<Extract<${union(later)}, keyof DriverFor<${version}>>, never>();`;
    });
    const { diagnostics } = await compile("driverFor", `${probe}${checks.join("")}\nexport {};\n`);
    assert.deepEqual(diagnostics, []);
  });

  it("checks the whole package, and a program on it, in little time", async (t) => {
    const whole = await check(join(ROOT, "generated", "tsconfig.json"));
    t.diagnostic(`whole package: ${whole.seconds.toFixed(2)} s`);
    assert.deepEqual(whole.diagnostics, []);
    assert.ok(whole.seconds < 60, "at most 10 s on two cores that do nothing else");
    const text = await fixture("right.ts");
    const { project, seconds } = await compile("incremental", text, { incremental: true });
    await appendFile(join(folder, "incremental", "program.ts"), `cuda.getProc("cuMemFree", { cudaVersion: 12000 });\n`);
    const again = await check(project);
    t.diagnostic(`a program with getProc: ${seconds.toFixed(2)} s, after a change ${again.seconds.toFixed(2)} s`);
    assert.deepEqual(again.diagnostics, []);
    assert.ok(again.seconds < 10, "at most 1 s on a machine that does nothing else");
  });

  it("has declarations that are right by themselves", async () => {
    const { diagnostics } = await compile("lib", await fixture("right.ts"), { skipLibCheck: false });
    assert.deepEqual(
      diagnostics.filter(({ file }) => !file.includes("@types/node/")),
      [],
    );
  });

  it("names every type of a signature: a library over the package can have declarations", async () => {
    const wrappers = Object.keys(functions).map((name) => {
      return `export const ${name} = (...given: Parameters<typeof cuda.${name}>) => cuda.${name}(...given);`;
    });
    const text = [
      'import * as cuda from "cuda-driver";',
      ...wrappers,
      "type Pointer = cuda.CUpointer_attribute;",
      "export const pointer = <A extends Pointer>(a: A, p: cuda.CUdeviceptr) => cuda.cuPointerGetAttribute(a, p);",
      "export const all = <const A extends readonly Pointer[]>(a: A, p: cuda.CUdeviceptr) => cuda.cuPointerGetAttributes(a, p);",
      "export const ofRange = <A extends cuda.CUmem_range_attribute>(a: A) => cuda.cuMemRangeGetAttribute(undefined, a, 1n as cuda.CUdeviceptr, 1);",
      "export const ofStream = <A extends cuda.CUlaunchAttributeID>(a: A) => cuda.cuStreamGetAttribute(null, a);",
      "export const attribute = <A extends cuda.CUlaunchAttributeID>(a: A, v: Parameters<typeof cuda.launchAttribute<A>>[1]) => cuda.launchAttribute(a, v);",
      "export const records = (n: number) => cuda.recordArray(cuda.CUdevResource, n);",
      "export const view = (a: bigint) => cuda.hostView(a, 1);",
      "export const copy = cuda.copyTo;",
    ].join("\n");
    const { diagnostics } = await compile("declarations", text, { noEmit: false, declaration: true, outDir: "out" });
    assert.deepEqual(diagnostics, []);
  });
});
