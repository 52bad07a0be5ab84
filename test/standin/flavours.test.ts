import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { command } from "../support/command.ts";
import type { Fate } from "./flavour.ts";
import { type Flavour, newestDocument } from "./library.ts";

const document = newestDocument();
const byName = new Map(document.functions.map((fn) => [fn.name, fn]));

async function fates(flavour: Flavour, env: Record<string, string | undefined> = {}): Promise<Fate[]> {
  const script = fileURLToPath(new URL("flavour.ts", import.meta.url));
  const said = await command(process.execPath, ["--import", "tsx", script], {
    env: {
      CUDA_API_PER_THREAD_DEFAULT_STREAM: undefined,
      NODE_TEST_CONTEXT: undefined,
      ...env,
      STANDIN_FLAVOUR: JSON.stringify(flavour),
    },
  });
  return JSON.parse(said) as Fate[];
}

/** Each variant is called as itself, or not at all. */
describe("older drivers", () => {
  const flavours: Flavour[] = [
    { version: 6050 },
    { version: 11020 },
    { version: 11080 },
    { version: 12020 },
    { version: 12040, lookup: "v1" },
    { version: 13000, lookup: "none" },
    { lookup: "none" },
  ];
  for (const flavour of flavours) {
    const version = flavour.version ?? document.toolkit;
    it(`CUDA ${version}, look-up functions: ${flavour.lookup ?? "its own"}`, async () => {
      let lacking = 0;
      for (const { name, called, wrong, error } of await fates(flavour)) {
        assert.equal(wrong, "", name);
        const since = byName.get(name)?.since ?? 0;
        if (since <= version) {
          assert.equal(error, null, `${name}: ${error?.message}`);
          assert.deepEqual(called, [name]);
        } else {
          lacking++;
          assert.deepEqual(called, [], name);
          assert.equal(error?.name, "CudaSymbolError", name);
          assert.deepEqual([error?.needed, error?.present], [since, version], name);
        }
      }
      assert.ok(version === document.toolkit || lacking > 10, `${lacking} functions are newer`);
    });
  }
});

describe("the per-thread default stream", () => {
  it("means the per-thread variant of every function that has one", async () => {
    let twins = 0;
    for (const { name, called, wrong, error } of await fates({}, { CUDA_API_PER_THREAD_DEFAULT_STREAM: "1" })) {
      assert.equal(wrong, "", name);
      assert.equal(error, null, `${name}: ${error?.message}`);
      const twin = [`${name}_ptds`, `${name}_ptsz`].find((other) => byName.has(other));
      if (twin !== undefined) twins++;
      assert.deepEqual(called, [twin ?? name]);
    }
    assert.ok(twins > 90, `${twins} functions have a per-thread variant`);
  });
});
