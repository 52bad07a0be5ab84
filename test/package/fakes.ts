import { rmSync } from "node:fs";
import { mkdir, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { command } from "../support/command.ts";
import { nodeHeaders } from "../support/nodeHeaders.ts";
import { evaluate, valuesOf } from "./child.ts";

/** A folder for one test file, gone when its process ends. */
export async function scratchFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "cuda-driver-test-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface FakeOptions {
  /** What cuDriverGetVersion says. */
  version?: number;
  /** The toolkit's link-time stub: everything answers 34. */
  stub?: boolean;
  /** Look-up functions that it exports. */
  lookUps?: ("old" | "new")[];
}

/** Compiles a libcuda of our own (fixtures/fake.c) to `path`. */
export async function fakeDriver(
  path: string,
  { version = 12040, stub = false, lookUps = [] }: FakeOptions = {},
): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await command("cc", [
    ...["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-Wl,-soname,libcuda.so.1"],
    ...[`-DVERSION=${version}`, ...(stub ? ["-DSTUB"] : [])],
    ...lookUps.map((each) => (each === "old" ? "-DOLD_LOOKUP" : "-DNEW_LOOKUP")),
    ...["-o", path, fixture("fake.c"), "-ldl"],
  ]);
  return path;
}

/** Environment of a program whose driver is one of our own, which logs what it is asked. */
export async function fakeEnvironment(): Promise<Record<string, string>> {
  const folder = await scratchFolder();
  return { CUDA_DRIVER_LIBRARY: await fakeDriver(join(folder, "libcuda.so.1")), FAKE_LOG: join(folder, "log") };
}

/** What the driver of our own wrote down while the expressions ran. */
export async function logged(env: Record<string, string>, ...expressions: string[]): Promise<string[]> {
  return valuesOf(await evaluate(["log()", ...expressions, "log()"], { env })).at(-1) as string[];
}

/** Compiles a fixture to an addon. */
export async function addon(path: string, source: string): Promise<string> {
  await command("cc", ["-std=gnu11", "-shared", "-fPIC", "-I", nodeHeaders(), "-o", path, fixture(source), "-ldl"]);
  return path;
}

/** Compiles a fixture to a program. */
export async function program(path: string, source: string): Promise<string> {
  await command("cc", ["-std=gnu11", "-O1", "-o", path, fixture(source), "-ldl"]);
  return path;
}

export function fixture(name: string): string {
  return fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));
}
