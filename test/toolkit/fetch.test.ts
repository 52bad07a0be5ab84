import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { UserError } from "../../generator/errors.ts";
import { driver } from "../../generator/libraries/driver.ts";
import { cachedReleases, cacheFolder } from "../../generator/toolkit/cache.ts";
import { available, fetchToolkit, packageName } from "../../generator/toolkit/fetch.ts";
import { sha256 } from "../../generator/toolkit/headers.ts";
import { locate } from "../../generator/toolkit/locate.ts";
import { readReport } from "../../generator/toolkit/pip.ts";
import { lockedWheels } from "../../generator/toolkit/wheels.ts";
import { versionOfRelease } from "../../generator/versions.ts";
import { fakeHeader, linux, tree } from "./fake.ts";

const realPython = execFileSync("python3", ["-c", "import sys; print(sys.executable)"], { encoding: "utf8" }).trim();
const realPath = process.env.PATH ?? "";

/**
 * A `python3` of our own comes first on PATH: its pip knows the release 99.1.5 of a wheel of ours, or fails with `complaint`.
 * Its zipfile is the real one.
 */
function fakePip(
  t: Parameters<typeof tree>[0],
  options: { header?: string; record?: string; complaint?: string; tamper?: boolean } = {},
) {
  const header = options.header ?? fakeHeader(99010);
  const digest = execFileSync(
    realPython,
    [
      "-c",
      "import sys,hashlib,base64; print(base64.urlsafe_b64encode(hashlib.sha256(sys.stdin.buffer.read()).digest()).rstrip(b'=').decode())",
    ],
    { input: header, encoding: "utf8" },
  ).trim();
  const include = "nvidia/cu99/include";
  const root = tree(t, {
    [`wheel/${include}/cuda.h`]: header,
    [`wheel/${include}/deep/cuda.h`]: "another of the same name\n",
    "wheel/x-99.1.5.dist-info/RECORD":
      options.record ?? `${include}/cuda.h,sha256=${digest},1\nx-99.1.5.dist-info/RECORD,,\n`,
  });
  const file = "nvidia_cuda_runtime-99.1.5-py3-none-any.whl";
  execFileSync(realPython, ["-m", "zipfile", "-c", join(root, file), "nvidia", "x-99.1.5.dist-info"], {
    cwd: join(root, "wheel"),
  });
  const hash = sha256(readFileSync(join(root, file)));
  if (options.tamper) writeFileSync(join(root, file), "tampered");
  const report = {
    install: [
      {
        metadata: { name: "nvidia-cuda-runtime", version: "99.1.5" },
        download_info: { url: `file:///x/${file}`, archive_info: { hashes: { sha256: hash } } },
      },
    ],
  };
  writeFileSync(join(root, "report.json"), JSON.stringify(report));
  const fail = options.complaint === undefined ? "" : `printf '%s\\n' '${options.complaint}' >&2; exit 1`;
  writeFileSync(
    join(root, "python3"),
    `#!/bin/sh
case "$*" in
*"-m zipfile"*) exec "${realPython}" "$@" ;;
esac
${fail}
case "$*" in
*"pip install"*) cat "${root}/report.json" ;;
*"pip download"*) while [ "$1" != --dest ]; do shift; done; mkdir -p "$2"; cp "${root}/${file}" "$2" ;;
esac
`,
  );
  chmodSync(join(root, "python3"), 0o755);
  process.env.PATH = `${root}:${realPath}`;
  t.after(() => {
    process.env.PATH = realPath;
  });
  return { cache: join(root, "cache"), file, hash };
}

async function refuses(request: string, cache: string, message: RegExp): Promise<void> {
  await assert.rejects(
    fetchToolkit(request, driver, { cache }),
    (error: Error) => error instanceof UserError && message.test(error.message) && !error.message.includes("\n"),
  );
}

describe("the list of releases", () => {
  const wheels = lockedWheels.driver ?? [];

  test("is sorted, without doubles, with one hash a wheel", () => {
    const names = wheels.map(({ version }) => version);
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(
      names,
      available(driver, "/nonexistent").map((entry) => entry.release),
    );
    for (const wheel of wheels) {
      assert.match(wheel.sha256, /^[0-9a-f]{64}$/);
      assert.ok(
        wheel.file.startsWith(`${wheel.name.replaceAll("-", "_")}-${wheel.version}-py3-none-manylinux`),
        wheel.file,
      );
    }
  });

  test("names each wheel as its major does", () => {
    assert.equal(packageName("nvidia-cuda-runtime", 11080), "nvidia-cuda-runtime-cu11");
    assert.equal(packageName("nvidia-cuda-runtime", 12040), "nvidia-cuda-runtime-cu12");
    assert.equal(packageName("nvidia-cuda-runtime", 14000), "nvidia-cuda-runtime");
  });
});

describe("pip", () => {
  test("its report is read, in both of its forms", () => {
    const of = (archive_info: object) =>
      readReport({
        install: [
          { metadata: { name: "A_b", version: "1.2.3" }, download_info: { url: "file:///p/a%2Bb.whl", archive_info } },
        ],
      });
    const hash = "0".repeat(64);
    const wheel = { name: "a-b", version: "1.2.3", file: "a+b.whl", sha256: hash };
    assert.deepEqual(of({ hashes: { sha256: hash } }), wheel);
    assert.deepEqual(of({ hash: `sha256=${hash}` }), wheel);
    assert.equal(of({}), null);
    assert.equal(readReport({}), null);
  });

  test("a release that the list does not have: pip's hash counts, and it says so; the second time nothing is asked", async (t) => {
    const { cache, file, hash } = fakePip(t);
    const fetched = await fetchToolkit("99.1", driver, { cache });
    assert.deepEqual(
      [fetched.release, fetched.version, fetched.listed, fetched.fromCache],
      ["99.1.5", 99010, false, false],
    );
    assert.deepEqual(fetched.wheel, { name: "nvidia-cuda-runtime", version: "99.1.5", file, sha256: hash });
    assert.deepEqual(readdirSync(fetched.directory), ["cuda.h"]);
    assert.equal(readFileSync(join(fetched.directory, "cuda.h"), "utf8"), fakeHeader(99010));
    assert.equal((await fetchToolkit("99.1.5", driver, { cache })).fromCache, true);
    assert.deepEqual(readdirSync(join(cache, "headers", driver.name)), ["99.1.5"]);
    const located = locate(driver, { toolkit: "99.1", cache, machine: linux("/nonexistent") });
    assert.equal(located.kind === "found" && located.toolkit.origin, "wheel 99.1.5");
  });

  test("a folder of an earlier scheme, whose headers came from two wheels, is not used", async (t) => {
    const { cache } = fakePip(t);
    const { directory } = await fetchToolkit("99.1", driver, { cache });
    renameSync(join(cache, "headers", driver.name), join(cache, driver.name));
    assert.deepEqual(cachedReleases(driver, cache), []);
    assert.equal((await fetchToolkit("99.1", driver, { cache })).fromCache, false);
    assert.deepEqual(readdirSync(directory), ["cuda.h"]);
  });

  test("two at once: both succeed, one whole folder is left", async (t) => {
    const { cache } = fakePip(t);
    const both = await Promise.all([
      fetchToolkit("99.1", driver, { cache }),
      fetchToolkit("99.1.5", driver, { cache }),
    ]);
    assert.equal(both[0].directory, both[1].directory);
    assert.deepEqual(readdirSync(join(cache, "headers", driver.name)), ["99.1.5"]);
  });

  test("a header that was changed in the cache is fetched again", async (t) => {
    const { cache } = fakePip(t);
    const { directory } = await fetchToolkit("99.1", driver, { cache });
    writeFileSync(join(directory, "cuda.h"), "changed");
    assert.deepEqual(cachedReleases(driver, cache), []);
    await fetchToolkit("99.1", driver, { cache });
    assert.equal(readFileSync(join(directory, "cuda.h"), "utf8"), fakeHeader(99010));
  });
});

describe("what is refused leaves nothing behind", () => {
  const cases: [string, Parameters<typeof fakePip>[1], RegExp][] = [
    ["another file than the hash says", { tamper: true }, /is not the file that is known by that name/],
    [
      "a header that differs from the wheel's list",
      { record: "nvidia/cu99/include/cuda.h,sha256=AAAA,1\n" },
      /cuda\.h in .*\.whl differs from the wheel's own list/,
    ],
    ["a wheel without headers", { record: "x,,\n" }, /holds no headers/],
    ["a header that is none", { header: "int x;\n" }, /does not define CUDA_VERSION/],
    [
      "no network",
      {
        complaint:
          "WARNING: Retrying after connection broken by Error(x: [Errno -3] Temporary failure in name resolution)\nERROR: Could not find a version that satisfies the requirement x (from versions: none)",
      },
      /could not get .*: check the network and pip's index, then try again \(pip: \[Errno -3\] Temporary failure in name resolution\)$/,
    ],
    [
      "an unknown version",
      { complaint: "ERROR: Could not find a version that satisfies the requirement x (from versions: 12.0.1, 12.1.1)" },
      /hold no CUDA 99\.1: name one of 11\.7, 11\.8, /,
    ],
    ["no pip", { complaint: "/usr/bin/python3: No module named pip" }, /has no pip: install it/],
  ];
  for (const [what, options, message] of cases) {
    test(what, async (t) => {
      const { cache } = fakePip(t, options);
      await refuses("99.1", cache, message);
      const folder = join(cache, "headers", driver.name);
      assert.ok(!existsSync(folder) || readdirSync(folder).length === 0);
    });
  }

  test("no Python", async (t) => {
    process.env.PATH = tree(t);
    t.after(() => {
      process.env.PATH = realPath;
    });
    await refuses("99.1", tree(t), /no python3 on PATH/);
  });

  test("what is no version", async () => {
    await refuses("latest", "/nonexistent", /"latest" is no CUDA version/);
    await refuses("8.0", "/nonexistent", /hold no CUDA 8\.0: name one of 11\.7/);
  });

  test("a cache that cannot be written", async (t) => {
    fakePip(t);
    const file = join(tree(t, { occupied: "" }), "occupied");
    await refuses("99.1", file, /cannot write to the cache .*occupied .*: set CODEGEN_CACHE/);
  });
});

test("real wheels: the version that each is called after is the one its header says", async () => {
  for (const request of ["11.8", "12.4", "13.0"]) {
    const fetched = await fetchToolkit(request, driver);
    const header = readFileSync(join(fetched.directory, "cuda.h"), "utf8");
    assert.equal(Number(/#define CUDA_VERSION (\d+)/.exec(header)?.[1]), versionOfRelease(fetched.release));
    assert.ok(fetched.listed && existsSync(join(fetched.directory, "cudaProfilerTypedefs.h")));
  }
});

test("the cache lies where the environment says", () => {
  assert.equal(cacheFolder({ CODEGEN_CACHE: "/a", XDG_CACHE_HOME: "/b", HOME: "/c" }), "/a");
  assert.equal(cacheFolder({ XDG_CACHE_HOME: "/b", HOME: "/c" }), join("/b", "cuda-codegen"));
  assert.equal(cacheFolder({ HOME: "/c" }), join("/c", ".cache", "cuda-codegen"));
});
