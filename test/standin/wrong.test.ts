import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import { parseType } from "../../generator/api/ctype.ts";
import { notPassedByAttributes, unionMember } from "../../generator/emit/attributeForms.ts";
import { countedBy } from "../../generator/emit/omittedCounts.ts";
import type { PlannedFunction } from "../../generator/emit/planned.ts";
import { invocation } from "./arguments.ts";
import { tellSizes, type World } from "./context.ts";
import { MODE } from "./control.ts";
import { scalarOf } from "./facts.ts";
import type { Spelling } from "./package.ts";
import { random, seedOfRun } from "./random.ts";
import { rawOf } from "./scalars.ts";
import { ENDS, SPECIAL } from "./special.ts";
import { openWorld } from "./world.ts";
import { junk, spoiled } from "./wrong.ts";

/** Wrong calls over all functions; STANDIN_WRONG_CALLS asks for more. */
const CALLS = Number(process.env.STANDIN_WRONG_CALLS ?? 100_000);

const GIVES_BACK = new Set(Object.values(ENDS).flat());

/** Many failures have one cause: of each function and parameter the first is shown. */
class Findings {
  readonly #first = new Map<string, string>();
  add(key: string, text: string): void {
    if (!this.#first.has(key)) this.#first.set(key, `${key}: ${text.slice(0, 300)}`);
  }
  none(): void {
    const all = [...this.#first.values()];
    assert.equal(all.length, 0, `${all.length} findings:\n${all.slice(0, 60).join("\n")}`);
  }
}

describe("wrong arguments", () => {
  let world: World;
  let functions: PlannedFunction[];

  before(async () => {
    world = await openWorld();
    functions = world.package.plan.functions.filter(({ params }) => params.length > 0);
  });
  beforeEach(() => {
    world.standin.addon.reset();
    tellSizes(world);
  });

  function allowed(error: unknown): boolean {
    return error instanceof TypeError || error instanceof RangeError || error instanceof world.package.cuda.CudaError;
  }

  /** Mostly the plain spelling; the promises must reject, and not throw. */
  function choose(fn: PlannedFunction, seed: number): Spelling {
    const spellings = world.package.spellings(fn);
    return spellings[seed % 8 === 0 ? 1 : seed % 8 === 1 ? spellings.length - 1 : 0] as Spelling;
  }

  async function attempt({ module, fn }: Spelling, args: unknown[]): Promise<{ error?: unknown }> {
    let promise: unknown;
    try {
      promise = fn(...args);
    } catch (error) {
      return { error: module === "promises" ? new Error(`threw, and did not reject: ${String(error)}`) : error };
    }
    if (module !== "promises") return {};
    try {
      await promise;
      return {};
    } catch (error) {
      return { error };
    }
  }

  it(`one argument wrong: ${CALLS / 2} calls throw, and none reaches the driver`, async () => {
    const findings = new Findings();
    world.standin.addon.mode(MODE.writeOut);
    let made = 0;
    for (let call = 0; call < CALLS / 2; call++) {
      const fn = functions[call % functions.length] as PlannedFunction;
      const seed = seedOfRun() * 7_000_003 + call;
      const rng = random(seed);
      if (SPECIAL[fn.api.name] !== undefined && !GIVES_BACK.has(fn.api.name)) continue;
      const spelling = choose(fn, rng.below(8));
      const wrong = spoiled(world, fn, invocation(world, fn, rng), rng);
      if (wrong === null) continue;
      made++;
      const index = world.standin.byName.get(fn.api.name)?.index ?? -1;
      const callsBefore = world.standin.addon.calls(index);
      const { error } = await attempt(spelling, wrong.args);
      const key = `${spelling.module} ${spelling.name} ${wrong.parameter}`;
      const what = `(seed ${seed}) ${describeValue(wrong.value)}`;
      if (error === undefined) findings.add(key, `takes ${what}`);
      else if (!(error instanceof TypeError || error instanceof RangeError))
        findings.add(key, `${what} throws ${String(error)}`);
      else if (!namesOf(fn).some((known) => error.message.includes(known)) && !/^CU/.test(error.message))
        findings.add(key, `${what} does not say where: ${error.message}`);
      if (world.standin.addon.calls(index) !== callsBefore) findings.add(key, `${what} reaches the driver`);
    }
    findings.none();
    assert.ok(made > CALLS / 3, `${made} calls were made`);
  });

  it(`anything at all: ${CALLS / 2} calls throw what they may, or pass what C would have`, async () => {
    const findings = new Findings();
    /* Addresses are anything too: nothing behind them is looked at or written. */
    world.standin.addon.mode(MODE.record | MODE.writeOut);
    for (let call = 0; call < CALLS / 2; call++) {
      const fn = functions[call % functions.length] as PlannedFunction;
      const seed = seedOfRun() * 9_000_011 + call;
      const rng = random(seed);
      const spelling = choose(fn, rng.below(8));
      const right = rng.below(3) === 0 ? invocation(world, fn, rng) : null;
      const given = fn.params.flatMap((_, at) => {
        if (right !== null && right.passed[at]?.argument === undefined) return [];
        return right !== null && rng.below(3) > 0 ? [right.passed[at]?.argument?.value] : [junk(world, rng)];
      });
      const args = rng.below(8) === 0 ? given.slice(0, rng.below(given.length + 1)) : given;
      world.standin.take();
      const { error } = await attempt(spelling, args);
      const key = `${spelling.module} ${spelling.name}`;
      if (error !== undefined && !allowed(error)) findings.add(key, `(seed ${seed}) throws ${String(error)}`);
      for (const { arguments: got } of world.standin.take().filter(({ name }) => name === fn.api.name)) {
        checkValues(fn, args, got, (text) => findings.add(key, `(seed ${seed}) ${text}`));
      }
    }
    findings.none();
  });

  /** Its own name, and that of the function that says how long its list is. */
  function namesOf({ api, comfort }: PlannedFunction): string[] {
    const counter = comfort?.length.kind === "function" ? [comfort.length.name] : [];
    return [api.name.replace(/_pt(ds|sz)$/, ""), ...counter];
  }

  /** The arguments of these are not C's parameters. */
  function isByAttributes(fn: PlannedFunction): boolean {
    const { plan } = world.package;
    return notPassedByAttributes(fn, plan).length > 0 || unionMember(fn, plan) !== null;
  }

  /** What reached the driver as a plain value is what was given. */
  function checkValues(
    fn: PlannedFunction,
    args: unknown[],
    got: { value: bigint }[],
    complain: (text: string) => void,
  ): void {
    /* The package itself carries the current context along with promises. */
    if (
      fn.comfort !== null ||
      isByAttributes(fn) ||
      SPECIAL[fn.api.name] !== undefined ||
      /^cuCtx[GS]etCurrent$/.test(fn.api.name)
    )
      return;
    let at = 0;
    for (const [position, param] of fn.params.entries()) {
      if (param.role.kind.startsWith("out") || (param.role.kind === "attribute" && !param.role.given)) continue;
      const value = args[at++];
      if (param.role.kind !== "value") continue;
      if (value === undefined && countedBy(fn, param).length > 0) continue;
      if (typeof value === "function" && param === fn.hook?.callback) continue;
      const scalar = scalarOf(world.document, parseType(param.api.type));
      const isNumber = typeof value === "number" || typeof value === "bigint";
      if (scalar === null || (value !== null && !isNumber)) {
        complain(`${param.api.name} took ${describeValue(value)}`);
        continue;
      }
      const wanted = value === null ? 0n : rawOf(scalar, value as number | bigint);
      if (got[position]?.value !== wanted)
        complain(`${param.api.name} got ${got[position]?.value} for ${describeValue(value)}`);
    }
  }
});

function describeValue(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "string") return JSON.stringify(value).slice(0, 40);
  if (typeof value === "symbol") return "a symbol";
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
  if (value === null || typeof value !== "object") return String(value);
  return `${Object.prototype.toString.call(value)} ${Array.isArray(value) ? `of ${value.length}` : Object.keys(value).join()}`;
}
