/** Handles that were given back, at every function that takes or returns one, in each of its spellings. */
import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import type { PlannedFunction } from "../../generator/emit/planned.ts";
import { isResult, type PlannedParameter } from "../../generator/emit/roles.ts";
import { invocation } from "./arguments.ts";
import { type Invocation, tellSizes, type World } from "./context.ts";
import type { Spelling } from "./package.ts";
import { random } from "./random.ts";
import { ENDS, SPECIAL } from "./special.ts";
import { openWorld } from "./world.ts";

/** Functions that look up a handle that is there already; all others that return one make it. */
const LOOK_UPS = [
  ...["cuArrayGetPlane", "cuFuncGetModule", "cuGraphEventRecordNodeGetEvent", "cuGraphEventWaitNodeGetEvent"],
  ...["cuKernelGetLibrary", "cuLibraryGetModule", "cuMipmappedArrayGetLevel", "cuModuleGetTexRef"],
  ...["cuSurfRefGetArray", "cuTexRefGetArray", "cuTexRefGetMipmappedArray"],
];

/** Handles that are refused wherever they are used; the others where they are given back once more. */
const REFUSED = ["CUlibrary", "CUlinkState", "CUmodule"];

describe("handles that were given back (case 38)", () => {
  let world: World;
  let next = 0x5000_0000_0000n;

  before(async () => {
    world = await openWorld();
  });
  beforeEach(() => {
    world.standin.addon.reset();
    tellSizes(world);
  });

  function make(fn: PlannedFunction, spelling: Spelling, seed: number): Invocation {
    return SPECIAL[fn.api.name]?.(world, fn, spelling, random(seed)) ?? invocation(world, fn, random(seed));
  }

  interface Place {
    fn: PlannedFunction;
    spelling: Spelling;
    kind: string;
    param: PlannedParameter;
  }

  /** Every function with a parameter of one of these C types, in every spelling. */
  function* having(kinds: readonly string[], suffix: "" | " *"): Generator<Place> {
    for (const fn of world.package.plan.functions) {
      for (const kind of kinds) {
        const param = fn.params.find(({ api }) => api.type === kind + suffix);
        if (param === undefined || ENDS[kind]?.includes(fn.api.name)) continue;
        for (const spelling of world.package.spellings(fn)) yield { fn, spelling, kind, param };
      }
    }
  }

  /** Gives a handle back with the function of its kind. */
  function end(kind: string, handle: bigint): void {
    const [name] = ENDS[kind] as readonly [string];
    const fn = world.package.plan.functions.find(({ api }) => api.name === name) as PlannedFunction;
    const [spelling] = world.package.spellings(fn) as [Spelling];
    spelling.fn(...argumentsWith(fn, kind, make(fn, spelling, 1), handle));
  }

  async function endLater(kind: string, handle: bigint): Promise<void> {
    const [name] = ENDS[kind] as readonly [string];
    const fn = world.package.plan.functions.find(({ api }) => api.name === name) as PlannedFunction;
    const spelling = world.package.spellings(fn).find(({ module }) => module === "promises") as Spelling;
    await spelling.fn(...argumentsWith(fn, kind, make(fn, spelling, 1), handle));
  }

  function argumentsWith(fn: PlannedFunction, kind: string, { passed }: Invocation, handle: bigint): unknown[] {
    return passed.flatMap(({ argument }, at) => {
      if (argument === undefined) return [];
      return [fn.params[at]?.api.type === kind ? handle : argument.value];
    });
  }

  it("are refused before the driver is called", async () => {
    const refused = new Set<string>();
    for (const { fn, kind, spelling } of having(REFUSED, "")) {
      next += 16n;
      end(kind, next);
      const args = argumentsWith(fn, kind, make(fn, spelling, fn.index), next);
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

  it("are given back once, by each function that does", async () => {
    for (const [kind, names] of Object.entries(ENDS)) {
      for (const fn of world.package.plan.functions.filter(({ api }) => names.includes(api.name))) {
        for (const spelling of world.package.spellings(fn)) {
          next += 16n;
          const args = argumentsWith(fn, kind, make(fn, spelling, fn.index), next);
          const gone = { name: "CudaError", errno: 400, syscall: fn.api.name };
          world.standin.fail(fn.api.name, 1);
          await assert.rejects(async () => spelling.fn(...args), { errno: 1 }, "not given back: the driver refused");
          world.standin.take();
          await spelling.fn(...args);
          await assert.rejects(async () => spelling.fn(...args), gone, spelling.name);
          const calls = world.standin.take().filter(({ name }) => name === fn.api.name);
          assert.equal(calls.length, 1, spelling.name);
        }
      }
    }
  });

  it("are good again where a function returns them", async () => {
    const returning = new Map<string, Set<string>>();
    for (const { fn, kind, param, spelling } of having(Object.keys(ENDS), " *")) {
      if (!isResult(param)) continue;
      const results = fn.params.filter(isResult);
      const handleOf = async ({ args }: Invocation): Promise<bigint> => {
        const returned = await spelling.fn(...args);
        return results.length === 1 ? (returned as bigint) : ((returned as bigint[])[results.indexOf(param)] ?? 0n);
      };
      const handle = await handleOf(make(fn, spelling, fn.index));
      assert.equal(typeof handle, "bigint", fn.api.name);
      end(kind, handle);
      assert.throws(() => end(kind, handle), { errno: 400 }, spelling.name);
      assert.equal(await handleOf(make(fn, spelling, fn.index)), handle, spelling.name);
      end(kind, handle);
      const known = returning.get(kind) ?? new Set();
      returning.set(kind, known.add(fn.api.name));
    }
    assert.deepEqual([...returning.keys()].sort(), Object.keys(ENDS).sort());
    const count = [...returning.values()].reduce((total, { size }) => total + size, 0);
    assert.ok(count >= 35, `${count} functions`);
  });

  it("come back while they are given back only from functions that make them", async () => {
    const lookUps = new Set<string>();
    for (const { fn, kind, param, spelling } of having(Object.keys(ENDS), " *")) {
      if (!isResult(param) || spelling.module === "promises") continue;
      const results = fn.params.filter(isResult);
      const get = () => {
        const returned = spelling.fn(...make(fn, spelling, fn.index).args);
        return results.length === 1 ? (returned as bigint) : ((returned as bigint[])[results.indexOf(param)] ?? 0n);
      };
      const handle = get();
      const ending = endLater(kind, handle);
      assert.equal(get(), handle, spelling.name);
      if (LOOK_UPS.includes(fn.api.base)) {
        assert.throws(() => end(kind, handle), { errno: 400 }, spelling.name);
        lookUps.add(fn.api.base);
        await ending;
        assert.throws(() => end(kind, handle), { errno: 400 }, spelling.name);
        get();
      } else {
        await ending;
      }
      end(kind, handle);
      assert.throws(() => end(kind, handle), { errno: 400 }, spelling.name);
    }
    assert.deepEqual([...lookUps].sort(), LOOK_UPS);
  });
});
