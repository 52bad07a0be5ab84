import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import type { PlannedFunction } from "../../generator/emit/planned.ts";
import { invocation } from "./arguments.ts";
import { checkRaw, checkReturned } from "./checks.ts";
import { type Invocation, tellSizes, type World } from "./context.ts";
import type { RecordedCall } from "./control.ts";
import { parseType, resolve } from "./ctext.ts";
import { decode, scalarOf } from "./facts.ts";
import type { Spelling } from "./package.ts";
import { random, seedOfRun } from "./random.ts";
import { numberBytes } from "./scalars.ts";
import { SPECIAL } from "./special.ts";
import { openWorld } from "./world.ts";

/** Calls of each function, in each of its spellings. */
const ROUNDS = Number(process.env.STANDIN_ROUNDS ?? 12);
const MODULES = ["index", "promises", "v2"] as const;
const NOT_READY = 600;

describe("every function of the newest toolkit, through the stand-in driver", () => {
  let world: World;
  const called = new Map<Spelling["module"], Set<string>>(MODULES.map((module) => [module, new Set()]));

  before(async () => {
    world = await openWorld();
  });
  beforeEach(() => {
    world.standin.addon.reset();
    tellSizes(world);
  });

  /** Runs `body` for every function in one module's spelling; a function's first failure is kept, and the rest goes on. */
  async function each(
    module: Spelling["module"],
    salt: number,
    rounds: number,
    body: (fn: PlannedFunction, spelling: Spelling, seed: number) => Promise<void>,
  ): Promise<void> {
    const failures: string[] = [];
    for (const fn of world.package.plan.functions) {
      for (const spelling of world.package.spellings(fn).filter((found) => found.module === module)) {
        for (let round = 0; round < rounds; round++) {
          const seed = seedOfRun() * 1_000_003 + module.length * 100_003 + fn.index * 101 + salt + round;
          try {
            await body(fn, spelling, seed);
          } catch (error) {
            failures.push(`${fn.api.name} (seed ${seed}): ${String((error as Error).message).slice(0, 300)}`);
            break;
          }
        }
      }
    }
    assert.equal(failures.length, 0, `${failures.length} functions:\n${failures.slice(0, 40).join("\n")}`);
  }

  function make(fn: PlannedFunction, spelling: Spelling, seed: number): Invocation {
    return SPECIAL[fn.api.name]?.(world, fn, spelling, random(seed)) ?? invocation(world, fn, random(seed));
  }

  /** The package itself calls a few functions too (cuCtxGetCurrent, for promises): one of the calls must be the one. */
  function checkCalls(name: string, fn: PlannedFunction, { passed }: Invocation, calls: RecordedCall[]): void {
    const facts = world.standin.byName.get(fn.api.name);
    assert.ok(facts);
    assert.ok(calls.length > 0, `${name}: the driver was not called`);
    for (const [at, call] of calls.entries()) {
      try {
        checkRaw(name, facts, passed, call.arguments);
        return;
      } catch (error) {
        if (at === calls.length - 1) throw error;
      }
    }
  }

  for (const module of MODULES) {
    it(`passes what it is given and returns what the driver wrote: ${module}`, async () => {
      await each(module, 0, ROUNDS, async (fn, spelling, seed) => {
        const made = make(fn, spelling, seed);
        const name = `${spelling.module} ${spelling.name}`;
        world.standin.take();
        const got = await spelling.fn(...made.args);
        checkCalls(
          name,
          fn,
          made,
          world.standin.take().filter((call) => call.name === fn.api.name),
        );
        called.get(module)?.add(fn.api.name);
        checkReturned(name, got, made.returned);
        for (const { after } of made.passed) after?.();
      });
    });
  }

  it("calls every function that the driver exports", () => {
    const exported = world.standin.functions
      .map(({ api }) => api.name)
      .filter((name) => world.standin.addon.symbol(name) !== 0n);
    assert.equal(exported.length, world.document.functions.length);
    assert.ok(exported.length > 700, `${exported.length} functions`);
    const wanted = exported.sort();
    for (const module of ["index", "promises"] as const) {
      assert.deepEqual([...(called.get(module) ?? [])].sort(), wanted, module);
    }
    const spelled = world.package.plan.functions.filter((fn) =>
      world.package.spellings(fn).some((s) => s.module === "v2"),
    );
    assert.deepEqual([...(called.get("v2") ?? [])].sort(), spelled.map(({ api }) => api.name).sort());
    assert.ok(spelled.length > 480, `${spelled.length} names in the Python spelling`);
  });

  it("offers every plain spelling as the variant that the headers mean by it", () => {
    const { cuda, plan } = world.package;
    for (const [name, identifier] of plan.plain) {
      assert.equal(cuda[name], cuda[identifier], name);
      assert.equal(cuda.promises[name], cuda.promises[identifier], `promises.${name}`);
    }
  });

  for (const module of MODULES) {
    it(`throws what the driver answers, and shows nothing of what a failing call wrote: ${module}`, async () => {
      const results = new Map(
        world.document.enums.find(({ name }) => name === "CUresult")?.members.map((m) => [m.value, m.name]),
      );
      const failures = [...results.keys()].filter((value) => value !== 0 && value !== NOT_READY);
      await each(module, 50, 3, async (fn, spelling, seed) => {
        const rng = random(seed);
        const result = rng.pick([rng.pick(failures), 54321, 1]);
        const { args } = make(fn, spelling, seed);
        world.standin.fail(fn.api.name, result, { times: -1, scribble: true });
        try {
          await assert.rejects(
            async () => spelling.fn(...args),
            (error: Error & { errno?: number; code?: string; syscall?: string }) => {
              assert.ok(error instanceof world.package.cuda.CudaError, `threw ${String(error)}`);
              assert.equal(error.errno, result);
              assert.equal(error.syscall, fn.api.name);
              const errno = fn.explained === null ? undefined : fn.explained.errno;
              assert.equal("outputs" in error, errno === null || errno === result);
              /* cuGetErrorName itself may be what fails. */
              if (results.has(result)) assert.equal(error.code, results.get(result));
              else assert.equal(error.code, `CUDA_ERROR_${result}`);
              return true;
            },
          );
        } finally {
          world.standin.addon.reset();
          tellSizes(world);
        }
      });
    });
  }

  it("tells what the driver wrote of why, where it does so", async () => {
    const explained = world.package.plan.functions.filter((fn) => fn.explained !== null);
    assert.deepEqual(explained.map(({ api }) => api.name).sort(), [
      ...["cuGraphExecUpdate", "cuGraphExecUpdate_v2", "cuGraphInstantiate", "cuGraphInstantiate_v2"],
      ...["cuMemBatchDecompressAsync", "cuMemBatchDecompressAsync_ptsz", "cuMemcpy3DBatchAsync"],
      ...["cuMemcpy3DBatchAsync_ptsz", "cuMemcpyBatchAsync", "cuMemcpyBatchAsync_ptsz"],
    ]);
    const { cuda } = world.package;
    const info = new cuda.CUgraphExecUpdateResultInfo({ result: 3, errorNode: 0x70n, errorFromNode: 0x80n });
    /** What the driver writes, and how the program has it. */
    const written: Record<string, [bytes: Uint8Array, value: unknown]> = {
      resultInfo: [info.$bytes, { ...info }],
      hErrorNode_out: [numberBytes(0x90, 8), 0x90n],
      updateResult_out: [numberBytes(4, 4), 4],
      phErrorNode: [numberBytes(0xa0, 8), 0xa0n],
      logBuffer: [new TextEncoder().encode("a cycle\0"), "a cycle"],
      failIdx: [numberBytes(5, 8), 5n],
      errorIndex: [numberBytes(6, 8), 6n],
    };
    for (const fn of explained) {
      const { parameters = [], errno = null } = fn.explained ?? {};
      for (const spelling of world.package.spellings(fn)) {
        for (const name of parameters) world.standin.output(fn.api.name, name, written[name]?.[0] ?? assert.fail(name));
        world.standin.fail(fn.api.name, errno ?? 719, { times: -1, scribble: true });
        /* Room for the text. */
        const args = parameters.includes("logBuffer") ? [0x10n, 64] : make(fn, spelling, 1).args;
        await assert.rejects(
          async () => spelling.fn(...args),
          (error: Error & { outputs?: Record<string, unknown> }) => {
            const told = Object.entries(error.outputs ?? {}).map(([name, value]) => {
              return [name, name === "resultInfo" ? { ...(value as object) } : value];
            });
            const wanted = parameters.map((name) => [name, written[name]?.[1]]);
            assert.deepEqual(told.sort(), wanted.sort(), `${spelling.module} ${fn.api.name}`);
            return true;
          },
        );
        world.standin.addon.reset();
      }
    }
    tellSizes(world);
  });

  it("answers false while a query is not ready", async () => {
    for (const fn of world.package.plan.functions.filter(({ query }) => query)) {
      for (const spelling of world.package.spellings(fn)) {
        world.standin.fail(fn.api.name, NOT_READY);
        assert.equal(await spelling.fn(0x10n), false, spelling.name);
        assert.equal(await spelling.fn(0x10n), true, spelling.name);
      }
    }
  });

  it("returns 0xFF in every byte as the type has it", async () => {
    const ones = new Uint8Array(8).fill(0xff);
    let looked = 0;
    for (const fn of world.package.plan.functions) {
      const [only] = fn.params.filter(({ role }) => role.kind === "out");
      if (
        only === undefined ||
        fn.comfort !== null ||
        SPECIAL[fn.api.name] !== undefined ||
        fn.params.filter(({ role }) => role.kind.startsWith("out")).length > 1
      )
        continue;
      const param = world.standin.byName.get(fn.api.name)?.params.find(({ name }) => name === only.api.name);
      if (
        param?.content !== "BYTES" ||
        fn.params.some(({ role }) => role.kind === "inout" || role.kind === "attribute")
      )
        continue;
      world.standin.output(fn.api.name, only.api.name, ones.subarray(0, param.element));
      const got = await invocationResult(fn);
      looked++;
      const pointer = resolve(world.document, parseType(only.api.type));
      assert.ok(pointer.kind === "pointer");
      const scalar = scalarOf(world.document, pointer.to) ?? assert.fail(`${fn.api.name}: ${only.api.type}`);
      assert.equal(got, decode(scalar, ones), fn.api.name);
    }
    assert.ok(looked > 150, `${looked} functions`);

    async function invocationResult(fn: PlannedFunction): Promise<unknown> {
      const [spelling] = world.package.spellings(fn);
      return spelling?.fn(...invocation(world, fn, random(fn.index)).args);
    }
  });
});
