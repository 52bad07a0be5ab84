/**
 * What a call costs: the same loops through this package, in C, and through what people use today. One table, in nanoseconds a
 * round (median of five), from one run.
 *
 *   npm run bench            on a GPU where there is one, else over a libcuda that does nothing
 *   BENCH_ROUNDS=100000      rounds of the quick calls (launches and copies: a twentieth)
 *   BENCH_KERNELS=DIR        folder with kernels.cubin (made with nvcc where it is installed)
 */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { throughFfi } from "./ffi.ts";
import { throughKoffi } from "./koffi.ts";
import type { Row } from "./measure.ts";
import { throughPackage } from "./package.ts";
import { throughPlainAddon } from "./plain.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "cuda-bench-"));
process.on("exit", () => rmSync(work, { recursive: true, force: true }));
const rounds = Number(process.env.BENCH_ROUNDS ?? 1_000_000);

/** The driver of a machine with a GPU, else the one that does nothing. */
function chooseLibrary(): string {
  const gpu = spawnSync("nvidia-smi", ["-L"]).status === 0;
  if (gpu) return "libcuda.so.1";
  const callee = join(work, "libcuda.so.1");
  execFileSync("cc", ["-O2", "-shared", "-fPIC", "-o", callee, join(here, "callee.c")]);
  return callee;
}

function kernelFolder(): string {
  const given = process.env.BENCH_KERNELS;
  if (given !== undefined) return given;
  const folder = join(work, "kernels");
  mkdirSync(folder);
  const nvcc = existsSync("/usr/local/cuda/bin/nvcc") ? "/usr/local/cuda/bin/nvcc" : "nvcc";
  spawnSync(nvcc, ["-arch=native", "-cubin", "-o", join(folder, "kernels.cubin"), join(here, "kernels.cu")]);
  return folder;
}

function rowsOf(text: string): Row[] {
  return text
    .trim()
    .split("\n")
    .map((line) => {
      const at = line.lastIndexOf(" ");
      return { line: line.slice(0, at), nanoseconds: Number(line.slice(at + 1)) };
    });
}

function inC(library: string, kernels: string): Row[] {
  const program = join(work, "peer");
  execFileSync("cc", ["-O2", "-o", program, join(here, "peer.c"), "-ldl"]);
  return rowsOf(execFileSync(program, [library, kernels, String(rounds)], { encoding: "utf8" }));
}

function inPython(kernels: string): Row[] {
  const ran = spawnSync("python3", [join(here, "peer.py"), kernels, String(rounds)], { encoding: "utf8" });
  if (ran.status !== 0) {
    console.log(`cuda-python: not here (${(ran.stderr ?? "").trim().split("\n").at(-1)})`);
    return [];
  }
  return rowsOf(ran.stdout);
}

const library = chooseLibrary();
const onGpu = library === "libcuda.so.1";
if (!onGpu) process.env.CUDA_DRIVER_LIBRARY = library;
const kernels = kernelFolder();
const columns: Record<string, Row[]> = {
  C: inC(library, kernels),
  "cuda-driver": await throughPackage(kernels, rounds),
  koffi: await throughKoffi(library, rounds),
  "node:ffi": await throughFfi(library, rounds),
  "plain N-API": onGpu ? [] : throughPlainAddon(library, work, rounds),
  "cuda-python": onGpu ? inPython(kernels) : [],
};

const names = Object.keys(columns);
const lines = (columns["cuda-driver"] ?? []).map(({ line }) => line);
const cell = (name: string, line: string) => columns[name]?.find((row) => row.line === line)?.nanoseconds;
console.log(
  `node ${process.version}, ${onGpu ? "on a GPU" : "over a libcuda that does nothing"}; ns a round, median of five`,
);
console.log(
  [
    "call".padEnd(38),
    ...names.map((name) => name.padStart(13)),
    "above C".padStart(10),
    "koffi/ours".padStart(11),
    "python/ours".padStart(12),
  ].join(""),
);
for (const line of lines) {
  const ours = cell("cuda-driver", line);
  const plain = line.replace(/, .*/, "");
  const c = cell("C", plain);
  const above = ours !== undefined && c !== undefined ? ours - c : undefined;
  const ratio = (peer: string) => {
    const theirs = cell(peer, plain);
    return theirs === undefined || above === undefined || c === undefined ? undefined : (theirs - c) / above;
  };
  const show = (value: number | undefined, width: number, digits = 1) =>
    (value === undefined ? "-" : value.toFixed(digits)).padStart(width);
  console.log(
    [
      line.padEnd(38),
      ...names.map((name) => show(cell(name, name === "cuda-driver" ? line : plain), 13)),
      show(above, 10),
      show(ratio("koffi"), 11),
      show(ratio("cuda-python"), 12),
    ].join(""),
  );
}
console.log('"above C" is the overhead; koffi/ours and python/ours divide their overhead by ours.');
