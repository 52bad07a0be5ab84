/** Functions that the package wraps by hand, or that answer by themselves: what to pass and what must happen, one case each. */
import { type LookupAnswer, lookup } from "../../generator/api/lookup.ts";
import type { PlannedFunction } from "../../generator/emit/plan.ts";
import { invocation } from "./arguments.ts";
import type { Invocation, Passed, World } from "./context.ts";
import type { Spelling } from "./package.ts";
import type { Random } from "./random.ts";

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
  cuLibraryLoadData: loadLibrary,
  cuLibraryLoadFromFile: loadLibrary,
  cuLibraryUnload: unload,
  cuModuleUnload: unload,
};

const ANY: Passed = { raw: { value: null } };

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

/** The counts come from the arrays; without options NULL is passed. */
function loadLibrary(world: World, fn: PlannedFunction, _: Spelling, random: Random): Invocation {
  const plain = invocation(world, fn, random);
  const [handle, source] = plain.passed as [Passed, Passed];
  const jit = options(random, random.below(4));
  const library = options(random, random.below(3));
  const trailing = library.names.length > 0 || random.bool();
  return {
    args: [
      (source.argument as { value: unknown }).value,
      ...(jit.names.length > 0 || trailing ? [jit.names, jit.values, jit.names.length] : []),
      ...(trailing ? [library.names, library.values] : []),
    ],
    passed: [handle, source, ...jit.passed, ...library.passed],
    returned: plain.returned,
  };
}

function options(random: Random, count: number): { names: number[]; values: unknown[]; passed: Passed[] } {
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
  const passed: Passed[] =
    count === 0
      ? [{ raw: { value: 0n, bytes: null } }, { raw: { value: 0n, bytes: null } }]
      : [
          { raw: { value: null, bytes: new Uint8Array(Int32Array.from(names).buffer) } },
          { raw: { value: null, bytes: new Uint8Array(BigUint64Array.from(slots, ([, slot]) => slot).buffer) } },
        ];
  return { names, values: slots.map(([value]) => value), passed: [...passed, { raw: { value: BigInt(count) } }] };
}

/** A handle is unloaded once. */
function unload(_: World, __: PlannedFunction, ___: Spelling, random: Random): Invocation {
  const value = (random.bits(62) << 1n) | 1n;
  return { args: [value], passed: [{ argument: { value }, raw: { value } }], returned: undefined };
}
