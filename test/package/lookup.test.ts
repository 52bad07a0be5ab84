import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { lookup, symbols } from "cuda-driver";
import { type Judge, judge } from "../support/ask.ts";
import { type DriverBuild, drivers } from "../support/drivers.ts";
import { ask, type Mode, type Outcome } from "./child.ts";
import type { EntryPoints } from "./workers/entryPoints.ts";
import type { LookupAnswers, LookupQuestion } from "./workers/lookup.ts";

const PER_THREAD = 2n;
const INVALID_VALUE = 1;
const NOT_FOUND = 500;
const MODES: Mode[] = ["legacy", "perThread"];

/** [CUresult, status, offset of the pointer from the library's start]: null where the driver leaves it alone. */
type Expected = readonly [result: number, status: number | null, offset: bigint | null];

/**
 * get_proc_address_v2 through the addon, against C: the driver's own cuGetProcAddress_v2 where there is one, else dlsym of the
 * name that the rule predicts.
 */
describe("look-ups through the addon", () => {
  let builds: DriverBuild[] = [];
  const judges = new Map<number, Judge>();

  before(async () => {
    builds = await drivers();
    assert.equal(builds.length, 9);
    for (const build of builds) judges.set(build.cuda, await judge(build));
  });

  function judgeOf(build: DriverBuild): Judge {
    const found = judges.get(build.cuda);
    assert.ok(found);
    return found;
  }

  /** Every base name at every version at which its answer can change, and around. */
  function questionsFor(build: DriverBuild): LookupQuestion[] {
    const questions: LookupQuestion[] = [];
    for (const [symbol, variants] of Object.entries(symbols)) {
      const versions = new Set([0, 3019, -1, build.cuda, build.cuda + 10]);
      for (const [, since] of variants) versions.add(since).add(since - 10);
      for (const cudaVersion of versions) {
        for (const flags of [0n, 1n, 2n, 3n]) questions.push([symbol, cudaVersion, flags]);
      }
    }
    return questions;
  }

  /** What C says to the same questions, in a program whose default stream is `mode`. */
  async function expectedOf(build: DriverBuild, questions: LookupQuestion[], mode: Mode): Promise<Expected[]> {
    const meant = questions.map(
      ([symbol, cudaVersion, flags]): LookupQuestion =>
        mode === "perThread" && flags === 0n ? [symbol, cudaVersion, PER_THREAD] : [symbol, cudaVersion, flags],
    );
    const found = judgeOf(build);
    if (build.cuda >= 12000) {
      const answers = await found.ask(
        meant.map(([symbol, cudaVersion, flags]) => ({ verb: "new", symbol, cudaVersion, flags })),
      );
      return answers.map((answer) => {
        assert.ok(answer);
        return [answer.result, answer.status, answer.offset];
      });
    }
    const exports = new Set(found.exports.keys());
    return meant.map(([symbol, cudaVersion, flags]) => {
      const told = lookup(symbols, { symbol, cudaVersion, flags, driver: build.cuda, exports });
      return [told.result, told.status, told.exported === null ? null : (found.exports.get(told.exported) ?? null)];
    });
  }

  for (const mode of MODES) {
    it(`equals the driver for every name, breakpoint and flag on nine drivers, ${mode} default stream`, async (t) => {
      const differences: string[] = [];
      let total = 0;
      for (const build of builds) {
        const questions = questionsFor(build);
        const expected = await expectedOf(build, questions, mode);
        const told = await ask<LookupAnswers>("lookup", { driver: build, mode, input: questions });
        const start = told.cuInit - (judgeOf(build).exports.get("cuInit") ?? 0n);
        const wrong = questions.flatMap((question, index) => {
          const got = told.answers[index];
          const [result, status, offset] = expected[index] ?? [-1, null, null];
          const want = result === 0 ? [offset === null ? 0n : start + offset, status] : result;
          const same = Array.isArray(got) && Array.isArray(want) ? got.every((x, i) => x === want[i]) : got === want;
          return same ? [] : [`${build.cuda}: ${question.join(" ")}: ${got}, the driver says ${want}`];
        });
        const found = expected.filter(([, , offset]) => offset !== null).length;
        t.diagnostic(
          `${build.cuda} (${told.info.lookUp}): ${questions.length} questions, ${found} with an address, ${wrong.length} differences`,
        );
        assert.equal(told.info.version, build.cuda);
        assert.equal(told.info.path, build.path);
        assert.equal(told.answers.length, questions.length);
        assert.ok(found > 1000, "the question must be worth asking");
        differences.push(...wrong);
        total += questions.length;
      }
      t.diagnostic(`${total} questions, ${differences.length} differences`);
      assert.deepEqual(differences.slice(0, 20), []);
    });
  }

  it("goes by the driver's own function where there is one", async () => {
    const paths = new Map<number, string>();
    for (const build of builds) {
      paths.set(build.cuda, (await ask<LookupAnswers>("lookup", { driver: build, input: [] })).info.lookUp);
    }
    assert.deepEqual(
      [...paths.values()],
      [
        ...["table", "table", "table", "table", "table"],
        ...["cuGetProcAddress", "cuGetProcAddress_v2", "cuGetProcAddress_v2", "cuGetProcAddress_v2"],
      ],
    );
  });

  it("gives the pointer of the old four-argument function on 11.4, and a status where that says 500", async () => {
    const build = builds.find(({ cuda }) => cuda === 11040);
    assert.ok(build);
    const questions = questionsFor(build);
    const answers = await judgeOf(build).ask(
      questions.map(([symbol, cudaVersion, flags]) => ({ verb: "old", symbol, cudaVersion, flags })),
    );
    const told = await ask<LookupAnswers>("lookup", { driver: build, input: questions });
    const start = told.cuInit - (judgeOf(build).exports.get("cuInit") ?? 0n);
    for (const [index, question] of questions.entries()) {
      const old = answers[index];
      const got = told.answers[index];
      assert.ok(old && Array.isArray(got), question.join(" "));
      assert.equal(got[0], old.offset === null ? 0n : start + old.offset, question.join(" "));
      assert.equal(got[1] === 0, old.result === 0, question.join(" "));
      if (old.result !== 0) assert.equal(old.result, NOT_FOUND);
    }
  });

  it("answers cuMemAlloc and cuLibraryLoadFromFile as the issue says", async () => {
    const questions: LookupQuestion[] = [
      ["cuMemAlloc", 12000, 0n],
      ["cuMemAlloc", 2000, 0n],
      ["cuLibraryLoadFromFile", 12000, 0n],
    ];
    for (const build of builds) {
      const { exports } = judgeOf(build);
      const told = await ask<LookupAnswers>("lookup", { driver: build, input: questions });
      const start = told.cuInit - (exports.get("cuInit") ?? 0n);
      const at = (name: string) => start + (exports.get(name) ?? assert.fail(`${build.cuda} has no ${name}`));
      const library = build.cuda >= 12000 ? [at("cuLibraryLoadFromFile"), 0] : [0n, 1];
      assert.deepEqual(told.answers, [[at("cuMemAlloc_v2"), 0], [at("cuMemAlloc"), 0], library], String(build.cuda));
    }
  });

  /** Exported name that a question must lead to; a status by itself for none. */
  const TRAPS: [symbol: string, cudaVersion: number, flags: bigint, expected: string | number][] = [
    ["cuCtxCreate", 2000, 0n, "cuCtxCreate"],
    ["cuCtxCreate", 3019, 0n, "cuCtxCreate"],
    ["cuCtxCreate", 3020, 0n, "cuCtxCreate_v2"],
    ["cuCtxCreate", 11040, 0n, "cuCtxCreate_v3"],
    ["cuCtxCreate", 12000, 2n, "cuCtxCreate_v3"],
    ["cuCtxCreate", 12050, 0n, "cuCtxCreate_v3"], // _v4 is newer than these drivers
    ["cuCtxGetDevice", 13000, 0n, "cuCtxGetDevice"],
    ["cuCtxSynchronize", 13000, 0n, "cuCtxSynchronize"],
    ["cuGraphInstantiate", 12000, 0n, "cuGraphInstantiate_v2"], // not the header default
    ["cuGraphInstantiate", 11000, 0n, "cuGraphInstantiate_v2"],
    ["cuGraphInstantiate", 10000, 0n, "cuGraphInstantiate"],
    ["cuGraphInstantiateWithFlags", 12000, 0n, "cuGraphInstantiateWithFlags"],
    ["cuStreamGetCaptureInfo", 10010, 2n, "cuStreamGetCaptureInfo_ptsz"],
    ["cuStreamGetCaptureInfo", 11020, 2n, "cuStreamGetCaptureInfo_ptsz"],
    ["cuStreamGetCaptureInfo", 11030, 2n, "cuStreamGetCaptureInfo_v2_ptsz"],
    ["cuStreamGetCaptureInfo", 12000, 3n, "cuStreamGetCaptureInfo_v2_ptsz"],
    ["cuStreamGetCaptureInfo", 12030, 2n, "cuStreamGetCaptureInfo_v3_ptsz"],
    ["cuStreamGetCaptureInfo", 12030, 1n, "cuStreamGetCaptureInfo_v3"],
    ["cuStreamGetCaptureInfo", 10000, 2n, 2],
    ["cuMemcpy", 6050, 2n, 2], // does not fall back to the legacy variant
    ["cuMemcpy", 6050, 0n, "cuMemcpy"],
    ["cuMemcpy", 7000, 2n, "cuMemcpy_ptds"],
    ["cuMemcpy", 0, 0n, 2],
    ["cuMemcpy", -1, 0n, "cuMemcpy"],
    ["cuMemcpy", -2147483648, 0n, "cuMemcpy"],
    ["cuMemcpy", 2147483647, 0n, "cuMemcpy"], // drivers before 13.0 answer as newest
    ["cuMemAlloc_v2", 12000, 0n, 1],
    ["cuMemcpyHtoD_ptds", 12000, 2n, 1],
    ["cuGetProcAddress_v2", 12000, 0n, 1],
    ["CuMemAlloc", 12000, 0n, 1],
    ["cumemalloc", 12000, 0n, 1],
    [" cuMemAlloc", 12000, 0n, 1],
    ["cuMemAlloc ", 12000, 0n, 1],
    ["", 12000, 0n, 1],
    ["x".repeat(1_000_000), 12000, 0n, 1],
    ["é".repeat(500_000), 12000, 0n, 1],
    [`cuMemAlloc${"_".repeat(4000)}`, 12000, 0n, 1],
    ["__proto__", 12000, 0n, 1],
    ["constructor", 12000, 0n, 1],
    ["toString", 12000, 0n, 1],
  ];

  it("knows the traps on 12.4, as the driver does", async () => {
    const build = builds.find(({ cuda }) => cuda === 12040);
    assert.ok(build);
    const questions = TRAPS.map(([symbol, cudaVersion, flags]): LookupQuestion => [symbol, cudaVersion, flags]);
    const { exports } = judgeOf(build);
    const names = new Map([...exports].map(([name, offset]) => [offset, name]));
    const direct = await judgeOf(build).ask(
      questions.map(([symbol, cudaVersion, flags]) => ({ verb: "new", symbol, cudaVersion, flags })),
    );
    const told = await ask<LookupAnswers>("lookup", { driver: build, input: questions });
    const start = told.cuInit - (exports.get("cuInit") ?? 0n);
    for (const [index, [symbol, cudaVersion, flags, expected]] of TRAPS.entries()) {
      const title = `${symbol.slice(0, 40)} ${cudaVersion} ${flags}`;
      const got = told.answers[index];
      assert.ok(Array.isArray(got), title);
      assert.equal(got[0] === 0n ? got[1] : names.get(got[0] - start), expected, title);
      const said = direct[index];
      assert.equal(said?.offset == null ? said?.status : names.get(said.offset), expected, `C: ${title}`);
    }
  });

  it("gives the same to the traps on every driver that cannot say, and dlsym's pointer", async () => {
    for (const build of builds.filter(({ cuda }) => cuda < 12000)) {
      const questions = TRAPS.map(([symbol, cudaVersion, flags]): LookupQuestion => [symbol, cudaVersion, flags]);
      const { exports } = judgeOf(build);
      const told = await ask<LookupAnswers>("lookup", { driver: build, input: questions });
      const start = told.cuInit - (exports.get("cuInit") ?? 0n);
      for (const [index, [symbol, cudaVersion, flags]] of questions.entries()) {
        const { status, exported } = lookup(symbols, {
          ...{ symbol, cudaVersion, flags, driver: build.cuda },
          exports: new Set(exports.keys()),
        });
        const want = [exported === null ? 0n : start + (exports.get(exported) ?? 0n), status];
        assert.deepEqual(told.answers[index], want, `${build.cuda}: ${symbol.slice(0, 40)} ${cudaVersion} ${flags}`);
      }
    }
  });

  it("refuses flags as the driver does, on every driver", async () => {
    const flags = [4n, 5n, 8n, 2n ** 31n, 2n ** 32n, 2n ** 32n + 1n, 2n ** 63n, 2n ** 64n - 1n];
    const questions = flags.flatMap((flag): LookupQuestion[] => [
      ["cuMemAlloc", 12000, flag],
      ["cuNoSuchThing", 12000, flag],
    ]);
    for (const build of builds) {
      for (const mode of MODES) {
        const told = await ask<LookupAnswers>("lookup", { driver: build, mode, input: questions });
        const direct = await expectedOf(build, questions, mode);
        assert.deepEqual(
          told.answers,
          questions.map(() => INVALID_VALUE),
          String(build.cuda),
        );
        assert.deepEqual(
          direct.map(([result]) => result),
          questions.map(() => INVALID_VALUE),
          `C: ${build.cuda}`,
        );
      }
    }
  });

  it("refuses what C cannot express, before the driver sees it, on every driver", async (t) => {
    const wrong: string[] = [];
    for (const build of builds) {
      const told = await ask<Record<string, Outcome<unknown>>>("refusals", { driver: build });
      assert.ok(Object.keys(told).length > 40);
      t.diagnostic(`${build.cuda}: ${Object.keys(told).length} refusals`);
      for (const [title, { error }] of Object.entries(told)) {
        const [kind, name = "", parameter = ""] = title.split(" ");
        if (!error) wrong.push(`${build.cuda}: ${title} was accepted`);
        // The error says which function and which parameter.
        else if (error.name !== kind || !new RegExp(`^${name}: .*\\b${parameter}\\b`).test(error.message)) {
          wrong.push(`${build.cuda}: ${title} was refused with ${error.name}: ${error.message}`);
        }
      }
    }
    assert.deepEqual(wrong, []);
  });

  it("gives the runtime's look-up over the same answers, with the runtime's error", async () => {
    for (const build of builds) {
      for (const mode of MODES) {
        const told = await ask<EntryPoints>("entryPoints", { driver: build, mode });
        assert.deepEqual(told.plain, told.direct, `${build.cuda}: as at the driver's own version`);
        assert.deepEqual(told.byVersion, told.directByVersion, String(build.cuda));
        assert.equal(told.below[1], 2);
        assert.deepEqual(told.empty, [0n, 1]);
        for (const { error } of told.refused) {
          assert.ok(error);
          assert.deepEqual([error.name, error.code, error.errno], ["CudaError", "cudaErrorInvalidValue", 1]);
        }
        assert.deepEqual(
          told.refused.map(({ error }) => error?.syscall),
          ["cudaGetDriverEntryPoint", "cudaGetDriverEntryPointByVersion"],
        );
      }
    }
  });
});
