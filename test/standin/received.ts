/** What the driver writes and gives back, as the stand-in does it. */
import { type ApiType, parseType } from "../../generator/api/ctype.ts";
import type { Comfort } from "../../generator/emit/planned.ts";
import type { PlannedParameter } from "../../generator/emit/roles.ts";
import { type Context, lengthOf, type Passed, recordFrom, TOTAL, twoCall } from "./context.ts";
import { resolve } from "./ctext.ts";
import { checkLists, listsOf } from "./driverLists.ts";
import { decode, type ParameterFacts, recordOf, type Scalar, scalarOf } from "./facts.ts";
import { patternBytes, patternText } from "./pattern.ts";
import { numberBytes } from "./scalars.ts";

/** What the driver leaves in memory that held `before`. */
export function outcomeBytes(context: Context, facts: ParameterFacts, before: Uint8Array): Uint8Array | null {
  if (facts.direction === "in") return before;
  if (facts.counts) return null;
  const room = twoCall(context, facts);
  const size = facts.element === 0 ? 1 : facts.element;
  const have = facts.content === "TEXT" ? before.length : TOTAL;
  const bytes = room === null ? before.length : Math.min(room, have) * size;
  const result = new Uint8Array(before.length);
  result.set(
    facts.content === "TEXT" ? patternText(facts.text, bytes) : patternBytes(facts.content, facts.seed, bytes),
  );
  if (facts.content === "TEXT") {
    /* Behind the NUL everything stays as it was. */
    const end = result.indexOf(0);
    if (bytes > 0 && end >= 0) result.set(before.subarray(end + 1), end + 1);
  }
  return result;
}

export function receive({ world, fn }: Context, facts: ParameterFacts, at: number): Passed {
  const scalar = scalarOf(world.document, (parseType(facts.type) as { to: ApiType }).to) as Scalar;
  const bytes = facts.counts ? numberBytes(TOTAL, 8) : patternBytes(facts.content, facts.seed, 8);
  const { role } = fn.params[at] as PlannedParameter;
  if (role.kind === "out" && role.counts) return { raw: { value: null } };
  return { raw: { value: null }, returned: { value: decode(scalar, bytes) } };
}

export function receiveRecord({ world, facts: fn }: Context, facts: ParameterFacts, name: string): Passed {
  const lists = listsOf(world, fn, facts);
  if (lists !== null) return { raw: { value: null }, returned: { value: checkLists(world, name, lists) } };
  const bytes = patternBytes(facts.content, facts.seed, world.package.cuda[name].size);
  return { raw: { value: null }, returned: { value: recordFrom(world, name, bytes) } };
}

/** A list or a text that the comfortable form returns. */
export function receiveList(context: Context, facts: ParameterFacts, at: number): Passed {
  const { world, counts } = context;
  const counter = context.facts.params[facts.count];
  const told = lengthOf(context, at);
  if (told !== null) world.standin.addon.size(context.facts.index, at, told * facts.element);
  if (facts.content === "TEXT" && told === null) {
    const text = patternText(facts.text, counts[facts.count] ?? 0);
    return {
      raw: { value: null },
      returned: { value: new TextDecoder().decode(text.subarray(0, Math.max(0, text.indexOf(0)))) },
    };
  }
  const room = told ?? (counter?.counts ? TOTAL : (counts[facts.count] ?? 0));
  const { listed } = context.fn.comfort as Comfort;
  const after = listed?.api.direction === "out" ? TOTAL - 1 : room;
  if (after !== room) world.standin.output(context.facts.api.name, listed?.api.name ?? "", numberBytes(after, 4));
  if (facts.content === "TEXT") return { raw: { value: null }, returned: { value: patternText(facts.text, room) } };
  return { raw: { value: null }, returned: { value: elementsOf(context, facts, after) } };
}

/** An array of the driver's that is copied out. */
export function receiveOwned(context: Context, facts: ParameterFacts): Passed {
  return { raw: { value: null }, returned: { value: elementsOf(context, facts, TOTAL) } };
}

/** What the driver has put into a list. */
function elementsOf({ world: { document, ...world } }: Context, facts: ParameterFacts, length: number): unknown {
  const behind = (parseType(facts.type) as { to: ApiType }).to;
  const target = facts.content === "OWNED" ? (behind as { to: ApiType }).to : behind;
  const bytes = patternBytes(facts.content, facts.seed, length * facts.element);
  const scalar = scalarOf(document, target);
  const record = recordOf(document, resolve(document, target));
  if (scalar === null && record === null) return bytes;
  return Array.from({ length }, (_, at) => {
    const one = bytes.slice(at * facts.element, (at + 1) * facts.element);
    return scalar === null ? recordFrom(world, record?.name ?? "", one) : decode(scalar, one);
  });
}
