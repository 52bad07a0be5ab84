import assert from "node:assert/strict";
import { test } from "node:test";
import type { Translation } from "../../generator/parse/ast.ts";
import { parseHeaders } from "../../generator/parse/parse.ts";
import { library, read, readAll, spellExpression } from "./read.ts";

const constants = ({ constants }: Translation) =>
  Object.fromEntries(
    constants.filter(({ name }) => name !== "TEST_VERSION").map(({ name, value }) => [name, spellExpression(value)]),
  );

test("object-like macros that are constant expressions are constants", () => {
  const translation = read(`
typedef struct S_st *CUstream; typedef int CUdevice; typedef enum E_enum { MEMBER = 3 } E;
#ifndef GUARD_H
#define GUARD_H
#define CUDAAPI
#define STREAM ((CUstream)0x1)
#define END_AS_INT 0x00
#define END ((void*)END_AS_INT)
#define ALL (~0u)
#define MINUS -1
#define CPU ((CUdevice)-1)
#define SAME_AS_MEMBER MEMBER
#define SUM (MEMBER + END_AS_INT)
#define SIZE sizeof(unsigned int)
#define SHIFT (1ull << 40)
#define TEXT "text"
#define REAL 1.5
#define CALL(x) x
#define BROKEN (1 +
#define FUNCTION cuFoo
#define OF_FUNCTION (cuFoo + 1)
#define TYPE unsigned int
#define WHERE MISSING
#endif
int cuFoo(void);
`);
  assert.deepEqual(constants(translation), {
    STREAM: "((CUstream) 1)",
    END_AS_INT: "0",
    END: "((void *) 0)",
    ALL: "(~0u)",
    MINUS: "(-1)",
    CPU: "((CUdevice) (-1))",
    SAME_AS_MEMBER: "MEMBER",
    SUM: "(MEMBER + 0)",
    SIZE: "sizeof(unsigned int)",
    SHIFT: "(1ul << 40)",
  });
  assert.deepEqual(translation.aliases, { SAME_AS_MEMBER: "MEMBER", FUNCTION: "cuFoo", WHERE: "MISSING" });
});

test("a constant is there with its last definition, also if it is undefined again; an alias only if it still stands", () => {
  const translation = read(
    "#define A 1\n#define B A\n#undef A\n#define A 2\n#define F f\n#undef A\n#undef F\nint f(void);\n",
  );
  assert.deepEqual(constants(translation), { A: "2", B: "A" });
  assert.deepEqual(translation.aliases, { B: "A" });
  assert.deepEqual(translation.constants.find(({ name }) => name === "A")?.position, {
    file: "first.h",
    line: 5,
    column: 9,
  });
});

test("the version is that of the version macro; a header without it is refused", () => {
  assert.deepEqual(
    readAll({ "first.h": "" }).map(({ configuration, version }) => [configuration, version]),
    [
      ["default", 13000],
      ["perThread", 13000],
      ["internal", 13000],
    ],
  );
  const header = { name: "first.h", path: "first.h", text: "int f(void);\n", sha256: "" };
  assert.throws(
    () => parseHeaders([header], library),
    /^HeaderError: first\.h:1:1: TEST_VERSION is not defined as a version/,
  );
});
