/** C programs that ask the driver and the runtime themselves, and what this process knows of the same libraries. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Compiles a C program of the suite; null where there is no compiler. */
export function compile(source: string): string | null {
  const program = join(mkdtempSync(join(tmpdir(), "gpu-")), "judge");
  const path = fileURLToPath(new URL(source, import.meta.url));
  for (const compiler of ["cc", "gcc", "clang"]) {
    const { status, error, stderr } = spawnSync(compiler, ["-std=gnu11", "-O1", "-o", program, path, "-ldl"]);
    if (status === 0) return program;
    if (!error) throw new Error(`${source} does not compile: ${stderr}`);
  }
  return null;
}

/** Asks a judge about a library; one line for each question. */
export function ask(program: string, library: string, questions: string[]): string[] {
  const { status, stdout, stderr, error } = spawnSync(program, [library], {
    input: `${questions.join("\n")}\n`,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (status !== 0) throw new Error(`the judge of ${library} ended with ${status}: ${stderr || error?.message}`);
  const answers = stdout.split("\n").slice(0, -1);
  if (answers.length !== questions.length)
    throw new Error(`${answers.length} answers to ${questions.length} questions`);
  return answers;
}

/** Where a library that this process holds begins in memory, and its file. */
export function mapped(library: string): { base: bigint; path: string } {
  const real = existsSync(library) ? realpathSync(library) : library;
  for (const line of readFileSync("/proc/self/maps", "utf8").split("\n")) {
    const [range = "", , offset = "", , , path = ""] = line.trim().split(/\s+/);
    if (!path || Number.parseInt(offset, 16) !== 0) continue;
    if (path === real || (!existsSync(library) && path.includes(`/${library.split(".so")[0]}.so`))) {
      return { base: BigInt(`0x${range.split("-")[0]}`), path };
    }
  }
  throw new Error(`this process does not hold ${library}`);
}

/** A libcudart of the same major version as the driver; null where there is none. */
export function runtimeLibrary(major: number): string | null {
  const named = process.env.CUDART_LIBRARY;
  if (named) return named;
  const file = `libcudart.so.${major}`;
  const folders = [
    "/usr/local/cuda/lib64",
    "/usr/local/cuda/targets/x86_64-linux/lib",
    "/usr/lib/x86_64-linux-gnu",
    ...toolkits(),
    ...pythonFolders(major),
  ];
  return folders.map((folder) => join(folder, file)).find((path) => existsSync(path)) ?? null;
}

function toolkits(): string[] {
  const parent = "/usr/local";
  if (!existsSync(parent)) return [];
  return readdirSync(parent)
    .filter((name) => name.startsWith("cuda-"))
    .map((name) => join(parent, name, "lib64"));
}

/** Where NVIDIA's wheels put it. */
function pythonFolders(major: number): string[] {
  const { stdout } = spawnSync(
    "python3",
    ["-c", "import site, sys; print('\\n'.join(site.getsitepackages() + sys.path))"],
    {
      encoding: "utf8",
    },
  );
  return (stdout ?? "")
    .split("\n")
    .filter((folder) => folder.startsWith("/"))
    .flatMap((folder) => [join(folder, `nvidia/cu${major}/lib`), join(folder, "nvidia/cuda_runtime/lib")]);
}
