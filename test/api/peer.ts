import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { unpackWheel } from "../../generator/toolkit/pip.ts";
import { cached } from "../support/cache.ts";

const WHEEL = {
  requirement: "cuda-bindings==13.5.0",
  file: "cuda_bindings-13.5.0-cp312-cp312-manylinux_2_24_x86_64.manylinux_2_28_x86_64.whl",
  sha256: "a46a8cc84112d769d0f57bf3ae3fedc115cf09348f14da85a1a8200968b6f262",
};

/** A function of cuda-python's driver module: what the caller gives. */
export interface PeerFunction {
  name: string;
  params: string[];
}

/** Reads the declarations of cuda-python's `cuda.bindings._v2.driver` out of its wheel, fetched once. */
export async function peerFunctions(): Promise<PeerFunction[]> {
  const folder = await cached("cuda-bindings-13.5.0", async (into) => {
    const requirements = join(into, "requirements.txt");
    await writeFile(requirements, `${WHEEL.requirement} --hash=sha256:${WHEEL.sha256}\n`);
    const platform = ["--platform", "manylinux_2_28_x86_64", "--python-version", "3.12", "--implementation", "cp"];
    const only = ["--no-deps", "--only-binary=:all:", "--require-hashes", "--abi", "cp312"];
    const quiet = ["--quiet", "--disable-pip-version-check"];
    await promisify(execFile)("python3", [
      ...["-m", "pip", "download", ...quiet, ...only, ...platform],
      ...["--dest", into, "--requirement", requirements],
    ]);
    await unpackWheel(join(into, WHEEL.file), into);
    await rm(join(into, WHEEL.file));
  });
  const text = await readFile(join(folder, "cuda", "bindings", "_v2", "driver.pxd"), "utf8");
  return [...text.matchAll(/^cpdef (?:.* )?(\w+)\(([^)]*)\)/gm)].map(([, name = "", params = ""]) => ({
    name,
    params: params
      .split(",")
      .map((param) => (param.split("=")[0] ?? "").trim().split(" ").at(-1) ?? "")
      .filter((param) => param !== ""),
  }));
}
