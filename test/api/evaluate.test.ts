import assert from "node:assert/strict";
import { test } from "node:test";
import { HeaderError } from "../../generator/errors.ts";
import { read } from "./read.ts";

function members(body: string): Record<string, number> {
  const found = read(`typedef enum E_enum { ${body} } E;`).document.enums.find(({ name }) => name === "E");
  return Object.fromEntries((found?.members ?? []).map(({ name, value }) => [name, value]));
}

function constant(text: string): { value: string; type: string } {
  const found = read(`typedef enum E_enum { X = 3 } E;\n#define K ${text}`).document.constants.find(
    ({ name }) => name === "K",
  );
  assert.ok(found, text);
  return { value: found.value, type: found.type };
}

test("case 29: duplicate values, sums of members, the last positive ones", () => {
  assert.deepEqual(
    members("BASE = 1, A = 0x04, B = 0x04, C, D = BASE + A, M = 0x7FFFFFFF, S = 1<<30, N = 0x80000000"),
    {
      BASE: 1,
      A: 4,
      B: 4,
      C: 5,
      D: 5,
      M: 2147483647,
      S: 1073741824,
      N: 2147483648,
    },
  );
});

test("implicit members count on, also from negative ones", () => {
  assert.deepEqual(members("A, B, C = -2, D, E0, F"), { A: 0, B: 1, C: -2, D: -1, E0: 0, F: 1 });
});

test("case 23: a member of the internal configuration only is no member", () => {
  const { document } = read(`
    typedef enum E_enum { A = 1 /* c */
    #if defined(__CUDA_API_VERSION_INTERNAL)
      , A_MAX
    #endif
    } E;`);
  assert.deepEqual(document.enums.find(({ name }) => name === "E")?.members, [{ name: "A", value: 1 }]);
});

test("case 27: every way to name an enum", () => {
  const { document } = read(`
    typedef enum A_enum {X} A;
    enum B {Y};
    typedef enum B B_t;
    typedef enum {Z} C;
    typedef enum A_enum Again;
    enum {W};`);
  const names = document.enums.map(({ name, tag, members }) => [name, tag, members[0]?.name]);
  assert.deepEqual(names.slice(0, 3), [
    ["A", "A_enum", "X"],
    ["B_t", "B", "Y"],
    ["C", null, "Z"],
  ]);
  assert.ok(names.some(([, tag, member]) => tag === null && member === "W"));
  assert.deepEqual(
    document.typedefs.filter(({ name }) => name === "Again"),
    [{ name: "Again", type: "enum A_enum" }],
  );
});

test("constants have C's types and values", () => {
  assert.deepEqual(constant("((CUstream)0x2)"), { value: "2", type: "CUstream" });
  assert.deepEqual(constant("((void*)0x00)"), { value: "0", type: "void *" });
  assert.deepEqual(constant("(~0u)"), { value: "4294967295", type: "unsigned int" });
  assert.deepEqual(constant("0xFFFFFFFF"), { value: "4294967295", type: "unsigned int" });
  assert.deepEqual(constant("-1"), { value: "-1", type: "int" });
  assert.deepEqual(constant("(1ull << 40)"), { value: "1099511627776", type: "unsigned long" });
  assert.deepEqual(constant("X"), { value: "3", type: "E" });
  assert.deepEqual(constant("(0u - 1)"), { value: "4294967295", type: "unsigned int" });
  assert.deepEqual(constant("(-8 >> 1)"), { value: "-4", type: "int" });
  assert.deepEqual(constant("(-7 / 2)"), { value: "-3", type: "int" });
  assert.deepEqual(constant("((_Bool)2)"), { value: "1", type: "_Bool" });
  assert.deepEqual(constant("((bool)0x100)"), { value: "1", type: "bool" });
  assert.deepEqual(constant("((intmax_t)-1)"), { value: "-1", type: "intmax_t" });
  assert.deepEqual(constant("(1 ? 2 : 3)"), { value: "2", type: "int" });
  assert.deepEqual(constant("(1 ? -1 : 0u)"), { value: "4294967295", type: "unsigned int" });
  assert.deepEqual(constant("(1 ? (CUstream)1 : (CUstream)2)"), { value: "1", type: "CUstream" });
  assert.deepEqual(constant("(0 ? 1 / 0 : X)"), { value: "3", type: "int" });
  assert.deepEqual(constant("(0 && 1 / 0)"), { value: "0", type: "int" });
  assert.deepEqual(constant("(1 || 1 << 32)"), { value: "1", type: "int" });
  assert.deepEqual(constant("(-1 < 0u)"), { value: "0", type: "int" });
  assert.deepEqual(constant("(-1 < 0xFFFFFFFFFF)"), { value: "1", type: "int" });
  assert.deepEqual(constant("(sizeof(cuuint64_t) * 2)"), { value: "16", type: "unsigned long" });
});

test("what has no value is an error with a place", () => {
  for (const value of ["1/0", "1 << 40", "1 >> 32", "1 << -1", "0x7fffffff + 1", "-(-0x7fffffff - 1)", "1 ? 1/0 : 1"]) {
    assert.throws(
      () => read(`typedef enum E_enum { A = ${value} } E;`),
      (error) => error instanceof HeaderError && /^cuda\.h:\d+:\d+: /.test(error.message),
      value,
    );
  }
});

test("a macro without a value is left out with the reason, and no other suffers", () => {
  const odd = {
    FLOAT: "((float)1)",
    SHIFT: "(1 << 40)",
    DIVIDED: "(1/0)",
    SIZE: "sizeof(struct never)",
    WIDE: "((wchar_t)3)",
  };
  const lines = Object.entries(odd).map(([name, value]) => `#define CU_${name} ${value}`);
  const { document, omissions } = read([...lines, "#define CU_GOOD 3"].join("\n"));
  assert.deepEqual(
    document.constants.filter(({ name }) => name.startsWith("CU_")),
    [{ name: "CU_GOOD", value: "3", type: "int" }],
  );
  assert.deepEqual(
    omissions.map(({ name }) => name),
    ["CU_DIVIDED", "CU_FLOAT", "CU_SHIFT", "CU_SIZE", "CU_WIDE"],
  );
  for (const { reason } of omissions) assert.match(reason, /^cuda\.h:\d+:\d+: \S/);
});
