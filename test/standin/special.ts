/** Functions that the package wraps by hand, or that answer by themselves: what to pass and what must happen, one case each. */
import { addressOf } from "cuda-driver";
import { type LookupAnswer, lookup } from "../../generator/api/lookup.ts";
import type { PlannedFunction } from "../../generator/emit/planned.ts";
import { invocation } from "./arguments.ts";
import { type Invocation, kept, type Passed, UNKNOWN_SIZE, type World } from "./context.ts";
import type { Spelling } from "./package.ts";
import type { Random } from "./random.ts";

/** Handle type -> functions that give one back. */
export const ENDS: Readonly<Record<string, readonly string[]>> = {
  CUarray: ["cuArrayDestroy"],
  CUasyncCallbackHandle: ["cuDeviceUnregisterAsyncNotification"],
  CUcoredumpCallbackHandle: ["cuCoredumpDeregisterStartCallback", "cuCoredumpDeregisterCompleteCallback"],
  CUevent: ["cuEventDestroy_v2", "cuEventDestroy"],
  CUlibrary: ["cuLibraryUnload"],
  CUlinkState: ["cuLinkDestroy"],
  CUlogsCallbackHandle: ["cuLogsUnregisterCallback"],
  CUmipmappedArray: ["cuMipmappedArrayDestroy"],
  CUmodule: ["cuModuleUnload"],
  CUstream: ["cuStreamDestroy_v2", "cuStreamDestroy"],
  CUtexref: ["cuTexRefDestroy"],
};

type Special = (world: World, fn: PlannedFunction, spelling: Spelling, random: Random) => Invocation;

export const SPECIAL: Readonly<Record<string, Special>> = {
  cuDriverGetVersion: (world, fn, _, random) => ({
    ...invocation(world, fn, random),
    returned: world.document.toolkit,
  }),
  cuGetErrorName: (world, _, __, random) => errorText(world, random, (name) => name),
  cuGetErrorString: (world, _, __, random) => errorText(world, random, (name) => `words of ${name}`),
  cuGetProcAddress: (world, _, __, random) => procAddress(world, random, false),
  cuGetProcAddress_v2: (world, _, __, random) => procAddress(world, random, true),
  cuLibraryLoadData: load,
  cuLibraryLoadFromFile: load,
  cuLinkAddData: load,
  cuLinkAddData_v2: load,
  cuLinkAddFile: load,
  cuLinkAddFile_v2: load,
  cuLinkCreate: load,
  cuLinkCreate_v2: load,
  cuModuleLoadData: load,
  cuModuleLoadDataEx: load,
  cuModuleLoadFatBinary: load,
  ...Object.fromEntries(
    Object.values(ENDS)
      .flat()
      .map((name) => [name, giveBack]),
  ),
};

const ANY: Passed = { raw: { value: null } };
const NULL: Passed["raw"] = { value: 0n, bytes: null };

function text(value: string): Passed {
  return { argument: { value }, raw: { value: null, bytes: new TextEncoder().encode(value) } };
}

function errorText({ document }: World, random: Random, words: (name: string) => string): Invocation {
  const results = document.enums.find(({ name }) => name === "CUresult")?.members ?? [];
  const { name, value } = random.pick(results);
  return {
    args: [value],
    passed: [{ argument: { value }, raw: { value: BigInt(value) } }, ANY],
    returned: words(name),
  };
}

/** Found or not; the old function throws where there is nothing, so it is asked for what there is. */
function procAddress({ package: { cuda }, document, standin }: World, random: Random, isNew: boolean): Invocation {
  let question: { symbol: string; cudaVersion: number; flags: number };
  let answer: LookupAnswer;
  do {
    const symbol = random.below(8) === 0 ? "cuNoSuchThing" : random.pick(Object.keys(cuda.symbols));
    const [, since] = random.pick<[string, number]>(cuda.symbols[symbol] ?? [["", 12000]]);
    question = { symbol, cudaVersion: random.pick([since, since - 1, document.toolkit]), flags: random.below(4) };
    answer = lookup(cuda.symbols, { ...question, driver: document.toolkit });
  } while (answer.result !== 0 || (!isNew && answer.exported === null));
  const { symbol, cudaVersion, flags } = question;
  const pfn = answer.exported === null ? 0n : standin.addon.symbol(answer.exported);
  const passed: Passed[] = [
    text(symbol),
    ANY,
    { argument: { value: cudaVersion }, raw: { value: BigInt.asUintN(32, BigInt(cudaVersion)) } },
    { argument: { value: flags }, raw: { value: BigInt(flags) } },
  ];
  if (isNew) passed.push(ANY);
  return { args: [symbol, cudaVersion, flags], passed, returned: isNew ? [pfn, answer.status] : pfn };
}

/** Counts come from the arrays, without options NULL is passed, and text is ended with a NUL. */
function load(world: World, fn: PlannedFunction, _: Spelling, random: Random): Invocation {
  const plain = invocation(world, fn, random);
  const passed = kept([...plain.passed]);
  const put = (name: string | undefined, each: Passed) => {
    passed[fn.params.findIndex(({ api }) => api.name === name)] = each;
  };
  /* From the end on, what is left out. */
  let left = passed.length;
  for (const [at, { api }] of [...fn.params.entries()].reverse()) {
    const kind = /^CU(jit_o|libraryO)ption \*$/.exec(api.type);
    if (kind === null) continue;
    const values = fn.params[at + 1]?.api;
    const given = options(random, random.below(kind[1] === "jit_o" ? 4 : 3));
    const isNone = given.count === 0;
    put(api.name, {
      argument: { value: isNone && random.bool() ? null : given.names },
      raw: given.raw[0],
      right: isNone ? [undefined] : [],
    });
    put(values?.name, {
      argument: { value: isNone && random.bool() ? null : given.values },
      raw: given.raw[1],
      wrong: NO_OPTION_VALUES,
    });
    put(api.count, {
      argument: { value: random.bool() ? undefined : given.count },
      raw: { value: BigInt(given.count) },
    });
    const counter = fn.params.findIndex((param) => param.api.name === api.count);
    const [first, last] = [Math.min(at, counter), Math.max(at + 1, counter)];
    if (isNone && left === last + 1 && random.bool()) left = first;
  }
  const source = fn.params.find(({ api }) => /^(code|data|image|fatCubin)$/.test(api.name))?.api;
  if (source !== undefined) put(source.name, { ...code(random), right: ["x"] });
  if (source?.count !== undefined) put(source.count, { argument: { value: CODE }, raw: { value: BigInt(CODE) } });
  return {
    args: passed.slice(0, left).flatMap(({ argument }) => (argument === undefined ? [] : [argument.value])),
    passed,
    returned: plain.returned,
  };
}

/** Of values for options, whatever these are: no lists, lists of what no option takes, and longer ones than there are options. */
const NO_OPTION_VALUES: readonly unknown[] = [
  ...[1, "x", true, 1.5, {}, new Date(0), Symbol("wrong"), () => []],
  ...[["x"], [{}], [undefined], [2n ** 64n], [Number.NaN, "x"], Array(9).fill(0)],
];

/** Bytes that the stand-in driver reads of code, the final NUL of text included. */
const CODE = UNKNOWN_SIZE;

function code(random: Random): Passed {
  const text = new TextEncoder().encode(
    `.version 7.0 // ${"\u00e9".repeat(2)}`.padEnd(CODE - 3, String.fromCharCode(65 + random.below(26))),
  );
  const bytes = new Uint8Array(CODE);
  bytes.set(text);
  switch (random.below(4)) {
    case 0:
      return { argument: { value: new TextDecoder().decode(text) }, raw: { value: null, bytes } };
    case 1:
      return { argument: { value: random.bool() ? text : text.slice().buffer }, raw: { value: null, bytes } };
    case 2: {
      const binary = random.bytes(CODE);
      binary[random.below(CODE)] = 0;
      return { argument: { value: binary }, raw: { value: addressOf(binary), bytes: binary } };
    }
    default: {
      const value = addressOf(bytes);
      return { argument: { value }, raw: { value, bytes }, after: () => void bytes };
    }
  }
}

function options(
  random: Random,
  count: number,
): { count: number; names: number[]; values: unknown[]; raw: [names: Passed["raw"], values: Passed["raw"]] } {
  /* Library option 0 wants a table. */
  const names = Array.from({ length: count }, () => 1 + random.below(2));
  const slots = Array.from({ length: count }, (): [value: unknown, slot: bigint] => {
    const float = new Float32Array([random.below(1000) / 8 + 0.0625]);
    const memory = BigInt(random.below(1 << 30));
    return random.pick<[unknown, bigint]>([
      [memory, memory],
      [Number(memory), memory],
      [-1, 2n ** 64n - 1n],
      [null, 0n],
      [true, 1n],
      [float[0], BigInt(new Uint32Array(float.buffer)[0] as number)],
    ]);
  });
  const values = slots.map(([value]) => value);
  if (count === 0) return { count, names, values, raw: [NULL, NULL] };
  const slotBytes = new Uint8Array(BigUint64Array.from(slots, ([, slot]) => slot).buffer);
  return {
    count,
    names,
    values,
    raw: [
      { value: null, bytes: new Uint8Array(Int32Array.from(names).buffer) },
      { value: null, bytes: slotBytes },
    ],
  };
}

/** A handle is given back once. */
function giveBack(world: World, fn: PlannedFunction, _: Spelling, random: Random): Invocation {
  return withNewHandles(fn, invocation(world, fn, random), random);
}

/** The same call with handles that were never given back. */
export function withNewHandles(fn: PlannedFunction, { passed: all, returned }: Invocation, random: Random): Invocation {
  const passed = fn.params.map(({ api, role }, at): Passed => {
    if (role.kind !== "value" || ENDS[api.type] === undefined) return all[at] as Passed;
    const value = (random.bits(62) << 1n) | 1n;
    return { argument: { value }, raw: { value } };
  });
  return {
    args: passed.flatMap(({ argument }) => (argument === undefined ? [] : [argument.value])),
    passed: kept(passed),
    returned,
  };
}
