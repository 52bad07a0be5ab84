import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { before, describe, it } from "node:test";
import * as cuda from "cuda-driver";
import type { ApiDocument, ApiFunction, StreamMode } from "../../generator/api/document.ts";
import { pythonName } from "../../generator/api/pythonName.ts";
import { driver as library } from "../../generator/libraries/driver.ts";
import { obtain } from "../../generator/pipeline.ts";
import { formatVersion } from "../../generator/versions.ts";
import { type Judge, judge } from "../support/ask.ts";
import { corpusOf } from "../support/corpus.ts";
import { type DriverBuild, drivers } from "../support/drivers.ts";
import { ask, errorOf, evaluate, type Mode, type Outcome, valuesOf } from "./child.ts";
import type { Binding, Resolved } from "./workers/resolve.ts";

const NOT_FOUND = 500;
const MODES: Mode[] = ["legacy", "perThread"];

/** Every wrapper of the package, called: which address is it bound to, or what does it throw. */
describe("binding of functions", () => {
  let builds: DriverBuild[] = [];
  let document: ApiDocument;
  const byName = new Map<string, ApiFunction>();
  const judges = new Map<number, Judge>();
  const told = new Map<string, Resolved>();

  before(async () => {
    builds = await drivers();
    const toolkit = (await corpusOf([])).find(({ version }) => version === cuda.toolkit);
    assert.ok(toolkit, "the package's toolkit is in the corpus");
    ({ document } = obtain({ toolkit: toolkit.directory }, library));
    for (const api of document.functions) byName.set(api.name, api);
    for (const build of builds) {
      judges.set(build.cuda, await judge(build));
      for (const mode of MODES) {
        told.set(`${build.cuda} ${mode}`, await ask<Resolved>("resolve", { driver: build, mode }));
      }
    }
  });

  function resolved(build: DriverBuild, mode: Mode): Resolved {
    return told.get(`${build.cuda} ${mode}`) ?? assert.fail();
  }

  /** What a wrapper's name means, by the headers: a plain spelling the header default, any other name what is exported so. */
  function meaning(wrapper: string): ApiFunction {
    const plain = document.functions.find(
      ({ base, default: isDefault, streamMode }) => base === wrapper && isDefault && streamMode === "legacy",
    );
    const alias = document.aliases.find(({ name, streamMode }) => name === wrapper && streamMode === "legacy");
    const exported = alias?.target ?? plain?.name ?? (byName.has(wrapper) ? wrapper : wrapper.replace(/_v1$/, ""));
    return byName.get(exported) ?? assert.fail(`${wrapper} means no function of the headers`);
  }

  /** The same signature on the per-thread default stream, where there is one. */
  function twin(api: ApiFunction, mode: StreamMode): ApiFunction {
    if (mode === "legacy" || api.streamMode === "perThread") return api;
    return byName.get(`${api.name}_ptds`) ?? byName.get(`${api.name}_ptsz`) ?? api;
  }

  /** Wrappers of all modules but v2, which names them differently. */
  function* wrappers({ modules }: Resolved): Generator<[module: string, wrapper: string, binding: Binding]> {
    for (const module of ["functions", "promises", "index"] as const) {
      for (const [wrapper, binding] of Object.entries(modules[module])) {
        if (binding.kind !== "answered") yield [module, wrapper, binding];
      }
    }
  }

  it("has a wrapper for every exported function of the headers and for every plain spelling", () => {
    const { modules } = told.values().next().value ?? assert.fail();
    const spellings = document.functions.flatMap(({ base, default: isDefault, streamMode }) =>
      isDefault && streamMode === "legacy" ? [base] : [],
    );
    for (const module of ["index", "promises"] as const) {
      const offered = Object.keys(modules[module]);
      const meant = new Set(offered.map((wrapper) => meaning(wrapper).name));
      assert.deepEqual(
        [...byName.keys()].filter((name) => !meant.has(name)),
        [],
      );
      const names = new Set(offered);
      assert.deepEqual(
        spellings.filter((name) => !names.has(name)),
        [],
      );
      assert.deepEqual(
        document.aliases.filter(({ name, streamMode }) => streamMode === "legacy" && !names.has(name)),
        [],
      );
    }
    const answered = Object.entries(modules.index).flatMap(([name, { kind }]) => (kind === "answered" ? [name] : []));
    assert.deepEqual(answered, ["cuGetProcAddress", "cuGetProcAddress_v2"]);
  });

  for (const mode of MODES) {
    it(`binds every wrapper to the variant of its signature, by the driver's own look-up on 12.x, ${mode}`, async (t) => {
      for (const build of builds.filter(({ cuda }) => cuda >= 12000)) {
        const { cuInit, ...rest } = resolved(build, mode);
        const found = judges.get(build.cuda) ?? assert.fail();
        const start = cuInit - (found.exports.get("cuInit") ?? 0n);
        const cases = [...wrappers({ cuInit, ...rest })].flatMap(([module, wrapper, binding]) => {
          return binding.kind === "bound" ? [{ module, wrapper, binding, api: twin(meaning(wrapper), mode) }] : [];
        });
        const answers = await found.ask(
          cases.map(({ api }) => ({
            verb: "new",
            symbol: api.base,
            cudaVersion: api.since ?? 0,
            flags: api.streamMode === "perThread" ? 2n : 1n,
          })),
        );
        const wrong: string[] = [];
        for (const [index, { module, wrapper, binding, api }] of cases.entries()) {
          const offset = binding.address - start;
          const names = [...found.exports].flatMap(([name, at]) => (at === offset ? [name] : []));
          if (offset !== found.exports.get(api.name)) {
            wrong.push(
              `${build.cuda}: ${module} ${wrapper} is bound to ${names}, its signature is that of ${api.name}`,
            );
          } else if (offset !== answers[index]?.offset) {
            wrong.push(`${build.cuda}: ${module} ${wrapper}: ${api.base} at ${api.since} is ${answers[index]?.names}`);
          }
        }
        t.diagnostic(`${build.cuda}: ${cases.length} bindings, ${wrong.length} differences`);
        assert.deepEqual(wrong, []);
      }
    });

    it(`binds to dlsym of the variant's name or throws CudaSymbolError, on nine drivers, ${mode}`, (t) => {
      const wrong: string[] = [];
      for (const build of builds) {
        const found = judges.get(build.cuda) ?? assert.fail();
        const { cuInit, version, modules } = resolved(build, mode);
        const start = cuInit - (found.exports.get("cuInit") ?? 0n);
        const counts = { bound: 0, refused: 0, answered: 0 };
        for (const [module, wrapper, binding] of wrappers({ cuInit, version, modules })) {
          counts[binding.kind]++;
          const api = twin(meaning(wrapper), mode);
          const offset = found.exports.get(api.name);
          const got = binding.kind === "bound" ? binding.address - start : undefined;
          if (got !== offset) {
            const names = [...found.exports].flatMap(([name, at]) => (at === got ? [name] : []));
            const is = got === undefined ? "not bound" : `bound to ${names.join(", ")}`;
            const exported = offset === undefined ? "does not export it" : "exports it";
            wrong.push(`${build.cuda}: ${module} ${wrapper} (${api.name}) is ${is}, the driver ${exported}`);
          }
          if (binding.kind === "refused") {
            const { name, code, errno, syscall, needed, present, message } = binding.error;
            assert.deepEqual(
              { name, code, errno, syscall, needed, present },
              {
                ...{ name: "CudaSymbolError", code: "CUDA_ERROR_NOT_FOUND", errno: NOT_FOUND },
                ...{ syscall: api.name, needed: api.since, present: build.cuda },
              },
            );
            if ((api.since ?? 0) > version) {
              assert.ok(
                message.includes(`needs ${formatVersion(api.since ?? 0)}, this driver is ${formatVersion(version)}`),
                message,
              );
            }
          }
        }
        t.diagnostic(`${build.cuda}: ${counts.bound} bound, ${counts.refused} throw CudaSymbolError when called`);
        assert.ok(counts.bound > 500);
      }
      assert.deepEqual(wrong, []);
    });
  }

  it("names the older variants that are there (case 6)", () => {
    for (const build of builds) {
      const found = judges.get(build.cuda) ?? assert.fail();
      for (const [module, wrapper, binding] of wrappers(resolved(build, "legacy"))) {
        if (binding.kind !== "refused") continue;
        const api = meaning(wrapper);
        const older = document.functions.filter(
          ({ name, base, since }) => base === api.base && (since ?? 0) < (api.since ?? 0) && found.exports.has(name),
        );
        const [, hint = ""] = /; it has (.*)$/.exec(binding.error.message) ?? [];
        const named = hint.split(", ").filter(Boolean);
        for (const name of named)
          assert.ok(
            older.some((each) => [each.name, `${each.name}_v1`].includes(name)),
            `${wrapper}: ${name}`,
          );
        for (const { name, streamMode } of older) {
          if (streamMode !== api.streamMode) continue;
          // A retired export whose name now means another variant is called so here.
          const retired = `${name}_v1`;
          const here = Object.hasOwn(resolved(build, "legacy").modules.index, retired) ? retired : name;
          assert.ok(named.includes(here), `${build.cuda} ${module} ${wrapper}: ${name} is not named: ${hint}`);
        }
      }
    }
  });

  it("says for cuStreamGetCaptureInfo on 12.2: needs 12.3, has _v2 (case 6)", () => {
    const build = builds.find((each) => each.cuda === 12020) ?? assert.fail();
    const binding = resolved(build, "legacy").modules.index.cuStreamGetCaptureInfo;
    assert.equal(binding?.kind, "refused");
    assert.match(
      binding.error.message,
      /^cuStreamGetCaptureInfo_v3: .*needs 12\.3, this driver is 12\.2; it has .*\bcuStreamGetCaptureInfo_v2\b/,
    );
  });

  it("says why getProc has none: asked for too early, known to no toolkit, not declared by the package's own", async () => {
    const expected: [expression: string, message: RegExp, needed: number][] = [
      [
        `cuda.getProc("cuGreenCtxCreate", { cudaVersion: 11080 })`,
        /^cuGreenCtxCreate: CUDA_ERROR_NOT_FOUND \(500\), exists from 12\.4 on, asked for at 11\.8$/,
        12040,
      ],
      [
        `cuda.getProc("cuMemcpy", { cudaVersion: 6000, flags: 2 })`,
        /^cuMemcpy: CUDA_ERROR_NOT_FOUND \(500\), exists from 7\.0 on, asked for at 6\.0$/,
        7000,
      ],
      [
        `cuda.getProc("cuNothing", { cudaVersion: 12000 })`,
        /^cuNothing: CUDA_ERROR_NOT_FOUND \(500\), no toolkit knows it$/,
        0,
      ],
    ];
    const outcomes = await evaluate(
      expected.map(([expression]) => expression),
      { driver: builds.find((each) => each.cuda === 12040) ?? assert.fail() },
    );
    for (const [index, [expression, message, needed]] of expected.entries()) {
      const error = errorOf(outcomes[index]);
      assert.equal(error.name, "CudaSymbolError", expression);
      assert.match(error.message, message);
      assert.deepEqual([error.needed, error.present], [needed, 12040]);
    }
  });

  it("has cuda-python's names, each with the function that it names there", async () => {
    const text = await readFile(new URL("../api/fixtures/driver_v2_names.txt", import.meta.url), "utf8");
    const wanted = text.trim().split("\n");
    const build = builds.find((each) => each.cuda === 12040) ?? assert.fail();
    const { modules } = resolved(build, "legacy");
    assert.deepEqual(
      wanted.filter((name) => !Object.hasOwn(modules.v2, name)),
      [],
    );
    const named = new Map(
      Object.keys(modules.index).map((wrapper) => [pythonName(wrapper, library.prefix, library.pythonNames), wrapper]),
    );
    named.set("memcpy", "cuMemcpy");
    for (const [name, binding] of Object.entries(modules.v2)) {
      const exported = named.get(name) ?? assert.fail(`${name} names no function`);
      const retired = library.pythonRetired.some((row) => row.function === exported);
      const wrapper = retired ? `${exported}_v1` : exported;
      assert.deepEqual(binding, modules.index[wrapper], `${name} is ${wrapper}`);
    }
  });

  it("leaves per-thread twins to those that ask for them: legacy mode never binds one", () => {
    for (const build of builds) {
      const { modules } = resolved(build, "legacy");
      const perThread = resolved(build, "perThread").modules;
      for (const api of document.functions.filter(({ streamMode }) => streamMode === "perThread")) {
        const plain = api.name.replace(/_pt(ds|sz)$/, "");
        const legacy = modules.functions[plain] ?? modules.functions[`${plain}_v1`];
        const own = modules.functions[api.name];
        assert.ok(legacy && own, api.name);
        if (legacy.kind === "bound" && own.kind === "bound") assert.notEqual(legacy.address, own.address, api.name);
        const meant = perThread.functions[plain] ?? perThread.functions[`${plain}_v1`];
        if (meant?.kind === "bound" && own.kind === "bound") assert.notEqual(meant.index, own.index, api.name);
        assert.equal(meant?.kind, own.kind, api.name);
      }
    }
  });

  describe("the choice of the default stream", () => {
    const choose = (env: string | undefined, calls: string[]) =>
      ask<Outcome<string>[]>("streamMode", { env: { CUDA_API_PER_THREAD_DEFAULT_STREAM: env }, input: calls });

    it("reads the environment strictly (case 7)", async () => {
      const modes: [string | undefined, string][] = [
        ...[undefined, "", "0", "off", "false", "no", "OFF", "False", " 0 "].map((v): [string | undefined, string] => [
          v,
          "legacy",
        ]),
        ...["1", "on", "true", "yes", "ON", "True"].map((v): [string, string] => [v, "perThread"]),
      ];
      for (const [value, mode] of modes) {
        assert.deepEqual(await choose(value, ["ask"]), [{ value: mode }], JSON.stringify(value));
      }
      for (const value of ["2", "-1", "maybe", "1x", "perThread", "0,1", "null"]) {
        const [first] = await choose(value, ["ask"]);
        assert.equal(first?.error?.name, "TypeError", value);
        assert.ok(first.error.message.includes("CUDA_API_PER_THREAD_DEFAULT_STREAM"), value);
        assert.ok(first.error.message.includes(JSON.stringify(value)), first.error.message);
      }
    });

    it("stands against the flag for the other: getProc refuses what it would call otherwise", async () => {
      const calls = [
        `cuda.getProc("cuMemcpyHtoD", { cudaVersion: 12000, flags: 1 })`,
        `cuda.getProc("cuMemcpyHtoD", { cudaVersion: 12000 }) === cuda.cuMemcpyHtoD_v2`,
        `cuda.getProc("cuMemAlloc", { cudaVersion: 12000, flags: 1 }) === cuda.cuMemAlloc_v2`,
        `cuda.getProc("cuMemcpyHtoD", { cudaVersion: 12000, flags: 2 }) === cuda.cuMemcpyHtoD_v2_ptds`,
      ];
      const build = builds.find((each) => each.cuda === 12040) ?? assert.fail();
      const [refused, ...others] = await evaluate(calls, { driver: build, mode: "perThread" });
      const error = errorOf(refused);
      assert.equal(error.name, "CudaSymbolError");
      assert.match(error.message, /^cuMemcpyHtoD_v2: .*works on the per-thread .* calls cuMemcpyHtoD_v2_ptds instead/);
      assert.deepEqual(valuesOf(others), [true, true, true]);
      const legacy = await evaluate(calls, { driver: build, mode: "legacy" });
      assert.equal(legacy[0]?.error, undefined);
    });

    it("is made once", async () => {
      assert.deepEqual(await choose("0", ["perThread", "ask", "perThread"]), [
        { value: "chosen" },
        { value: "perThread" },
        { value: "chosen" },
      ]);
      const [, second, third] = await choose("1", ["ask", "legacy", "ask"]);
      assert.equal(second?.error?.name, "Error");
      assert.match(second?.error?.message ?? "", /^chooseStreamMode: .*perThread/);
      assert.deepEqual(third, { value: "perThread" });
      const [wrong] = await choose(undefined, ["both"]);
      assert.equal(wrong?.error?.name, "TypeError");
      // A choice in the program needs no environment, good or bad.
      assert.deepEqual(await choose("maybe", ["legacy", "ask"]), [{ value: "chosen" }, { value: "legacy" }]);
    });

    it("holds in every thread", async () => {
      assert.deepEqual(await choose(undefined, ["perThread", "ask in a worker"]), [
        { value: "chosen" },
        { value: "perThread" },
      ]);
    });
  });
});
