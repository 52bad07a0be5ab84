import assert from "node:assert/strict";
import { test } from "node:test";
import { serialize } from "../../generator/api/serialize.ts";
import { driver } from "../../generator/libraries/driver.ts";
import { emit, obtain, remembered } from "../../generator/pipeline.ts";
import { readHistory } from "../../generator/store.ts";
import { type Machine, thisMachine } from "../../generator/toolkit/machine.ts";
import { cacheFolder } from "../support/cache.ts";
import { corpus } from "../support/corpus.ts";

const history = readHistory(driver);
/** Where nothing is installed. */
const bare: Machine = { ...thisMachine(), env: {}, home: "", root: "/nonexistent" };
const toolkits = await corpus();

test("headers and history give the same document, for every toolkit of the corpus", () => {
  for (const { release, directory } of toolkits) {
    const read = obtain({ toolkit: directory }, driver).document;
    assert.equal(serialize(read), serialize(remembered(release, history).document), release);
    assert.ok(
      read.functions.every(({ since }) => since !== null),
      release,
    );
  }
});

test("by version, the cache and the history choose the same build", () => {
  for (const version of new Set(toolkits.map((toolkit) => toolkit.release.split(".").slice(0, 2).join(".")))) {
    const { document, toolkit } = obtain({ toolkit: version, cache: cacheFolder(), machine: bare }, driver);
    assert.deepEqual(remembered(document.toolkit, history).document.sources, document.sources, toolkit?.directory);
  }
});

for (const release of ["11.8.89", "12.5.82", "13.0.96"]) {
  test(`headers and history give the same bytes: ${release}`, async () => {
    const directory = toolkits.find((toolkit) => toolkit.release === release)?.directory;
    const read = await emit(obtain({ toolkit: directory }, driver), driver);
    const known = await emit(remembered(release, history), driver);
    assert.deepEqual([...known.keys()], [...read.keys()]);
    for (const [path, text] of read) assert.ok(known.get(path) === text, path);
  });
}
