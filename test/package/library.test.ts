import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { command } from "../support/command.ts";
import { type DriverBuild, driver, drivers } from "../support/drivers.ts";
import { errorOf, evaluate, valuesOf } from "./child.ts";
import { fakeDriver, program, scratchFolder } from "./fakes.ts";

let folder: string;
let builds: DriverBuild[];

before(async () => {
  folder = await scratchFolder();
  builds = await drivers();
});

describe("library_load_from_file on a machine without a GPU", () => {
  it("throws what C gets, with code, errno, syscall and path, from 12.0 on", async (t) => {
    const say = await program(join(folder, "load"), "load.c");
    const named: Record<string, string> = {
      text: join(folder, "text.cubin"),
      empty: join(folder, "empty.cubin"),
      unicode: join(folder, "größe ✓ 文.cubin"),
      folder: join(folder, "a folder"),
      missing: join(folder, "missing.cubin"),
      long: `/${"x".repeat(5000)}`,
    };
    await writeFile(named.text ?? "", "no cubin\n");
    await writeFile(named.empty ?? "", "");
    await writeFile(named.unicode ?? "", "no cubin\n");
    await mkdir(named.folder ?? "");
    const paths = [...Object.values(named), "", "relative.ptx"];
    for (const build of builds.filter(({ cuda }) => cuda >= 12000)) {
      for (const init of [false, true]) {
        const env = { ...build.env, INIT: init ? "1" : undefined };
        const expected = (await command(say, [build.path, ...paths], { env })).split("\n").slice(0, -1);
        const expressions = paths.map((path) => `driver.library_load_from_file(${JSON.stringify(path)})`);
        const told = await evaluate([init ? "cuda.cuInit(0)" : "0", ...expressions], { driver: build });
        for (const [index, path] of paths.entries()) {
          const [, result = "", code = "", text = ""] = /^(\d+) (\S+) (.*)$/.exec(expected[index] ?? "") ?? [];
          const error = errorOf(told[index + 1]);
          assert.deepEqual(
            { ...error, message: "", classes: [] },
            {
              ...{ name: "CudaError", message: "", classes: [] },
              ...{ code, errno: Number(result), syscall: "cuLibraryLoadFromFile", path },
            },
          );
          assert.equal(error.message, `cuLibraryLoadFromFile: ${code} (${result}), ${text}, '${path}'`);
          assert.deepEqual(error.classes, ["CudaError", "Error"]);
        }
        t.diagnostic(`${build.cuda}${init ? ", after cuInit" : ""}: ${[...new Set(expected)].join(" | ")}`);
      }
    }
  });

  it("rejects with the same", async () => {
    const [thrown, rejected] = await evaluate(
      [
        `driver.library_load_from_file("/none.cubin")`,
        `cuda.promises.cuLibraryLoadFromFile("/none.cubin", null, null, 0, null, null, 0)`,
      ],
      { driver: await driver(12040) },
    );
    assert.deepEqual(errorOf(rejected), errorOf(thrown));
  });

  it("says what is needed on a driver below 12.0, for all of cuLibrary and cuKernel (case 40)", async () => {
    const poses = await fakeDriver(join(folder, "11.8", "libcuda.so.1"), { version: 11080 });
    const calls = [
      `driver.library_load_from_file("/none.cubin")`,
      `driver.library_load_data(new Uint8Array(8))`,
      `cuda.cuLibraryUnload(1n)`,
      `cuda.cuLibraryGetKernel(1n, "f")`,
      `cuda.cuLibraryGetModule(1n)`,
      `cuda.cuKernelGetFunction(1n)`,
      `cuda.cuLibraryGetGlobal(1n, "x")`,
    ];
    for (const build of builds.filter(({ cuda }) => cuda < 12000)) {
      const version = `${Math.trunc(build.cuda / 1000)}.${(build.cuda % 1000) / 10}`;
      for (const outcome of await evaluate(calls, { driver: build })) {
        const error = errorOf(outcome);
        assert.equal(error.name, "CudaSymbolError");
        assert.deepEqual(error.classes, ["CudaSymbolError", "CudaError", "Error"]);
        assert.deepEqual([error.needed, error.present], [12000, build.cuda]);
        assert.ok(error.message.includes(`needs 12.0, this driver is ${version}`), error.message);
      }
    }
    // The functions of this fake are there; its version is what the table goes by where they are not.
    const [kernel] = await evaluate([`cuda.cuLibraryGetKernel(1n, "f")`], { env: { CUDA_DRIVER_LIBRARY: poses } });
    assert.match(errorOf(kernel).message, /needs 12\.0, this driver is 11\.8/);
  });
});

describe("options of libraries (case 35)", () => {
  const env: Record<string, string> = {};

  before(async () => {
    env.CUDA_DRIVER_LIBRARY = await fakeDriver(join(folder, "fake", "libcuda.so.1"));
    env.FAKE_LOG = join(folder, "log");
  });

  async function logged(expression: string): Promise<string[]> {
    return valuesOf(await evaluate(["log()", expression, "log()"], { env })).at(-1) as string[];
  }

  it("passes NULL for no options", async () => {
    const bare = ["file jit 0 NULL NULL library 0 NULL NULL a.cubin"];
    for (const rest of ["", ", null", ", null, null, 0, null, null, 0", ", [], [], 0, [], []", ", undefined"]) {
      assert.deepEqual(await logged(`driver.library_load_from_file("a.cubin"${rest})`), bare, rest);
    }
  });

  it("counts them itself", async () => {
    assert.deepEqual(await logged(`driver.library_load_from_file("a", [0], [16])`), [
      "file jit 1 names values 0=0x10 library 0 NULL NULL a",
    ]);
    assert.deepEqual(await logged(`driver.library_load_from_file("a", null, null, 0, [1], [true])`), [
      "file jit 0 NULL NULL library 1 names values 1=0x1 a",
    ]);
    assert.deepEqual(await logged(`driver.library_load_from_file("a", [0, 7], [16, 3], 2, [0, 1], [5n, null], 2)`), [
      "file jit 2 names values 0=0x10 7=0x3 library 2 names values 0=0x5 1=(nil) a",
    ]);
    assert.deepEqual(
      await logged(`cuda.cuLibraryLoadData(new TextEncoder().encode("ptx\\0"), new Int32Array([9]), [2**32-1])`),
      ["data jit 1 names values 9=0xffffffff library 0 NULL NULL ptx"],
    );
  });

  it("widens integers and passes floats by their bits (case 36)", async () => {
    assert.deepEqual(
      await logged(`driver.library_load_from_file("a", [0, 1, 2, 7, 8], [-1, 2n**64n-1n, 1.5, -(2n**63n), false])`),
      [
        "file jit 5 names values 0=0xffffffffffffffff 1=0xffffffffffffffff 2=0x3fc00000 7=0x8000000000000000 8=(nil) library 0 NULL NULL a",
      ],
    );
  });

  it("gives outputs back, into an array and into slots", async () => {
    const [, , , , logs] = valuesOf(
      await evaluate(
        [
          "kept.info = new Uint8Array(64), kept.values = [0, kept.info, 64], 0",
          `driver.library_load_from_file("a", [2, 3, 4], kept.values)`,
          "kept.slots = new BigUint64Array([0n, cuda.addressOf(kept.info), 64n]), 0",
          `driver.library_load_from_file("a", [2, 3, 4], kept.slots)`,
          "[kept.values[0], kept.values[2], kept.slots[0], kept.slots[2], String.fromCharCode(...kept.info.subarray(0, 3))]",
        ],
        { env },
      ),
    );
    assert.deepEqual(logs, [1.5, 3, 0x3fc00000n, 3n, "log"]);
  });

  it("keeps buffers alive until the library is unloaded (case 36)", async () => {
    const [handle, after, , , end] = valuesOf(
      await evaluate(
        [
          `kept.handle = driver.library_load_from_file("a", [3, 4], [(b => (kept.ref = new WeakRef(b), b))(new Uint8Array(4096)), 4096])`,
          `new Promise(r => setTimeout(r, 20)).then(() => (gc(), kept.ref.deref() !== undefined))`,
          "cuda.cuLibraryUnload(kept.handle)",
          `new Promise(r => setTimeout(r, 20)).then(() => gc())`,
          `new Promise(r => setTimeout(r, 20)).then(() => (gc(), kept.ref.deref() !== undefined))`,
        ],
        { env },
      ),
    );
    assert.equal(typeof handle, "bigint");
    assert.equal(after, true, "the log buffer was collected while the library was loaded");
    assert.equal(end, false, "the log buffer outlives the library");
  });

  it("refuses arrays of different lengths and counts that do not fit, before any call", async () => {
    const wrong: [string, "TypeError" | "RangeError"][] = [
      ["[0], []", "RangeError"],
      ["[], [1]", "RangeError"],
      ["[0, 1], [1]", "RangeError"],
      ["[0], null", "RangeError"],
      ["null, [1]", "RangeError"],
      ["[0], [1], 2", "RangeError"],
      ["[0], [1], 0", "RangeError"],
      ["null, null, 1", "RangeError"],
      ["[0], [1], '1'", "TypeError"],
      ["null, null, 0, [1], []", "RangeError"],
      ["null, null, 0, [], [1]", "RangeError"],
      ["null, null, 0, [1], [1], 3", "RangeError"],
      ["null, null, 0, null, null, 1", "RangeError"],
      ["[0], new BigUint64Array(2)", "RangeError"],
      ["'0', [1]", "TypeError"],
      ["5, [1]", "TypeError"],
      ["[0], 5n", "TypeError"],
      ["5n, 5n", "TypeError"], // how many?
      ["['0'], [1]", "TypeError"],
      ["[null], [1]", "TypeError"],
      ["[0.5], [1]", "RangeError"],
      ["[0], ['1']", "TypeError"],
      ["[0], [{}]", "TypeError"],
      ["[0], [undefined]", "TypeError"],
      ["[0], [2n**64n]", "RangeError"],
      ["[0], [-(2n**63n)-1n]", "RangeError"],
      ["[0], [2**53]", "RangeError"],
      ["null, null, 0, [0], [0n]", "TypeError"], // real drivers crash on this option with NULL
      ["null, null, 0, [0], [null]", "TypeError"],
      ["null, null, 0, [1, 0], [1, 0]", "TypeError"],
      ["null, null, 0, [0], new BigUint64Array(1)", "TypeError"],
      ["null, null, 0, new Int32Array([0]), [false]", "TypeError"],
    ];
    const calls = wrong.flatMap(([rest]) => [
      `driver.library_load_from_file("a", ${rest})`,
      `driver.library_load_data(new Uint8Array(4), ${rest})`,
    ]);
    await logged("0");
    const told = await evaluate([...calls, "log()"], { env });
    const problems: string[] = [];
    for (const [index, call] of calls.entries()) {
      const wanted = wrong[Math.trunc(index / 2)]?.[1];
      const name = index % 2 === 0 ? "cuLibraryLoadFromFile" : "cuLibraryLoadData";
      const { error, value } = told[index] ?? {};
      if (!error) problems.push(`${call} was accepted: ${value}`);
      else if (error.name !== wanted || !error.message.startsWith(`${name}: `)) {
        problems.push(`${call}: ${error.name}: ${error.message}, not ${wanted}`);
      }
    }
    assert.deepEqual(problems, []);
    assert.deepEqual(told.at(-1)?.value, [], "the driver was called");
  });

  it("refuses paths that C cannot express, before any call", async () => {
    const calls = ["null", "undefined", "5", "{}", "Buffer.from('a')", "'a\\0b'", "'\\0'", "'\\udc00'"].map(
      (path) => `driver.library_load_from_file(${path})`,
    );
    await logged("0");
    const told = await evaluate([...calls, "log()"], { env });
    for (const [index, call] of calls.entries()) {
      const error = errorOf(told[index]);
      assert.equal(error.name, "TypeError", call);
      assert.match(error.message, /^cuLibraryLoadFromFile: fileName /, call);
    }
    assert.deepEqual(told.at(-1)?.value, []);
  });

  it("passes paths of every length and script as UTF-8", async () => {
    const paths = ["größe/文/✓😀.cubin", "x".repeat(3500), "é".repeat(1700), `/${"y".repeat(200)}`, ""];
    for (const path of paths) {
      assert.deepEqual(await logged(`driver.library_load_from_file(${JSON.stringify(path)})`), [
        `file jit 0 NULL NULL library 0 NULL NULL ${path}`,
      ]);
    }
  });

  it("never hands a handle out or reads an output after a failure (case 48)", async () => {
    const [outcome, slots] = await evaluate(
      [`driver.library_load_from_file("missing", [4], kept.values = [64])`, "kept.values"],
      { env },
    );
    const error = errorOf(outcome);
    assert.deepEqual([error.code, error.errno, error.path], ["CUDA_ERROR_FILE_NOT_FOUND", 301, "missing"]);
    assert.deepEqual(slots?.value, [3], "the size of a log is an output that failures have too");
  });

  it("refuses to unload what was unloaded, and what is no handle (case 38)", async () => {
    const told = await evaluate(
      [
        `log(), kept.handle = driver.library_load_from_file("a")`,
        "cuda.cuLibraryUnload(kept.handle)",
        "cuda.cuLibraryUnload(kept.handle)",
        "driver.library_unload(kept.handle)",
        "cuda.promises.cuLibraryUnload(kept.handle)",
        "cuda.cuLibraryUnload(null)",
        "cuda.cuLibraryUnload(5)",
        "cuda.cuLibraryUnload(-1n)",
        "cuda.cuLibraryUnload(2n**64n)",
        "cuda.cuLibraryUnload({})",
        "log().filter(line => line.startsWith('cuLibraryUnload')).length",
      ],
      { env },
    );
    const names = told.map(({ error }) => error?.name);
    assert.deepEqual(names.slice(0, 10), [
      ...[undefined, undefined],
      ...["CudaError", "CudaError", "CudaError"],
      ...["TypeError", "TypeError", "RangeError", "RangeError", "TypeError"],
    ]);
    for (const outcome of told.slice(2, 5)) {
      const { code, errno, syscall } = errorOf(outcome);
      assert.deepEqual([code, errno, syscall], ["CUDA_ERROR_INVALID_HANDLE", 400, "cuLibraryUnload"]);
    }
    assert.equal(told.at(-1)?.value, 1);
  });

  it("knows a handle that another thread unloaded (case 38)", async () => {
    const told = await evaluate(
      [
        `log(), kept.handle = driver.library_load_from_file("a")`,
        `new Promise((done) => {
          const { Worker } = process.getBuiltinModule("node:worker_threads");
          const code = 'import("cuda-driver").then((cuda) => cuda.cuLibraryUnload(' + kept.handle + 'n))';
          new Worker(code, { eval: true }).on("exit", done);
        })`,
        "cuda.cuLibraryUnload(kept.handle)",
        "log().filter(line => line.startsWith('cuLibraryUnload')).length",
      ],
      { env },
    );
    assert.equal(told[1]?.value, 0);
    assert.equal(told[2]?.error?.errno, 400);
    assert.equal(told[3]?.value, 1, "the driver was given the handle twice, on which real ones crash");
  });
});
