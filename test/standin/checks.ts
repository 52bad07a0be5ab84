/** What the driver got and what came back, against what an invocation says. */
import assert from "node:assert/strict";
import type { Passed } from "./context.ts";
import type { RecordedArgument } from "./control.ts";
import type { FunctionFacts } from "./facts.ts";

/** Compares what the driver got with what it had to get. */
export function checkRaw(
  name: string,
  facts: FunctionFacts,
  passed: readonly Passed[],
  got: readonly RecordedArgument[],
): void {
  assert.equal(got.length, passed.length, `${name}: number of parameters`);
  for (const [at, { raw }] of passed.entries()) {
    const argument = got[at] as RecordedArgument;
    const what = `${name}: ${facts.params[at]?.name}`;
    if (raw.value !== null) assert.equal(argument.value, raw.value, `${what}: value`);
    if (raw.bytes === undefined) continue;
    if (raw.bytes === null) assert.equal(argument.bytes, null, `${what}: NULL`);
    else if (raw.bytes.length > 0)
      assert.deepEqual(Buffer.from(argument.bytes ?? []), Buffer.from(raw.bytes), `${what}: bytes`);
  }
}

/** Compares what came back; records by their bytes. A function says itself whether it is right. */
export function checkReturned(name: string, got: unknown, wanted: unknown): void {
  if (typeof wanted === "function") {
    wanted(got, name);
  } else if (Array.isArray(wanted)) {
    assert.ok(Array.isArray(got), `${name}: returns several values`);
    assert.equal(got.length, wanted.length, `${name}: number of values`);
    for (const [at, each] of wanted.entries()) checkReturned(`${name}[${at}]`, got[at], each);
  } else if (wanted instanceof Uint8Array) {
    assert.ok(got instanceof Uint8Array, `${name}: returns bytes`);
    assert.deepEqual(Buffer.from(got), Buffer.from(wanted), name);
  } else if (wanted !== null && typeof wanted === "object" && "$bytes" in wanted) {
    assert.equal((got as object)?.constructor, wanted.constructor, `${name}: class`);
    assert.deepEqual(
      Buffer.from((got as { $bytes: Uint8Array }).$bytes),
      Buffer.from(wanted.$bytes as Uint8Array),
      name,
    );
  } else {
    assert.ok(Object.is(got, wanted), `${name}: is ${String(got)}, must be ${String(wanted)}`);
  }
}
