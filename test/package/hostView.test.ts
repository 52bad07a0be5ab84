import assert from "node:assert/strict";
import { constants } from "node:buffer";
import { cp } from "node:fs/promises";
import { dirname, join } from "node:path";
import { before, describe, it } from "node:test";
import { pathToFileURL } from "node:url";
import { Worker } from "node:worker_threads";
import * as cuda from "cuda-driver";
import { command } from "../support/command.ts";
import { nodeHeaders } from "../support/nodeHeaders.ts";
import { PACKAGE } from "./child.ts";
import { addon, fixture, scratchFolder } from "./fakes.ts";

const { copyFrom, copyTo, hostView } = cuda;

before(async () => {
  process.env.CUDA_DRIVER_LIBRARY = await addon(join(await scratchFolder(), "libcuda.so.1"), "jit.c");
});

/** The package with its shim compiled for a platform that allows no external memory; what the shim says is the same. */
async function refusing(): Promise<typeof cuda> {
  const folder = await scratchFolder();
  await cp(join(PACKAGE, "dist"), join(folder, "dist"), { recursive: true });
  await cp(join(PACKAGE, "package.json"), join(folder, "package.json"));
  const built = join(folder, "build", "Release", "cuda_driver.node");
  await command("mkdir", ["-p", dirname(built)]);
  await command("cc", [
    ...["-std=gnu11", "-O1", "-shared", "-fPIC", "-fvisibility=hidden", "-I", nodeHeaders()],
    ...["-include", fixture("refuse.h"), "-o", built, join(PACKAGE, "native", "shim.c"), "-ldl"],
  ]);
  return import(pathToFileURL(join(folder, "dist", "index.js")).href) as Promise<typeof cuda>;
}

describe("hostView", () => {
  it("is the driver's own memory, both ways", () => {
    const address = cuda.cuMemAllocHost(64);
    const view = hostView(address, 64);
    assert.deepEqual([view.buffer.byteLength, view.address, cuda.addressOf(view.buffer)], [64, address, address]);
    const words = new Uint32Array(view.buffer);
    words.set([1, 2, 3]);
    assert.deepEqual(new Uint32Array(copyFrom(address, 12).buffer), Uint32Array.of(1, 2, 3));
    copyTo(address + 4n, Uint32Array.of(7));
    assert.deepEqual([...words.subarray(0, 3)], [1, 7, 3]);
    cuda.cuMemcpyHtoD(address + 32n, view.buffer, 12);
    assert.deepEqual([...words.subarray(8, 11)], [1, 7, 3]);
    view.release();
    cuda.cuMemFreeHost(address);
  });

  it("is empty after its release", () => {
    const address = cuda.cuMemAllocHost(64);
    const view = hostView(address, 64n);
    const words = new Uint32Array(view.buffer);
    words.fill(5);
    view.release();
    assert.deepEqual([view.buffer.byteLength, words.length, words[0]], [0, 0, undefined]);
    assert.throws(() => new Uint32Array(view.buffer), TypeError);
    assert.throws(() => new DataView(view.buffer), TypeError);
    assert.throws(() => words.set([1]), Error);
    assert.throws(() => cuda.cuMemcpyHtoD(address, view.buffer, 4), Error);
    assert.throws(() => cuda.cuMemcpyHtoD(address, words, 4), Error);
    view.release();
    assert.deepEqual(copyFrom(address, 4), Uint8Array.of(5, 0, 0, 0), "the memory is still the driver's");
    cuda.cuMemFreeHost(address);
  });

  it("frees nothing when it is collected or its thread ends, and stays on its thread", async () => {
    const address = cuda.cuMemAllocHost(8);
    copyTo(address, Uint8Array.of(9));
    const code = `import("cuda-driver").then((cuda) => { new Uint8Array(cuda.hostView(${address}n, 8).buffer)[1] = 8; })`;
    await new Promise((ended) => new Worker(code, { eval: true, execArgv: [] }).on("exit", ended));
    assert.deepEqual(copyFrom(address, 2), Uint8Array.of(9, 8));
    const view = hostView(address, 8);
    try {
      /* An error from Node 21 on. */
      structuredClone(view.buffer, { transfer: [view.buffer] });
    } catch {}
    assert.equal(view.buffer.byteLength, 8);
    view.release();
    cuda.cuMemFreeHost(address);
  });

  it("sees one piece of memory twice", () => {
    const address = cuda.cuMemAllocHost(8);
    const [one, two] = [hostView(address, 8), hostView(address, 8)];
    new Uint8Array(one.buffer)[0] = 3;
    one.release();
    assert.equal(new Uint8Array(two.buffer)[0], 3);
    two.release();
    cuda.cuMemFreeHost(address);
  });

  it("refuses what is no place in memory, as the copies do", () => {
    const wrong: [address: unknown, length: unknown, "TypeError" | "RangeError"][] = [
      [0n, 8, "RangeError"],
      [-1n, 8, "RangeError"],
      [2n ** 64n, 8, "RangeError"],
      [2n ** 64n - 4n, 8, "RangeError"],
      [4096, 8, "TypeError"],
      [null, 8, "TypeError"],
      [4096n, 0, "RangeError"],
      [4096n, -1, "RangeError"],
      [4096n, 1.5, "RangeError"],
      [4096n, Number.NaN, "RangeError"],
      [4096n, constants.MAX_LENGTH + 1, "RangeError"],
      [4096n, 2n ** 64n, "RangeError"],
      [4096n, "8", "TypeError"],
      [4096n, undefined, "TypeError"],
    ];
    for (const [address, length, name] of wrong) {
      for (const each of [hostView, copyFrom]) {
        assert.throws(() => each(address as bigint, length as number), {
          name,
          message: new RegExp(`^${each.name}: `),
        });
      }
    }
    const bytes = new Uint8Array(8);
    assert.throws(() => copyTo(0n, bytes), { name: "RangeError" });
    assert.throws(() => copyTo(8 as never, bytes), { name: "TypeError" });
    for (const memory of ["text", null, [1], 4096n, cuda.kernelParams()]) {
      assert.throws(() => copyTo(4096n, memory as never), { name: "TypeError", message: /^copyTo: memory / });
    }
  });

  it("copies from every kind of memory", () => {
    const address = cuda.cuMemAllocHost(4);
    const bytes = Uint8Array.of(0, 1, 2, 3, 4);
    const shared = new SharedArrayBuffer(2);
    new Uint8Array(shared).set([8, 9]);
    for (const [memory, wanted] of [
      [bytes.subarray(1, 3), [1, 2]],
      [new DataView(bytes.buffer, 3, 2), [3, 4]],
      [bytes.slice(0, 2).buffer, [0, 1]],
      [shared, [8, 9]],
      [Buffer.from("ab"), [97, 98]],
    ] as const) {
      copyTo(address, memory);
      assert.deepEqual([...copyFrom(address, 2)], wanted);
    }
    copyTo(address, new Uint8Array(0));
    cuda.cuMemFreeHost(address);
  });
});

describe("a platform that allows no external memory (case 42)", () => {
  it("says why there is no view and what to do; all else works by copying", async () => {
    const other = await refusing();
    assert.notEqual(other.hostView, hostView);
    const address = other.cuMemAllocHost(16);
    assert.throws(() => other.hostView(address, 16), {
      name: "Error",
      message: /^hostView: this platform allows no ArrayBuffer .*; use copyFrom\(address, length\) and copyTo/,
    });
    other.copyTo(address, Uint16Array.of(258));
    assert.deepEqual([...other.copyFrom(address, 3)], [2, 1, 0]);
    other.cuMemcpyHtoD(address, Uint8Array.of(6), 1);
    assert.equal(other.copyFrom(address, 1)[0], 6);
    assert.equal(other.cuDeviceGetName(32, 3), "device 3");
    assert.equal(await other.promises.cuDeviceGetName(32, 4), "device 4");
    assert.equal(other.cuDriverGetVersion(), 13050);
    assert.throws(() => other.cuCtxSynchronize(), { name: "CudaSymbolError" });
    const record = new other.CUDA_MEMCPY2D({ WidthInBytes: 5, srcHost: "text" });
    assert.equal(record.WidthInBytes, 5n);
    assert.ok(other.kernelParams(other.kernel.i32(1)).address > 0n);
    const jit = other.jitOptions({ infoLog: 64 });
    const library = other.cuLibraryLoadData(new Uint8Array(1), jit.names, jit.values);
    assert.equal(jit.infoLog, "3=log 4=64 ");
    other.cuLibraryUnload(library);
    other.cuMemFreeHost(address);
  });
});
