import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApiFunction } from "../../generator/api/document.ts";
import { lookup } from "../../generator/api/lookup.ts";
import { matchInOrder } from "../../generator/api/subsequence.ts";
import { buildSymbolTable, symbolsOf } from "../../generator/api/symbols.ts";
import { splitName } from "../../generator/names.ts";
import { functionNamed, parameters, type Read, read } from "./read.ts";

function names({ document }: Read, keep: (variant: ApiFunction) => boolean = () => true): string[] {
  return document.functions.filter(keep).map(({ name }) => name);
}

test("case 1: without a macro the plain spelling stays, and a look-up finds the newest", () => {
  const made = read(
    "CUresult CUDAAPI cuFoo(int *d); CUresult CUDAAPI cuFoo_v2(int *d, CUcontext c);",
    `typedef CUresult (CUDAAPI *PFN_cuFoo_v2000)(int *d);
     typedef CUresult (CUDAAPI *PFN_cuFoo_v13000)(int *d, CUcontext c);`,
  );
  assert.deepEqual(
    made.document.functions.map(({ name, base, since, default: meant }) => [name, base, since, meant]),
    [
      ["cuFoo", "cuFoo", 2000, true],
      ["cuFoo_v2", "cuFoo", 13000, false],
    ],
  );
  const table = buildSymbolTable(symbolsOf(made.document));
  const question = { symbol: "cuFoo", flags: 0, driver: 13000 };
  assert.equal(lookup(table, { ...question, cudaVersion: 13000 }).exported, "cuFoo_v2");
  assert.equal(lookup(table, { ...question, cudaVersion: 12090 }).exported, "cuFoo");
});

test("case 3: name and signature come from the same row", () => {
  const made = read(
    `#define cuFoo cuFoo_v2
     CUresult cuFoo(int *d, int a); CUresult cuFoo_v3(int *d, int a, int b);`,
    `typedef CUresult (*PFN_cuFoo_v3020)(int *d, int a);
     typedef CUresult (*PFN_cuFoo_v11040)(int *d, int a, int b);`,
  );
  assert.deepEqual(
    names(made, (variant) => variant.default),
    ["cuFoo_v2"],
  );
  assert.equal(parameters(functionNamed(made, "cuFoo_v2")), "int * d, int a");
  assert.equal(functionNamed(made, "cuFoo_v2").since, 3020);
  assert.equal(functionNamed(made, "cuFoo_v3").since, 11040);
});

test("case 4: an export that no header knows changes nothing", () => {
  const table = buildSymbolTable(
    symbolsOf(read("CUresult cuFoo(int *d);", "typedef CUresult (*PFN_cuFoo_v2000)(int *d);").document),
  );
  const exports = new Set(["cuFoo", "cuFoo_v2"]);
  const answer = lookup(table, { symbol: "cuFoo", cudaVersion: 12000, flags: 0, driver: 12000, exports });
  assert.equal(answer.exported, "cuFoo");
});

test("case 5: the macro before a single prototype names the export", () => {
  const made = read("#define cuFoo cuFoo_v2\nCUresult CUDAAPI cuFoo(int a);");
  assert.deepEqual(names(made), ["cuFoo_v2"]);
  assert.equal(functionNamed(made, "cuFoo_v2").default, true);
  assert.equal(functionNamed(made, "cuFoo_v2").since, null);
});

test("cases 7 and 24: stream modes, pasted names, a macro that names itself", () => {
  const made = read(
    `#define cuFoo PTSZ(cuFoo_v2)
     #define cuBar_v3 cuBar_v3
     CUresult cuFoo(CUstream s); CUresult cuBar_v3(int a);`,
    `typedef CUresult (*PFN_cuFoo_v3020)(CUstream s);
     typedef CUresult (*PFN_cuFoo_v7000_ptsz)(CUstream s);`,
  );
  assert.deepEqual(
    made.document.functions.map(({ name, base, streamMode, since, default: meant, retired }) => [
      name,
      base,
      streamMode,
      since,
      meant,
      retired,
    ]),
    [
      ["cuBar_v3", "cuBar", "legacy", null, false, false],
      ["cuFoo_v2", "cuFoo", "legacy", 3020, true, false],
      ["cuFoo_v2_ptsz", "cuFoo", "perThread", 7000, true, false],
    ],
  );
});

test("variants of the internal configuration only are retired", () => {
  const made = read(`
    #define cuFoo cuFoo_v2
    CUresult cuFoo(size_t a);
    #if defined(__CUDA_API_VERSION_INTERNAL)
    #undef cuFoo
    CUresult cuFoo(unsigned int a);
    #endif`);
  assert.deepEqual(
    made.document.functions.map(({ name, retired, default: meant }) => [name, retired, meant]),
    [
      ["cuFoo", true, false],
      ["cuFoo_v2", false, true],
    ],
  );
});

test("a plain spelling can mean another base name, and each export keeps its own", () => {
  const made = read(
    `#define cuFoo cuFooWithFlags
     CUresult cuFoo(int a, int flags);
     #if defined(__CUDA_API_VERSION_INTERNAL)
     #undef cuFoo
     CUresult cuFoo(int a);
     #endif`,
    `typedef CUresult (*PFN_cuFoo_v10000)(int a);
     typedef CUresult (*PFN_cuFooWithFlags_v11040)(int a, int flags);`,
  );
  assert.deepEqual(made.document.aliases, [{ name: "cuFoo", streamMode: "legacy", target: "cuFooWithFlags" }]);
  assert.deepEqual(
    made.document.functions.map(({ name, base, since, default: meant }) => [name, base, since, meant]),
    [
      ["cuFoo", "cuFoo", 10000, false],
      ["cuFooWithFlags", "cuFooWithFlags", 11040, true],
    ],
  );
});

test("since needs an equal signature, through typedefs", () => {
  const made = read(
    `typedef int CUdevice_v1; typedef CUdevice_v1 CUdevice;
     CUresult cuFoo(CUdevice d); CUresult cuFoo_v2(long d); CUresult cuFoo_v3(char d);`,
    `typedef CUresult (*PFN_cuFoo_v2000)(CUdevice_v1 d);
     typedef CUresult (*PFN_cuFoo_v12000)(char d);
     typedef CUresult (*PFN_cuFoo_v12010)(float d);
     typedef CUresult (*PFN_cuFoo)(float d);`,
  );
  assert.deepEqual(
    made.document.functions.map(({ since }) => since),
    [2000, null, 12000],
  );
  assert.deepEqual(
    made.omissions.map(({ name }) => name),
    ["PFN_cuFoo", "PFN_cuFoo_v12010"],
  );
});

test("typedefs alone make a function where they leave nothing open", () => {
  const made = read(
    "",
    `typedef CUresult (*PFN_cuFoo_v4000)(void);
     typedef CUresult (*PFN_cuBar_v4000)(Unknown u);
     typedef CUresult (*PFN_cuBaz_v4000)(int a);
     typedef CUresult (*PFN_cuBaz_v5000)(int a, int b);`,
  );
  assert.deepEqual(
    made.document.functions.map(({ name, since, default: meant }) => [name, since, meant]),
    [["cuFoo", 4000, true]],
  );
  const reasons = new Map(made.omissions.map(({ name, reason }) => [name, reason]));
  assert.match(reasons.get("cuBar") ?? "", /"Unknown" is declared nowhere/);
  assert.match(reasons.get("cuBaz") ?? "", /only by typedefs/);
});

test("what is left out is named with the reason", () => {
  const made = read("static inline CUresult cuFoo_ptsz(int a) { return CUDA_SUCCESS; }\nint cuBar(int a);");
  assert.deepEqual(
    made.omissions.map(({ name }) => name),
    ["cuBar", "cuFoo_ptsz"],
  );
  assert.deepEqual(made.document.functions, []);
});

test("names split at their version and stream mode", () => {
  assert.deepEqual(splitName("cuMemcpyHtoD_v2_ptds"), {
    base: "cuMemcpyHtoD",
    version: 2,
    stem: "cuMemcpyHtoD_v2",
    mode: "_ptds",
    streamMode: "perThread",
  });
  assert.deepEqual(splitName("cuInit"), {
    base: "cuInit",
    version: null,
    stem: "cuInit",
    mode: "",
    streamMode: "legacy",
  });
});

test("only pairs that every order-keeping match agrees on are matched", () => {
  assert.deepEqual(matchInOrder(["a", "b", "c"], ["a", "c"]), [0, null, 1]);
  assert.deepEqual(matchInOrder(["a", "a"], ["a"]), [null, null]);
  assert.deepEqual(matchInOrder(["a", "a"], ["a", "a"]), [0, 1]);
  assert.deepEqual(matchInOrder(["b", "a"], ["a", "b"]), [null, null]);
});
