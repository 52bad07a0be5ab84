import assert from "node:assert/strict";
import { test } from "node:test";
import { compareDeclarations } from "../../generator/declarations.ts";

const FILE = `
import { a } from "./a.ts";
const hidden = 1;
/** One. */
export function one(x: number): void;
export function one(x: string): void { use(x); }
export class Two extends Base<{ a: 1 }> { static readonly size = 2; get field(): number { return 1; } }
export interface Three { name?: string }
export enum Four { A, B = 2 }
export type Five = 1 | 2;
export const six = 6, seven = 7;
export { a, b as eight };
export * from "./nine.ts";
`;

function changed(...replaced: [string, string][]) {
  return compareDeclarations(
    FILE,
    replaced.reduce((text, [from, to]) => text.replace(from, to), FILE),
  );
}

const none = { added: [], removed: [], changed: [] };

test("what is no declaration of the file's changes nothing", () => {
  assert.deepEqual(changed(["hidden = 1", "hidden = 2"]), none);
  assert.deepEqual(changed(["/** One. */", "/** Another. */"], ["{ use(x); }", "{}"], ["return 1", "return 2"]), none);
  assert.deepEqual(changed(["name?", "/* a comment */ name?"], ["B = 2 }", "B = 2, }"]), none);
});

test("every kind of declaration is compared by its name", () => {
  const rows: [string, string, string][] = [
    ["x: string): void {", "x: 1): void {", "one"],
    ["get field(): number", "get field(): string", "Two"],
    ["static readonly size = 2", "static readonly size = 3", "Two"],
    ["extends Base<", "extends Basis<", "Two"],
    ["name?", "name", "Three"],
    ["B = 2", "B = 3", "Four"],
    ["1 | 2", "1", "Five"],
    ["six = 6", "six = 9", "six"],
    ["b as eight", "c as eight", "eight"],
  ];
  for (const [from, to, name] of rows) assert.deepEqual(changed([from, to]), { ...none, changed: [name] }, from);
  assert.deepEqual(changed(["seven = 7", "eleven = 7"]), { ...none, added: ["eleven"], removed: ["seven"] });
  assert.deepEqual(changed(['"./nine.ts"', '"./ten.ts"']), {
    ...none,
    added: ["* from ./ten.ts"],
    removed: ["* from ./nine.ts"],
  });
  assert.deepEqual(changed(["export class", "class"]), { ...none, removed: ["Two"] });
});
