import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { parseType } from "../../generator/api/ctype.ts";
import type { PlannedFunction } from "../../generator/emit/planned.ts";
import { invocation } from "./arguments.ts";
import { checkReturned } from "./checks.ts";
import type { World } from "./context.ts";
import { MODE } from "./control.ts";
import { type CallbackFacts, callbackFacts, decode, type Scalar, scalarOf } from "./facts.ts";
import { patternBytes } from "./pattern.ts";
import { random } from "./random.ts";
import { numberBytes } from "./scalars.ts";
import { openWorld } from "./world.ts";

/** Every function that takes a callback, with a JavaScript function for it: the stand-in driver calls it. */
describe("callbacks", () => {
  let world: World;
  let hooked: PlannedFunction[];
  let facts: Map<string, CallbackFacts>;

  before(async () => {
    world = await openWorld();
    hooked = world.package.plan.functions.filter(({ hook }) => hook !== null);
    facts = new Map(callbackFacts(world.document).map((each) => [each.name, each]));
  });
  beforeEach(() => {
    world.standin.addon.reset();
    /* Sizes are not told: what C's data points to is the package's own here. */
    /* No stream captures, so that what is handed to a stream is called once. */
    for (const { api } of world.package.plan.functions.filter((fn) => fn.api.base === "cuStreamIsCapturing"))
      world.standin.output(api.name, api.params[1]?.name ?? "", new Uint8Array(4));
  });

  it("have been called for what waits when they are unregistered, unless by themselves, and are not any more", async () => {
    const { cuda } = world.package;
    const index = world.standin.byName.get("cuLogsRegisterCallback")?.index ?? -1;
    for (const within of [false, true]) {
      let called = 0;
      const handle: bigint = cuda.cuLogsRegisterCallback(() => {
        called++;
        if (within) cuda.cuLogsUnregisterCallback(handle);
      });
      for (let call = 0; call < 5; call++) assert.equal(world.standin.addon.fire(index, 1), 0);
      if (!within) cuda.cuLogsUnregisterCallback(handle);
      assert.equal(called, within ? 0 : 5);
      await sleep(50);
      assert.equal(called, within ? 1 : 5);
    }
  });

  it("are those of a handle that the driver gives out anew while another call still ends the old one", async () => {
    const { cuda } = world.package;
    const index = world.standin.byName.get("cuLogsRegisterCallback")?.index ?? -1;
    world.standin.output("cuLogsRegisterCallback", "callback_out", numberBytes(0x7000n, 8));
    const calls: string[] = [];
    const first = cuda.cuLogsRegisterCallback(() => calls.push("first"));
    const ending = cuda.promises.cuLogsUnregisterCallback(first);
    const second = cuda.cuLogsRegisterCallback(() => calls.push("second"));
    assert.equal(second, first);
    await ending;
    assert.equal(world.standin.addon.fire(index, 1), 0);
    await until(() => calls.length > 0);
    assert.deepEqual(calls, ["second"]);
    cuda.cuLogsUnregisterCallback(second);
  });

  it("are refused as functions where the driver calls them on another thread and waits", () => {
    const { cuda } = world.package;
    const message = (name: string, parameter: string) => ({
      name: "TypeError",
      message: `${name}: ${parameter} must be the address of a C function as a bigint, not a function: it is called on another thread, which waits for it: no JavaScript function can run there`,
    });
    assert.throws(
      () => cuda.cuStreamBeginRecaptureToGraph(1n, 0, 2n, () => 0, null),
      message("cuStreamBeginRecaptureToGraph", "callbackFunc"),
    );
    return assert.rejects(
      async () => cuda.promises.cuOccupancyMaxPotentialBlockSize(1n, () => 3, 0, 0),
      message("cuOccupancyMaxPotentialBlockSize", "blockSizeToDynamicSMemSize"),
    );
  });

  /** A valid call with `callback` for the callback, and none of C's data. */
  function withCallback(fn: PlannedFunction, callback: unknown): unknown[] {
    const { passed } = invocation(world, fn, random(fn.index));
    return fn.params.flatMap((param, at) => {
      if (passed[at]?.argument === undefined) return [];
      if (param === fn.hook?.callback) return [callback];
      return [param === fn.hook?.data ? null : passed[at]?.argument?.value];
    });
  }

  /** What the stand-in driver's pattern is to the JavaScript function. */
  function wanted(name: string): unknown[] {
    const known = facts.get(name);
    assert.ok(known);
    return known.params.flatMap(({ kind, type, seed, size, text }) => {
      if (kind === "userData" || kind === "length") return [];
      if (kind === "text") return [text];
      const bytes = patternBytes("BYTES", seed, size);
      if (kind === "value") return [decode(scalarOf(world.document, parseType(type)) as Scalar, bytes)];
      const record = new world.package.cuda[type.replace(/^const | \*$/g, "")]();
      record.$bytes.set(bytes);
      return [record];
    });
  }

  async function until(condition: () => boolean): Promise<void> {
    for (let tries = 0; tries < 500 && !condition(); tries++) await sleep(2);
  }

  it("has functions with callbacks to call", () => {
    const taking = world.standin.functions.filter(({ params }) => params.some(({ callback }) => callback !== null));
    assert.ok(hooked.length >= 12, `${hooked.length} functions take JavaScript functions`);
    const left = taking.filter(({ api }) => !hooked.some((fn) => fn.api.name === api.name));
    /* Its result decides what the driver does next, on a thread that JavaScript cannot run on. */
    assert.deepEqual([...new Set(left.map(({ api }) => api.base))], ["cuStreamBeginRecaptureToGraph"]);
  });

  for (const module of ["index", "promises"] as const) {
    it(`run with what the driver gives, on this thread, after the driver went on: ${module}`, async () => {
      for (const fn of hooked.filter(({ hook }) => hook?.hook.kind === "queued")) {
        const spelling = world.package.spellings(fn).find((each) => each.module === module);
        const calls: unknown[][] = [];
        await spelling?.fn(...withCallback(fn, (...args: unknown[]) => calls.push(args)));
        const index = world.standin.byName.get(fn.api.name)?.index ?? -1;
        /* A driver that calls once more than it should finds nobody. */
        const times = fn.hook?.life === "registered" ? 3 : 1;
        for (let n = 0; n < 3; n++) assert.equal(world.standin.addon.fire(index, 1), 0, `${fn.api.name}: no callback`);
        assert.equal(calls.length, 0, `${fn.api.name}: ran before the driver went on`);
        await until(() => calls.length === times);
        assert.equal(calls.length, times, `${fn.api.name}: times called`);
        for (const args of calls) checkReturned(fn.api.name, args, wanted(fn.hook?.hook.name ?? ""));
      }
    });
  }

  it("that compute run at once, may call the driver, and give their result back", () => {
    world.standin.addon.mode(MODE.record | MODE.peek | MODE.writeOut | MODE.writeInout | MODE.callBack);
    const direct = hooked.filter(({ hook }) => hook?.hook.kind === "direct");
    assert.ok(direct.length >= 2);
    for (const fn of direct) {
      const [spelling] = world.package.spellings(fn);
      const calls: unknown[][] = [];
      const args = withCallback(fn, (...given: unknown[]) => {
        calls.push(given);
        world.package.cuda.cuCtxGetDevice();
        return 123456789012345n;
      });
      const { returned } = invocation(world, fn, random(fn.index));
      const got = spelling?.fn(...args);
      checkReturned(fn.api.name, got, returned);
      checkReturned(fn.api.name, calls, [wanted(fn.hook?.hook.name ?? "")]);
      assert.equal(world.standin.addon.fired(), 123456789012345n);
    }
  });

  it("that compute may make a call that computes", () => {
    world.standin.addon.mode(MODE.record | MODE.peek | MODE.writeOut | MODE.writeInout | MODE.callBack);
    for (const fn of hooked.filter(({ hook }) => hook?.hook.kind === "direct")) {
      const [spelling] = world.package.spellings(fn);
      const { returned } = invocation(world, fn, random(fn.index));
      const made: string[] = [];
      const within = (depth: number) => (): number => {
        if (depth < 3) checkReturned(fn.api.name, spelling?.fn(...withCallback(fn, within(depth + 1))), returned);
        if (depth > 1) made.push(`${depth} gave ${world.standin.addon.fired()}`);
        return 1000 + depth;
      };
      checkReturned(fn.api.name, spelling?.fn(...withCallback(fn, within(1))), returned);
      assert.equal(world.standin.addon.fired(), 1001n);
      assert.equal(made.length, 2);
      /* A failure within is the inner call's own. */
      const caught = withCallback(fn, () => {
        assert.throws(() => spelling?.fn(...withCallback(fn, () => assert.fail("inner"))), /inner/);
        return 7;
      });
      checkReturned(fn.api.name, spelling?.fn(...caught), returned);
      assert.equal(world.standin.addon.fired(), 7n);
    }
  });

  it("that compute are called as often as the driver likes, each for its own call, also after a call within", () => {
    const { addon } = world.standin;
    addon.mode(MODE.record | MODE.peek | MODE.writeOut | MODE.writeInout | MODE.callBack | MODE.repeat);
    const direct = hooked.filter(({ hook }) => hook?.hook.kind === "direct");
    for (const outer of direct) {
      for (const inner of direct) {
        /* Who was called, and what the driver had got before that. */
        let heard: string[] = [];
        const hear = (who: string) => heard.push(`${who} after ${addon.fired()}`);
        /* Each level's function makes the next level's call at the second of its three. */
        const call = (levels: readonly PlannedFunction[], level = 1): void => {
          const [fn, ...within] = levels;
          if (fn === undefined) return;
          let times = 0;
          const args = withCallback(fn, () => {
            hear(`${level}.${++times}`);
            if (times === 2) call(within, level + 1);
            return 10 * level + times;
          });
          checkReturned(
            fn.api.name,
            world.package.spellings(fn)[0]?.fn(...args),
            invocation(world, fn, random(fn.index)).returned,
          );
          hear(`end of ${level}`);
        };
        call([outer, inner, outer]);
        assert.deepEqual(heard.slice(1), [
          "1.2 after 11",
          ...["2.1 after 11", "2.2 after 21"],
          ...["3.1 after 21", "3.2 after 31", "3.3 after 32", "end of 3 after 33"],
          ...["2.3 after 22", "end of 2 after 23"],
          ...["1.3 after 12", "end of 1 after 13"],
        ]);
        /* What the call within throws ends that one only: its function is not called any more, and the driver gets zeros. */
        heard = [];
        let times = 0;
        const args = withCallback(outer, () => {
          hear(`outer ${++times}`);
          if (times !== 2) return times;
          const failing = withCallback(inner, () => {
            hear("inner");
            throw new Error("from within");
          });
          assert.throws(() => world.package.spellings(inner)[0]?.fn(...failing), /^Error: from within$/);
          hear("end of inner");
          return times;
        });
        world.package.spellings(outer)[0]?.fn(...args);
        hear("end of outer");
        assert.deepEqual(heard.slice(1), [
          ...["outer 2 after 1", "inner after 1", "end of inner after 0", "outer 3 after 2", "end of outer after 3"],
        ]);
        /* A driver that calls once more than it should finds nobody. */
        for (const { api } of [outer, inner]) {
          assert.equal(addon.fire(world.standin.byName.get(api.name)?.index ?? -1, 0), 0);
          assert.equal(addon.fired(), 0n);
        }
        assert.equal(heard.length, 6);
      }
    }
  });

  it("that compute must return what C can have, or the call throws when the driver has returned", () => {
    world.standin.addon.mode(MODE.record | MODE.peek | MODE.writeOut | MODE.writeInout | MODE.callBack);
    for (const fn of hooked.filter(({ hook }) => hook?.hook.kind === "direct")) {
      const [spelling] = world.package.spellings(fn);
      const wrong = [
        ...[-1, 0.5, Number.NaN, 2 ** 53, 2n ** 64n, -1n].map((result) => [result, "RangeError"] as const),
        ...["7", true, null, undefined, {}, [4], Symbol("s")].map((result) => [result, "TypeError"] as const),
        [{ valueOf: () => assert.fail("user code ran") }, "TypeError"] as const,
        [Promise.resolve(4), "TypeError"] as const,
      ];
      for (const [result, name] of wrong) {
        world.standin.take();
        assert.throws(() => spelling?.fn(...withCallback(fn, () => result)), {
          name,
          message: /^CUoccupancyB2DSize: the function must return an integer from 0 to .*, not /,
        });
        assert.equal(world.standin.take().filter((call) => call.name === fn.api.name).length, 1);
        assert.equal(world.standin.addon.fired(), 0n);
      }
      for (const result of [0, 2 ** 53 - 1, 2n ** 64n - 1n]) {
        spelling?.fn(...withCallback(fn, () => result));
        assert.equal(world.standin.addon.fired(), BigInt(result));
      }
    }
  });

  it("are functions or addresses, which is checked before the driver is asked anything", async () => {
    for (const fn of hooked) {
      const { callback, hook, stream } = fn.hook ?? {};
      for (const spelling of world.package.spellings(fn)) {
        if (hook?.kind === "direct" && spelling.module === "promises") continue;
        const refused = async (args: unknown[], message: RegExp) => {
          world.standin.take();
          await assert.rejects(async () => spelling.fn(...args), { name: "TypeError", message }, spelling.name);
          assert.deepEqual(world.standin.take(), [], spelling.name);
        };
        const said = `${callback?.api.nullable ? "null, " : ""}a function, or the address of one as a bigint`;
        for (const wrong of [5, "x", undefined, {}, ...(callback?.api.nullable ? [] : [null])]) {
          await refused(
            withCallback(fn, wrong),
            new RegExp(`^${fn.api.name.replace(/_pt[ds]z$/, "\\w*")}: ${callback?.api.name} must be ${said}, not `),
          );
        }
        /* The stream is asked last. */
        const { args } = invocation(world, fn, random(fn.index));
        if (stream === undefined || stream === null || typeof args.at(-1) !== "number") continue;
        await refused([...withCallback(fn, () => {}).slice(0, -1), "x"], /must be .*, not "x"$/);
      }
    }
  });

  it("that throw at once make the call throw that, and leave the package usable", () => {
    world.standin.addon.mode(MODE.record | MODE.peek | MODE.writeOut | MODE.writeInout | MODE.callBack);
    for (const fn of hooked.filter(({ hook }) => hook?.hook.kind === "direct")) {
      const [spelling] = world.package.spellings(fn);
      const args = withCallback(fn, () => {
        throw new RangeError("from the callback");
      });
      assert.throws(() => spelling?.fn(...args), /from the callback/, fn.api.name);
      assert.equal(typeof world.package.cuda.cuDriverGetVersion(), "number");
    }
  });

  it("of a failing call are not the driver's", async () => {
    for (const fn of hooked.filter(({ hook }) => hook?.hook.kind === "queued")) {
      const [spelling] = world.package.spellings(fn);
      world.standin.fail(fn.api.name, 1);
      assert.throws(() => spelling?.fn(...withCallback(fn, () => {})), { name: "CudaError", errno: 1 });
    }
  });
});
