/** Names of errors, logs, the profiler's switch, look-ups, objects of the user's, coredump settings. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { cuda } from "./count.ts";
import {
  attempt,
  blocks,
  gpu,
  INVALID_VALUE,
  kernel,
  launch,
  MISSING,
  NOT_SUPPORTED,
  poisoned,
  skip,
  unless,
  usePrimaryContext,
} from "./device.ts";

const { ptr, u32 } = cuda.kernel;
const state = usePrimaryContext();

test("every result that the driver knows has the name that the headers give it", { skip }, () => {
  let known = 0;
  for (const [name, value] of Object.entries(cuda.CUresult)) {
    if (typeof value !== "number") continue;
    const said = attempt(() => cuda.cuGetErrorName(value), INVALID_VALUE);
    if (said === null) continue;
    known += 1;
    assert.equal(said, name);
    assert.match(cuda.cuGetErrorString(value) ?? "", /\w/);
  }
  assert.ok(known > 80, `${known} results`);
});

test("the version, the loading mode, and look-ups that can be called", { skip }, () => {
  assert.equal(cuda.cuDriverGetVersion(), gpu.version);
  assert.equal(cuda.driverInfo().version, gpu.version);
  const [pfn, status] = cuda.cuGetProcAddress("cuMemAlloc", 12000, 0);
  assert.equal(status, cuda.CUdriverProcAddressQueryResult.CU_GET_PROC_ADDRESS_SUCCESS);
  assert.notEqual(pfn, 0n);
  assert.equal(cuda.cuGetProcAddress("cuNotThere", 12000, 0)[0], 0n);
  assert.notEqual(cuda.cuGetProcAddress_v1("cuMemFree", 12000, 0), 0n);
  assert.notEqual(cuda.cudaGetDriverEntryPoint("cuInit")[0], 0n);
  assert.notEqual(cuda.cudaGetDriverEntryPointByVersion("cuInit", 12000)[0], 0n);
  const alloc = cuda.getProc("cuMemAlloc", { cudaVersion: 12000 });
  const memory = alloc(64);
  cuda.cuMemFree(memory);
  const table = attempt(() => cuda.cuGetExportTable(new cuda.CUuuid()), INVALID_VALUE, MISSING);
  assert.equal(table, null, "no table has an empty name");
});

test("the profiler's switch", { skip }, () => {
  cuda.cuProfilerStart();
  launch(kernel("nothing"), {});
  cuda.cuCtxSynchronize();
  cuda.cuProfilerStop();
});

test("logs: what the driver says about an error, to a function, a buffer and a file", {
  skip: unless(() => gpu.version >= 12090, "CUDA 12.9"),
  timeout: 30_000,
}, async () => {
  const lines: string[] = [];
  const registered = cuda.cuLogsRegisterCallback((_level, message) => lines.push(message));
  const before = cuda.cuLogsCurrent(0);
  const fail = () => assert.throws(() => launch(kernel("nothing"), { block: 5000 }), cuda.CudaError);
  fail();
  for (let i = 0; i < 100 && lines.length === 0; i++) await sleep(10);
  assert.ok(lines.length > 0, "the callback was called");
  assert.match(lines.join("\n"), /\w{4}/);

  const folder = mkdtempSync(join(tmpdir(), "gpu-"));
  const path = join(folder, "log.txt");
  cuda.cuLogsDumpToFile(before, path, 0);
  const inFile = readFileSync(path, "utf8");
  const [after, inMemory] = cuda.cuLogsDumpToMemory(before, 25_600, 0);
  assert.ok((after ?? 0) > before, "the iterator moved on");
  assert.equal(cuda.cuLogsDumpToMemory(after, 25_600, 0)[1], "");
  /* Driver 580 writes more than it was told there is room for. */
  assert.match(cuda.cuLogsDumpToMemory(before, 200, 0)[1], /\w{4}/);
  assert.ok(inFile.length > 0 && inMemory.length > 0);
  assert.ok(inFile.includes(inMemory.trim().split("\n")[0] ?? "?"), "the same log");
  rmSync(folder, { recursive: true });

  const heard = lines.length;
  fail();
  cuda.cuLogsUnregisterCallback(registered);
  assert.ok(lines.length > heard, "called for what waited");
  const count = lines.length;
  fail();
  await sleep(50);
  assert.equal(lines.length, count, "not called any more");
});

test("objects of the user's: destroyed with the last reference, also a graph's", {
  skip,
  timeout: 30_000,
}, async () => {
  let destroyed = 0;
  const settled = async (expected: number) => {
    for (let i = 0; i < 200 && destroyed < expected; i++) await sleep(10);
    return destroyed;
  };
  const noSync = cuda.CUuserObject_flags.CU_USER_OBJECT_NO_DESTRUCTOR_SYNC;
  const destroy = () => {
    destroyed += 1;
  };
  const alone = cuda.cuUserObjectCreate(null, destroy, 1, noSync);
  cuda.cuUserObjectRetain(alone, 2);
  cuda.cuUserObjectRelease(alone, 2);
  assert.equal(destroyed, 0);
  cuda.cuUserObjectRelease(alone, 1);
  assert.equal(await settled(1), 1);

  const object = cuda.cuUserObjectCreate(null, destroy, 1, noSync);
  const data = poisoned(16);
  const graph = cuda.cuGraphCreate(0);
  const params = {
    func: kernel("iota"),
    gridDimX: 1,
    gridDimY: 1,
    gridDimZ: 1,
    blockDimX: 16,
    blockDimY: 1,
    blockDimZ: 1,
  };
  cuda.cuGraphAddKernelNode(graph, null, 0, { ...params, kernelParams: cuda.kernelParams(ptr(data), u32(16), u32(0)) });
  cuda.cuGraphRetainUserObject(graph, object, 2, 0);
  cuda.cuGraphReleaseUserObject(graph, object, 1);
  cuda.cuUserObjectRelease(object, 1);
  const exec = cuda.cuGraphInstantiate(graph, 0);
  cuda.cuGraphDestroy(graph);
  cuda.cuGraphLaunch(exec, null);
  cuda.cuCtxSynchronize();
  await sleep(20);
  assert.equal(destroyed, 1, "the executable graph still holds it");
  cuda.cuGraphExecDestroy(exec);
  cuda.cuCtxSynchronize();
  assert.equal(await settled(2), 2);
  cuda.cuMemFree(data);
});

test("settings of coredumps, remote writes, notifications", { skip }, () => {
  const settings = cuda.CUcoredumpSettings;
  const { CU_COREDUMP_FILE, CU_COREDUMP_LIGHTWEIGHT, CU_COREDUMP_GENERATION_FLAGS } = settings;
  const file = attempt(
    () => cuda.cuCoredumpGetAttributeGlobal(CU_COREDUMP_FILE),
    MISSING,
    NOT_SUPPORTED,
    "CUDA_ERROR_NOT_PERMITTED",
  );
  if (file !== null) {
    assert.equal(typeof file, "string");
    cuda.cuCoredumpSetAttributeGlobal(CU_COREDUMP_FILE, "dump \u00e9");
    assert.equal(cuda.cuCoredumpGetAttributeGlobal(CU_COREDUMP_FILE), "dump \u00e9");
    cuda.cuCoredumpSetAttribute(CU_COREDUMP_FILE, "of this context");
    assert.equal(cuda.cuCoredumpGetAttribute(CU_COREDUMP_FILE), "of this context");
    assert.equal(cuda.cuCoredumpGetAttribute(CU_COREDUMP_LIGHTWEIGHT), false);
    cuda.cuCoredumpSetAttribute(CU_COREDUMP_LIGHTWEIGHT, true);
    assert.equal(cuda.cuCoredumpGetAttribute(CU_COREDUMP_LIGHTWEIGHT), true);
    assert.equal(typeof cuda.cuCoredumpGetAttribute(CU_COREDUMP_GENERATION_FLAGS), "number");
    assert.equal(typeof cuda.cuCoredumpGetAttributeGlobal(settings.CU_COREDUMP_ENABLE_ON_EXCEPTION), "boolean");
  }
  attempt(
    () =>
      cuda.cuFlushGPUDirectRDMAWrites(
        cuda.CUflushGPUDirectRDMAWritesTarget.CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TARGET_CURRENT_CTX,
        cuda.CUflushGPUDirectRDMAWritesScope.CU_FLUSH_GPU_DIRECT_RDMA_WRITES_TO_OWNER,
      ),
    NOT_SUPPORTED,
  );
  const handle = attempt(
    () => cuda.cuDeviceRegisterAsyncNotification(state.device, () => {}),
    MISSING,
    NOT_SUPPORTED,
    INVALID_VALUE,
  );
  if (handle !== null) cuda.cuDeviceUnregisterAsyncNotification(state.device, handle);
});

test("a stand-still: the default stream is empty at the end", { skip }, () => {
  const data = poisoned(100);
  launch(kernel("iota"), blocks(100), ptr(data), u32(100), u32(0));
  cuda.cuStreamSynchronize(null);
  assert.equal(cuda.cuStreamQuery(null), true);
  cuda.cuMemFree(data);
});
