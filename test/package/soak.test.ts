/** Many calls: by themselves, and on many threads at once. SOAK=full: as many as the specification says. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { ask } from "./child.ts";
import { addon, scratchFolder } from "./fakes.ts";
import type { Soak, Soaked } from "./workers/soak.ts";

const FULL = process.env.SOAK === "full";
const env: Record<string, string> = {};

before(async () => {
  env.CUDA_DRIVER_LIBRARY = await addon(join(await scratchFolder(), "libcuda.so.1"), "soak.c");
});

/* V8's room for new objects grows by itself as a program goes on: of one size from the start, it tells nothing of leaks. */
const NODE_OPTIONS = "--max-semi-space-size=1";

const soak = (input: Soak) => ask<Soaked[]>("soak", { env: { ...env, NODE_OPTIONS }, input });

describe("many calls", () => {
  it("of eight threads, each with its own contexts, streams and callbacks, are kept apart", async (t) => {
    const each = 100_000;
    const told = await soak({ threads: 8, counts: [each] });
    assert.equal(told.length, 8);
    for (const { calls, callbacks, errors, promises } of told) {
      assert.ok(calls >= each && callbacks > each / 10 && errors > each / 10 && promises > each / 100);
    }
    const sum = (of: "calls" | "callbacks" | "promises") => told.reduce((all, one) => all + one[of], 0);
    t.diagnostic(`${sum("calls")} calls, ${sum("callbacks")} callbacks, ${sum("promises")} promises`);
  });

  it("need no more memory than a tenth of them", async (t) => {
    const counts = FULL ? [1_000_000, 10_000_000] : [200_000, 2_000_000];
    const [told] = await soak({ threads: 1, counts });
    const [little = 0, much = Number.POSITIVE_INFINITY] = told?.resident ?? [];
    const mib = (bytes: number) => (bytes / 1024 / 1024).toFixed(1);
    t.diagnostic(`resident after ${counts.join(" and ")} calls: ${mib(little)} and ${mib(much)} MiB`);
    assert.ok(much <= little * 1.05, `grows from ${mib(little)} to ${mib(much)} MiB`);
  });
});
