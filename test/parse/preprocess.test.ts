import assert from "node:assert/strict";
import { test } from "node:test";
import { read, readAll, refusal, summary } from "./read.ts";

const names = (text: string) =>
  read(text).declarations.map((declaration) => ("name" in declaration ? declaration.name : ""));

test("conditions are full integer expressions over 64 bits", () => {
  const conditions: [string, boolean][] = [
    ["defined(TEST_VERSION) && !defined NOTHING", true],
    ["TEST_VERSION >= 12000 && TEST_VERSION < 13010", true],
    ["__STDC_VERSION__ >= 201112L", true],
    ["defined(__cplusplus) && (__cplusplus >= 201103L)", false],
    ["defined(_WIN32) || defined(_MSC_VER)", false],
    ["defined(__LP64__) && __x86_64__ && __linux__ && __GNUC__ >= 4", true],
    ["UNKNOWN", false],
    ["(1 ? 2 : 0) == 2 && 1 + 2 * 3 == 7 && (7 & ~2) == 5 && 1 << 4 == 16", true],
    ["-1 > 0u", true],
    ["-1 < 0", true],
    ["-1 > 0xffffffff", false],
    ["-1 == 0xffffffffffffffff", true],
    ["0 - 1u > 0", true],
    ["-1 / 2u > 1", true],
    ["(1 ? -1 : 0u) > 0", true],
    ["1 << 62 > 0 && 1 << 63 < 0 && 1u << 63 > 0", true],
    ["(1 == 1) << 40 == 1 << 40", true],
    ["0xffffffffffffffff + 1 == 0", true],
    ["0 && 1 / 0", false],
    ["1 || 1 << 64", true],
    ["1 ? 1 : 1 / 0", true],
    ["0 ? 0x7fffffffffffffff + 1 : 1", true],
    ["0 && (1 ? 1 / 0 : 1 % 0)", false],
    ["'A' == 65 && '\\n' == 10 && '\\0' == 0", true],
    ["UINT32_MAX == 4294967295u", true],
    ["010 == 8 && 0x10 == 16 && 0b11 == 3", true],
    ["-7 / 2 == -3 && -7 % 2 == -1 && -8 >> 1 == -4", true],
  ];
  for (const [condition, holds] of conditions) {
    const text = `#if ${condition}\nint yes(void);\n#else\nint no(void);\n#endif\n`;
    assert.deepEqual(names(text), [holds ? "yes" : "no"], condition);
  }
});

test("a condition without a value is refused with its place, never guessed", () => {
  const conditions: [string, string][] = [
    ["1 << 64", "a shift by 64 has no value in 64 bits"],
    ["1 << 64u", "a shift by 64 has no value in 64 bits"],
    ["1 >> -1", "a shift by -1 has no value in 64 bits"],
    ["0x7fffffffffffffff + 1", "the result 9223372036854775808 does not fit in intmax_t"],
    ["0x7fffffffffffffff * 2", "the result 18446744073709551614 does not fit in intmax_t"],
    ["-(-0x7fffffffffffffff - 1)", "the result 9223372036854775808 does not fit in intmax_t"],
    ["(-0x7fffffffffffffff - 1) / -1", "the result 9223372036854775808 does not fit in intmax_t"],
    ["1 / 0", "a division by zero has no value"],
    ["1 % UNKNOWN", "a division by zero has no value"],
    ["1 && 1 / 0", "a division by zero has no value"],
    ["0 || 1 / 0", "a division by zero has no value"],
    ["0 ? 1 : 1 / 0", "a division by zero has no value"],
    ["sizeof(int)", "sizeof has no value"],
    ["(int)1", "a cast has no value"],
  ];
  for (const [condition, reason] of conditions) {
    assert.equal(refusal(`#if ${condition}\n#endif\n`), `first.h:2:2: ${reason}, in the condition of #if`, condition);
  }
});

test("only the first branch that holds is read; the rest is not even looked at", () => {
  const text = `
#ifdef NOTHING
#error don't
#if (((
#endif
int a(void);
#elif 1
int b(void);
#elif 1 / 0
int c(void);
#else
int d(void);
#endif
#ifndef NOTHING
int e(void);
#endif
`;
  assert.deepEqual(names(text), ["b", "e"]);
});

test("each configuration reads the branches that are its own", () => {
  const text = `
#if defined(PER_THREAD)
  #define MODE(api) api ## _ptsz
#else
  #define MODE(api) api
#endif
#define cuFoo MODE(cuFoo_v2)
#define cuFoo_v3 cuFoo_v3
int cuFoo(int a);
int cuFoo_v3(int a);
#ifdef INTERNAL
#undef cuFoo
int cuFoo(char a);
#endif
`;
  const [plain, perThread, internal] = readAll({ "first.h": text });
  assert.deepEqual(plain && summary(plain), ["cuFoo_v2: int (int a)", "cuFoo_v3: int (int a)"]);
  assert.deepEqual(plain?.aliases, { cuFoo: "cuFoo_v2" });
  assert.deepEqual(perThread && summary(perThread), ["cuFoo_v2_ptsz: int (int a)", "cuFoo_v3: int (int a)"]);
  assert.deepEqual(perThread?.aliases, { cuFoo: "cuFoo_v2_ptsz" });
  assert.deepEqual(internal && summary(internal), [
    "cuFoo_v2: int (int a)",
    "cuFoo_v3: int (int a)",
    "cuFoo: int (char a)",
  ]);
  assert.deepEqual(internal?.aliases, {});
});

test("a plain spelling without a macro stays the plain function, beside its later variant (case 1)", () => {
  const translation = read("typedef struct C_st *C;\nint cuFoo(int *d);\nint cuFoo_v2(int *d, C c);\n");
  assert.deepEqual(summary(translation).slice(2), ["cuFoo: int (int * d)", "cuFoo_v2: int (int * d, C c)"]);
  assert.deepEqual(translation.aliases, {});
});

test("a macro renames a prototype that is written plainly (case 5)", () => {
  assert.deepEqual(names("#define cuFoo cuFoo_v2\nint cuFoo(int a);\n"), ["cuFoo_v2"]);
});

test("macros: arguments, pasting, strings, rescanning, no endless self-reference (case 24)", () => {
  const text = `
#define INNER(x, y) x ## y
#define OUTER(x, y) INNER(x, y)
#define NUMBER 1
#define CALL(f, ...) f(__VA_ARGS__)
#define LATE OUTER
#define EMPTY
#define A B
#define B A
#define OPTIONAL(x) int x EMPTY
int INNER(f_v, NUMBER)(void);
int OUTER(f_v, NUMBER)(void);
CALL(int g, int a, char b);
int LATE(h_v, // over
         NUMBER)(void);
int INNER(, k)(void);
int A(void);
OPTIONAL(m)(void);
typedef int OUTER;
`;
  assert.deepEqual(summary(read(text)), [
    "f_vNUMBER: int ()",
    "f_v1: int ()",
    "g: int (int a, char b)",
    "h_v1: int ()",
    "k: int ()",
    "A: int ()",
    "m: int ()",
    "typedef OUTER: int",
  ]);
});

test("headers of the set are read once, at their first #include, with one table of macros", () => {
  const [translation] = readAll({
    "first.h": '#include <stdint.h>\n#include "second.h"\nint after(TYPE a);\n',
    "second.h": "#include <first.h>\n#define TYPE char\nint before(void);\n",
    "typedefs.h": "#include <second.h>\ntypedef TYPE (*PFN_x_v1000)(void);\n",
  });
  assert.deepEqual(translation && summary(translation), [
    "before: int ()",
    "after: int (char a)",
    "typedef PFN_x_v1000: char () *",
  ]);
  assert.deepEqual(
    translation?.declarations.map(({ position }) => `${position.file}:${position.line}:${position.column}`),
    ["second.h:3:5", "first.h:4:5", "typedefs.h:2:16"],
  );
});

test("a typedef header without the optional header that it includes is read all the same; any other lack is refused", () => {
  const [translation] = readAll({
    "first.h": "",
    "typedefs.h": "#include <second.h>\ntypedef int (*PFN_x_v1000)(Mode m);\n",
  });
  assert.deepEqual(translation && summary(translation), ["typedef PFN_x_v1000: int (Mode m) *"]);
  assert.match(refusal("#include <second.h>\n"), /^first\.h:2:2: first\.h includes second\.h, which is not beside it/);
  assert.match(refusal('\n#include "other.h"\n'), /^first\.h:3:2: first\.h includes other\.h, which is neither/);
});

test("comments and line continuations are taken out, and positions stay true", () => {
  const translation = read(
    [
      "/* \u201cquoted\u201d and \u{1F600} */ int /* x */ a(void);",
      "int b(int \\",
      "  x, // to the end \\",
      "  of this line",
      "  int y);",
      "#define TWO(x) \\",
      "  int x##1(void); \\",
      "  int x##2(void);",
      "  TWO(c)",
      "i\\",
      "nt d(void); /* a * / / * comment **/ int e(void);",
      "/* `$" + '{x}` " */ int f(void); // */ int no(void);',
    ].join("\n"),
  );
  assert.deepEqual(
    translation.declarations.map(({ position: { line, column } }, index) => {
      const declaration = translation.declarations[index];
      return `${declaration?.kind === "function" ? declaration.name : ""} ${line}:${column}`;
    }),
    ["a 2:35", "b 3:5", "c1 10:7", "c2 10:7", "d 12:4", "e 12:42", "f 13:20"],
  );
  assert.deepEqual(summary(translation)[1], "b: int (int x, int y)");
});

test("a name in an expansion stands where the macro was called", () => {
  const [declaration] = read("#define cuFoo cuFoo_v2\n\n   int  cuFoo(int a);\n").declarations;
  assert.deepEqual(declaration?.position, { file: "first.h", line: 4, column: 9 });
});

test("attributes that change nothing are passed over; the rest are refused by name", () => {
  const text = `
__attribute__((visibility("default"))) int a(void) __attribute__((nothrow, __nonnull__(1)));
__declspec(dllimport) int b(char *__restrict x);
__extension__ typedef __signed__ char c;
#pragma GCC visibility push(default)
_Pragma("GCC visibility pop")
static __inline__ int d(void) { return 1; }
_Static_assert(sizeof(int) == 4, "int");
`;
  assert.deepEqual(summary(read(text)), [
    "a: int ()",
    "b: int (char * x)",
    "typedef c: signed char",
    "inline d: int ()",
  ]);
  assert.match(
    refusal("struct S { char a; int b; } __attribute__((__packed__));"),
    /^first\.h:2:44: attribute packed /,
  );
  assert.match(refusal("struct __attribute__((aligned(16))) S { int b; };"), /^first\.h:2:23: attribute aligned /);
  assert.match(refusal("#pragma pack(push, 1)\n"), /^first\.h:2:2: #pragma pack /);
  assert.match(refusal('_Pragma(L"ms_struct on") int f(void);'), /^first\.h:2:1: _Pragma ms_struct /);
  assert.match(refusal('_Pragma("pack(1)") struct S { int b; };'), /^first\.h:2:1: _Pragma pack /);
});

test("the deprecation macro marks its declaration in every configuration", () => {
  const text = `
#ifdef INTERNAL
#define TEST_DEPRECATED
#else
#define TEST_DEPRECATED __attribute__((deprecated))
#endif
TEST_DEPRECATED int a(void);
int b(void);
int c(void) __attribute__((deprecated("use b")));
#undef TEST_DEPRECATED
`;
  for (const { declarations } of readAll({ "first.h": text })) {
    assert.deepEqual(
      declarations.map((declaration) => declaration.kind === "function" && declaration.deprecated),
      [true, false, true],
    );
  }
});

test("what a preprocessor cannot read is refused with its position", () => {
  const cases: [string, RegExp][] = [
    ["#error no way, don't\n", /^first\.h:2:2: the header refuses this configuration: #error no way, don't$/],
    ["\n/* without an end", /^first\.h:3:1: this comment has no end/],
    ["#if 1\nint a(void);\n", /^first\.h:2:2: #if without #endif/],
    ["#ifdef A\n#else\n#elif 1\n#endif\n", /^first\.h:4:2: #elif after #else/],
    ["#endif\n", /^first\.h:2:2: #endif without #if/],
    ["#if 1 +\n#endif\n", /^first\.h:2:\d: something is missing in a constant expression/],
    ["#if 1 / 0\n#endif\n", /^first\.h:2:2: a division by zero/],
    ["#if\n#endif\n", /^first\.h:2:2: #if without a condition/],
    ["#ifdef\n#endif\n", /^first\.h:2:2: #ifdef without the name/],
    ["#if 1.5\n#endif\n", /^first\.h:2:5: 1\.5 is not an integer/],
    ["#define\n", /^first\.h:2:2: #define without a name/],
    ["#define F(x, x) x\n", /^first\.h:2:10: the parameter list of macro F/],
    ["#define F(x x\n", /^first\.h:2:10: the parameter list of macro F/],
    ["#define F(x) #y\n", /^first\.h:2:14: # before something/],
    ["#define F x ##\n", /^first\.h:2:13: ## at an end/],
    ["#define F(x) x\nint F(1, 2)(void);\n", /^first\.h:3:5: macro F takes 1 arguments, not 2/],
    ["#define F(x) x\nint F(1\n", /^first\.h:3:5: the arguments of macro F/],
    ["#define F(x, y) x ## y\nint F(a, +)(void);\n", /^first\.h:3:5: ## joins a and \+/],
    ["#frobnicate\n", /^first\.h:2:2: unknown directive #frobnicate/],
    ["int a(void) @;\n", /^first\.h:2:13: "@" has no place/],
    ["int a(void) 'x;\n", /^first\.h:2:13: "'" has no place/],
    ["int a(void)\n", /^first\.h:2:1: this declaration does not end/],
    ["struct S { int a;\n", /^first\.h:2:10: "\{" without "\}"/],
    ["int a(void); }\n", /^first\.h:2:14: "\}" without "\{"/],
  ];
  for (const [text, message] of cases) assert.match(refusal(text), message);
});
