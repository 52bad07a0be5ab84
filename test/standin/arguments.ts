/**
 * Valid arguments for any function, by the role that the package's plan gives each parameter, with what must then reach the
 * driver and come back. A new role is one new case here.
 */
import { parseType } from "../../generator/api/ctype.ts";
import { notPassed } from "../../generator/emit/comfort.ts";
import { countedBy } from "../../generator/emit/omittedCounts.ts";
import type { PlannedFunction } from "../../generator/emit/planned.ts";
import type { PlannedParameter } from "../../generator/emit/roles.ts";
import { attributeInvocation } from "./attributeCalls.ts";
import {
  type Attribute,
  type Context,
  countOf,
  type Invocation,
  kept,
  type Passed,
  TOTAL,
  type World,
} from "./context.ts";
import { type FunctionFacts, type ParameterFacts, scalarOf, sizeOf } from "./facts.ts";
import {
  passAttribute,
  passInout,
  passKernelParams,
  passList,
  passMemory,
  passRecord,
  passString,
  passValue,
} from "./given.ts";
import type { Random } from "./random.ts";
import { receive, receiveList, receiveOwned, receiveRecord } from "./received.ts";
import { numberBytes } from "./scalars.ts";

/** A call of `fn` with arguments that are right. */
export function invocation(world: World, fn: PlannedFunction, random: Random): Invocation {
  const byAttributes = attributeInvocation(world, fn, random);
  if (byAttributes !== null) return byAttributes;
  const facts = world.standin.byName.get(fn.api.name) as FunctionFacts;
  const hidden = new Set(fn.comfort === null ? [] : notPassed(fn.comfort));
  const context: Context = {
    world,
    fn,
    facts,
    counts: facts.params.map((_, at) => countOf(fn, facts, at, random)),
    nulls: fn.params.map(
      (param, at) => !hidden.has(param) && facts.params[at]?.nullable === true && random.below(4) === 0,
    ),
    attribute: attributeOf(world, fn, random),
    random,
  };
  const passed = kept(fn.params.map((param, at) => pass(context, param, facts.params[at] as ParameterFacts, at)));
  leaveOutCounts(context, passed);
  const returned = passed.flatMap((each) => (each.returned === undefined ? [] : [each.returned.value]));
  return {
    args: passed.flatMap(({ argument }) => (argument === undefined ? [] : [argument.value])),
    passed,
    returned: fn.query ? true : returned.length <= 1 ? returned[0] : returned,
  };
}

/** Sometimes leaves out a number that the lists say. */
function leaveOutCounts({ world, fn, facts, counts, random }: Context, passed: Passed[]): void {
  const { optionalLists } = world.package.plan.library;
  const isOptional = ({ role }: PlannedParameter) =>
    role.kind === "record" && optionalLists.some(({ of }) => of === role.name);
  for (const [at, number] of fn.params.entries()) {
    const lists = countedBy(fn, number);
    const argument = passed[at]?.argument;
    if (lists.length === 0 || argument === undefined || random.bool()) continue;
    const lengths = lists.map((list) => {
      const index = fn.params.indexOf(list);
      const value = passed[index]?.argument?.value;
      const bytes = (value as ArrayBufferView | null)?.byteLength;
      if (value === null) return null;
      if (Array.isArray(value)) return value.length;
      if (bytes !== undefined) return bytes / (facts.params[index]?.element || 1);
      return typeof value === "object" ? 1 : Number.NaN;
    });
    const said = lengths.filter((length) => length !== null);
    const isLacking = lists.some((list, index) => lengths[index] === null && !isOptional(list));
    if (isLacking && said.some((length) => length > 0)) continue;
    if (said.every((length) => length === counts[at]) && (said.length > 0 || counts[at] === 0))
      argument.value = undefined;
  }
}

/** Chooses an attribute, and makes the stand-in driver write a value of its type. */
function attributeOf(
  { document, standin, package: { plan } }: World,
  fn: PlannedFunction,
  random: Random,
): Attribute | null {
  const at = fn.params.findIndex(({ role }) => role.kind === "attribute");
  const role = fn.params[at]?.role;
  if (role?.kind !== "attribute") return null;
  const row = plan.library.attributes.find((each) => each.function === fn.api.base);
  const decider = fn.params.find(({ name }) => name === role.attribute);
  const members = document.enums.find(({ name }) => name === decider?.api.type)?.members ?? [];
  const typed = members
    .map(({ name, value }) => ({ value, type: row?.types[name]?.replace(/ flag$/, "") ?? null }))
    .filter(({ type }) => type === null || !role.given || scalarOf(document, parseType(type)) !== null);
  const { value, type } = random.pick([...typed, { value: 0x7ffffff0, type: null }]);
  standin.addon.size(
    standin.byName.get(fn.api.name)?.index ?? -1,
    at,
    type === null ? 8 : sizeOf(document, parseType(type)),
  );
  return { name: decider?.api.name ?? "", value, type };
}

function pass(context: Context, param: PlannedParameter, facts: ParameterFacts, at: number): Passed {
  const list = context.fn.comfort?.lists.find((each) => each.param === param);
  if (list !== undefined) return receiveList(context, facts, at);
  if (context.fn.comfort !== null && notPassed(context.fn.comfort).includes(param)) return passTotal(facts);
  if (context.fn.comfort?.notReturned.includes(param) === true)
    return { ...passShown(context, param, facts, at), ...GONE };
  return passShown(context, param, facts, at);
}

const GONE = { returned: undefined } as unknown as Passed;

/** A count that the package passes. */
function passTotal(facts: ParameterFacts): Passed {
  return facts.element === 0
    ? { raw: { value: BigInt(TOTAL) } }
    : { raw: { value: null, bytes: numberBytes(TOTAL, facts.element) } };
}

function passShown(context: Context, param: PlannedParameter, facts: ParameterFacts, at: number): Passed {
  const { role } = param;
  switch (role.kind) {
    case "value":
      return passValue(context, facts, at);
    case "string":
      return passString(context, facts, at);
    case "record":
      return passRecord(context, facts, at, role.name);
    case "memory":
      return passMemory(context, facts, at);
    case "list":
      return passList(context, facts, at);
    case "kernelParams":
      return passKernelParams(context, facts, at);
    case "inout":
      return passInout(context, facts, at, role.returned);
    case "attribute":
      return passAttribute(context, facts, role.given);
    case "out":
      return receive(context, facts, at);
    case "outRecord":
      return receiveRecord(context, facts, role.name);
    case "outList":
      return receiveOwned(context, facts);
    case "outString":
      return { raw: { value: null }, returned: { value: facts.text } };
    default:
      throw new Error(
        `${context.facts.api.name}: ${facts.name} has a role that this test does not know: ${JSON.stringify(role)}`,
      );
  }
}
