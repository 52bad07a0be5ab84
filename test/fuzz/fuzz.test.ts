import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { type Campaign, fuzz } from "./campaign.ts";
import { breeder } from "./mutant.ts";
import { read } from "./outcome.ts";
import { readMutants } from "./pool.ts";

/** A short run of what `npm run fuzz` does ten thousand times. */
describe("mutants of real headers", () => {
  let campaign: Campaign;
  before(async () => {
    campaign = await fuzz({ seed: 7, count: 250, compiled: 12, judged: 12, workers: 2 });
  });

  it("give a document or an error with its place, in time", () => {
    assert.equal(campaign.reports.length, 250);
    assert.deepEqual(campaign.broken, []);
    const kinds = new Set(campaign.reports.map(({ kind }) => kind));
    assert.deepEqual([...kinds].sort(), ["document", "refused"]);
  });

  it("that give a document give a package that compiles", () => {
    assert.ok(campaign.compile.compiled >= 8, String(campaign.compile.compiled));
    assert.deepEqual(campaign.compile.errors, []);
  });

  it("are read as castxml, gcc and clang read them", () => {
    assert.ok(campaign.judged >= 5, String(campaign.judged));
    assert.deepEqual(campaign.contradicted, []);
  });
});

describe("the fuzzer", () => {
  it("makes the same mutant of the same number", async () => {
    const [one, other, third] = await Promise.all([breeder(3), breeder(3), breeder(4)]);
    const texts = ({ headers }: { headers: { text: string }[] }) => headers.map(({ text }) => text);
    assert.deepEqual(texts(one.mutant(11)), texts(other.mutant(11)));
    assert.notDeepEqual(texts(one.mutant(11)), texts(one.parent(11)));
    assert.notDeepEqual(texts(one.mutant(11)), texts(third.mutant(11)));
  });

  it("begins with headers that are read without an error, whatever was cut out", async () => {
    const { parent } = await breeder(5);
    const sizes = new Set<string>();
    for (let index = 0; index < 60; index++) {
      const { headers, release, size } = parent(index);
      sizes.add(size);
      const outcome = read(headers);
      assert.equal(outcome.kind, "document", `${index} of ${release}: ${JSON.stringify(outcome)}`);
    }
    assert.deepEqual([...sizes].sort(), ["roomy", "small", "whole"]);
  });

  it("ends a child that takes too long, says so, and goes on", async () => {
    const reports = await readMutants({ seed: 1, indices: [0, 1], workers: 1, limit: 0 });
    assert.deepEqual(
      reports.map(({ index, kind }) => [index, kind]),
      [
        [0, "hang"],
        [1, "hang"],
      ],
    );
  });
});
