/** Two GPUs: peer copies and access, a context per device in two workers, memory of one used by a process on the other. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import type * as Cuda from "cuda-driver";
import { child } from "./children/child.ts";
import { cuda } from "./count.ts";
import {
  attempt,
  blocks,
  gpu,
  iota,
  kernel,
  launch,
  MISSING,
  NOT_SUPPORTED,
  numbers,
  skipOneGpu as skip,
  unless,
  upload,
  words,
} from "./device.ts";

const { ptr, u32 } = cuda.kernel;

function device(ordinal: number): Cuda.CUdevice {
  return cuda.cuDeviceGet(ordinal);
}

function peers(): boolean {
  return gpu.count >= 2 && cuda.cuDeviceCanAccessPeer(device(0), device(1)) === 1;
}

function onBoth<T>(work: (contexts: [Cuda.CUcontext, Cuda.CUcontext]) => T): T {
  const contexts: [Cuda.CUcontext, Cuda.CUcontext] = [
    cuda.cuDevicePrimaryCtxRetain(device(0)),
    cuda.cuDevicePrimaryCtxRetain(device(1)),
  ];
  const release = () => {
    for (const context of contexts) {
      cuda.cuCtxSetCurrent(context);
      cuda.cuCtxSynchronize();
    }
    cuda.cuCtxSetCurrent(null);
    for (const ordinal of [0, 1]) cuda.cuDevicePrimaryCtxRelease(device(ordinal));
  };
  try {
    return work(contexts);
  } finally {
    release();
  }
}

test("copies from one GPU to the other", { skip }, () => {
  onBoth(([first, second]) => {
    const data = numbers(100_000);
    cuda.cuCtxSetCurrent(first);
    const from = upload(data);
    cuda.cuCtxSetCurrent(second);
    const to = cuda.cuMemAlloc(data.byteLength);
    cuda.cuMemcpyPeer(to, second, from, first, data.byteLength);
    assert.deepEqual(words(to, data.length), data);
    assert.equal(cuda.cuPointerGetAttribute(cuda.CUpointer_attribute.CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, to), 1);
    launch(kernel("scale"), blocks(data.length), ptr(to), u32(data.length), u32(3), u32(0));
    cuda.cuCtxSynchronize();
    const stream = cuda.cuStreamCreate(0);
    cuda.cuMemcpyPeerAsync(from, first, to, second, data.byteLength, stream);
    cuda.cuStreamSynchronize(stream);
    const row = { WidthInBytes: data.byteLength, Height: 1, Depth: 1 };
    const kinds = {
      srcMemoryType: cuda.CUmemorytype.CU_MEMORYTYPE_DEVICE,
      dstMemoryType: cuda.CUmemorytype.CU_MEMORYTYPE_DEVICE,
    };
    cuda.cuMemsetD32(to, 0, data.length);
    cuda.cuCtxSynchronize();
    cuda.cuMemcpy3DPeer({ ...kinds, ...row, srcDevice: from, srcContext: first, dstDevice: to, dstContext: second });
    assert.deepEqual(
      words(to, data.length),
      data.map((word) => Math.imul(word, 3)),
    );
    cuda.cuMemFree(to);
    cuda.cuStreamDestroy(stream);
    cuda.cuCtxSetCurrent(first);
    cuda.cuMemFree(from);
  });
});

test("a kernel on one GPU works on the other's memory", {
  skip: unless(peers, `two GPUs that reach each other, and here is ${gpu.count}`),
}, () => {
  onBoth(([first, second]) => {
    const count = 10_000;
    cuda.cuCtxSetCurrent(first);
    const memory = cuda.cuMemAlloc(4 * count);
    cuda.cuCtxSetCurrent(second);
    cuda.cuCtxEnablePeerAccess(first, 0);
    launch(kernel("iota"), blocks(count), ptr(memory), u32(count), u32(5));
    cuda.cuCtxSynchronize();
    cuda.cuCtxDisablePeerAccess(first);
    cuda.cuCtxSetCurrent(first);
    assert.deepEqual(words(memory, count), iota(count, 5));
    cuda.cuMemFree(memory);

    const ids = cuda.CUdevice_P2PAttribute;
    assert.equal(cuda.cuDeviceGetP2PAttribute(ids.CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, device(0), device(1)), 1);
    attempt(
      () =>
        cuda.cuDeviceGetP2PAtomicCapabilities(
          [cuda.CUatomicOperation.CU_ATOMIC_OPERATION_INTEGER_ADD],
          1,
          device(0),
          device(1),
        ),
      MISSING,
      NOT_SUPPORTED,
    );
  });
});

test("a context per device in two workers at once", { skip, timeout: 60_000 }, async () => {
  const results = await Promise.all(
    [0, 1].map(
      (ordinal) =>
        new Promise<{ ordinal: number; right: boolean }>((resolve, reject) => {
          const worker = new Worker(new URL("children/device.worker.ts", import.meta.url), { workerData: ordinal });
          worker.once("message", resolve);
          worker.once("error", reject);
        }),
    ),
  );
  assert.deepEqual(results, [
    { ordinal: 0, right: true },
    { ordinal: 1, right: true },
  ]);
});

test("memory of one GPU, used by a process on the other", {
  skip: unless(peers, `two GPUs that reach each other, and here is ${gpu.count}`),
  timeout: 120_000,
}, async () => {
  const context = cuda.cuDevicePrimaryCtxRetain(device(0));
  cuda.cuCtxSetCurrent(context);
  const memory = upload(iota(1000, 1));
  const handle = Buffer.from(cuda.cuIpcGetMemHandle(memory).$bytes).toString("hex");
  const { answer, errors } = await child<{ sum?: number }>("ipc.ts", {
    kind: "memory",
    words: 1000,
    handle,
    device: 1,
  });
  assert.equal(answer?.sum, 500_500, errors);
  assert.deepEqual(
    words(memory, 1000),
    iota(1000, 1).map((x) => 2 * x),
  );
  cuda.cuMemFree(memory);
  cuda.cuDevicePrimaryCtxRelease(device(0));
});
