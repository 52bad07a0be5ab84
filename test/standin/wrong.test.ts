import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import { parseType } from "../../generator/api/ctype.ts";
import { countedBy } from "../../generator/emit/omittedCounts.ts";
import type { PlannedFunction } from "../../generator/emit/planned.ts";
import type { PlannedParameter } from "../../generator/emit/roles.ts";
import { invocation } from "./arguments.ts";
import { type Invocation, tellSizes, type World } from "./context.ts";
import { MODE } from "./control.ts";
import { scalarOf } from "./facts.ts";
import type { Spelling } from "./package.ts";
import { type Random, random, seedOfRun } from "./random.ts";
import { rawOf } from "./scalars.ts";
import { ENDS, SPECIAL, withNewHandles } from "./special.ts";
import { openWorld } from "./world.ts";
import { junk, spoiled } from "./wrong.ts";

/** Wrong calls over all functions; STANDIN_WRONG_CALLS asks for more, or for fewer: half of them must be a turn for each argument. */
const CALLS = Number(process.env.STANDIN_WRONG_CALLS ?? 1_000_000);

const GIVES_BACK = new Set(Object.values(ENDS).flat());

/* What is not looked at, by name and with its reason: there is nothing else that is not. */

/** No argument can be wrong where none is taken. */
const WITHOUT_ARGUMENTS = names(`
  cuCtxGetCacheConfig cuCtxGetCurrent cuCtxGetDevice cuCtxGetFlags cuCtxGetSharedMemConfig cuCtxGetStreamPriorityRange
  cuCtxPopCurrent cuCtxPopCurrent_v2 cuDeviceGetCount cuDriverGetVersion cuMemGetInfo cuMemGetInfo_v2 cuModuleGetLoadingMode
  cuTexRefCreate`);

/** An argument that stands elsewhere than C's parameter, and has a test of its own: growing.test.ts. */
const ELSEWHERE = ["cuDevSmResourceSplitByCount nbGroups"];

/** No plain value is among the arguments: they are memory, records, lists and text. */
const WITHOUT_VALUES = names(`
  cuArray3DCreate cuArray3DCreate_v2 cuArrayCreate cuArrayCreate_v2 cuDeviceGetByPCIBusId cuEGLStreamConsumerConnect
  cuEGLStreamConsumerDisconnect cuEGLStreamProducerDisconnect cuEGLStreamProducerPresentFrame
  cuEGLStreamProducerReturnFrame cuGetExportTable cuImportExternalMemory cuImportExternalSemaphore cuIpcOpenEventHandle
  cuLogicalEndpointGetLimits cuMemFreeHost cuMemHostGetFlags cuMemHostUnregister cuMemPoolCreate
  cuMemRetainAllocationHandle cuMemcpy2D cuMemcpy2DUnaligned cuMemcpy2DUnaligned_v2 cuMemcpy2DUnaligned_v2_ptds
  cuMemcpy2D_v2 cuMemcpy2D_v2_ptds cuMemcpy3D cuMemcpy3DPeer cuMemcpy3DPeer_ptds cuMemcpy3D_v2 cuMemcpy3D_v2_ptds
  cuModuleLoad cuModuleLoadData cuModuleLoadFatBinary cuMulticastCreate cuSurfObjectCreate cuTensorMapReplaceAddress
  cuTexObjectCreate cuThreadExchangeStreamCaptureMode`);

/** The package itself calls these too, with values of its own. */
const ALSO_CALLED_BY_THE_PACKAGE = new Set([
  /* Promises carry the current context along. */
  "cuCtxSetCurrent",
  /* An error has the driver's words. */
  ...["cuGetErrorName", "cuGetErrorString"],
  /* Before a function's first call. */
  ...["cuGetProcAddress", "cuGetProcAddress_v2"],
]);

function names(text: string): string[] {
  return text.trim().split(/\s+/);
}

/** The parameters that a function of the package declares, by its text. */
function declared({ fn }: Spelling): number {
  const list = /^(?:async )?function \w+\((.*?)\) \{/.exec(String(fn))?.[1] ?? assert.fail(String(fn).slice(0, 80));
  return list === "" ? 0 : list.split(",").length;
}

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

  /** A call that is right. Handles that are given back may be any here. */
  function rightCall(fn: PlannedFunction, spelling: Spelling, rng: Random): Invocation {
    const special = GIVES_BACK.has(fn.api.name) ? undefined : SPECIAL[fn.api.name];
    return special?.(world, fn, spelling, rng) ?? invocation(world, fn, rng);
  }

  /** All of its arguments, also those at the end that it may be called without. */
  const argumentsOf = ({ passed }: Invocation) =>
    passed.flatMap(({ argument }) => (argument === undefined ? [] : [argument.value]));

  /** The parameters of C's that are arguments. */
  function takenBy(fn: PlannedFunction): PlannedParameter[] {
    const { passed } = rightCall(fn, choose(fn, 2), random(fn.index));
    return fn.params.filter((_, at) => passed[at]?.argument !== undefined);
  }

  const nameOf = (fn: PlannedFunction, parameter: string) => `${fn.api.name} ${parameter}`;

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
    const tried = new Map<PlannedFunction, Set<string>>(functions.map((fn) => [fn, new Set()]));
    const skipped = new Set<string>();
    for (let call = 0; call < CALLS / 2; call++) {
      const fn = functions[call % functions.length] as PlannedFunction;
      const seed = seedOfRun() * 7_000_003 + call;
      const rng = random(seed);
      const spelling = choose(fn, rng.below(8));
      const turn = Math.floor(call / functions.length);
      const wrong = spoiled(world, fn, rightCall(fn, spelling, rng), turn, rng);
      if (wrong === null) {
        skipped.add(fn.api.name);
        continue;
      }
      tried.get(fn)?.add(wrong.parameter);
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
    assert.deepEqual([...skipped].sort(), WITHOUT_ARGUMENTS);
    /* Every argument was the wrong one, by what the package's functions declare. */
    const missed = functions.filter((fn) => {
      const elsewhere = ELSEWHERE.filter((name) => name.startsWith(`${fn.api.name} `)).length;
      return (tried.get(fn)?.size ?? 0) + elsewhere !== declared(world.package.spellings(fn)[0] as Spelling);
    });
    assert.deepEqual(
      missed.map((fn) => `${fn.api.name}: ${[...(tried.get(fn) ?? [])].join()}`),
      [],
    );
  });

  it(`anything at all: ${CALLS / 2} calls throw what they may, or pass what C would have`, async () => {
    const findings = new Findings();
    const compared = new Set<string>();
    const taken = new Map(functions.map((fn) => [fn, takenBy(fn)]));
    /** The plain values among the arguments, and where they stand. */
    const valuesOf = (fn: PlannedFunction) =>
      (taken.get(fn) ?? []).flatMap((param, at) => (param.role.kind === "value" ? [{ param, at }] : []));
    for (let call = 0; call < CALLS / 2; call++) {
      const fn = functions[call % functions.length] as PlannedFunction;
      const seed = seedOfRun() * 9_000_011 + call;
      const rng = random(seed);
      const spelling = choose(fn, rng.below(8));
      /* In turn: right; one argument anything; a third of them; all of them, and more than it takes. */
      const turn = Math.floor(call / functions.length) % 4;
      const right = turn === 3 ? null : withNewHandles(fn, rightCall(fn, spelling, rng), rng);
      const one = rng.below(taken.get(fn)?.length ?? 0);
      const isJunk = [() => false, (at: number) => at === one, () => rng.below(3) === 0, () => true][turn];
      const values = right === null ? fn.params : argumentsOf(right);
      const any = () => (fn.comfort === null ? junk(world, rng) : modest(junk(world, rng)));
      const given = values.map((value, at) => (isJunk?.(at) ? any() : value));
      const args = turn > 1 && rng.below(8) === 0 ? given.slice(0, rng.below(given.length + 1)) : given;
      /* Addresses are anything too: nothing behind them is looked at or written, and no size that the right call has told. */
      world.standin.addon.reset();
      world.standin.addon.mode(MODE.record | MODE.writeOut);
      const { error } = await attempt(spelling, args);
      const key = `${spelling.module} ${spelling.name}`;
      if (error !== undefined && (turn === 0 || !allowed(error)))
        findings.add(key, `(seed ${seed}) throws ${String(error)}`);
      const calls = world.standin.take().filter(({ name }) => name === fn.api.name);
      const complaints = calls.map(({ arguments: got }) =>
        valuesOf(fn).flatMap(({ param, at }) => {
          compared.add(nameOf(fn, param.api.name));
          const value = got[fn.params.indexOf(param)]?.value;
          return amiss(fn, param, args[at], turn === 0 ? right : null, value) ?? [];
        }),
      );
      const isOneOfThem = ALSO_CALLED_BY_THE_PACKAGE.has(fn.api.name) && complaints.some(({ length }) => length === 0);
      for (const text of isOneOfThem ? [] : complaints.flat()) findings.add(key, `(seed ${seed}) ${text}`);
    }
    findings.none();
    const without = functions.filter((fn) => valuesOf(fn).length === 0).map(({ api }) => api.name);
    assert.deepEqual(without.filter((name) => !WITHOUT_ARGUMENTS.includes(name)).sort(), WITHOUT_VALUES);
    const values = functions.flatMap((fn) => valuesOf(fn).map(({ param }) => nameOf(fn, param.api.name)));
    assert.deepEqual(
      values.filter((name) => !compared.has(name)),
      [],
    );
  });

  /** Its own name, and that of the function that says how long its list is. */
  function namesOf({ api, comfort }: PlannedFunction): string[] {
    const counter = comfort?.length.kind === "function" ? [comfort.length.name] : [];
    return [api.name.replace(/_pt(ds|sz)$/, ""), ...counter];
  }

  /** What is amiss: a plain value that reached the driver and is not what was given. `right`: the whole call is this one. */
  function amiss(
    fn: PlannedFunction,
    param: PlannedParameter,
    value: unknown,
    right: Invocation | null,
    got: bigint | undefined,
  ): string | null {
    const scalar = scalarOf(world.document, parseType(param.api.type));
    const isNumber =
      typeof value === "bigint" || (typeof value === "number" && (scalar?.kind === "float" || Number.isInteger(value)));
    let wanted = right?.passed[fn.params.indexOf(param)]?.raw.value;
    if (wanted == null) {
      if (value === undefined && countedBy(fn, param).length > 0) return null;
      if (typeof value === "function" && param === fn.hook?.callback) return null;
      if (scalar === null || (value !== null && !isNumber)) return `${param.api.name} took ${describeValue(value)}`;
      wanted = value === null ? 0n : rawOf(scalar, value as number | bigint);
    }
    return got === wanted ? null : `${param.api.name} got ${got} for ${describeValue(value)}`;
  }
});

/** Of what counts a list that is returned: it may be longer than JavaScript has memory for, which is not to be tried here. */
function modest(value: unknown): unknown {
  if (typeof value === "bigint" && value > 1_000_000n && value < 2n ** 63n) return value % 1000n;
  return typeof value === "number" && value > 1_000_000 && value < 2 ** 63 ? value % 1000 : value;
}

function describeValue(value: unknown): string {
  if (typeof value === "bigint") return `${value}n`;
  if (typeof value === "string") return JSON.stringify(value).slice(0, 40);
  if (typeof value === "symbol") return "a symbol";
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`;
  if (value === null || typeof value !== "object") return String(value);
  return `${Object.prototype.toString.call(value)} ${Array.isArray(value) ? `of ${value.length}` : Object.keys(value).join()}`;
}
