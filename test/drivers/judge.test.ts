import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { type Judge, judge, type Question } from "../support/ask.ts";
import { type DriverBuild, drivers } from "../support/drivers.ts";

/** The judge itself: nine real drivers load without a GPU, and C's answers are the ones that facts.md records. */
describe("the judge of look-ups", () => {
  const judges = new Map<number, Judge>();
  let builds: DriverBuild[] = [];

  before(async () => {
    builds = await drivers();
    for (const build of builds) judges.set(build.cuda, await judge(build));
  });

  function of(cuda: number): Judge {
    const found = judges.get(cuda);
    assert.ok(found);
    return found;
  }

  function question(symbol: string, cudaVersion: number, flags = 0n, verb: Question["verb"] = "new"): Question {
    return { verb, symbol, cudaVersion, flags };
  }

  it("loads every build, each of the version that the list says", () => {
    assert.deepEqual(
      [...judges].map(([, found]) => found.version),
      [6050, 9010, 10010, 11000, 11020, 11040, 12000, 12020, 12040],
    );
    for (const found of judges.values()) assert.ok(found.exports.has("cuInit") && found.exports.size > 200);
  });

  it("agrees with dlsym on where each export lies", async () => {
    for (const found of judges.values()) {
      const names = [...found.exports.keys()];
      assert.deepEqual(await found.symbols(names), [...found.exports.values()]);
      assert.deepEqual(await found.symbols(["cuNoSuchThing", ""]), [null, null]);
    }
  });

  it("answers through cuGetProcAddress_v2 from 12.0 on only", async () => {
    for (const [cuda, found] of judges) {
      const [answer] = await found.ask([question("cuMemAlloc", 12000)]);
      assert.deepEqual(answer?.names ?? null, cuda < 12000 ? null : ["cuMemAlloc_v2"]);
      const [old] = await found.ask([question("cuMemAlloc", 3020, 0n, "old")]);
      assert.deepEqual(old?.names ?? null, cuda < 11040 ? null : ["cuMemAlloc_v2"]);
    }
  });

  it("tells NULL from untouched", async () => {
    const answers = await of(12020).ask([
      question("cuMemAlloc", 2000),
      question("cuMemAlloc", 0),
      question("cuNoSuchThing", 12000),
      question("", 12000),
      question("cuMemAlloc", 12000, 4n),
      question("cuMemcpyHtoD", 12000, 2n),
      question("cuNoSuchThing", 12000, 0n, "old"),
      question("cuNoSuchThing", 12000, 0n, "bare"),
    ]);
    assert.deepEqual(
      answers.map((answer) => [answer?.result, answer?.status, answer?.names]),
      [
        [0, 0, ["cuMemAlloc"]],
        [0, 2, []],
        [0, 1, []],
        [0, 1, []],
        [1, null, null],
        [0, 0, ["cuMemcpyHtoD_v2_ptds"]],
        [500, null, null],
        [0, null, []],
      ],
    );
  });
});
