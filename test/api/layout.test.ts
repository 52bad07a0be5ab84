import assert from "node:assert/strict";
import { test } from "node:test";
import { HeaderError } from "../../generator/errors.ts";
import { read, recordNamed } from "./read.ts";

function layout(header: string, name: string): [size: number, align: number, ...offsets: number[]] {
  const { size, align, fields } = recordNamed(read(header), name);
  return [size, align, ...fields.map(({ offset }) => offset)];
}

function refuses(header: string, message: RegExp): void {
  assert.throws(
    () => read(header),
    (error) => error instanceof HeaderError && message.test(error.message),
    header,
  );
}

test("padding, nested and unnamed members, unions, arrays", () => {
  assert.deepEqual(
    layout("typedef struct T_st { char a; double b; short c; int *d; char e; } T;", "T"),
    [40, 8, 0, 8, 16, 24, 32],
  );
  assert.deepEqual(layout("typedef union U_un { char a[9]; int b; } U;", "U"), [12, 4, 0, 0]);
  assert.deepEqual(
    layout("typedef struct T_st { int k; struct { char x; int y[3]; } in; union { char c; double d; }; } T;", "T"),
    [32, 8, 0, 4, 24],
  );
});

test("unnamed records are called after their place", () => {
  const { document } = read(
    "typedef struct T_st { int k; union { struct { int x; } a; int b; } res; union { char c; int d; }; } T_v1;\ntypedef T_v1 T;",
  );
  assert.deepEqual(
    document.records.map(({ name, tag, kind }) => [name, tag, kind]),
    [
      ["T_v1", "T_st", "struct"],
      ["T_v1.2", null, "union"],
      ["T_v1.res", null, "union"],
      ["T_v1.res.a", null, "struct"],
    ],
  );
  assert.deepEqual(
    document.records[0]?.fields.map(({ name, type }) => [name, type]),
    [
      ["k", "int"],
      ["res", "T_v1.res"],
      ["", "T_v1.2"],
    ],
  );
  assert.deepEqual(
    document.typedefs.filter(({ name }) => name === "T"),
    [{ name: "T", type: "T_v1" }],
  );
});

test("case 26: alignment behind a C-standard guard", () => {
  const header = `
    typedef struct T_st {
    #if defined(__cplusplus)
    alignas(64)
    #elif __STDC_VERSION__ >= 201112L
    _Alignas(64)
    #endif
    cuuint64_t o[16]; } T;`;
  assert.deepEqual(layout(header, "T"), [128, 64, 0]);
});

test("case 28: sizeof and macros in array bounds", () => {
  const header = `
    #define N_MACRO 16
    typedef enum E_enum { A } E;
    typedef struct P_st { int x; } P;
    typedef struct T_st { char pad[8 - sizeof(E)]; char r[52 - sizeof(P *)]; char h[N_MACRO]; } T;`;
  assert.deepEqual(layout(header, "T"), [4 + 44 + 16, 1, 0, 4, 48]);
  assert.equal(recordNamed(read(header), "T").fields[1]?.type, "char[44]");
});

test("64-bit Windows is told only where it differs", () => {
  const made = read("typedef struct L_st { char a; long b; } L; typedef struct M_st { size_t a; } M;");
  assert.deepEqual(recordNamed(made, "L").llp64, {
    size: 8,
    align: 4,
    fields: [
      { offset: 0, size: 1 },
      { offset: 4, size: 4 },
    ],
  });
  assert.equal(recordNamed(made, "M").llp64, undefined);
});

test("case 34: a flexible array is laid out, the rest is refused with its place", () => {
  assert.deepEqual(layout("typedef struct T_st { int n; double d[]; } T;", "T"), [8, 8, 0, 8]);
  refuses("typedef struct T_st { double d[]; int n; } T;", /without a length/);
  refuses("typedef struct T_st { int a : 3; } T;", /bit/i);
  refuses("typedef struct T_st { struct T_st t; } T;", /contains itself/);
  refuses("typedef struct T_st { struct Nowhere n; } T;", /Nowhere/);
  refuses("typedef struct T_st { long double n; } T;", /the type "long double" is not supported: its size/);
  refuses("CUresult cuFoo(const wchar_t *text);", /the type "wchar_t" is not supported: its size/);
  refuses("typedef struct T_st { char n[2 - 2]; } T;", /cannot have 0 elements/);
  refuses("typedef struct T_st { int a; int a; } T;", /twice/);
  refuses("typedef struct T_st { void a; } T;", /no size/);
  refuses("CUresult cuFoo(struct Nowhere n);", /no size/);
  refuses("typedef enum E_enum { A = 0x100000000 } E;", /32 bits/);
  refuses("CUresult cuFoo(Unknown u);", /"Unknown" is declared nowhere/);
  refuses("CUresult cuFoo(int a); CUresult cuFoo(long a);", /other types/);
  refuses("CUresult cuFoo(GLuint *a); CUresult cuFoo(const GLuint *a);", /other types/);
  refuses("CUresult cuFoo(VdpGetProcAddress *a); CUresult cuFoo(const VdpGetProcAddress *a);", /other types/);
  refuses("CUresult cuFoo(EGLSyncKHR *a); CUresult cuFoo(EGLSyncKHR const *a);", /other types/);
  refuses("typedef int A[4]; CUresult cuFoo(A *a); CUresult cuFoo(const A *a);", /other types/);
  refuses("typedef int T; typedef long T;", /differs/);
  refuses("typedef int T; enum { T };", /"T" is declared here as an enum member and in line \d+ as a type/);
  refuses("enum { cuFoo }; CUresult cuFoo(int a);", /"cuFoo" is declared here as a function and .* as an enum member/);
  refuses("CUresult size_t(int a);", /"size_t" is a type of C's own headers/);
  refuses("typedef T T;", /used before it is declared/);
  refuses("typedef B A; typedef A *B;", /used before it is declared/);
  refuses("typedef ssize_t ssize_t;", /"ssize_t" means itself in the end/);
  const twice = (inner: string, others: string) => `
    #if defined(__CUDA_API_VERSION_INTERNAL)
    ${inner}
    #else
    ${others}
    #endif
    CUresult cuFoo(A a);`;
  refuses(twice("typedef int A; typedef A ssize_t;", "typedef ssize_t A;"), /"A" means itself in the end/);
  refuses("enum E { A = sizeof(enum E) };", /own definition/);
  refuses("typedef struct T_st { _Alignas(3) int a; } T;", /power of two/);
});
