import { prototype } from "./describe.ts";
import type { Plan, PlannedFunction } from "./plan.ts";

/** `variants.ts`: what the compiler needs to know of versions: each symbol's variants, and what each version brought. */
export function variants(plan: Plan): string[] {
  const bases = new Map<string, PlannedFunction[]>();
  for (const fn of plan.functions) bases.set(fn.api.base, [...(bases.get(fn.api.base) ?? []), fn]);
  const rows = [...bases].map(
    ([base, fns]) => `  ${base}: { legacy: ${list(fns, "legacy", plan)}; perThread: ${list(fns, "perThread", plan)} };`,
  );
  const introduced = new Map<number, string[]>();
  for (const [name, since] of availability(plan)) introduced.set(since, [...(introduced.get(since) ?? []), name]);
  const versions = [...introduced].sort(([a], [b]) => a - b);
  return [
    'import type * as functions from "./functions.ts";',
    'import type * as index from "./index.ts";',
    `/** Every symbol: its variants as [since, function], newest first. */\nexport interface Variants {\n${rows.join("\n")}\n}`,
    `/** CUDA version -> the functions that it brought. */\nexport interface Introduced {\n${versions
      .map(
        ([since, names]) =>
          `  ${since}: {\n${names.map((name) => `    ${name}: typeof index.${name};`).join("\n")}\n  };`,
      )
      .join("\n")}\n}`,
  ];
}

function list(fns: readonly PlannedFunction[], mode: "legacy" | "perThread", plan: Plan): string {
  const rows = fns
    .filter(({ api }) => api.streamMode === mode)
    .map((fn) => ({ fn, since: sinceOf(fn, plan) }))
    .sort((a, b) => b.since - a.since || (a.fn.api.name < b.fn.api.name ? 1 : -1));
  return `[${rows.map(({ fn, since }) => `[${since}, typeof functions.${fn.identifier}]`).join(", ")}]`;
}

function sinceOf({ api }: PlannedFunction, plan: Plan): number {
  return api.since ?? plan.document.toolkit;
}

/** Every exported function name of `index.ts`, plain spellings among them -> CUDA version that it needs. */
function availability(plan: Plan): Map<string, number> {
  const since = new Map(plan.functions.map((fn) => [fn.identifier, sinceOf(fn, plan)]));
  for (const [name, target] of plan.plain) since.set(name, since.get(target) ?? plan.document.toolkit);
  return new Map([...since].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** `procs.ts`: look-ups that give typed functions. */
export function procs(plan: Plan): string[] {
  const renamed = plan.functions.filter(({ api, identifier }) => api.name !== identifier);
  return [
    'import * as functions from "./functions.ts";',
    'import * as index from "./index.ts";',
    'import { findProc, type ProcVariant, upTo, variantsOf } from "./runtime/proc.ts";',
    'import type { At, Listed, UpTo } from "./runtime/versions.ts";',
    'import type { Introduced, Variants } from "./variants.ts";',
    `/** Retired exports whose name now means another variant. */\nconst renamed: Readonly<Record<string, keyof typeof functions>> = {\n${renamed
      .map(({ api, identifier }) => `  ${api.name}: "${identifier}",`)
      .join("\n")}\n};`,
    `/** Exported name -> C prototype. */\nconst signatures: Readonly<Record<string, string>> = {\n${plan.functions
      .map((fn) => `  ${fn.api.name}: ${JSON.stringify(prototype(fn))},`)
      .join("\n")}\n};`,
    `/** Name -> CUDA version that it needs. */\nconst since: Readonly<Record<string, number>> = {\n${[
      ...availability(plan),
    ]
      .map(([name, version]) => `  ${name}: ${version},`)
      .join("\n")}\n};`,
    PROCS,
  ];
}

const PROCS = `/** A function of this package, as a look-up of a symbol at a version with these flags gives it. */
export type Proc<Name extends keyof Variants, Version extends number, Flags extends number | bigint = 0> = At<
  Listed<Variants[Name], Flags>,
  Version
>;

/** Only where there is a variant at that version. */
type Existing<Name extends keyof Variants, Version extends number, Flags extends number | bigint> = [
  Proc<Name, Version, Flags>,
] extends [never]
  ? { readonly error: "this symbol does not exist at this CUDA version" }
  : Version;

/**
 * The function that a look-up gives: its type is that of the variant, decided from literals. A version that the compiler does
 * not know gives the union of the variants' types.
 * @throws CudaSymbolError where this driver lacks it
 */
export function getProc<
  const Name extends keyof Variants,
  const Version extends number,
  const Flags extends number | bigint = 0,
>(
  symbol: Name,
  options: { readonly cudaVersion: Version & Existing<Name, Version, Flags>; readonly flags?: Flags },
): Proc<Name, Version, Flags> {
  const find = (exported: string) => functions[renamed[exported] ?? (exported as keyof typeof functions)];
  return findProc<unknown>(find, symbol, options.cudaVersion, options.flags ?? 0) as Proc<Name, Version, Flags>;
}

/** Variants of a symbol: exported names, since, stream modes, C prototypes. null for a symbol that no toolkit knows. */
export function procInfo(symbol: string): ProcVariant[] | null {
  return variantsOf(symbol, signatures);
}

/** Only the functions that exist at a CUDA version: under a promise to support 11.8, using a newer one does not compile. */
export type DriverFor<Version extends number> = UpTo<Introduced, Version>;

/** The functions that exist at a CUDA version. */
export function driverFor<const Version extends number>(cudaVersion: Version): DriverFor<Version> {
  return upTo(index, since, cudaVersion) as DriverFor<Version>;
}`;
