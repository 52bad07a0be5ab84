import assert from "node:assert/strict";
import { test } from "node:test";
import { read, refusal, summary } from "./read.ts";

test("function types with and without a calling convention (case 22)", () => {
  const text = `
#define CUDAAPI
#define CUDA_CB
typedef CUresult (CUDAAPI *PFN_cuFoo_v3020)(int a);
typedef void (CUDA_CB *cb)(void *u);
typedef void (*plain)(void *u, const char *format, ...);
typedef int function(void);
void take(void (*notify)(int code, void *), int (*table[4])(void), plain p);
char *(*give(int which))(void);
`;
  assert.deepEqual(summary(read(text)), [
    "typedef PFN_cuFoo_v3020: CUresult (int a) *",
    "typedef cb: void (void * u) *",
    "typedef plain: void (void * u, const char * format, ...) *",
    "typedef function: int ()",
    "take: void (void (int code, void *) * notify, int () * [4] table, plain p)",
    "give: char * () * (int which)",
  ]);
});

test("a member behind a condition is there only where the condition holds (case 23)", () => {
  const text = `
typedef enum E_enum { A = 1 /* c */
#if defined(INTERNAL)
 , A_MAX
#endif
} E;
`;
  assert.deepEqual(summary(read(text)), ["enum E_enum: A = 1", "typedef E: enum E_enum"]);
});

test("an alignment behind a language guard (case 26)", () => {
  const text = `
typedef struct T_st {
#if defined(__cplusplus)
    alignas(64)
#elif __STDC_VERSION__ >= 201112L
    _Alignas(64)
#endif
    cuuint64_t o[16];
    _Alignas(double) char c;
} T;
`;
  assert.deepEqual(summary(read(text)), [
    "struct T_st: align 64 o: cuuint64_t [16]; align alignof(double) c: char",
    "typedef T: struct T_st",
  ]);
});

test("enums with a tag, without, with several names (case 27)", () => {
  const text = "typedef enum A_enum {X} A; enum B {Y}; typedef enum B B_t; typedef enum {Z,} C, D; enum { W };";
  assert.deepEqual(summary(read(text)), [
    "enum A_enum: X",
    "typedef A: enum A_enum",
    "enum B: Y",
    "typedef B_t: enum B",
    "enum C: Z",
    "typedef C: enum C",
    "typedef D: enum C",
    "enum W: W",
  ]);
});

test("expressions as array bounds (case 28)", () => {
  const text = `
#define N_MACRO (2 * 4)
typedef int E; typedef struct P_st P;
struct S { char pad[8 - sizeof(E)]; char r[52 - sizeof(P *)]; char h[N_MACRO]; char q[sizeof(unsigned int) * 2][sizeof(P *[3])]; };
`;
  assert.deepEqual(summary(read(text)).slice(3), [
    "struct S: pad: char [(8 - sizeof(E))]; r: char [(52 - sizeof(P *))]; h: char [(2 * 4)]; " +
      "q: char [sizeof(P * [3])] [(sizeof(unsigned int) * 2)]",
  ]);
});

test("enum values keep their expressions (case 29)", () => {
  const text =
    "typedef int T; enum { A = 0x04, B = 0x04, C, D = BASE + A, M = 0x7FFFFFFF, S = 1<<30, N = 0x80000000, K = (T)-1, Q = 'a' };";
  assert.deepEqual(summary(read(text)).slice(1), [
    "enum A: A = 4, B = 4, C, D = (BASE + A), M = 2147483647, S = (1 << 30), N = 2147483648u, K = ((T) (-1)), Q = 97",
  ]);
});

test("integer literals have the type that C gives them", () => {
  const text =
    "enum { A = 4294967295, B = 0xffffffff, C = 1u, D = 1ul, E = 1LL, F = 0x8000000000000000, G = 017, H = 2147483648u };";
  assert.deepEqual(summary(read(text)), [
    "enum A: A = 4294967295l, B = 4294967295u, C = 1u, D = 1ul, E = 1l, F = 9223372036854775808ul, G = 15, H = 2147483648u",
  ]);
});

test("records without a name are called after their place", () => {
  const text = `
typedef struct { int a; union { int b; struct { char c; } d[2], *e; }; enum { Q } f; } R;
typedef union U_st { struct N_st { int x; } n; } U, *UP;
struct Later; typedef struct Handle_st *Handle;
struct Later { struct Later *next, **all; int i, j[2]; };
`;
  assert.deepEqual(summary(read(text)), [
    "struct R.1.d: c: char",
    "union R.1: b: int; d: struct R.1.d [2]; e: struct R.1.d *",
    "enum R.f: Q",
    "struct R: a: int; : union R.1; f: enum R.f",
    "typedef R: struct R",
    "struct N_st: x: int",
    "union U_st: n: struct N_st",
    "typedef U: union U_st",
    "typedef UP: union U_st *",
    "struct Handle_st",
    "typedef Handle: struct Handle_st *",
    "struct Later: next: struct Later *; all: struct Later * *; i: int; j: int [2]",
  ]);
});

test("basic types have one spelling, const stands where it belongs", () => {
  const text = `
void f(unsigned, long unsigned int, long long, short int, signed char, const char *const *p, char const *q, long double, _Bool,
       unsigned long long int const, uint64_t, size_t n, const float v[4]);
`;
  assert.deepEqual(summary(read(text)), [
    "f: void (unsigned int, unsigned long, long long, short, signed char, const char *const * p, const char * q, long double, " +
      "_Bool, const unsigned long long, uint64_t, size_t n, const float [4] v)",
  ]);
});

test("several functions in one declaration, parentheses around a name, extern, ()", () => {
  assert.deepEqual(summary(read("extern int (a)(void), *b(int x); int c();")), [
    "a: int ()",
    "b: int * (int x)",
    "c: int ()",
  ]);
});

test("parameters and members may have names that are words of JavaScript (case 33)", () => {
  const text =
    "void f(int delete, int function, int package, int default_, int new, int class); enum { let, yield, await };";
  assert.deepEqual(summary(read(text)), [
    "f: void (int delete, int function, int package, int default_, int new, int class)",
    "enum let: let, yield, await",
  ]);
});

test("a body is passed over", () => {
  const text =
    "static inline int f(int a) { if (a) { struct { int x; } s = {1}; return s.x; } for (;;) ; return 0; }\nint g(void);";
  assert.deepEqual(summary(read(text)), ["inline f: int (int a)", "g: int ()"]);
});

test("an unknown macro is refused with its name, line and column wherever it stands (case 31)", () => {
  const cases: [string, string][] = [
    ["typedef int R;\nR FOO cuBar(int a);", "3:3"],
    ["typedef int R;\nFOO R cuBar(int a);", "3:1"],
    ["typedef int R;\nR cuBar(int a) FOO;", "3:16"],
    ["typedef int R;\nR FOO(3) cuBar(int a);", "3:3"],
    ["typedef int R;\nFOO(3) R cuBar(int a);", "3:1"],
    ["typedef int R;\nR cuBar(FOO int a);", "3:9"],
    ["typedef int R;\nR cuBar(int FOO a);", "3:13"],
    ["typedef int R;\nR cuBar(int a FOO);", "3:15"],
    ["typedef int R;\nR cuBar(unsigned FOO a);", "3:18"],
    ["typedef int R;\ntypedef R (FOO *PFN_x)(int a);", "3:12"],
    ["typedef struct S_st { int FOO a; } S;", "2:27"],
    ["typedef struct S_st { int a FOO; } S;", "2:29"],
    ["typedef struct S_st { int a; } FOO S;", "2:32"],
    ["typedef enum E_enum { A = 1 FOO } E;", "2:29"],
    ["typedef enum E_enum { A = FOO(1) } E;", "2:27"],
    ["typedef void FOO *X;", "2:14"],
    ["FOO;", "2:1"],
    ["FOO(1);", "2:1"],
  ];
  for (const [text, position] of cases) {
    const message = refusal(text);
    assert.ok(message.startsWith(`first.h:${position}: "FOO" `), `${text} -> ${message}`);
  }
});

test("what cannot be represented is refused by name (case 34)", () => {
  const cases: [string, RegExp][] = [
    ["struct S { int a : 3; };", /^first\.h:2:16: "a" is a bit-field of struct S/],
    ["struct S { int a; int : 3; };", /^first\.h:2:19: .*int : 3/],
    ["struct S { char a[]; };", /^first\.h:2:17: a is an array without a length/],
    ["union S { int n; char a[]; };", /^first\.h:2:23: a is an array without a length/],
    ["struct S { };", /struct without fields/],
    ["int f(const char *format, ...);", /^first\.h:2:5: f takes a variable number of arguments/],
    ["extern int x;", /^first\.h:2:12: x is a variable/],
    ["int x = 3;", /^first\.h:2:/],
    ["void f(volatile int *p);", /^first\.h:2:8: "volatile" is a qualifier/],
    ["struct { int a; } f(void);", /^first\.h:2:1: "struct" defines a type without a name/],
    ["enum E;", /^first\.h:2:/],
    ["struct S { int a; int a; };", /^first\.h:2:23: field a stands twice/],
    ["int f(int a, int a);", /^first\.h:2:18: parameter a stands twice/],
    ["struct S { int a; }; struct S { int a; };", /^first\.h:2:29: struct S is defined twice/],
    ["enum E { A }; struct E { int a; };", /^first\.h:2:22: struct E is a enum elsewhere/],
    ["enum E { A }; enum F { A };", /^first\.h:2:24: enum member A is defined twice/],
    ['int f(void) asm("g");', /^first\.h:2:13: "asm" is not understood/],
    ['extern "C" { int f(void); }', /^first\.h:2:/],
    ["int f(a) int a; { return a; }", /^first\.h:2:/],
  ];
  for (const [text, message] of cases) assert.match(refusal(text), message);
  assert.deepEqual(summary(read("struct S { int n; char rest[]; };")), ["struct S: n: int; rest: char []"]);
});

test("headers of any length (case 25)", () => {
  const line = "int f(void);\n";
  for (const length of [32767, 32768, 32769, 1_100_000]) {
    const filler = `/*${" ".repeat(length - line.length - "#define TEST_VERSION 13000\n/**/\n".length)}*/\n`;
    assert.deepEqual(summary(read(filler + line)), ["f: int ()"]);
  }
  const many = Array.from({ length: 40_000 }, (_, index) => `int f${index}(int a, char *b);\n`).join("");
  assert.ok(many.length > 1_000_000);
  assert.equal(read(many).declarations.length, 40_000);
});

test("characters beyond ASCII, and line ends of other kinds, change nothing (case 30)", () => {
  const text = "/* \u201cquotes\u201d */ typedef enum E_enum { A = 1 /**< \u00e9 */, B } E;\nint f(E e);\n";
  const plain = summary(read(text.replace(/[^\n -~]/g, "?")));
  assert.deepEqual(summary(read(text)), plain);
  assert.deepEqual(summary(read(text.replaceAll("\n", "\r\n"))), plain);
});
