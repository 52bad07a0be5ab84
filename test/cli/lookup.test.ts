import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { codegen, fails, learn, succeeds } from "./program.ts";

before(learn);

describe("lookup", () => {
  const json = async (...args: string[]) => JSON.parse(await succeeds(["lookup", ...args, "--json"]));

  test("answers as the driver does", async () => {
    assert.deepEqual(await json("cuMemAlloc", "--cuda", "12.0", "--driver", "12.4"), {
      symbol: "cuMemAlloc",
      cudaVersion: 12000,
      flags: "default",
      driver: 12040,
      result: 0,
      status: "SUCCESS",
      exported: "cuMemAlloc_v2",
      since: 3020,
      signature: "CUresult cuMemAlloc_v2(CUdeviceptr *dptr, size_t bytesize)",
    });
    const early = await json("cuMemcpyHtoD", "--cuda", "6050", "--flags", "per-thread");
    assert.deepEqual([early.status, early.exported, early.signature], ["VERSION_NOT_SUFFICIENT", null, null]);
    assert.equal((await json("cuNothing", "--cuda", "12.4")).status, "SYMBOL_NOT_FOUND");
    const refused = await json("cuMemAlloc", "--cuda", "12.4", "--flags", "4");
    assert.deepEqual([refused.result, refused.status, refused.exported], [1, null, null]);
    assert.match(
      await succeeds(["lookup", "cuMemAlloc", "--cuda", "12.0"]),
      /cuMemAlloc_v2, since CUDA 3\.2 \(3020\)\n {2}CUresult cuMemAlloc_v2\(/,
    );
  });

  test("- answers questions line by line; a bad one is answered too, and the exit code says so", async () => {
    const questions = [
      { symbol: "cuMemAlloc", cudaVersion: 2000 },
      { symbol: "cuMemcpyHtoD", cudaVersion: "12.4", flags: 2, driver: 12040 },
      { symbol: 1 },
      "x",
    ];
    const { code, stdout } = await codegen(["lookup", "-"], {
      input: `${questions.map((entry) => JSON.stringify(entry)).join("\r\n")}\n\n`,
    });
    const answers = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.deepEqual(
      answers.map((answer) => answer.exported),
      ["cuMemAlloc", "cuMemcpyHtoD_v2_ptds", undefined, undefined],
    );
    assert.deepEqual(
      answers.map((answer) => typeof answer.error),
      ["undefined", "undefined", "string", "string"],
    );
    assert.equal(code, 2);
  });

  test("says what was probably meant", async () => {
    const asked = (...args: string[]) => succeeds(["lookup", ...args, "--cuda", "12.4"]);
    assert.match(
      await asked("cuMemAlloc_v2"),
      /SYMBOL_NOT_FOUND.*\n {2}it is a variant of cuMemAlloc: ask for cuMemAlloc/,
    );
    assert.match(await asked("cumemalloc"), /SYMBOL_NOT_FOUND.*\n {2}there is cuMemAlloc$/m);
    assert.match(await asked("cuMemaloc"), /\n {2}there is cuMemAlloc$/m);
    assert.match(await asked("cudaMalloc"), /\n {2}it is called as functions of the runtime are/);
    assert.match(await asked("cuNothing"), /SYMBOL_NOT_FOUND, the pointer is NULL\n$/);
    assert.match(
      await succeeds(["lookup", "cuMemAlloc", "--cuda", "-1"]),
      /^cuMemAlloc at the newest CUDA version \(-1\), /,
    );
  });

  test("bad questions", async () => {
    await fails(["lookup", "", "--cuda", "12.4"], /the symbol is empty/);
    await fails(["lookup", "cuMemAlloc"], /name the CUDA version to ask for: --cuda 12\.4/);
    await fails(["lookup", "cuMemAlloc", "--cuda", "new"], /cudaVersion is "new": write it as 12\.4 or 12040/);
    await fails(
      ["lookup", "cuMemAlloc", "--cuda", "12.4", "--flags", "fast"],
      /flags "fast" are unknown: default, legacy, per-thread/,
    );
  });
});
