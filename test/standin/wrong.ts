/** Wrong arguments: for each role the values that must be refused before the driver is called. A new role is one new case here. */
import { parseType } from "../../generator/api/ctype.ts";
import { countedBy } from "../../generator/emit/omittedCounts.ts";
import { listKind } from "../../generator/emit/parameters.ts";
import type { PlannedFunction } from "../../generator/emit/planned.ts";
import type { PlannedParameter } from "../../generator/emit/roles.ts";
import type { Invocation, Passed, World } from "./context.ts";
import { type FunctionFacts, type ParameterFacts, type Scalar, scalarOf } from "./facts.ts";
import type { Random } from "./random.ts";
import { BEYOND_F32, randomScalar } from "./scalars.ts";

/** Of no use to any parameter whatsoever. */
export const NEVER: readonly unknown[] = [
  undefined,
  Symbol("wrong"),
  () => 1,
  new Date(0),
  NaN,
  "\ud800",
  [undefined],
  [[1]],
  /wrong/,
  Object.create(null, { noSuchField: { value: 1, enumerable: true } }),
  { valueOf: () => 1 },
  { toString: () => "1" },
  new Proxy(
    {},
    {
      get: () => 1,
      ownKeys: () => ["wrong"],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: 1 }),
    },
  ),
];

const OUTSIDE: Readonly<Record<number, readonly [signed: readonly unknown[], unsigned: readonly unknown[]]>> = {
  8: [
    [128, -129],
    [256, -1],
  ],
  16: [
    [32768, -32769],
    [65536, -1],
  ],
  32: [
    [2 ** 31, -(2 ** 31) - 1],
    [2 ** 32, -1],
  ],
  64: [
    [2n ** 63n, -(2n ** 63n) - 1n, 2 ** 53],
    [2n ** 64n, -1n, -1, 2 ** 53],
  ],
};

/** A value that is wrong for this parameter of a call that is right otherwise; null: there is none to be sure of. */
export function wrongFor(
  world: World,
  fn: PlannedFunction,
  param: PlannedParameter,
  all: readonly Passed[],
  random: Random,
): { value: unknown } | null {
  const passed = all[fn.params.indexOf(param)] as Passed;
  if (passed.argument === undefined) return null;
  const facts = world.standin.byName.get(fn.api.name) as FunctionFacts;
  const own = facts.params.find(({ name }) => name === param.api.name) as ParameterFacts;
  const choices: unknown[] = [];
  if (passed.wrong !== undefined) return { value: random.pick(passed.wrong) };
  const { role } = param;
  switch (role.kind) {
    case "value":
    case "inout": {
      const type = parseType(own.type);
      const scalar = scalarOf(
        world.document,
        role.kind === "inout" && type.kind === "pointer" ? type.to : type,
      ) as Scalar;
      const isLeftOut = countedBy(fn, param).length > 0;
      const allowed = NEVER.filter(
        (value) => (typeof value === "function" && own.callback !== null) || (value === undefined && isLeftOut),
      );
      choices.push(...wrongScalars(scalar), ...never(scalar.kind === "float" ? [NaN] : allowed));
      break;
    }
    case "string":
      choices.push(...never(), 1, 1n, "a\0b", "\0", "x\udc00", `${"\u20ac".repeat(3000)}\ud83d`, new Uint8Array(8));
      break;
    case "record": {
      const type = world.package.cuda[role.name];
      choices.push(...never(), 1, "x", -1n, 2n ** 64n, { noSuchField: 1 }, [null]);
      if (own.count < 0) choices.push(new Uint8Array(type.size - 1));
      if (own.byValue) choices.push(0n, 1n, 2n ** 63n, [{}]);
      if (own.count < 0) choices.push([]);
      choices.push(new world.package.cuda[role.name === "CUuuid" ? "CUtensorMap" : "CUuuid"]());
      choices.push(...tooSmall());
      break;
    }
    case "memory":
    case "list":
      choices.push(...never(), "x", -1n, 2n ** 64n, {}, 1.5, -1);
      choices.push(...tooSmall());
      if (role.kind === "list" || !role.orNumber) choices.push(1);
      if (role.kind === "list")
        choices.push(new Uint16Array(64), ...(own.content === "F32" ? [] : [new Float32Array(64)]));
      if (role.kind === "list") choices.push(["x"], [{}], [2n ** 64n], [-(2n ** 63n) - 1n]);
      if (role.kind === "list" && own.content !== "F32") choices.push([1.5]);
      /* As many as any such list has, so that it is not refused for having too few. */
      if (role.kind === "list" && own.content === "F32")
        choices.push(...BEYOND_F32.map((value) => Array(64).fill(value)));
      if (role.kind === "list") {
        const kind = listKind(role.of);
        choices.push([gone()], gone());
        if (kind !== '"pointer"') choices.push([new Uint8Array(64)]);
        if (kind !== '"pointer"' && kind !== '"handle"') choices.push([null]);
        if (/opaque|handle|pointer/.test(kind)) choices.push([5]);
      }
      break;
    case "kernelParams":
      choices.push([gone()], gone());
      choices.push(...never(), "x", 1, -1n, 2n ** 64n, {}, new Uint16Array(64), new Float32Array(64));
      choices.push([1], [1n], [null], [{}], ["x"], [new Uint32Array(1), 1n], [world.package.cuda.kernel.u32(1), 1n]);
      break;
    case "attribute":
      choices.push(...never(), "1", 1.5, 2n ** 64n, -(2n ** 63n) - 1n);
      break;
    default:
      return null;
  }
  choices.push(null);
  /* Where the callback is a JavaScript function, C's data for it may be left out. */
  if (param === fn.hook?.data) return { value: random.pick([1, "x", -1n, 2n ** 64n]) };
  const isRight = (value: unknown) =>
    (value === null && own.nullable) || (value === undefined && param.leftOut) || passed.right?.includes(value);
  return { value: random.pick(choices.filter((value) => !isRight(value))) };

  /** One byte less than is counted, or one element. */
  function tooSmall(): unknown[] {
    const counter = all[own.count]?.argument;
    const isCounted = own.count >= 0 && !(counter !== undefined && counter.value === undefined);
    const length = isCounted ? (passed.raw.bytes?.length ?? 0) : 0;
    return length === 0 ? [] : [new Uint8Array(length - 1), new ArrayBuffer(Math.max(0, length - own.element))];
  }
  function never(also: readonly unknown[] = []): unknown[] {
    return NEVER.filter((value) => !also.some((other) => Object.is(other, value)));
  }
}

function wrongScalars({ kind, bits, signed }: Scalar): unknown[] {
  if (kind === "float") return ["1", 1n, {}, null, true, ...(bits === 32 ? BEYOND_F32 : [])];
  if (kind === "address") return [1, 0, "1", -1n, 2n ** 64n, 1.5, {}, [], true];
  if (kind === "enum") return [1.5, "1", 1n, 2 ** 32, -(2 ** 31) - 1, null, Infinity, {}, true];
  const outside = OUTSIDE[bits]?.[signed ? 0 : 1] ?? [];
  return [...outside, 1.5, "1", Infinity, -Infinity, null, {}, [], true, ...(bits < 64 ? [1n] : [])];
}

/** The call with one argument wrong, each in its turn; null: this function takes none that can be. */
export function spoiled(
  world: World,
  fn: PlannedFunction,
  { passed }: Invocation,
  turn: number,
  random: Random,
): { args: unknown[]; parameter: string; value: unknown } | null {
  const candidates = fn.params.filter((_, at) => passed[at]?.argument !== undefined);
  const chosen = candidates[turn % candidates.length];
  if (chosen === undefined) return null;
  const wrong = wrongFor(world, fn, chosen, passed, random);
  if (wrong === null) return null;
  const args = fn.params.flatMap((param, at) => {
    const argument = passed[at]?.argument;
    if (argument === undefined) return [];
    return [param === chosen ? wrong.value : argument.value];
  });
  return { args, parameter: chosen.api.name, value: wrong.value };
}

/** Anything at all. */
export function junk(world: World, random: Random): unknown {
  const { cuda } = world.package;
  return random.pick<() => unknown>([
    () => random.pick(NEVER),
    () =>
      random.pick([
        null,
        true,
        false,
        "",
        "x",
        "\u00e9",
        "a\0",
        0,
        -0,
        1,
        -1,
        1.5,
        NaN,
        Infinity,
        2 ** 31,
        2 ** 32,
        2 ** 53,
        -(2 ** 63),
      ]),
    () => random.pick([0n, 1n, -1n, 2n ** 31n, 2n ** 63n, 2n ** 64n - 1n, 2n ** 64n, 2n ** 200n]),
    () => randomScalar({ kind: "integer", bits: random.pick([8, 16, 32, 64]), signed: random.bool() }, random),
    () =>
      random.pick([
        new Uint8Array(random.below(64)),
        new ArrayBuffer(16),
        new SharedArrayBuffer(8),
        new DataView(new ArrayBuffer(8)),
        new BigInt64Array(4),
      ]),
    () =>
      Array.from({ length: random.below(4) }, () => random.pick<unknown>([0, 1n, "x", null, {}, new Uint8Array(4)])),
    () => new cuda[random.pick(["CUDA_MEMCPY3D_v2", "CUuuid", "CUlaunchConfig", "CUmemLocation_v1"])](),
    () => random.pick<unknown>([{}, { srcXInBytes: 1n }, { srcXInBytes: "x" }, { x: 1 }, { length: 3 }]),
  ])();
}

/** Memory that another thread has. */
function gone(): Uint8Array {
  const memory = new Uint8Array(8);
  structuredClone(memory.buffer, { transfer: [memory.buffer] });
  return memory;
}
