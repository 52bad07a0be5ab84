import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { lookup, type SymbolTable } from "../../generator/api/lookup.ts";
import { buildSymbolTable, symbolsOf } from "../../generator/api/symbols.ts";
import { readRelease } from "./read.ts";

const table: SymbolTable = {
  cuCtxCreate: [
    ["cuCtxCreate", 2000, false],
    ["cuCtxCreate_v2", 3020, false],
    ["cuCtxCreate_v3", 11040, false],
    ["cuCtxCreate_v4", 12050, false],
  ],
  cuMemcpy: [
    ["cuMemcpy", 4000, false],
    ["cuMemcpy_ptds", 7000, true],
  ],
  cuNew: [["cuNew", 13010, false]],
};

function ask(symbol: string, cudaVersion: number, flags: number | bigint = 0, driver = 12040, exports?: Set<string>) {
  const { result, status, exported } = lookup(table, {
    symbol,
    cudaVersion,
    flags,
    driver,
    ...(exports ? { exports } : {}),
  });
  return [result, status, exported];
}

test("the newest variant that the version allows", () => {
  assert.deepEqual(ask("cuCtxCreate", 3010), [0, 0, "cuCtxCreate"]);
  assert.deepEqual(ask("cuCtxCreate", 3019), [0, 0, "cuCtxCreate"]);
  assert.deepEqual(ask("cuCtxCreate", 3020), [0, 0, "cuCtxCreate_v2"]);
  assert.deepEqual(ask("cuCtxCreate", 12000), [0, 0, "cuCtxCreate_v3"]);
  assert.deepEqual(ask("cuCtxCreate", 12050), [0, 0, "cuCtxCreate_v3"], "no newer than the driver");
  assert.deepEqual(ask("cuCtxCreate", 1999), [0, 2, null]);
  assert.deepEqual(ask("cuCtxCreate", 0), [0, 2, null]);
  assert.deepEqual(ask("cuCtxCreate", -1), [0, 0, "cuCtxCreate_v3"]);
});

test("the stream mode", () => {
  assert.deepEqual(ask("cuMemcpy", 7000, 0), [0, 0, "cuMemcpy"]);
  assert.deepEqual(ask("cuMemcpy", 7000, 1), [0, 0, "cuMemcpy"]);
  assert.deepEqual(ask("cuMemcpy", 7000, 2), [0, 0, "cuMemcpy_ptds"]);
  assert.deepEqual(ask("cuMemcpy", 7000, 3n), [0, 0, "cuMemcpy_ptds"]);
  assert.deepEqual(ask("cuMemcpy", 6050, 2), [0, 2, null], "no falling back to the legacy variant");
  assert.deepEqual(ask("cuCtxCreate", 2000, 2), [0, 0, "cuCtxCreate"], "no per-thread variant at all");
  for (const flags of [4, 2n ** 63n, -1]) assert.deepEqual(ask("cuMemcpy", 7000, flags), [1, null, null]);
});

test("versions above the driver's", () => {
  assert.deepEqual(ask("cuCtxCreate", 12060, 0, 12050), [0, 0, "cuCtxCreate_v4"]);
  assert.deepEqual(ask("cuCtxCreate", 13010, 0, 13000), [1, null, null]);
  assert.deepEqual(ask("cuNew", 13010, 0, 13000), [1, null, null]);
  assert.deepEqual(ask("cuNew", 13000, 0, 13000), [0, 1, null], "not in this driver");
});

test("names are base names, to the letter", () => {
  for (const symbol of ["cuCtxCreate_v2", "cuMemcpy_ptds", "cuctxcreate", " cuMemcpy", "", "toString", "__proto__"]) {
    assert.deepEqual(ask(symbol, 12000), [0, 1, null], symbol);
  }
});

test("a driver's exports restrict the answer", () => {
  assert.deepEqual(ask("cuCtxCreate", 12000, 0, 12040, new Set(["cuCtxCreate_v2"])), [0, 0, "cuCtxCreate_v2"]);
  assert.deepEqual(ask("cuCtxCreate", 12000, 0, 12040, new Set()), [0, 1, null]);
});

/** What real drivers answered; each file says which driver, and how it was asked. */
const folder = process.env.CODEGEN_DRIVER_TRUTH ?? join(import.meta.dirname, "fixtures", "driver-truth");

type Steps = [from: number, result: number, status: number | null, exported: string | null][];

test("every recorded answer of real drivers is predicted", async (t) => {
  for (const release of ["13.0.96", "13.5.37"]) {
    const symbols = buildSymbolTable(symbolsOf((await readRelease(release)).document));
    let asked = 0;
    const wrong: string[] = [];
    for (const file of (await readdir(folder)).filter((name) => name.endsWith(".json")).sort()) {
      const truth = JSON.parse(await readFile(join(folder, file), "utf8")) as {
        driver: number;
        symbols: Record<string, { legacy: Steps; perThread: Steps }>;
      };
      for (const [symbol, modes] of Object.entries(truth.symbols)) {
        for (const flags of [0, 1, 2]) {
          const steps = flags === 2 ? modes.perThread : modes.legacy;
          for (let cudaVersion = 0; cudaVersion <= truth.driver + 100; cudaVersion += 10) {
            const [, result, status, exported] = steps.findLast(([from]) => from <= cudaVersion) ?? [];
            const answer = lookup(symbols, { symbol, cudaVersion, flags, driver: truth.driver });
            asked++;
            const same =
              answer.result === result && answer.status === status && (answer.exported ?? "") === (exported ?? "");
            if (!same) wrong.push(`${truth.driver} ${symbol} at ${cudaVersion}, flags ${flags}`);
          }
        }
      }
    }
    t.diagnostic(`headers ${release}: ${asked - wrong.length} of ${asked} answers of real drivers predicted`);
    assert.deepEqual(wrong.slice(0, 10), []);
  }
});
