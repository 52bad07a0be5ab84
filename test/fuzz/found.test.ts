import assert from "node:assert/strict";
import { test } from "node:test";
import type { HeaderText } from "../../generator/toolkit/toolkit.ts";
import { read } from "./outcome.ts";

/** What the fuzzer found and what was mended, each as a small header: none of it may come back. */

const PRELUDE = `#define CUDA_VERSION 12000
typedef enum cudaError_enum { CUDA_SUCCESS = 0 } CUresult;
typedef struct CUline_st *CUstream;
`;

function header(name: string, text: string): HeaderText {
  return { name, path: name, text, sha256: "0".repeat(64) };
}

/** Line 1 of `text` is line 4 of the header. */
function outcome(text: string, typedefs?: string) {
  const headers = [header("cuda.h", `${PRELUDE}${text}\n`)];
  if (typedefs !== undefined) headers.push(header("cudaTypedefs.h", `#include <cuda.h>\n${typedefs}\n`));
  return read(headers);
}

function refusal(text: string, typedefs?: string): string {
  const made = outcome(text, typedefs);
  return made.kind === "refused" ? made.message : `${made.kind}: ${JSON.stringify(made).slice(0, 500)}`;
}

function accepted(text: string, typedefs?: string) {
  const made = outcome(text, typedefs);
  assert.ok(made.kind === "document", JSON.stringify(made));
  return made;
}

test("errors are one line, however long and whatever is in the header", () => {
  assert.equal(refusal("int\u2028a;"), 'cuda.h:4:4: "\\u{2028}" has no place in a declaration');
  assert.ok(refusal(`typedef int ${"x".repeat(70000)} y;`).length < 400);
  assert.ok(refusal(`enum E { A = ${"9".repeat(5000)} };`).length < 400);
});

test("a dollar is no letter: JavaScript would take it, the document's schema does not", () => {
  assert.match(refusal("typedef int CU$;"), /^cuda\.h:4:15: "\$" has no place/);
});

test("depth and length without end are refused in time, before a stack overflows", () => {
  const deep = 30000;
  const start = performance.now();
  for (const text of [
    `typedef int ${"(".repeat(deep)}a;`,
    `typedef int ${"(".repeat(deep)}a${")".repeat(deep)};`,
    `typedef int ${"*".repeat(deep)}a;`,
    `typedef int a${"[1]".repeat(deep)};`,
    `${"struct { ".repeat(1000)}int a;${" } a;".repeat(1000)}`,
    `enum E { A = ${"(".repeat(deep)}1${")".repeat(deep)} };`,
    `enum E { A = ${"-".repeat(deep)}1 };`,
    `enum E { A = 1${"+1".repeat(deep)} };`,
    `enum E { A = ${"sizeof(".repeat(deep)}int };`,
    `#if ${"!".repeat(deep)}1\n#endif`,
    `CUresult ${"f(".repeat(deep)});`,
    `#define F(x) x\ntypedef int ${"F(".repeat(deep)}a${")".repeat(deep)};`,
  ]) {
    assert.match(refusal(text), /^cuda\.h:\d+:\d+: /, text.slice(0, 40));
  }
  assert.ok(performance.now() - start < 30000);
});

test("macros that feed on each other are refused before they fill the memory", () => {
  const chain = (name: string, first: string, join: string) =>
    Array.from({ length: 40 }, (_, i) => `#define ${name}${i + 1} ${name}${i}${join}${name}${i}\n`).join("") +
    `#define ${name}0 ${first}\n`;
  assert.match(
    refusal(`${chain("BIG_", "x x", " ")}typedef int BIG_40;`),
    /BIG_\d+ stands in a text that expands to too/,
  );
  // As constants they are none; nobody uses them.
  const { constants } = accepted(chain("SUM_", "1+1", "+")).document;
  assert.ok(constants.some(({ name, value }) => name === "SUM_3" && value === "16"));
  assert.ok(!constants.some(({ name }) => name === "SUM_40"));
});

test("C's own words name nothing: `R int(f)(void)` was a function called int", () => {
  for (const text of [
    "CUresult int(cuFoo)(void);",
    "enum { struct };",
    "struct S_st { int int; };",
    "typedef int while;",
    "CUresult cuFoo(int default);",
    "CUresult cuFoo(typedef a);",
  ]) {
    assert.match(refusal(text), /^cuda\.h:4:\d+: /, text);
  }
  accepted("CUresult cuFoo(_Bool b, int class, int delete);");
});

test("types that C does not have", () => {
  for (const text of ["int f(void)(int);", "int f(void)[3];", "typedef int F(void)[3];", "int f(int a[][]);"]) {
    assert.match(refusal(text), /makes a type that C does not have/, text);
  }
  assert.match(refusal("int f(const void);"), /void/);
  accepted("CUresult cuFoo(int (*f)(int), int (*a)[3], int b[][3]);");
});

test("a version that is none", () => {
  const made = read([header("cuda.h", "#define CUDA_VERSION 7\ntypedef enum e { CUDA_SUCCESS } CUresult;\n")]);
  assert.match(made.kind === "refused" ? made.message : "", /^cuda\.h:1:9: CUDA_VERSION is not defined as a version/);
});

test("a type that nothing declares is no reason to leave a declaration out", () => {
  assert.match(refusal("typedef CUline_st *CUline;"), /^cuda\.h:4:20: the type "CUline_st" is declared nowhere/);
  assert.match(refusal("Unknown cuFoo(void);"), /^cuda\.h:4:9: the type "Unknown" is declared nowhere/);
  const typedefs = "typedef CUresult (*PFN_cuFoo_v2000)(Unknown a);";
  assert.match(refusal("CUresult cuFoo(int a);", typedefs), /^cudaTypedefs\.h:2:20: the type "Unknown"/);
});

test("a type is declared before it is used, and in the same configuration", () => {
  assert.match(refusal("CUresult cuFoo(CUlater a);\ntypedef int CUlater;"), /"CUlater" is used before it is declared/);
  assert.match(refusal("struct S_st { CUlater a; };\ntypedef int CUlater;"), /"CUlater" is used before it is declared/);
  const internal = "#ifdef __CUDA_API_VERSION_INTERNAL\ntypedef int CUinner;\n#endif\nCUresult cuFoo(CUinner a);";
  assert.match(refusal(internal), /^cuda\.h:7:10: the type "CUinner" is declared only for other configurations/);
});

test("names of C's own types are not free", () => {
  assert.match(refusal("enum E { size_t };"), /"size_t" is a type of C's own headers/);
  assert.match(refusal("CUresult uint32_t(int a);"), /"uint32_t" is/);
  accepted("typedef unsigned long size_t;");
});

test("an object larger than any memory is refused, not counted wrongly", () => {
  const all = "0x7fffffff";
  assert.match(refusal(`struct S_st { int a[${all}][${all}]; };`), /^cuda\.h:4:19: .*larger than any object/);
  accepted(`struct S_st { int a[${all}]; };`);
});

test("where a header is there, a typedef alone makes no function of it", () => {
  const typedefs = "typedef CUresult (*PFN_cuFoo_v2000)(int a);\ntypedef CUresult (*PFN_cuBar_v2000)(int a);";
  const { document, omissions } = accepted("CUresult cuFoo(int a);", typedefs);
  assert.deepEqual(
    document.functions.map(({ name }) => name),
    ["cuFoo"],
  );
  assert.ok(omissions.some(({ name, reason }) => name === "cuBar" && /no header declares/.test(reason)));
});

test("a plain spelling that leads to what only the library's own build declares has no default", () => {
  const { document } = accepted(
    "#define cuFoo cuFoo_v2\n#ifdef __CUDA_API_VERSION_INTERNAL\nCUresult cuFoo_v2(int a);\n#endif",
  );
  assert.deepEqual(
    document.functions.map((one) => [one.name, one.retired, one.default]),
    [["cuFoo_v2", true, false]],
  );
});

test("a constant with the name of a type is left out, with the reason", () => {
  const { document, omissions } = accepted("typedef int CUthing;\n#define CUthing 3");
  assert.ok(!document.constants.some(({ name }) => name === "CUthing"));
  assert.deepEqual(
    omissions.map(({ name, reason }) => [name, reason]),
    [["CUthing", "a type has this name"]],
  );
});

test("a name for a record that is never defined stays in the document; a union is no handle", () => {
  const { document } = accepted(
    "typedef struct CUfar_st CUfar;\ntypedef union CUnear_un *CUnear;\nCUresult cuFoo(CUfar *far, CUnear near);",
  );
  assert.deepEqual(document.typedefs, [
    { name: "CUfar", type: "struct CUfar_st" },
    { name: "CUnear", type: "union CUnear_un *" },
  ]);
  assert.deepEqual(
    document.handles.map(({ name }) => name),
    ["CUstream"],
  );
});
