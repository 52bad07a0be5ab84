/** Lists that C needs two calls for, which grow or shrink between the question and the answer. */
import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import type { PlannedFunction } from "../../generator/emit/planned.ts";
import { invocation } from "./arguments.ts";
import { checkReturned } from "./checks.ts";
import { TOTAL, tellSizes, type World } from "./context.ts";
import { DEFAULT_MODE, MODE } from "./control.ts";
import type { Spelling } from "./package.ts";
import { random } from "./random.ts";
import { little } from "./scalars.ts";
import { openWorld } from "./world.ts";

/** How often the package asks for what it has been told of, where that was less than there is. */
const TRIES = 8;
const FOR_EVER = -1;

describe("lists that change while they are asked for", () => {
  let world: World;
  let enumerating: PlannedFunction[];

  before(async () => {
    world = await openWorld();
    enumerating = world.package.plan.functions.filter(({ comfort }) => comfort?.kind === "enumerate");
  });
  beforeEach(() => {
    world.standin.addon.reset();
    tellSizes(world);
  });

  /** Arguments that are right; how many there shall be at most is left out. */
  function argumentsOf(fn: PlannedFunction): unknown[] {
    const { args, passed } = invocation(world, fn, random(fn.index));
    const counter = fn.comfort?.length.kind === "parameter" ? fn.comfort.length.param : undefined;
    const isGiven = counter !== undefined && passed[fn.params.indexOf(counter)]?.argument !== undefined;
    return isGiven ? args.slice(0, -1) : args;
  }

  /** What the driver was asked: for each call how many elements there was room for; null: it got no list. */
  function asked({ api }: PlannedFunction): (number | null)[] {
    const params = world.standin.byName.get(api.name)?.params ?? [];
    const counter = params.findIndex(({ counts }) => counts);
    const lists = params.flatMap(({ count }, at) => (count === counter ? [at] : []));
    return world.standin
      .take()
      .filter(({ name }) => name === api.name)
      .map((call) => {
        const given = lists.filter((at) => call.arguments[at]?.value !== 0n);
        const room = Number(little(call.arguments[counter]?.bytes ?? new Uint8Array()));
        assert.ok(given.length === 0 || given.length === lists.length, `${api.name}: some lists, not all`);
        assert.ok(given.length > 0 || room === 0, `${api.name}: room for ${room} without a list`);
        return given.length === 0 ? null : room;
      });
  }

  /** Calls each of the functions over a list that changes, and compares with what it gives where there are always `length`. */
  async function each(
    by: number,
    times: number,
    length: number,
    rooms: (number | null)[],
    mode = DEFAULT_MODE | MODE.tellAll,
  ): Promise<void> {
    const { addon } = world.standin;
    const call = async ({ fn }: Spelling, of: PlannedFunction) => fn(...argumentsOf(of));
    for (const fn of enumerating) {
      for (const spelling of world.package.spellings(fn)) {
        const title = `${spelling.module} ${spelling.name}`;
        addon.total(length);
        const wanted = await call(spelling, fn);
        addon.mode(mode);
        addon.total(TOTAL);
        addon.grow(by, times);
        world.standin.take();
        const got = await call(spelling, fn);
        assert.deepEqual(asked(fn), rooms, title);
        checkReturned(title, got, wanted);
        addon.grow(0, 0);
        addon.mode(DEFAULT_MODE);
      }
    }
  }

  it("are lists of functions that there are", () => {
    assert.equal(enumerating.length, 9);
  });

  it("are asked for again with more room, until all is there", async () => {
    await each(2, 1, TOTAL + 2, [null, TOTAL, TOTAL + 2]);
    await each(5, 3, TOTAL + 15, [null, TOTAL, TOTAL + 5, TOTAL + 10, TOTAL + 15]);
    await each(1, TRIES - 1, TOTAL + TRIES - 1, [null, ...Array.from({ length: TRIES }, (_, at) => TOTAL + at)]);
  });

  it("are what there was room for at the last of the tries, where they never stop growing", async () => {
    await each(1, FOR_EVER, TOTAL + TRIES - 1, [null, ...Array.from({ length: TRIES }, (_, at) => TOTAL + at)]);
  });

  it("are what there was room for, where the driver says only how many it has put there", async () => {
    await each(2, 1, TOTAL, [null, TOTAL], DEFAULT_MODE);
  });

  it("are as long as the driver says at last, where they become shorter", async () => {
    await each(-1, 1, TOTAL - 1, [null, TOTAL]);
    await each(-TOTAL, 1, 0, [null, TOTAL]);
  });

  it("are as long as the program said, where it did: nothing is asked again", async () => {
    const { addon } = world.standin;
    const { cuda } = world.package;
    addon.mode(DEFAULT_MODE | MODE.tellAll);
    addon.total(9);
    world.standin.take();
    for (const split of [cuda.cuDevSmResourceSplitByCount, cuda.promises.cuDevSmResourceSplitByCount]) {
      const [groups] = await split({}, 0, 1, 4);
      assert.equal(groups.length, 4);
      const fn = enumerating.find(({ api }) => api.name === "cuDevSmResourceSplitByCount") as PlannedFunction;
      assert.deepEqual(asked(fn), [4]);
      for (const wrong of [null, "4", true, {}, [4], -1, -1n, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31]) {
        const name = typeof wrong === "number" || typeof wrong === "bigint" ? "RangeError" : "TypeError";
        const message = /^cuDevSmResourceSplitByCount: nbGroups /;
        await assert.rejects(async () => split({}, 0, 1, wrong), { name, message }, String(wrong));
        assert.deepEqual(asked(fn), []);
      }
    }
  });
});
