/** Handles that were given back, at every function that takes or returns one, in each of its spellings. */
import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import type { PlannedFunction } from "../../generator/emit/plan.ts";
import { type Invocation, invocation, tellSizes, type World } from "./arguments.ts";
import { openStandin } from "./control.ts";
import { newestDocument } from "./library.ts";
import { openPackage, type Spelling } from "./package.ts";
import { random } from "./random.ts";
import { SPECIAL } from "./special.ts";

const ENDS: Readonly<Record<string, string>> = {
  CUlibrary: "cuLibraryUnload",
  CUlinkState: "cuLinkDestroy",
  CUmodule: "cuModuleUnload",
};

describe("handles that were given back (case 38)", () => {
  let world: World;

  before(async () => {
    const standin = await openStandin();
    world = { standin, package: await openPackage(), document: newestDocument() };
  });
  beforeEach(() => {
    world.standin.addon.reset();
    tellSizes(world);
  });

  function make(fn: PlannedFunction, spelling: Spelling, seed: number): Invocation {
    return SPECIAL[fn.api.name]?.(world, fn, spelling, random(seed)) ?? invocation(world, fn, random(seed));
  }

  /** Every function with a parameter of one of these C types, in every spelling. */
  function* having(suffix: "" | " *"): Generator<[fn: PlannedFunction, kind: string, at: number, spelling: Spelling]> {
    for (const fn of world.package.plan.functions) {
      for (const kind of Object.keys(ENDS)) {
        const at = fn.params.findIndex(({ api }) => api.type === kind + suffix);
        if (at < 0 || fn.api.name === ENDS[kind]) continue;
        for (const spelling of world.package.spellings(fn)) yield [fn, kind, at, spelling];
      }
    }
  }

  it("are refused before the driver is called", async () => {
    const refused = new Set<string>();
    let value = 0x5000_0000_0000n;
    for (const [fn, kind, at, spelling] of having("")) {
      value += 16n;
      world.package.cuda[ENDS[kind] as string](value);
      const { passed } = make(fn, spelling, fn.index);
      const args = passed.flatMap(({ argument }, position) => {
        return argument === undefined ? [] : [position === at ? value : argument.value];
      });
      world.standin.take();
      await assert.rejects(
        async () => spelling.fn(...args),
        { name: "CudaError", errno: 400, syscall: fn.api.name },
        `${spelling.module} ${spelling.name}`,
      );
      assert.deepEqual(
        world.standin.take().filter(({ name }) => name === fn.api.name),
        [],
        spelling.name,
      );
      refused.add(fn.api.name);
    }
    assert.ok(refused.size >= 19, `${refused.size} functions`);
  });

  it("are good again where a function returns them", async () => {
    const returning = new Set<string>();
    for (const [fn, kind, , spelling] of having(" *")) {
      const [{ args: before, returned }, { args }] = [make(fn, spelling, fn.index), make(fn, spelling, fn.index)];
      const end = world.package.cuda[ENDS[kind] as string];
      await spelling.fn(...before);
      end(returned);
      assert.throws(() => end(returned), { errno: 400 }, spelling.name);
      assert.equal(await spelling.fn(...args), returned, spelling.name);
      end(returned);
      returning.add(fn.api.name);
    }
    assert.ok(returning.size >= 11, `${[...returning]}`);
  });
});
