/** The package's functions beside cuda-python's: what a program passes, in which order. */
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { pythonNames, snakeCase } from "../../generator/api/pythonName.ts";
import { limitOf } from "../../generator/emit/comfort.ts";
import { functions as functionTexts } from "../../generator/emit/functions.ts";
import { plan } from "../../generator/emit/plan.ts";
import { driver } from "../../generator/libraries/driver.ts";
import { peerFunctions } from "../api/peer.ts";
import { newestDocument } from "../standin/library.ts";
import { parameterNames } from "./parameterNames.ts";

const document = newestDocument();
const planned = plan(document, driver);

/** Names of the parameters that each function of the package takes. */
const taken = new Map(
  functionTexts(planned)
    .functions.filter(({ exported }) => exported)
    .map(({ name, parameters }) => [name, parameterNames(parameters)]),
);

const names = pythonNames(document, driver);

function functionNamed(python: string) {
  const exported = names.get(python);
  const fn = planned.functions.find(({ api }) => api.name === exported);
  assert.ok(fn, python);
  /* A last argument that the package has more, and that may be left out, stands in nobody's way. */
  const limit = limitOf(fn)?.api.name;
  const parameters = taken.get(fn.identifier) ?? [];
  return { fn, parameters: parameters.at(-1) === limit ? parameters.slice(0, -1) : parameters };
}

test("every function of the list takes its parameters in C's order", async () => {
  const text = await readFile(new URL("../api/fixtures/driver_v2_names.txt", import.meta.url), "utf8");
  const list = text.trim().split("\n");
  assert.equal(list.length, 508);
  for (const python of list) {
    const { fn, parameters } = functionNamed(python);
    const inC = fn.api.params.map(({ name }) => name.replace(/_$/, ""));
    const order = parameters.map((name) => inC.indexOf(name));
    assert.ok(!order.includes(-1), `${python} takes ${parameters.join(", ")}`);
    assert.deepEqual(
      order,
      order.toSorted((a, b) => a - b),
      `${python} takes ${parameters.join(", ")}`,
    );
    /* What is only given is never left out, but for counts that other arguments say. */
    const missing = fn.api.params.filter(({ name, direction, type }) => {
      return direction === "in" && !type.endsWith("*") && !parameters.includes(name.replace(/_$/, ""));
    });
    for (const { name } of missing) {
      const counts = fn.api.params.some((param) => param.count === name);
      assert.ok(counts, `${python} does not take ${name}`);
    }
  }
});

/** Where the package takes other arguments than cuda-python does, each with the reason. */
const OTHERWISE: Readonly<Record<string, string>> = {
  device_get_host_atomic_capabilities: "the count keeps C's place, and may be undefined",
  logs_dump_to_memory: "the text is returned, not written into a buffer of the caller's",
  graphics_resource_get_mapped_egl_frame: "the frame is returned",
  tensor_map_set_allocation_class: "the class that results is returned",
  memcpy_batch_async: "retired in CUDA 13, where the name goes to no function; cuda-python has one of its own",
};

test("everything else is passed as to cuda-python", async (t) => {
  const peers = await peerFunctions();
  const differing: string[] = [];
  for (const { name, params } of peers) {
    if (!names.has(name)) {
      differing.push(name);
      continue;
    }
    const { parameters } = functionNamed(name);
    const plain = (all: readonly string[]) => all.map((each) => snakeCase(each).replaceAll("_", "")).join(" ");
    if (plain(parameters) !== plain(params)) differing.push(name);
  }
  t.diagnostic(`${peers.length - differing.length} of ${peers.length} functions take exactly what cuda-python's take`);
  assert.deepEqual(differing.sort(), Object.keys(OTHERWISE).sort());
});

test("a number that only counts what is passed may be left out, and no other", () => {
  const texts = new Map(functionTexts(planned).functions.map((text) => [text.name, text]));
  const omissible: string[] = [];
  for (const { api, identifier } of planned.functions) {
    const { parameters } = texts.get(identifier) ?? assert.fail(identifier);
    const shown = new Set(parameterNames(parameters));
    for (const { name, type } of api.params) {
      if (!shown.has(name) || type.endsWith("*")) continue;
      const isOptional = new RegExp(`(?:^|, |\\n +)${name}_?(\\?:|: (?:number|Integer) \\| undefined)`).test(
        parameters,
      );
      const counts = api.params.some((list) => {
        /* Of a tensor's rank too: its other lists are shorter by a few. */
        return list.count === name && shown.has(list.name);
      });
      const isAttribute = ["cuMemRangeGetAttribute"].includes(api.base) && name === "dataSize";
      assert.equal(isOptional, counts || isAttribute, `${identifier}: ${name}`);
      if (isOptional) omissible.push(`${identifier} ${name}`);
    }
  }
  assert.equal(omissible.length, 120);
});
