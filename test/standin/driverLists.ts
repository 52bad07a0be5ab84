/** Records that the stand-in driver returns with lists in memory of its own, which changes once the call is over. */
import assert from "node:assert/strict";
import { parseType } from "../../generator/api/ctype.ts";
import { checkReturned } from "./checks.ts";
import type { World } from "./context.ts";
import { countedPointers, writeNumber } from "./counted.ts";
import { resolve } from "./ctext.ts";
import { decode, type FunctionFacts, type ParameterFacts, recordOf } from "./facts.ts";
import { patternBytes } from "./pattern.ts";

/** Elements of each list. */
const LENGTH = 3;

interface Lists {
  /** What the driver writes into the record. */
  bytes: Uint8Array;
  pointers: (ReturnType<typeof countedPointers>[number] & { memory: Uint8Array; address: bigint })[];
}

const made = new Map<string, Lists | null>();

/** What a parameter is filled with; null: it is no record that the function returns, or one without lists. */
export function listsOf(world: World, { api }: FunctionFacts, param: ParameterFacts): Lists | null {
  const key = `${api.name} ${param.name}`;
  const known = made.get(key);
  if (known !== undefined) return known;
  const lists = makeLists(world, param);
  made.set(key, lists);
  return lists;
}

function makeLists({ document, standin }: World, { type, direction, count, seed, content, element }: ParameterFacts) {
  const pointer = resolve(document, parseType(type));
  const record = pointer.kind === "pointer" ? recordOf(document, resolve(document, pointer.to)) : null;
  if (record === null || direction !== "out" || count >= 0) return null;
  const pointers = countedPointers(document, record);
  if (pointers.length === 0) return null;
  const bytes = patternBytes(content, seed, element);
  return {
    bytes,
    pointers: pointers.map((each, at) => {
      const memory = patternBytes("BYTES", seed + BigInt(at + 1), LENGTH * each.element.size);
      const address = standin.addon.address(memory);
      writeNumber(bytes, each.at, 8, address);
      writeNumber(bytes, each.count.at, each.count.size, BigInt(LENGTH));
      return { ...each, memory, address };
    }),
  };
}

/** Makes the driver return those records. */
export function tellLists(world: World): number {
  let told = 0;
  for (const fn of world.standin.functions) {
    for (const [position, param] of fn.params.entries()) {
      const lists = listsOf(world, fn, param);
      if (lists === null) continue;
      world.standin.addon.output(fn.index, position, lists.bytes);
      told++;
    }
  }
  return told;
}

/** The lists of a record that was returned are its own: the driver's memory may change. */
export function checkLists(world: World, name: string, { bytes, pointers }: Lists) {
  const type = world.package.cuda[name];
  // biome-ignore lint/suspicious/noExplicitAny: fields by name
  return (got: any, title: string): void => {
    assert.ok(got instanceof type, `${title}: class`);
    const rest = new Uint8Array(got.$bytes);
    for (const { at, field, address } of pointers) {
      assert.notEqual(got[field], address, `${title}: ${field} lies in the driver's memory`);
      writeNumber(rest, at, 8, address);
    }
    assert.deepEqual(Buffer.from(rest), Buffer.from(bytes), title);
    for (const { memory, field, element } of pointers) {
      const wanted = Array.from({ length: LENGTH }, (_, index) => {
        const one = memory.slice(index * element.size, (index + 1) * element.size);
        if (element.scalar !== null) return decode(element.scalar, one);
        const record = new world.package.cuda[element.record?.name ?? ""]();
        record.$bytes.set(one);
        return record;
      });
      const before = memory.slice();
      memory.fill(0xee);
      try {
        checkReturned(`${title}.${field}`, got.$list(field), wanted);
      } finally {
        memory.set(before);
      }
    }
  };
}
