import assert from "node:assert/strict";
import { test } from "node:test";
import { type ApiType, formatType, mapType, parseType, typeNames, withoutConst } from "../../generator/api/ctype.ts";
import { INT } from "../../generator/parse/integers.ts";

const normal = [
  "int",
  "unsigned long long",
  "const CUgraphNode **",
  "unsigned int[16]",
  "char[4][8]",
  "float[]",
  "struct CUctx_st *",
  "struct CUctx_st *const",
  "void **",
  "void *const *",
  "void *const *const",
  "const char *const *",
  "void *[4]",
  "int (*)[4]",
  "void (*)(void *)",
  "void (*const)(void)",
  "void *(*)(int, ...)",
  "CUresult (*)(CUstream, const void *, int (*)(const char *, size_t))",
  "void (*(*)(int))(void)",
  "void (*[3])(void)",
  "CUDA_RESOURCE_DESC_v1.res",
  "void (int)",
];

test("parseType and formatType are each other's inverse", () => {
  for (const text of normal) assert.equal(formatType(parseType(text)), text);
});

test("other spellings come out in the normal form", () => {
  assert.equal(formatType(parseType("char const*")), "const char *");
  assert.equal(formatType(parseType("void(*)()")), "void (*)(void)");
});

test("the tree says what C says", () => {
  const int = { kind: "name", name: "int", const: false } as const;
  assert.deepEqual(parseType("int *[4]"), {
    kind: "array",
    of: { kind: "pointer", to: int, const: false },
    length: 4,
  });
  assert.deepEqual(parseType("int (*)[4]"), {
    kind: "pointer",
    to: { kind: "array", of: int, length: 4 },
    const: false,
  });
  assert.deepEqual(parseType("int[2][3]"), {
    kind: "array",
    of: { kind: "array", of: int, length: 3 },
    length: 2,
  });
});

test("what is no type is refused", () => {
  for (const text of ["", "*", "int (", "int[", "int[x]", "int )", "int, int", "int @"]) {
    assert.throws(() => parseType(text), SyntaxError, text);
  }
});

test("helpers", () => {
  assert.equal(formatType(withoutConst(parseType("const char"))), "char");
  assert.equal(formatType(withoutConst(parseType("const char *const"))), "const char *");
  assert.deepEqual(typeNames(parseType("void (*)(CUstream, void *)")), ["void", "CUstream", "void"]);
  const array = {
    kind: "array",
    of: { kind: "name", name: "struct A.0", const: false },
    length: { kind: "integer", value: 3n, type: INT },
  } as const;
  const name = (named: ApiType & { kind: "name" }) => ({ ...named, name: named.name.replace("struct ", "") });
  assert.equal(formatType(mapType(array, { name, length: () => 3 })), "A.0[3]");
});
