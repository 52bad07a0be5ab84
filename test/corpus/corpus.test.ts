import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { corpus } from "../support/corpus.ts";
import { examine } from "./examine.ts";

/** Every toolkit that NVIDIA's wheels offer: what we read is what the compilers read. `npm run corpus` prints the figures. */
const toolkits = await corpus();

describe("the corpus", () => {
  it("has a release of every minor version from 11.7 on", () => {
    assert.ok(toolkits.length >= 23);
    const minors = new Set(toolkits.map(({ version }) => version));
    for (const version of [11070, 11080, 12000, 12010, 12020, 12030, 12040, 12050, 12060, 12080, 12090, 13000, 13010]) {
      assert.ok(minors.has(version), `no ${version}`);
    }
  });

  for (const toolkit of toolkits) {
    it(`${toolkit.release}: castxml, gcc, g++ and clang agree with the API document`, async (test) => {
      const { counts, refused, notes } = await examine(toolkit);
      for (const note of notes) test.diagnostic(note);
      assert.ok(counts.functions > 400 && counts.members > 700 && counts.records > 70, JSON.stringify(counts));
      for (const [judge, lines] of Object.entries(refused)) assert.deepEqual(lines, [], judge);
      // The only things that may be left out: helpers with a body, and what hangs on a header that is not there.
      for (const note of notes) assert.match(note, /helper with a body|includes are not there/);
    });
  }
});
