import assert from "node:assert/strict";
import { copyFile, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { type DriverBuild, driver, drivers } from "../support/drivers.ts";
import { errorOf, evaluate, valuesOf } from "./child.ts";
import { addon, fakeDriver, scratchFolder } from "./fakes.ts";

interface Info {
  path: string;
  version: number;
  lookUp: string;
}

const INFO = "(({ path, version, lookUp }) => ({ path, version, lookUp }))(cuda.driverInfo())";

let folder: string;
let stubs: string;

before(async () => {
  folder = await scratchFolder();
  stubs = join(folder, "cuda", "lib64", "stubs");
  await fakeDriver(join(stubs, "libcuda.so"), { stub: true });
  await copyFile(join(stubs, "libcuda.so"), join(stubs, "libcuda.so.1"));
});

/** Files called libcuda that the process has mapped. */
const MAPPED = `[...new Set(process.getBuiltinModule("fs").readFileSync("/proc/self/maps", "utf8").match(/[/].*libcuda.*/g))]`;

async function infoWith(env: Record<string, string | undefined>): Promise<Info & { mapped: string[] }> {
  const [info, mapped] = valuesOf(await evaluate([INFO, MAPPED], { env }));
  return { ...(info as Info), mapped: mapped as string[] };
}

describe("opening the driver", () => {
  it("tells path, version and look-up path of all nine", async () => {
    const lookUps: Record<number, string> = { 11040: "cuGetProcAddress" };
    for (const build of await drivers()) {
      const info = await infoWith({ ...build.env, CUDA_DRIVER_LIBRARY: build.path });
      const lookUp = lookUps[build.cuda] ?? (build.cuda >= 12000 ? "cuGetProcAddress_v2" : "table");
      assert.deepEqual(info, { path: build.path, version: build.cuda, lookUp, mapped: [build.path] });
    }
  });

  it("finds a libcuda.so.1 that stands alone (case 13)", async () => {
    const build = await driver(12020);
    const alone = join(folder, "alone");
    await mkdir(alone);
    await symlink(build.path, join(alone, "libcuda.so.1"));
    const info = await infoWith({ LD_LIBRARY_PATH: alone });
    assert.equal(info.version, 12020);
    assert.equal(info.path, join(alone, "libcuda.so.1"));
  });

  it("opens the library that a program names, and stays with it", async () => {
    const build = await driver(11040);
    const other = await driver(12020);
    const [first, second] = valuesOf(
      await evaluate(
        [build, other].map(({ path }) => `cuda.openDriver(${JSON.stringify(path)}).path`),
        { env: build.env },
      ),
    );
    assert.deepEqual([first, second], [build.path, build.path]);
  });

  it("finds a libcuda.so that stands alone", async () => {
    const only = await fakeDriver(join(folder, "unversioned", "libcuda.so"), { version: 12010 });
    const info = await infoWith({ LD_LIBRARY_PATH: join(folder, "unversioned") });
    assert.deepEqual(info, { path: only, version: 12010, lookUp: "table", mapped: [only] });
  });

  it("opens one of two separate copies (case 13)", async () => {
    const both = join(folder, "wsl");
    await fakeDriver(join(both, "libcuda.so.1"), { version: 12010 });
    await copyFile(join(both, "libcuda.so.1"), join(both, "libcuda.so"));
    const info = await infoWith({ LD_LIBRARY_PATH: both });
    assert.deepEqual(info.mapped, [join(both, "libcuda.so.1")]);
    assert.equal(info.path, join(both, "libcuda.so.1"));
  });

  it("opens nothing until the driver is needed", async () => {
    const build = await driver(12020);
    const [mapped] = valuesOf(await evaluate([MAPPED], { driver: build }));
    assert.deepEqual(mapped, []);
  });

  describe("a library that the process holds already (case 13)", () => {
    let held: string;
    let hold: string;
    let elsewhere: string;

    before(async () => {
      held = await fakeDriver(join(folder, "held", "libcuda.so.999.1"), { version: 12010 });
      elsewhere = join(folder, "elsewhere");
      await fakeDriver(join(elsewhere, "libcuda.so.1"), { version: 12030 });
      hold = await addon(join(folder, "hold.node"), "hold.c");
    });

    const opened = (env: Record<string, string>) =>
      evaluate([`process.dlopen({ exports: {} }, ${JSON.stringify(hold)})`, INFO, MAPPED], {
        env: { HOLD: held, ...env },
      });

    it("is reused, though another stands first on the path", async () => {
      const [, info, mapped] = valuesOf(await opened({ LD_LIBRARY_PATH: elsewhere }));
      assert.deepEqual(info, { path: held, version: 12010, lookUp: "table" });
      assert.deepEqual(mapped, [held]);
    });

    it("is reused where none could be found", async () => {
      const [, info] = valuesOf(await opened({}));
      assert.equal((info as Info).path, held);
    });

    it("is reused when it was preloaded", async () => {
      const build = await driver(12040);
      const info = await infoWith({ LD_PRELOAD: build.path, LD_LIBRARY_PATH: elsewhere });
      assert.equal(info.version, 12040);
      assert.deepEqual(info.mapped, [build.path]);
    });

    it("goes before the one that the environment names: a process opens one only", async () => {
      const [, info, mapped] = valuesOf(await opened({ CUDA_DRIVER_LIBRARY: join(elsewhere, "libcuda.so.1") }));
      assert.deepEqual(mapped, [held]);
      assert.equal((info as Info).path, held);
    });

    it("is passed over where it is a stub", async () => {
      const told = await opened({ HOLD: join(stubs, "libcuda.so.1"), LD_LIBRARY_PATH: elsewhere });
      assert.equal((told[1]?.value as Info | undefined)?.version, 12030, JSON.stringify(told[1]));
    });
  });

  describe("the toolkit's link-time stub (case 14)", () => {
    let real: string;
    let build: DriverBuild;

    before(async () => {
      build = await driver(12020);
      real = join(folder, "real");
      await mkdir(real);
      await symlink(build.path, join(real, "libcuda.so.1"));
    });

    it("is recognised, and named with its path", async () => {
      const [outcome] = await evaluate(["cuda.driverInfo()"], { env: { LD_LIBRARY_PATH: stubs } });
      const error = errorOf(outcome);
      assert.equal(error.name, "CudaDriverNotFoundError");
      for (const name of ["libcuda.so.1", "libcuda.so"]) {
        const row = error.tried?.find(({ path, reason }) => `${path} ${reason} `.includes(`${join(stubs, name)} `));
        assert.ok(row, `${join(stubs, name)} is not named: ${error.message}`);
        assert.match(row.reason, /stub/);
      }
    });

    it("is passed over for the driver further on the path", async () => {
      const info = await infoWith({ LD_LIBRARY_PATH: `${stubs}:${real}` });
      assert.equal(info.version, 12020);
      assert.equal(info.path, join(real, "libcuda.so.1"));
    });

    it("stands among those passed over, with its reason", async () => {
      const [rows] = valuesOf(
        await evaluate(["cuda.driverInfo().passedOver"], { env: { LD_LIBRARY_PATH: `${stubs}:${real}` } }),
      );
      const passed = rows as { path: string; reason: string }[];
      assert.ok(passed.length > 0);
      assert.ok(passed.some(({ reason }) => reason.startsWith(join(stubs, "libcuda.so")) && /stub/.test(reason)));
    });

    it("is passed over where only its unversioned name stands before the driver", async () => {
      const unversioned = join(folder, "stubs-unversioned");
      await mkdir(unversioned);
      await copyFile(join(stubs, "libcuda.so"), join(unversioned, "libcuda.so"));
      assert.equal((await infoWith({ LD_LIBRARY_PATH: `${unversioned}:${real}` })).version, 12020);
    });

    it("is refused where the environment names it", async () => {
      const [outcome] = await evaluate(["cuda.cuInit(0)"], { env: { CUDA_DRIVER_LIBRARY: join(stubs, "libcuda.so") } });
      const error = errorOf(outcome);
      assert.equal(error.name, "CudaDriverNotFoundError");
      assert.deepEqual(
        error.tried?.map(({ path }) => path),
        [join(stubs, "libcuda.so")],
      );
      assert.match(error.tried?.[0]?.reason ?? "", /stub/);
    });
  });

  describe("where there is none", () => {
    const CALLS = [
      "cuda.driverInfo()",
      "cuda.cuInit(0)",
      "cuda.cuMemAlloc(4)",
      `driver.get_proc_address_v2("cuMemAlloc", 12000, 0n)`,
      `driver.library_load_from_file("a.cubin")`,
      `cuda.cudaGetDriverEntryPoint("cuInit")`,
      `cuda.getProc("cuInit", { cudaVersion: 12000 })`,
      "cuda.promises.cuInit(0)",
    ];

    it("every call throws one error that lists all that was tried", async () => {
      for (const outcome of await evaluate(CALLS)) {
        const error = errorOf(outcome);
        assert.equal(error.name, "CudaDriverNotFoundError");
        assert.deepEqual(error.classes, ["CudaDriverNotFoundError", "Error"]);
        assert.equal(error.code, "ERR_CUDA_DRIVER_NOT_FOUND");
        const tried = error.tried ?? [];
        for (const name of ["libcuda.so.1", "libcuda.so"]) {
          assert.ok(
            tried.some(({ path }) => path === name || path.endsWith(`/${name}`)),
            name,
          );
        }
        for (const { path, reason } of tried) {
          assert.ok(reason !== "" && error.message.includes(path) && error.message.includes(reason), error.message);
        }
        assert.ok(!error.message.includes("\n"));
        assert.match(error.message, /CUDA_DRIVER_LIBRARY/);
      }
    });

    it("says what is wrong with the one that the environment names, and tries no other", async () => {
      const text = join(folder, "text.so");
      await writeFile(text, "no library\n");
      const empty = join(folder, "empty.so");
      await writeFile(empty, "");
      const cases: [path: string, reason: RegExp][] = [
        [join(folder, "missing.so"), /No such file/],
        [text, /invalid ELF header|file too short/],
        [empty, /file too short/],
        [folder, /./],
        ["libdl.so.2", /no CUDA driver: cuDriverGetVersion is missing/],
        [`/${"x".repeat(5000)}`, /^a path of more than 4095 bytes$/],
      ];
      const real = (await driver(12020)).env;
      for (const [path, reason] of cases) {
        const [outcome] = await evaluate(["cuda.cuInit(0)"], { env: { ...real, CUDA_DRIVER_LIBRARY: path } });
        const { name, tried } = errorOf(outcome);
        assert.equal(name, "CudaDriverNotFoundError");
        assert.deepEqual(
          tried?.map((row) => row.path),
          [path],
        );
        assert.match(tried?.[0]?.reason ?? "", reason);
      }
    });

    it("can be called again when one is there", async () => {
      const later = join(folder, "later", "libcuda.so.1");
      const fake = await fakeDriver(join(folder, "later-source.so"), { version: 12010 });
      const told = await evaluate(
        [
          "cuda.driverInfo()",
          `process.getBuiltinModule("fs").cpSync(${JSON.stringify(fake)}, ${JSON.stringify(later)})`,
          "cuda.driverInfo().version",
          "cuda.cuInit(0)",
        ],
        { env: { CUDA_DRIVER_LIBRARY: later } },
      );
      assert.ok(told[0]?.error);
      assert.equal(told[2]?.value, 12010);
      assert.equal(told[3]?.error, undefined);
    });
  });

  it("takes an empty CUDA_DRIVER_LIBRARY for none", async () => {
    const build = await driver(12020);
    assert.equal((await infoWith({ ...build.env, CUDA_DRIVER_LIBRARY: "" })).version, 12020);
  });

  it("opens a path of any script", async () => {
    const path = await fakeDriver(join(folder, "größe 文", "libcuda ✓.so"), { version: 12010 });
    assert.equal((await infoWith({ CUDA_DRIVER_LIBRARY: path })).path, path);
  });
});

describe("drivers with one or both look-up functions (case 8)", () => {
  let log: string;
  const QUESTIONS = [
    `driver.get_proc_address_v2("cuInit", 12000, 1n)`,
    `driver.get_proc_address_v2("cuNoSuchThing", 12000, 2n)`,
    `native.symbol("cuInit")`,
    // Where the frame of calls has the status: the old function must not be given it.
    "native.address(new Uint8Array(native.frame)) + 8 * 33",
    "log()",
    "cuda.driverInfo().lookUp",
  ];

  before(() => {
    log = join(folder, "look-ups");
  });

  async function asked(lookUps: ("old" | "new")[], version: number): Promise<unknown[]> {
    const path = await fakeDriver(join(folder, `${lookUps.join("-")}.so`), { version, lookUps });
    return valuesOf(await evaluate(QUESTIONS, { env: { CUDA_DRIVER_LIBRARY: path, FAKE_LOG: log } }));
  }

  it("asks the old one with four arguments", async () => {
    const [found, missing, address, status, lines, lookUp] = await asked(["old"], 11040);
    assert.deepEqual(found, [address, 0]);
    assert.deepEqual(missing, [0n, 1]);
    assert.equal(lookUp, "cuGetProcAddress");
    const [first = "", second = ""] = lines as string[];
    assert.match(first, /^cuGetProcAddress cuInit 12000 1 /);
    assert.match(second, /^cuGetProcAddress cuNoSuchThing 12000 2 /);
    for (const line of [first, second])
      assert.notEqual(Number(line.split(" ")[4]), status, "a fifth argument came along");
  });

  it("asks _v2 with five", async () => {
    const [found, missing, address, , lines, lookUp] = await asked(["new"], 12020);
    assert.deepEqual(found, [address, 0]);
    assert.deepEqual(missing, [0n, 1]);
    assert.equal(lookUp, "cuGetProcAddress_v2");
    assert.deepEqual(lines, [
      "cuGetProcAddress_v2 cuInit 12000 1 status",
      "cuGetProcAddress_v2 cuNoSuchThing 12000 2 status",
    ]);
  });

  it("asks _v2 alone where there are both", async () => {
    const [found, , address, , lines, lookUp] = await asked(["old", "new"], 12020);
    assert.deepEqual(found, [address, 0]);
    assert.equal(lookUp, "cuGetProcAddress_v2");
    assert.deepEqual(
      (lines as string[]).map((line) => line.split(" ")[0]),
      ["cuGetProcAddress_v2", "cuGetProcAddress_v2"],
    );
  });

  it("asks the table where there is none, whatever the version", async () => {
    const [found, missing, address, , lines, lookUp] = await asked([], 12020);
    assert.deepEqual(found, [address, 0]);
    assert.deepEqual(missing, [0n, 1]);
    assert.equal(lookUp, "table");
    assert.deepEqual(lines, []);
  });

  it("calls functions by their export, without asking", async () => {
    const path = await fakeDriver(join(folder, "both.so"), { lookUps: ["old", "new"] });
    const told = await evaluate(["cuda.cuInit(0)", "log()"], { env: { CUDA_DRIVER_LIBRARY: path, FAKE_LOG: log } });
    assert.deepEqual(told[1]?.value, ["cuInit 0"]);
  });
});

describe("the addon (case 12)", () => {
  it("is small, names no function of the driver and depends on no CUDA library", async (t) => {
    const { ADDON } = await import("./child.ts");
    const { command } = await import("../support/command.ts");
    const stripped = join(folder, "stripped.node");
    await command("strip", ["-o", stripped, ADDON]);
    const { size } = await import("node:fs").then(({ statSync }) => statSync(stripped));
    t.diagnostic(`${size} bytes stripped`);
    assert.ok(size <= 150 * 1024, `${size} bytes`);
    const symbols = await command("nm", ["-D", ADDON]);
    assert.doesNotMatch(symbols, / cu[A-Z]\w*/);
    const defined = symbols.split("\n").filter((line) => / [TDBRV] /.test(line));
    assert.ok(defined.length > 0 && defined.every((line) => /(napi|node_api)_/.test(line)), defined.join("\n"));
    const needed = (await command("readelf", ["-d", ADDON])).split("\n").filter((line) => line.includes("(NEEDED)"));
    assert.ok(needed.length > 0);
    for (const line of needed) assert.match(line, /\[(libc|libdl|libpthread|libm)\.so\.\d\]|ld-linux/);
    assert.doesNotMatch(await readFile(ADDON, "latin1"), /libcudart/);
  });
});
