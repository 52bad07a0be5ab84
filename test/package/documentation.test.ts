/** What the documentation of the functions says, against the functions themselves. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { functions, promises } from "../../generator/emit/functions.ts";
import type { FunctionText } from "../../generator/emit/moduleText.ts";
import { plan } from "../../generator/emit/plan.ts";
import { driver } from "../../generator/libraries/driver.ts";
import { newestDocument } from "../standin/library.ts";
import { parameterNames } from "./parameterNames.ts";

const planned = plan(newestDocument(), driver);
const all = [functions(planned), promises(planned)].flatMap((module) => module.functions);
const exported = all.filter(({ exported: is }) => is);
const plainOf = new Map(all.filter(({ exported: is }) => !is).map((fn) => [fn.name, fn]));

/** The values of one kind of tag. */
function tags({ docs }: FunctionText, tag: string): string[] {
  return docs.filter((line) => line.startsWith(`@${tag} `)).map((line) => line.slice(tag.length + 2));
}

test("every parameter is documented, in order, and nothing else", () => {
  for (const fn of exported) {
    const documented = tags(fn, "param").map((text) => text.split(" ")[0] ?? "");
    assert.deepEqual(
      documented.map((name) => name.replace(/_$/, "")),
      parameterNames(fn.parameters),
      fn.name,
    );
  }
});

test("what is returned is documented, where something is", () => {
  for (const fn of exported) {
    const isVoid = /^(void|Promise<void>)$/.test(fn.returns);
    assert.equal(tags(fn, "returns").length, isVoid ? 0 : 1, `${fn.name}: ${fn.returns}`);
  }
});

test("a destroyed handle is said to be refused where it is", () => {
  const encoders = new Map(planned.functions.map((fn) => [fn.identifier, fn]));
  let refusing = 0;
  for (const fn of exported) {
    const said = tags(fn, "throws").some((text) => text.includes("destroyed before"));
    const own = encoders.get(fn.name);
    const checks = own?.params.some(({ guarded, role }) => guarded === "used" && role.kind === "value") === true;
    const destroys = fn.body.some((line) => line.includes("givingBack("));
    assert.equal(said, checks || destroys, fn.name);
    refusing += Number(said);
  }
  assert.ok(refusing >= 60, `${refusing} functions`);
});

test("a record that the driver writes into is said to be one", () => {
  const written = planned.functions.flatMap((fn) =>
    fn.params
      .filter(({ role, api }) => role.kind === "record" && api.direction === "inout")
      .map(({ name }) => ({ fn: fn.identifier, name })),
  );
  let checked = 0;
  for (const { fn, name } of written) {
    for (const each of exported.filter((each) => each.name === fn)) {
      if (!parameterNames(each.parameters).includes(name)) continue;
      checked++;
      const said = tags(each, "param").find((text) => text.startsWith(`${name} `));
      assert.match(said ?? "", /: a record.*, which the driver writes into/, `${fn} ${name}`);
    }
  }
  assert.ok(checked >= 10, `${checked} parameters`);
});

test("what a parameter may be beside its C type is said: functions, numbers, arrays, what is left out", () => {
  for (const fn of exported) {
    for (const text of tags(fn, "param")) {
      const [name = ""] = text.split(" ");
      const type = new RegExp(`(?:^|, )${name}\\??: ((?:[^,(<]|\\([^)]*\\)|<[^>]*>)*)`).exec(fn.parameters)?.[1] ?? "";
      if (/\bhooks\.\w+Function\b/.test(type)) assert.match(text, /a JavaScript function/, `${fn.name} ${name}`);
      if (/\| null\b/.test(type)) assert.match(text, /null/, `${fn.name} ${name}: ${type}`);
      if (/\bundefined\b/.test(type)) assert.match(text, /undefined|left out/, `${fn.name} ${name}: ${type}`);
    }
  }
});

test("every function says its C prototype, and what it throws", () => {
  for (const fn of exported) {
    assert.match(fn.docs[0] ?? "", /^`CUresult cu\w+\(.*\)`$/, fn.name);
    assert.ok(
      tags(fn, "throws").some((text) => text.startsWith("CudaError for any CUresult but CUDA_SUCCESS")),
      fn.name,
    );
    const takes = parameterNames(fn.parameters).length > 0;
    assert.equal(
      tags(fn, "throws").some((text) => text.startsWith("TypeError, RangeError")),
      takes,
      fn.name,
    );
  }
  assert.ok(plainOf.size > 50);
});
