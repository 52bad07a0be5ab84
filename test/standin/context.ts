/** One call that is to be made: the words of the files that make it. */

import type { ApiDocument } from "../../generator/api/document.ts";
import type { PlannedFunction } from "../../generator/emit/planned.ts";
import type { PlannedParameter } from "../../generator/emit/roles.ts";
import type { Standin } from "./control.ts";
import { tellLists } from "./driverLists.ts";
import type { FunctionFacts, ParameterFacts } from "./facts.ts";
import type { Package } from "./package.ts";
import type { Random } from "./random.ts";

/** Bytes behind a pointer whose type does not say how many; the stand-in driver is told so too. */
export const UNKNOWN_SIZE = 48;
/** Elements that the driver has for "how many, and which". */
export const TOTAL = 3;

/** One parameter of one call. */
export interface Passed {
  /** In the argument list; absent for what is only returned. */
  argument?: { value: unknown };
  /** What the driver must have got. */
  raw: {
    /** The value; null: an address that only has to be one. */
    value: bigint | null;
    /** What lay behind it; undefined: not to be looked at. */
    bytes?: Uint8Array | null;
  };
  /** Values that are wrong for it, where its type alone does not say. */
  wrong?: readonly unknown[];
  /** Values that are right for it here, though its type alone would not take them. */
  right?: readonly unknown[];
  /** In what is returned. */
  returned?: { value: unknown };
  /** Once the call has been made. */
  after?: () => void;
}

/** What was passed lately: memory of which a call has only the address must outlive it. */
const lately: (readonly Passed[])[] = [];

/** Keeps what is passed alive for as long as a call may take. @returns it */
export function kept(passed: Passed[]): Passed[] {
  lately.push(passed);
  if (lately.length > 100) lately.shift();
  return passed;
}

export interface Invocation {
  args: unknown[];
  passed: Passed[];
  /** What the function gives back: undefined, a value, or several. */
  returned: unknown;
}

export interface World {
  standin: Standin;
  package: Package;
  document: ApiDocument;
}

/** Tells the stand-in driver how much lies behind the pointers whose types do not say. */
export function tellSizes(world: World): void {
  const { standin } = world;
  for (const { index, params } of standin.functions) {
    for (const [position, param] of params.entries()) {
      if (hasUnknownSize(param)) standin.addon.size(index, position, UNKNOWN_SIZE);
    }
  }
  standin.addon.total(TOTAL);
  tellLists(world);
}

export function hasUnknownSize({ content, element, count, direction }: ParameterFacts): boolean {
  if (content === "TEXT") return count < 0 && direction !== "in";
  return content === "BYTES" && element === 0 && count < 0;
}

export interface Context {
  world: World;
  fn: PlannedFunction;
  facts: FunctionFacts;
  /** Of each parameter that counts others: how many elements this call gives or has room for. */
  counts: readonly (number | null)[];
  /** Which parameters are NULL in this call. */
  nulls: readonly boolean[];
  /** For functions whose value has the type that an attribute decides. */
  attribute: Attribute | null;
  random: Random;
}

export interface Attribute {
  /** Parameter that says which. */
  name: string;
  value: number;
  /** C type of the value; null: one that no header names, 64 bits. */
  type: string | null;
}

/** How many elements a parameter counts in this call, if it counts any. */
export function countOf(fn: PlannedFunction, { params }: FunctionFacts, at: number, random: Random): number | null {
  const { name, counts } = params[at] as ParameterFacts;
  /* What another function says. */
  if (fn.comfort?.length.kind === "function" && fn.comfort.length.param.api.name === name) return TOTAL;
  const lengths = fn.params.flatMap(({ api }) => (api.length === undefined ? [] : [api.length]));
  if (lengths.some(({ per }) => per === name)) return 1 + random.below(4);
  const less = lengths.filter(({ of }) => of === name).map(({ minus = 0 }) => minus);
  if (less.length > 0) return Math.max(...less) + random.below(4);
  /* Memory without bytes may be NULL to C, which asks another question of a two-call query. */
  return params.some(({ count }) => count === at) ? Number(counts) + random.below(4) : null;
}

/** Elements of a list whose number some parameters say, or that is always the same; null: neither. */
export function lengthOf({ fn, facts, counts }: Context, at: number): number | null {
  const { length, bytes } = (fn.params[at] as PlannedParameter).api;
  const own = facts.params[at] as ParameterFacts;
  if (length === undefined) return bytes === undefined || own.count >= 0 ? null : own.elements;
  const value = (name: string) => counts[facts.params.findIndex((param) => param.name === name)] ?? 0;
  return length.per === undefined
    ? value(length.of) - (length.minus ?? 0)
    : Math.ceil(value(length.of) / value(length.per));
}

/** Room for elements of a two-call query, or null where this is none. */
export function twoCall({ facts: { params }, counts }: Context, facts: ParameterFacts): number | null {
  return facts.count >= 0 && params[facts.count]?.counts === true ? (counts[facts.count] ?? 0) : null;
}

/** A record of these bytes. */
export function recordFrom({ package: { cuda } }: Pick<World, "package">, name: string, bytes: Uint8Array) {
  const record = new cuda[name]();
  record.$bytes.set(bytes);
  return record;
}
