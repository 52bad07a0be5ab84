import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ApiCallback, ApiDocument } from "../../generator/api/document.ts";
import { hooks } from "../../generator/emit/hooks.ts";
import { shim } from "../../generator/emit/native.ts";
import { plan } from "../../generator/emit/plan.ts";
import { UserError } from "../../generator/errors.ts";
import { driver } from "../../generator/libraries/driver.ts";

/** An API of one callback: `returns CUmadeUp(parameters)`. */
function api(result: string, ...parameters: [type: string, name: string][]): ApiDocument {
  const callback: ApiCallback = {
    name: "CUmadeUp",
    result,
    params: parameters.map(([type, name]) => ({ type, name })),
  };
  const wide = [{ name: "CU_WIDE", value: 0xffffffff }];
  const field = { name: "a", type: "int", offset: 0, size: 4 };
  return {
    ...{ toolkit: 13000, library: driver.name, sources: [], functions: [], aliases: [], typedefs: [], constants: [] },
    enums: [{ name: "CUwide", tag: null, members: wide }],
    records: [{ name: "CUpair", tag: null, kind: "struct", size: 12, align: 4, fields: [field] }],
    handles: [{ name: "CUstream", tag: "CUstream_st" }],
    callbacks: [callback],
  };
}

/** How C hands the arguments over, and how JavaScript reads them. */
function crossing(document: ApiDocument): { c: string; slots: string[]; copied: string[]; read: string } {
  const planned = plan(document, driver);
  const [native] = shim(planned).hooks;
  const [hook] = hooks(planned).hooks;
  assert.ok(native !== undefined && hook !== undefined);
  return {
    c: `${native.result} (${native.parameters})`,
    slots: native.assigns,
    copied: [native.copy, native.copied],
    read: hook.arguments,
  };
}

describe("callbacks that a header may have", () => {
  it("give numbers of every width as what C wrote", () => {
    const types = ["signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long long"];
    const more = ["unsigned long long", "float", "double", "CUwide", "CUstream"];
    const given = [...types, ...more].map((type, at): [string, string] => [type, `p${at}`]);
    const { c, slots, copied, read } = crossing(api("void", ["void *", "data"], ...given));
    const lowered = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f32", "f64", "u32", "pointer"];
    assert.equal(
      c,
      `void (void * a0, int8_t a1, uint8_t a2, int16_t a3, uint16_t a4, int32_t a5, uint32_t a6, int64_t a7, uint64_t a8, ${[
        "float a9, double a10, uint32_t a11, void * a12)",
      ]}`,
    );
    assert.deepEqual(
      slots,
      ["pointer", ...lowered].map((slot, at) => `values[${at}].${slot} = a${at};`),
    );
    assert.deepEqual(copied, ["NULL", "0"]);
    assert.equal(
      read,
      [
        "getInt8(8) as number",
        "getUint8(16) as number",
        "getInt16(24, littleEndian) as number",
        "getUint16(32, littleEndian) as number",
        "getInt32(40, littleEndian) as number",
        "getUint32(48, littleEndian) as number",
        "getBigInt64(56, littleEndian) as bigint",
        "getBigUint64(64, littleEndian) as bigint",
        "getFloat32(72, littleEndian) as number",
        "getFloat64(80, littleEndian) as number",
        "getUint32(88, littleEndian) as enums.CUwide",
        "getBigUint64(96, littleEndian) as types.CUstream",
      ]
        .map((text) => `new DataView(memory).${text}`)
        .join(", "),
    );
  });

  it("give one record or one text, copied behind the numbers", () => {
    const record = crossing(api("void", ["const CUpair *", "pair"], ["void *", "data"]));
    assert.deepEqual(record.copied, ["a0", "a0 ? 12 : 0"]);
    assert.equal(record.read, "recordIn(records.CUpair, memory, 16)");
    const text = crossing(api("void", ["void *", "data"], ["const char *", "text"], ["unsigned int", "length"]));
    assert.deepEqual(text.copied, ["a1", "a1 ? a2 : 0"]);
    assert.equal(text.read, "textIn(memory, 24)");
  });

  it("compute with integers", () => {
    assert.equal(crossing(api("size_t", ["short", "n"])).c, "size_t (int16_t a0)");
  });

  it("are addresses where C waits for more than a number", () => {
    assert.deepEqual(hooks(plan(api("int", ["void *", "data"]), driver)).hooks, []);
    assert.deepEqual(hooks(plan(api("size_t", ["CUstream", "stream"]), driver)).hooks, []);
  });

  for (const [what, document, message] of [
    ["a narrower result", api("int", ["int", "n"]), /^CUmadeUp returns "int"; /],
    ["a signed result", api("long long", ["int", "n"]), /^CUmadeUp returns "long long"; /],
    ["nothing to compute from", api("size_t"), /^CUmadeUp takes nothing/],
    [
      "two things to copy",
      api("void", ["void *", "data"], ["const CUpair *", "a"], ["const CUpair *", "b"]),
      /^CUmadeUp points to more than one thing/,
    ],
    ["a record by value", api("void", ["void *", "data"], ["CUpair", "pair"]), /^CUmadeUp: pair is "CUpair", /],
    ["memory of unknown size", api("void", ["void *", "data"], ["int *", "p"]), /^CUmadeUp: p is "int \*", /],
    ["a text without length", api("void", ["void *", "data"], ["char *", "p"]), /^CUmadeUp: p is "char \*", /],
    [
      "a text whose length may be negative",
      api("void", ["void *", "data"], ["char *", "p"], ["int", "length"]),
      /^CUmadeUp: p is "char \*", /,
    ],
  ] as const) {
    it(`are refused by name: ${what}`, () => {
      assert.throws(
        () => plan(document, driver),
        (error) => error instanceof UserError && message.test(error.message),
      );
    });
  }
});
