import { compareText } from "./collect.ts";
import { commonSubsequence } from "./subsequence.ts";

/**
 * One item over all toolkits that have it. `in` lists the intervals [from key, up to key) of toolkits in which it is there;
 * without a second key an interval is open, without `in` the item is wherever its parent is. A property is its value, or
 * `{"at": [[from key, value], …]}` where it changed: each step holds until the next, "" is the beginning, and a step without
 * value means that the property is absent. Lists of named members are woven: each member is such an item itself.
 */
export type MergedItem = { [property: string]: unknown };

type Interval = [from: string] | [from: string, to: string];
type Step = [from: string, value: unknown] | [from: string];

const WOVEN = ["params", "members", "fields"];

/** Merges one list of the document over all toolkits; `lists[i]` is that of `keys[i]`. Items are told apart by `identity`. */
export function mergeItems(keys: readonly string[], lists: readonly (readonly object[])[]): MergedItem[] {
  const found = new Map<string, Map<number, Record<string, unknown>>>();
  lists.forEach((list, at) => {
    for (const item of list as readonly Record<string, unknown>[]) {
      const name = identity(item);
      const over = found.get(name) ?? new Map<number, Record<string, unknown>>();
      found.set(name, over);
      over.set(at, item);
    }
  });
  const all = keys.map((_, index) => index);
  return [...found.entries()].sort(([a], [b]) => compareText(a, b)).map(([, over]) => mergeItem(over, all, keys));
}

/** The items of the toolkit `keys[at]`, in the list's order. */
export function takeItems(
  merged: readonly MergedItem[],
  keys: readonly string[],
  at: number,
): Record<string, unknown>[] {
  return takeFrom(merged, ranks(keys), at);
}

/** The item as the last toolkit that has it has it. */
export function lastOf(item: MergedItem, keys: readonly string[]): Record<string, unknown> {
  const rankOf = ranks(keys);
  const [, end] = (item.in as Interval[] | undefined)?.at(-1) ?? [];
  return takeFrom([item], rankOf, (end === undefined ? keys.length : rankOf(end)) - 1)[0] as Record<string, unknown>;
}

/** The key of the first toolkit that has the item; "" where that is the first of all. */
export function firstKey(item: MergedItem): string {
  return (item.in as Interval[] | undefined)?.[0]?.[0] ?? "";
}

/** The values that a property of an item had, oldest first; undefined where it was absent. */
export function valuesOf(item: MergedItem, property: string): unknown[] {
  const value = item[property];
  return isTimeline(value) ? value.at.map(([, step]) => step) : [value];
}

function ranks(keys: readonly string[]): (key: string) => number {
  const rank = new Map(keys.map((key, index) => [key, index]));
  return (key) => (key === "" ? 0 : (rank.get(key) ?? Number.POSITIVE_INFINITY));
}

function takeFrom(
  merged: readonly MergedItem[],
  rankOf: (key: string) => number,
  at: number,
): Record<string, unknown>[] {
  const items: Record<string, unknown>[] = [];
  for (const item of merged) {
    const intervals = item.in as Interval[] | undefined;
    const here = intervals?.some(([from, to]) => rankOf(from) <= at && (to === undefined || at < rankOf(to))) ?? true;
    if (!here) continue;
    const taken: Record<string, unknown> = {};
    for (const [property, value] of Object.entries(item)) {
      if (property === "in") continue;
      if (WOVEN.includes(property)) taken[property] = takeFrom(value as MergedItem[], rankOf, at);
      else if (isTimeline(value)) {
        const step = value.at.findLast(([from]) => rankOf(from) <= at);
        if (step?.length === 2) taken[property] = step[1];
      } else taken[property] = value;
    }
    items.push(taken);
  }
  return items;
}

function isTimeline(value: unknown): value is { at: Step[] } {
  return typeof value === "object" && value !== null && "at" in value;
}

/** What makes an item of a list the same item in another toolkit. An unnamed field is known by its type. */
function identity(item: Record<string, unknown>): string {
  if (item.name === "") return ` ${item.type}`;
  return item.target === undefined ? String(item.name) : `${item.name} ${item.streamMode}`;
}

/** `over`: toolkit index -> the item there; `parents`: the toolkits in which the list itself is there, in order. */
function mergeItem(
  over: ReadonlyMap<number, Record<string, unknown>>,
  parents: readonly number[],
  keys: readonly string[],
): MergedItem {
  const present = parents.filter((at) => over.has(at));
  const properties = new Set<string>();
  for (const at of present) for (const property of Object.keys(over.get(at) ?? {})) properties.add(property);
  const merged: MergedItem = {};
  const intervals = intervalsOf(present, parents, keys);
  // The name comes first in a line, then where it is there.
  if (properties.delete("name")) merged.name = over.get(present[0] ?? 0)?.name;
  if (intervals !== null) merged.in = intervals;
  for (const property of [...properties].sort(compareText)) {
    const values = new Map(present.map((at) => [at, over.get(at)?.[property]]));
    merged[property] = WOVEN.includes(property)
      ? weave(values as Map<number, Record<string, unknown>[]>, present, keys)
      : timeline(values, present, keys);
  }
  return merged;
}

function intervalsOf(
  present: readonly number[],
  parents: readonly number[],
  keys: readonly string[],
): Interval[] | null {
  if (present.length === parents.length) return null;
  const there = new Set(present);
  const intervals: Interval[] = [];
  let open: string | null = null;
  for (const at of parents) {
    const key = keys[at] as string;
    if (there.has(at)) open ??= key;
    else if (open !== null) {
      intervals.push([open, key]);
      open = null;
    }
  }
  if (open !== null) intervals.push([open]);
  return intervals;
}

function timeline(values: ReadonlyMap<number, unknown>, present: readonly number[], keys: readonly string[]): unknown {
  const steps: Step[] = [];
  let last: string | undefined | null = null;
  for (const at of present) {
    const value = values.get(at);
    const written = value === undefined ? undefined : JSON.stringify(value);
    if (written === last) continue;
    last = written;
    const from = steps.length === 0 ? "" : (keys[at] as string);
    steps.push(value === undefined ? [from] : [from, value]);
  }
  return steps.length === 1 && steps[0]?.length === 2 ? steps[0][1] : { at: steps };
}

/**
 * Weaves the toolkits' orders of one list into one order that contains each of them. A member that moved is there twice, in
 * different toolkits.
 */
function weave(
  lists: ReadonlyMap<number, readonly Record<string, unknown>[]>,
  present: readonly number[],
  keys: readonly string[],
): MergedItem[] {
  interface Slot {
    identity: string;
    over: Map<number, Record<string, unknown>>;
  }
  const slots: Slot[] = [];
  for (const at of present) {
    const list = lists.get(at) ?? [];
    const matches = align(
      slots.map((slot) => slot.identity),
      list.map(identity),
    );
    let next = 0;
    list.forEach((member, index) => {
      const match = matches[index];
      if (match === undefined || match === null) {
        slots.splice(next, 0, { identity: identity(member), over: new Map([[at, member]]) });
        for (let later = index + 1; later < matches.length; later++) {
          const slot = matches[later];
          if (slot !== null && slot !== undefined) matches[later] = slot + 1;
        }
        next++;
      } else {
        slots[match]?.over.set(at, member);
        next = match + 1;
      }
    });
  }
  return slots.map(({ over }) => mergeItem(over, present, keys));
}

/** For each entry of `right` the entry of `left` it continues, never crossing, as many as possible (the shortest edit). */
function align(left: readonly string[], right: readonly string[]): (number | null)[] {
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start++;
  let end = 0;
  while (
    end < left.length - start &&
    end < right.length - start &&
    left[left.length - 1 - end] === right[right.length - 1 - end]
  )
    end++;
  const middle = commonSubsequence(right.slice(start, right.length - end), left.slice(start, left.length - end));
  return [
    ...Array.from({ length: start }, (_, index) => index),
    ...middle.map((index) => (index === null ? null : start + index)),
    ...Array.from({ length: end }, (_, index) => left.length - end + index),
  ];
}
