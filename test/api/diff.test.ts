import assert from "node:assert/strict";
import { test } from "node:test";
import { diff, formatDiff } from "../../generator/api/diff.ts";
import type { ApiDocument } from "../../generator/api/document.ts";
import { read, readRelease } from "./read.ts";

function version(toolkit: number, header: string): ApiDocument {
  return { ...read(header).document, toolkit };
}

const from = version(
  12000,
  `typedef enum E_enum { A, B, C } E;
   typedef struct T_st { int a; int b; } T;
   #define K 1
   CUresult cuFoo(int a); CUresult cuFoo_v2(long a); CUresult cuGone(T *t); CUresult cuOld(E e); CUresult cuSame(int a);`,
);
const to = version(
  13000,
  `typedef enum E_enum { A, B = 5, D } E;
   typedef struct T_st { int a; double b; int c; } T_v1;
   typedef T_v1 T;
   typedef int CUdevice;
   #define K 2
   #define cuFoo cuFoo_v2
   __CUDA_DEPRECATED CUresult cuOld(E e);
   CUresult cuFoo(long a); CUresult cuNew(T *t); CUresult cuSame(CUdevice a);
   #if defined(__CUDA_API_VERSION_INTERNAL)
   #undef cuFoo
   CUresult cuFoo(int a);
   #endif`.replace("__CUDA_DEPRECATED", "/** \\deprecated */"),
);

test("differences by what they mean for a user", () => {
  const found = diff(from, to);
  const said = (group: "breaking" | "additive" | "deprecated") =>
    found[group].map(({ name, text }) => `${name}: ${text}`);
  assert.deepEqual(said("breaking"), [
    "E: C removed",
    "E: B was 1, is 5",
    "K: was 1, is 2",
    "T: align was 4, is 8",
    "T: b was at byte 4, is at 8",
    "T: b was int, is double",
    "T: size was 8, is 24",
    "cuFoo: means cuFoo_v2, was cuFoo; was CUresult (int a), is CUresult (long a)",
    "cuGone: removed",
  ]);
  assert.deepEqual(said("additive"), [
    "CUdevice: new",
    "E: D = 6",
    "T: c: new, int",
    "T_v1: new",
    "cuNew: new: CUresult (T *t)",
  ]);
  assert.deepEqual(said("deprecated"), ["cuFoo: still exported, no longer declared for programs", "cuOld: deprecated"]);
});

test("a new function is told as C declares it", () => {
  const now = version(13000, "CUresult cuNew(int *(*const table)[4], void (*const *f)(int *), char *const s);");
  const [found] = diff(version(12000, ""), now).additive;
  assert.equal(found?.text, "new: CUresult (int *(*const table)[4], void (*const *f)(int *), char *const s)");
});

test("no difference is no text", () => {
  assert.equal(formatDiff(diff(from, from)), "");
  assert.match(formatDiff(diff(from, to)), /^from 12\.0 to 13\.0\n\nbreaking \(9\)\n {2}E: C removed\n/);
});

test("from 12.9 to 13.0, among the rest", async () => {
  const text = formatDiff(diff((await readRelease("12.9.79")).document, (await readRelease("13.0.96")).document));
  for (const line of [
    /cuCtxCreate: means cuCtxCreate_v4, was cuCtxCreate_v2/,
    /cuMemAdvise: means cuMemAdvise_v2.*is .*CUmemLocation location/,
    /cuMemPrefetchAsync: means cuMemPrefetchAsync_v2.*is .*CUmemLocation location/,
    /cuMemcpyBatchAsync: means cuMemcpyBatchAsync_v2, was cuMemcpyBatchAsync; loses failIdx, was /,
    /CUtensorMap: align was 64, is 128/,
  ]) {
    assert.match(text, line);
  }
  const edges = ["GetEdges", "AddDependencies", "RemoveDependencies", "NodeGetDependencies", "NodeGetDependentNodes"];
  for (const name of [...edges, "AddNode"].map((name) => `cuGraph${name}`)) {
    assert.match(text, new RegExp(`${name}: means ${name}_v2, was ${name}; takes (edgeData|dependencyData), was `));
  }
  const same = (await readRelease("12.4.127")).document;
  assert.equal(formatDiff(diff(same, same)), "");
});
