import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApiFunction } from "../../generator/api/document.ts";
import { pythonName, snakeCase } from "../../generator/api/pythonName.ts";
import { driver } from "../../generator/libraries/driver.ts";
import { type PeerFunction, peerFunctions } from "./peer.ts";
import { functionNamed, read, readRelease } from "./read.ts";

/** `d:out, n:in` with `?` for nullable and `#n` for a count. */
function directions({ params }: ApiFunction): string {
  return params
    .map(
      ({ name, direction, nullable, count }) => `${name}:${direction}${nullable ? "?" : ""}${count ? `#${count}` : ""}`,
    )
    .join(" ");
}

function infer(prototype: string, comment = "", declarations = ""): string {
  const made = read(`${declarations}\n/**\n${comment}\n */\nCUresult ${prototype};`);
  return directions(functionNamed(made, prototype.slice(0, prototype.indexOf("("))));
}

test("single values, buffers, lists and two-call queries", () => {
  assert.equal(infer("cuFoo(int *v, int a)", " * \\param v - Returned value\n * \\param a - Input"), "v:out a:in");
  assert.equal(infer("cuFoo(const int *v, void *p)"), "v:in p:in");
  assert.equal(infer("cuFooGetName(char *name, int len)", " * \\param name - Returned name"), "name:inout#len len:in");
  assert.equal(
    infer("cuFooGetNodes(CUcontext *nodes, size_t *numNodes)", " * \\param nodes - Pointer to return the nodes"),
    "nodes:inout?#numNodes numNodes:inout",
  );
  assert.equal(
    infer("cuFooList(CUcontext *functions, unsigned int numFunctions)", " * \\param functions - Returned handles"),
    "functions:inout?#numFunctions numFunctions:in",
  );
  assert.equal(infer("cuFooMap(unsigned int count, CUcontext *resources)"), "count:in resources:in?#count");
  assert.equal(
    infer("cuFooSignal(const CUcontext *semArray, const int *paramsArray, unsigned int numSems)"),
    "semArray:in?#numSems paramsArray:in?#numSems numSems:in",
  );
  assert.equal(
    infer("cuFooCopy(void *dstHost, unsigned long long src, size_t ByteCount)"),
    "dstHost:inout#ByteCount src:in ByteCount:in",
  );
  assert.equal(infer("cuFooLaunch(CUstream hStream, void *userData)"), "hStream:in? userData:in?");
  assert.equal(infer("cuFooCreate(CUcontext *phCtx, int flags)"), "phCtx:out flags:in");
  assert.equal(infer("cuFooGetCtx(CUcontext *pctx)", " * \\param pctx - Context, may be NULL"), "pctx:out?");
});

test("a retired variant is described by its base name's comment", () => {
  const made = read(`
    #define cuFoo cuFoo_v2
    /**
     * \\param free - Returned free memory
     */
    CUresult cuFoo(size_t *free);
    #if defined(__CUDA_API_VERSION_INTERNAL)
    #undef cuFoo
    CUresult cuFoo(unsigned int *free);
    #endif`);
  assert.equal(directions(functionNamed(made, "cuFoo")), "free:out");
});

/**
 * Where cuda-python's parameter list differs from C's, as a convenience of its own. C's facts hold in the document; what the
 * generated Python-like module makes of them is `emit`'s affair.
 */
const CONVENIENCE: Record<string, readonly string[]> = {
  "text goes into a buffer that Python makes": ["cuDeviceGetName", "cuDeviceGetPCIBusId"],
  "a list, whose length Python asks for or takes from another list": [
    "cuModuleEnumerateFunctions",
    "cuLibraryEnumerateKernels",
    "cuGraphGetNodes",
    "cuGraphGetRootNodes",
    "cuGraphGetEdges_v2",
    "cuGraphNodeGetDependencies_v2",
    "cuGraphNodeGetDependentNodes_v2",
    "cuGLGetDevices_v2",
    "cuDeviceGetHostAtomicCapabilities",
    "cuDeviceGetP2PAtomicCapabilities",
    "cuDeviceGetCliqueInfo",
    "cuMemGetLocationInfo",
    "cuDevSmResourceSplit",
    "cuDevSmResourceSplitByCount",
    "cuMemcpyBatchAsync",
  ],
  "a value whose type and size hang on another parameter": [
    "cuMemExportToShareableHandle",
    "cuMemPoolExportToShareableHandle",
    "cuLogicalEndpointExport",
    "cuMemGetHandleForAddressRange",
    "cuPointerGetAttribute",
    "cuPointerGetAttributes",
    "cuMemPoolGetAttribute",
    "cuDeviceGetGraphMemAttribute",
    "cuMemRangeGetAttribute",
    "cuMemRangeGetAttributes",
    "cuCoredumpGetAttribute",
    "cuCoredumpGetAttributeGlobal",
    "cuCoredumpSetAttribute",
    "cuCoredumpSetAttributeGlobal",
  ],
  "a few values of fixed number": ["cuTexRefGetBorderColor", "cuDeviceGetLuid"],
  "Python takes a pointer for what C documents as returned": [
    "cuGraphicsResourceGetMappedEglFrame",
    "cuTensorMapSetAllocationClass",
  ],
};

test("what callers give agrees with cuda-python", async (t) => {
  const { document } = await readRelease("13.5.37");
  const named = new Map<string, ApiFunction>();
  for (const variant of document.functions) {
    if (variant.streamMode === "legacy")
      named.set(pythonName(variant.name, driver.prefix, driver.pythonNames), variant);
  }
  const differing: string[] = [];
  const functions = await peerFunctions();
  for (const peer of functions) {
    const variant = named.get(peer.name === "memcpy" ? "cu_memcpy" : peer.name);
    assert.ok(variant, `no function for ${peer.name}`);
    if (!agrees(variant, peer)) differing.push(variant.name);
  }
  t.diagnostic(`${functions.length - differing.length} of ${functions.length} functions take what cuda-python's take`);
  assert.deepEqual(differing.sort(), Object.values(CONVENIENCE).flat().sort());
});

function agrees({ params }: ApiFunction, peer: PeerFunction): boolean {
  const plain = (name: string) => name.replaceAll("_", "");
  const given = params.filter(({ direction }) => direction !== "out").map(({ name }) => plain(snakeCase(name)));
  const theirs = new Set(peer.params.map(plain));
  return given.length === theirs.size && given.every((name) => theirs.has(name));
}

test("every reviewed row is about a function and a parameter of some toolkit", async () => {
  const known = new Set<string>();
  for (const release of ["12.9.79", "13.5.37"]) {
    for (const { name, base, params } of (await readRelease(release)).document.functions) {
      for (const param of params) known.add(`${name} ${param.name}`).add(`${base} ${param.name}`);
    }
  }
  for (const row of driver.directions) {
    for (const fn of [row.function].flat()) {
      for (const parameter of [row.parameter].flat()) assert.ok(known.has(`${fn} ${parameter}`), `${fn} ${parameter}`);
    }
  }
});

test("in every toolkit, what a variant gives and takes stays the same", async () => {
  const seen = new Map<string, string>();
  for (const release of ["11.8.89", "12.4.127", "12.9.79", "13.0.96", "13.5.37"]) {
    for (const variant of (await readRelease(release)).document.functions) {
      const now = variant.params.map(({ direction }) => direction).join(" ");
      assert.equal(seen.get(variant.name) ?? now, now, `${release} ${variant.name}`);
      seen.set(variant.name, now);
    }
  }
});
