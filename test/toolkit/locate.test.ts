import assert from "node:assert/strict";
import { chmodSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { UserError } from "../../generator/errors.ts";
import { driver } from "../../generator/libraries/driver.ts";
import { findAll, type LocateRequest, locate, readToolkit } from "../../generator/toolkit/locate.ts";
import { type Machine, thisMachine } from "../../generator/toolkit/machine.ts";
import { fakeHeader, fakeTypedefs, linux, plant, tree, windows } from "./fake.ts";

/** The toolkit that is found; a test that expects the history asks `locate` itself. */
function find(machine: Machine, request: LocateRequest = {}) {
  const located = locate(driver, { machine, cache: "/nonexistent", ...request });
  if (located.kind !== "found") assert.fail("nothing was found");
  return { ...located.toolkit, warnings: located.warnings.map(({ text }) => text) };
}

function refuses(machine: Machine, message: RegExp, request: LocateRequest = {}): void {
  assert.throws(
    () => locate(driver, { machine, cache: "/nonexistent", ...request }),
    (error: Error) => error instanceof UserError && message.test(error.message) && !error.message.includes("\n"),
  );
}

describe("the order of the search", () => {
  test("option, CUDA_HOME, CUDA_PATH, versioned variable, nvcc, /usr/local, /usr/include, conda, pip", (t) => {
    const root = tree(t, {
      "option/include/cuda.h": fakeHeader(12000),
      "home/include/cuda.h": fakeHeader(12010),
      "path/include/cuda.h": fakeHeader(12020),
      "v118/include/cuda.h": fakeHeader(11080),
      "v117/include/cuda.h": fakeHeader(11070),
      "nvcc/include/cuda.h": fakeHeader(12030),
      "nvcc/bin/nvcc": "",
      "usr/local/cuda-12.4/include/cuda.h": fakeHeader(12040),
      "opt/cuda/include/cuda.h": fakeHeader(12050),
      "usr/include/cuda.h": fakeHeader(12060),
      "conda/targets/x86_64-linux/include/cuda.h": fakeHeader(12080),
      "venv/lib/python3.12/site-packages/nvidia/cuda_runtime/include/cuda.h": fakeHeader(12090),
    });
    const env: Record<string, string> = {
      CUDA_HOME: join(root, "home"),
      CUDA_PATH: join(root, "path"),
      CUDA_PATH_V11_7: join(root, "v117"),
      CUDA_PATH_V11_8: join(root, "v118"),
      PATH: `/nonexistent:${join(root, "nvcc/bin")}`,
      CONDA_PREFIX: join(root, "conda"),
      VIRTUAL_ENV: join(root, "venv"),
    };
    const without = (...names: string[]) =>
      linux(root, Object.fromEntries(Object.entries(env).filter(([name]) => !names.includes(name))));
    assert.equal(find(linux(root, env), { toolkit: join(root, "option") }).version, 12000);
    assert.equal(find(without()).version, 12010);
    assert.equal(find(without("CUDA_HOME")).version, 12020);
    const versioned = find(without("CUDA_HOME", "CUDA_PATH"));
    assert.deepEqual([versioned.version, versioned.origin], [11080, "CUDA_PATH_V11_8"]);
    const variables = ["CUDA_HOME", "CUDA_PATH", "CUDA_PATH_V11_7", "CUDA_PATH_V11_8"];
    assert.equal(find(without(...variables)).version, 12030);
    assert.equal(find(without(...variables, "PATH")).version, 12040);
    assert.equal(
      find(linux("/nonexistent", { CONDA_PREFIX: join(root, "conda"), VIRTUAL_ENV: join(root, "venv") })).version,
      12080,
    );
    assert.equal(find(linux("/nonexistent", { VIRTUAL_ENV: join(root, "venv") })).version, 12090);
    const all = findAll(driver, linux(root, env));
    assert.deepEqual(
      all.toolkits.map((toolkit) => toolkit.version),
      [12010, 12020, 11080, 11070, 12030, 12040, 12050, 12060, 12080, 12090],
    );
    assert.deepEqual(all.refused, []);
  });

  test("nothing anywhere: the history, with its newest", (t) => {
    assert.deepEqual(locate(driver, { machine: linux(tree(t)) }), {
      kind: "history",
      version: null,
      release: null,
      near: null,
      warnings: [],
    });
  });

  test("the real machine can be asked", () => {
    assert.ok(
      ["found", "history"].includes(
        locate(driver, { machine: { ...thisMachine(), env: { PATH: process.env.PATH } } }).kind,
      ),
    );
  });
});

describe("--toolkit", () => {
  test("takes a toolkit's root, its include folder, and one with spaces and letters of any kind", (t) => {
    const root = tree(t, { "Zuse Straße 3/include/cuda.h": fakeHeader(12040) });
    const directory = join(root, "Zuse Straße 3/include");
    for (const toolkit of [join(root, "Zuse Straße 3"), `${join(root, "Zuse Straße 3")}/`, directory]) {
      assert.equal(find(linux(root), { toolkit }).directory, directory);
    }
  });

  test("takes a version in any spelling: an installed one, whatever else is chosen by default", (t) => {
    const root = tree(t, {
      "usr/local/cuda-12.4/include/cuda.h": fakeHeader(12040),
      "usr/local/cuda-13.0/include/cuda.h": fakeHeader(13000),
      "usr/local/cuda-13.0/version.json": '{"cuda": {"version": "13.0.2"}, "cuda_cudart": {"version": "13.0.96"}}',
    });
    for (const toolkit of ["12.4", "12040", "v12.4"]) assert.equal(find(linux(root), { toolkit }).version, 12040);
    assert.deepEqual(find(linux(root), { toolkit: "13.0.2" }).warnings, []);
    assert.equal(find(linux(root), { toolkit: "13.0.96" }).version, 13000);
    const other = locate(driver, { machine: linux(root), toolkit: "13.0.1", cache: root });
    assert.deepEqual([other.kind, "release" in other && other.release], ["history", "13.0.1"]);
    assert.equal("near" in other && other.near?.directory, join(root, "usr/local/cuda-13.0/include"));
    assert.deepEqual(locate(driver, { machine: linux(root), toolkit: "11.8", cache: root }), {
      kind: "history",
      version: 11080,
      release: null,
      near: null,
      warnings: [],
    });
    refuses(linux(root), /"13" is no CUDA version/, { toolkit: "13" });
  });

  test("refuses a folder without the header, one that is not there, and a file", (t) => {
    const root = tree(t, { "empty/readme": "", "full/include/cuda.h": fakeHeader(12040) });
    refuses(linux(root), /--toolkit names .*empty, but there is no cuda\.h in it/, { toolkit: join(root, "empty") });
    refuses(linux(root), /--toolkit names .*absent, which does not exist/, { toolkit: join(root, "absent") });
    refuses(linux(root), /names a file, .*cuda\.h: name the folder/, { toolkit: join(root, "full/include/cuda.h") });
  });
});

describe("case 15: conda", () => {
  const files = {
    "targets/sbsa-linux/include/cuda.h": fakeHeader(12040),
    "targets/x86_64-linux/include/cuda.h": fakeHeader(12040),
  };
  for (const [arch, target] of [
    ["x64", "x86_64-linux"],
    ["arm64", "sbsa-linux"],
  ] as const) {
    test(`with both targets there, ${arch} reads ${target}`, (t) => {
      const root = tree(t, files);
      const machine = linux("/nonexistent", { CONDA_PREFIX: root }, { arch });
      assert.equal(find(machine).directory, join(root, "targets", target, "include"));
    });
  }
});

describe("case 16: pip", () => {
  test("an old and a new toolkit side by side: the newest, and it says which", (t) => {
    const root = tree(t, {
      "lib/python3.12/site-packages/nvidia/cuda_runtime/include/cuda.h": fakeHeader(12090),
      "lib/python3.12/site-packages/nvidia/cu13/include/cuda.h": fakeHeader(13020),
    });
    const found = find(linux("/nonexistent", { VIRTUAL_ENV: root }));
    assert.deepEqual([found.version, found.origin], [13020, "pip"]);
    assert.match(found.warnings.join(), /several toolkits \(13\.2 in .*, 12\.9 in .*\): the newest, 13\.2, is used/);
  });

  test("one wheel is the toolkit, whatever lies beside it: the same headers as by version", (t) => {
    const packages = "lib/python3.12/site-packages/nvidia";
    const root = tree(t, {
      [`${packages}/cuda_runtime/include/cuda.h`]: fakeHeader(12090),
      [`${packages}/cuda_profiler_api/include/cudaProfiler.h`]: "CUresult cuFakeProfiler(void);\n",
    });
    const machine = linux("/nonexistent", { VIRTUAL_ENV: root });
    const { headers } = readToolkit(find(machine), driver, machine);
    assert.deepEqual(
      headers.map((header) => header.name),
      ["cuda.h"],
    );
  });

  test("headers are read once, however they are found", (t) => {
    const root = tree(t, { "usr/local/cuda/include/cuda.h": fakeHeader(13000), "usr/local/cuda/bin/nvcc": "" });
    const toolkit = join(root, "usr/local/cuda");
    for (const [env, request] of [
      [{}, {}],
      [{ CUDA_HOME: toolkit }, {}],
      [{ PATH: join(toolkit, "bin") }, {}],
      [{}, { toolkit }],
      [{}, { toolkit: "13.0" }],
    ] as const) {
      const real = linux(root, env);
      const reads: string[] = [];
      const read = (file: string) => {
        reads.push(file);
        return real.disk.read(file);
      };
      const machine = { ...real, disk: { ...real.disk, read } };
      const { headers } = readToolkit(find(machine, request), driver, machine);
      assert.equal(headers[0]?.text, fakeHeader(13000));
      assert.deepEqual(
        reads.filter((file) => file.endsWith(".h")),
        [join(toolkit, "include/cuda.h")],
      );
    }
  });

  test("a Python behind a shim is asked itself", (t) => {
    const root = tree(t, { "shims/python3": "", "far/nvidia/cu13/include/cuda.h": fakeHeader(13000) });
    const machine = linux(
      "/nonexistent",
      { PATH: join(root, "shims") },
      { run: () => `/nonexistent\n${join(root, "far")}\n` },
    );
    assert.equal(find(machine).version, 13000);
  });
});

describe("case 17: two toolkits mixed", () => {
  for (const [what, header, typedefs] of [
    ["newer typedefs", fakeHeader(12040), fakeTypedefs(13000)],
    ["older typedefs", fakeHeader(13000), fakeTypedefs(12040, 119)],
  ] as const) {
    test(`${what} are refused, with both paths`, (t) => {
      const root = tree(t, { "a/include/cuda.h": header, "b/cudaTypedefs.h": typedefs });
      symlinkSync(join(root, "b/cudaTypedefs.h"), join(root, "a/include/cudaTypedefs.h"));
      refuses(linux(root), /a\/include\/cuda\.h.*cudaTypedefs\.h|cudaTypedefs\.h.*a\/include\/cuda\.h/, {
        toolkit: join(root, "a"),
      });
    });
  }

  test("typedefs that end below the toolkit's version but know every function are its own", (t) => {
    const root = tree(t, { "cuda.h": fakeHeader(12060), "cudaTypedefs.h": fakeTypedefs(12050) });
    assert.equal(find(linux(root), { toolkit: root }).version, 12060);
  });
});

describe("case 18: nvcc", () => {
  test("says another version than the headers: the headers decide, with a warning", (t) => {
    const root = tree(t, {
      "cuda/include/cuda.h": fakeHeader(13000),
      "cuda/bin/nvcc": "#!/bin/sh\necho 'Cuda compilation tools, release 12.6, V12.6.20'\n",
    });
    chmodSync(join(root, "cuda/bin/nvcc"), 0o755);
    const found = find(linux(root, { PATH: join(root, "cuda/bin") }, { run: thisMachine().run }));
    assert.equal(found.version, 13000);
    assert.match(
      found.warnings.join(),
      /nvcc on PATH says CUDA 12\.6, the headers in .* say 13\.0: the headers decide/,
    );
  });

  test("a link on PATH leads to the toolkit behind it", (t) => {
    const root = tree(t, { "cuda/include/cuda.h": fakeHeader(13000), "cuda/bin/nvcc": "", "bin/other": "" });
    symlinkSync(join(root, "cuda/bin/nvcc"), join(root, "bin/nvcc"));
    assert.equal(find(linux(root, { PATH: join(root, "bin") })).directory, join(root, "cuda/include"));
  });
});

describe("case 19: variables", () => {
  test("CUDA_HOME and CUDA_PATH disagree: CUDA_HOME, and both are told", (t) => {
    const root = tree(t, { "a/include/cuda.h": fakeHeader(13000), "b/include/cuda.h": fakeHeader(12040) });
    const found = find(linux(root, { CUDA_HOME: join(root, "a"), CUDA_PATH: join(root, "b") }));
    assert.equal(found.version, 13000);
    assert.match(
      found.warnings.join(),
      /CUDA_HOME \(CUDA 13\.0 in .*a\/include\) and CUDA_PATH \(CUDA 12\.4 in .*b\/include\) disagree: CUDA_HOME is used/,
    );
    assert.deepEqual(find(linux(root, { CUDA_HOME: join(root, "a"), CUDA_PATH: `${join(root, "a")}/` })).warnings, []);
    assert.match(
      find(linux(root, { CUDA_HOME: join(root, "a"), CUDA_PATH: join(root, "c") })).warnings.join(),
      /which holds no toolkit/,
    );
  });

  test("one that names a folder without the header is an error, even with a toolkit elsewhere", (t) => {
    const root = tree(t, { "usr/local/cuda/include/cuda.h": fakeHeader(13000), "empty/readme": "" });
    refuses(linux(root, { CUDA_HOME: join(root, "empty") }), /CUDA_HOME names .*empty, but there is no cuda\.h/);
    refuses(linux(root, { CUDA_PATH: join(root, "gone") }), /CUDA_PATH names .*gone, which does not exist/);
    assert.equal(find(linux(root, { CUDA_HOME: "" })).version, 13000);
  });

  test("Windows: backslashes, one at the end, spaces, quotes; only CUDA_PATH_V11_8 set", () => {
    const folder = "C:\\Program Files\\NVIDIA GPU Computing Toolkit\\CUDA\\v11.8";
    const files = { [`${folder}\\include\\cuda.h`]: fakeHeader(11080).replaceAll("\n", "\r\n") };
    for (const value of [folder, `${folder}\\`, `"${folder}"`, folder.replaceAll("\\", "/")]) {
      const found = find(windows(files, { CUDA_PATH_V11_8: value }));
      assert.deepEqual(
        [found.version, found.directory, found.origin],
        [11080, `${folder}\\include`, "CUDA_PATH_V11_8"],
      );
    }
    assert.equal(find(windows(files)).directory, `${folder}\\include`);
    const odd = find(windows({ "D:\\cuda\\include\\cuda.h": fakeHeader(12040) }, { CUDA_PATH_V11_8: "D:\\cuda\\" }));
    assert.match(odd.warnings.join(), /CUDA_PATH_V11_8 names D:\\cuda\\include, whose headers are of CUDA 12\.4/);
  });
});

describe("case 20: a toolkit without headers", () => {
  test("is passed over for a full one, unless someone names it", (t) => {
    const root = tree(t, {
      "usr/local/cuda-13.0/include/cuda.h": fakeHeader(13000),
      "usr/local/cuda-13.3/bin/nvcc": "",
    });
    mkdirSync(join(root, "usr/local/cuda-13.3/include"));
    assert.equal(find(linux(root)).version, 13000);
    refuses(linux(root, { CUDA_HOME: join(root, "usr/local/cuda-13.3") }), /CUDA_HOME names .*cuda-13\.3/);
    refuses(linux(root), /--toolkit names .*cuda-13\.3/, { toolkit: join(root, "usr/local/cuda-13.3") });
  });

  test("the newest of several full ones, by number and not by letter; the one called cuda before all", (t) => {
    const root = tree(t, {
      "usr/local/cuda-9.2/include/cuda.h": fakeHeader(9020),
      "usr/local/cuda-12.10/include/cuda.h": fakeHeader(12100),
      "usr/local/cuda-12.9/include/cuda.h": fakeHeader(12090),
    });
    assert.equal(find(linux(root)).version, 12100);
    symlinkSync("cuda-12.9", join(root, "usr/local/cuda"));
    assert.equal(find(linux(root)).version, 12090);
    assert.equal(findAll(driver, linux(root)).toolkits.length, 3);
  });
});

describe("case 21: false friends", () => {
  const friends: [string, string, RegExp][] = [
    ["ten lines", "#ifndef X\n#define X\nint cuda(void);\n#endif\n", /does not define CUDA_VERSION/],
    ["a hand-made subset", fakeHeader(12040, 30), /declares 30 functions where every release has more than 100/],
    [
      "the text of a symbolic link",
      "../targets/x86_64-linux/include/cuda.h",
      /holds only the path "\.\.\/targets.*", the text of a symbolic link/,
    ],
    ["nothing", "", /does not define CUDA_VERSION/],
  ];
  for (const [what, text, reason] of friends) {
    test(`${what}: refused by name and with the reason, and passed over in the search`, (t) => {
      const root = tree(t, { "opt/cuda/include/cuda.h": text });
      refuses(linux(root), reason, { toolkit: join(root, "opt/cuda") });
      const located = locate(driver, { machine: linux(root) });
      assert.equal(located.kind, "history");
      assert.deepEqual(
        located.warnings.map(({ about }) => about),
        ["passed over"],
      );
      assert.match(located.warnings[0]?.text ?? "", reason);
      plant(root, { "usr/include/cuda.h": fakeHeader(13000) });
      assert.equal(find(linux(root)).version, 13000);
    });
  }
});
