/** What the package knows beside the types: how much memory a call touches, which option is of which kind, what a list may hold. */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import * as cuda from "cuda-driver";
import * as driver from "cuda-driver/v2/driver";
import { fakeDriver, scratchFolder } from "./fakes.ts";

// biome-ignore lint/suspicious/noExplicitAny: what the compiler refuses is passed on purpose
type Any = any;

before(async () => {
  cuda.openDriver(await fakeDriver(`${await scratchFolder()}/libcuda.so.1`));
});

/** A view whose buffer became too short for it. */
function cutOff(): Uint8Array {
  const Resizable = ArrayBuffer as Any;
  const buffer = new Resizable(16, { maxByteLength: 32 });
  const view = new Uint8Array(buffer, 8, 8);
  buffer.resize(4);
  return view;
}

function gone(): Uint8Array {
  const memory = new Uint8Array(8);
  structuredClone(memory.buffer, { transfer: [memory.buffer] });
  return memory;
}

const stream = null;
const node = 0x40n as cuda.CUgraphNode;
const graph = 0x30n as cuda.CUgraph;
const f = 0x20n as cuda.CUfunction;

function refuses(call: () => unknown, name: "TypeError" | "RangeError", message: string): void {
  assert.throws(call, { name, message });
}

describe("memory that is gone", () => {
  const lost = "points to memory that was transferred to another thread, detached or cut off its buffer";

  it("is refused as an argument, in lists and in records", () => {
    for (const memory of [gone(), cutOff()]) {
      refuses(() => cuda.cuMemcpyHtoD(1n, memory), "TypeError", `cuMemcpyHtoD_v2: srcHost ${lost}`);
      refuses(() => cuda.cuMemcpyHtoD(1n, memory, 0), "TypeError", `cuMemcpyHtoD_v2: srcHost ${lost}`);
      refuses(() => cuda.addressOf(memory), "TypeError", `addressOf: memory ${lost}`);
      refuses(() => cuda.copyTo(4096n, memory), "TypeError", `copyTo: memory ${lost}`);
      const launch = (params: Any, extra: Any = null) =>
        cuda.cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, stream, params, extra);
      refuses(() => launch([memory]), "TypeError", `cuLaunchKernel: kernelParams[0] ${lost}`);
      refuses(() => launch(null, [1n, memory, 0n]), "TypeError", `cuLaunchKernel: extra[1] ${lost}`);
      refuses(() => new cuda.CUDA_MEMCPY2D({ srcHost: memory }), "TypeError", `CUDA_MEMCPY2D_v2: srcHost ${lost}`);
    }
  });
});

describe("lists", () => {
  it("of integers hold no memory and no null; of device pointers, no plain numbers either", () => {
    const copy = (dsts: Any, srcs: Any, sizes: Any) => () =>
      cuda.cuMemcpyBatchAsync(dsts, srcs, sizes, undefined, [{}], [0], undefined, 0x50n as cuda.CUstream);
    const integer = "an integer from 0 to 2**53 - 1, or a bigint up to 2n**64n - 1n";
    const opaque = "a bigint from 0n to 2n**64n - 1n";
    const name = "cuMemcpyBatchAsync_v2";
    refuses(copy([1n], [2n], [new Uint8Array(4)]), "TypeError", `${name}: sizes[0] must be ${integer}, not Uint8Array`);
    refuses(copy([1n], [2n], [null]), "TypeError", `${name}: sizes[0] must be ${integer}, not null`);
    refuses(copy([1n, 2n], [3n, 4n], [4, -1]), "RangeError", `${name}: sizes[1] must be ${integer}, not -1`);
    refuses(copy([5], [2n], [4]), "TypeError", `${name}: dsts[0] must be ${opaque}, not 5`);
    refuses(copy([1n], [null], [4]), "TypeError", `${name}: srcs[0] must be ${opaque}, not null`);
    refuses(copy([new Uint8Array(4)], [2n], [4]), "TypeError", `${name}: dsts[0] must be ${opaque}, not Uint8Array`);
  });

  it("may not be NULL beside others that have elements, where they say how many; data of edges may", () => {
    refuses(
      () => cuda.cuGraphAddDependencies(graph, null, [node], null),
      "TypeError",
      "cuGraphAddDependencies_v2: from must not be null where to has 1 elements; give numDependencies, or a list",
    );
    const lacks = { name: "CudaSymbolError" };
    assert.throws(() => cuda.cuGraphAddDependencies(graph, [node], [node], null), lacks);
    assert.throws(() => cuda.cuGraphAddDependencies(graph, null, null, null), lacks);
  });
});

describe("options", () => {
  const jit = cuda.CUjit_option;
  const code = "// PTX";

  it("made for the one kind are not taken for the other", () => {
    const message = (name: string, parameter: string, wanted: string, given: string) =>
      `${name}: ${parameter} must be of ${wanted}, not of ${given}`;
    const library = cuda.libraryOptions({ binaryIsPreserved: true }) as Any;
    const compile = cuda.jitOptions({ maxRegisters: 40 }) as Any;
    const [JIT, LIBRARY] = ["CUjit_option", "CUlibraryOption"] as const;
    refuses(
      () => cuda.cuLibraryLoadData(code, library),
      "TypeError",
      message("cuLibraryLoadData", "jitOptions", JIT, LIBRARY),
    );
    refuses(
      () => driver.library_load_from_file("x", undefined, undefined, undefined, compile),
      "TypeError",
      message("cuLibraryLoadFromFile", "libraryOptions", LIBRARY, JIT),
    );
    refuses(
      () => cuda.cuLinkCreate(undefined, library),
      "TypeError",
      message("cuLinkCreate_v2", "options", JIT, LIBRARY),
    );
    refuses(
      () => cuda.cuLibraryLoadData(code, { names: [0], values: [1] } as Any),
      "TypeError",
      "cuLibraryLoadData: jitOptions must be an array, an Int32Array, a Uint32Array, null or an address, not Object",
    );
  });

  it("have logs as long as the size beside them says, integers where C has integers, addresses where it has pointers", () => {
    const load = (names: number[], values: Any[]) => () =>
      cuda.cuModuleLoadDataEx(code, undefined, names as Any, values);
    const name = "cuModuleLoadDataEx: optionValues";
    const [LOG, SIZE] = [jit.CU_JIT_INFO_LOG_BUFFER, jit.CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES];
    refuses(
      load([LOG, SIZE], [new Uint8Array(4), 4000]),
      "RangeError",
      `${name}[0] holds 4 bytes, and optionValues[1] tells the driver 4000`,
    );
    refuses(
      load([SIZE, LOG], [5, new Uint8Array(4)]),
      "RangeError",
      `${name}[1] holds 4 bytes, and optionValues[0] tells the driver 5`,
    );
    refuses(load([LOG], [4096]), "TypeError", `${name}[0] must be memory, an address as a bigint, or null, not 4096`);
    refuses(
      load([jit.CU_JIT_MAX_REGISTERS], [new Uint8Array(4)]),
      "TypeError",
      `${name}[0] must be an integer, not Uint8Array`,
    );
    assert.throws(load([LOG, SIZE], [new Uint8Array(4), 4]), { name: "CudaSymbolError" });
  });

  it("point to a table that is one", () => {
    const table = (value: Any) => () => cuda.libraryOptions({ hostUniversalFunctionAndDataTable: value });
    assert.throws(table(new cuda.CUuuid()), {
      name: "TypeError",
      message: /must be a CUlibraryHostUniversal.*not CUuuid$/,
    });
    assert.throws(() => cuda.cuLibraryLoadData(code, null, null, undefined, [0], [new Uint8Array(31)]), {
      name: "RangeError",
      message: /^cuLibraryLoadData: libraryOptionValues\[0\] holds 31 bytes, not 32$/,
    });
    assert.throws(table(new Uint8Array(31)), { name: "RangeError", message: /holds 31 bytes, not 32$/ });
    assert.equal(table(new cuda.CUlibraryHostUniversalFunctionAndDataTable())().count, 1);
    assert.throws(() => cuda.jitOptions(new Map([["maxRegisters", 3]]) as Any), { name: "TypeError" });
  });
});

describe("pitched copies", () => {
  const copy = (fields: Any) => () => cuda.cuMemcpy2D({ WidthInBytes: 256, Height: 32, ...fields });
  const host = cuda.CUmemorytype.CU_MEMORYTYPE_HOST;
  const said = (field: string, holds: number, needed: number) =>
    `cuMemcpy2D_v2: pCopy does not fit: CUDA_MEMCPY2D_v2: ${field} holds ${holds} bytes, the other fields ask for ${needed}`;
  const reaches = (call: () => unknown) => assert.throws(call, { name: "CudaSymbolError" });

  it("are refused where host memory ends before they do", () => {
    const needed = 31 * 300 + 256;
    const source = (length: number, more: Any = {}) =>
      copy({ srcMemoryType: host, srcHost: new Uint8Array(length), srcPitch: 300, ...more });
    refuses(source(needed - 1), "RangeError", said("srcHost", needed - 1, needed));
    reaches(source(needed));
    refuses(source(needed, { srcXInBytes: 1 }), "RangeError", said("srcHost", needed, needed + 1));
    refuses(source(needed, { srcY: 1 }), "RangeError", said("srcHost", needed, needed + 300));
    refuses(copy({ dstMemoryType: host, dstHost: new Uint8Array(10) }), "RangeError", said("dstHost", 10, 32 * 256));
    reaches(copy({ srcMemoryType: cuda.CUmemorytype.CU_MEMORYTYPE_DEVICE, srcHost: new Uint8Array(1) }));
    reaches(copy({ srcMemoryType: host, srcHost: new Uint8Array(1), Height: 0 }));
  });

  it("have slices too, within records as well", () => {
    const params = (bytes: number) =>
      new cuda.CUDA_MEMCPY_NODE_PARAMS({
        copyParams: {
          ...{ srcMemoryType: host, srcHost: new Uint8Array(bytes), srcPitch: 10, srcHeight: 5 },
          ...{ WidthInBytes: 8, Height: 4, Depth: 3 },
        },
      });
    const needed = (2 * 5 + 3) * 10 + 8;
    params(needed).$use();
    refuses(
      () => params(needed - 1).$use(),
      "RangeError",
      `CUDA_MEMCPY3D_v2: srcHost holds ${needed - 1} bytes, the other fields ask for ${needed}`,
    );
  });
});

describe("a record of a pitched copy", () => {
  const fields = () => ({
    ...{ srcMemoryType: cuda.CUmemorytype.CU_MEMORYTYPE_HOST, srcPitch: 16, WidthInBytes: 16, Height: 4 },
    dstMemoryType: cuda.CUmemorytype.CU_MEMORYTYPE_DEVICE,
  });

  it("is refused when it is used, not when it is copied", () => {
    const template = new cuda.CUDA_MEMCPY2D({ ...fields(), srcHost: new Uint8Array(16) });
    const one = new cuda.CUDA_MEMCPY2D(template);
    one.Height = 1n;
    assert.throws(() => cuda.cuMemcpy2D(one), { name: "CudaSymbolError" });
    assert.throws(() => cuda.cuMemcpy2D(template), { name: "RangeError", message: /holds 16 bytes/ });
    assert.throws(() => cuda.cuMemcpy2D({ ...fields(), srcHost: new cuda.CUuuid() }), {
      name: "RangeError",
      message: /srcHost holds 16 bytes, the other fields ask for 64$/,
    });
  });

  it("may be of a program's own class, which is not made again", () => {
    let made = 0;
    class Upload extends cuda.CUDA_MEMCPY2D {
      constructor(of: { pixels: Uint8Array }) {
        super({ ...fields(), Height: 1, srcHost: of.pixels });
        made++;
      }
    }
    const upload = new Upload({ pixels: new Uint8Array(64) });
    upload.Height = 4n;
    assert.throws(() => cuda.cuMemcpy2D(upload), { name: "CudaSymbolError" });
    assert.deepEqual([made, upload.Height], [1, 4n]);
  });
});

describe("records", () => {
  it("keep what says which member is used, wherever it stands", () => {
    const operation = cuda.CUstreamBatchMemOpType.CU_STREAM_MEM_OP_WRITE_VALUE_32;
    const writeValue = { address: 8n as cuda.CUdeviceptr, value: 7 };
    for (const fields of [
      { operation, writeValue },
      { writeValue, operation },
    ]) {
      const op = new cuda.CUstreamBatchMemOpParams(fields);
      assert.deepEqual([op.operation, op.writeValue.address, op.writeValue.operation], [operation, 8n, operation]);
    }
  });

  it("take text only where it is read", () => {
    assert.throws(() => new cuda.CUDA_MEMCPY2D({ dstHost: "text" } as Any), {
      name: "TypeError",
      message: /dstHost must be null, a bigint address, a record, an ArrayBuffer or a view, not "text"$/,
    });
    assert.throws(() => new cuda.CUDA_EXTERNAL_MEMORY_HANDLE_DESC({ handle: { nvSciBufObject: "text" } } as Any), {
      name: "TypeError",
      message: /nvSciBufObject must be null, a bigint address, a record, an ArrayBuffer or a view, not "text"$/,
    });
    assert.notEqual(new cuda.CUDA_MEMCPY2D({ srcHost: "text" }).srcHost, 0n);
  });

  it("name objects of Windows in its encoding", () => {
    const name = "Lé \u{1f4be}";
    const wide = [...Buffer.from(`${name}\0`, "utf16le")];
    for (const desc of [
      new cuda.CUDA_EXTERNAL_MEMORY_HANDLE_DESC({ handle: { win32: { name } } }),
      new cuda.CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC({ handle: { win32: { name } } }),
    ]) {
      assert.deepEqual([...cuda.copyFrom(desc.handle.win32.name, wide.length)], wide);
    }
    refuses(
      () => new cuda.CUDA_EXTERNAL_MEMORY_HANDLE_DESC({ handle: { win32: { name: "a\0" } } }),
      "TypeError",
      "CUDA_EXTERNAL_MEMORY_HANDLE_DESC_v1_handle_win32: name must not contain a NUL character",
    );
  });

  it("take a kernel's arguments as launches do", () => {
    const { i32 } = cuda.kernel;
    const record = new cuda.CUDA_KERNEL_NODE_PARAMS({ kernelParams: [i32(7), new cuda.CUuuid()] });
    const [first] = new BigUint64Array(cuda.copyFrom(record.kernelParams, 16).buffer);
    assert.deepEqual([...new Int32Array(cuda.copyFrom(first ?? 0n, 4).buffer)], [7]);
    assert.notEqual(new cuda.CUDA_KERNEL_NODE_PARAMS({ kernelParams: cuda.kernelParams(i32(1)) }).kernelParams, 0n);
    refuses(
      () => new cuda.CUDA_KERNEL_NODE_PARAMS({ kernelParams: [i32(7), 8n] } as Any),
      "TypeError",
      "CUDA_KERNEL_NODE_PARAMS_v2: kernelParams[1] must be a typed value or a record, as others of the array are, not 8n",
    );
  });

  it("hold no float beyond a float's range", () => {
    assert.throws(() => new cuda.CUaccessPolicyWindow({ hitRatio: 1e40 }), RangeError);
    assert.throws(() => new cuda.CUDA_TEXTURE_DESC({ borderColor: [0, -1e40] }), RangeError);
    assert.throws(() => cuda.kernel.f32(1e40), RangeError);
    assert.equal(
      new cuda.CUaccessPolicyWindow({ hitRatio: Number.POSITIVE_INFINITY }).hitRatio,
      Number.POSITIVE_INFINITY,
    );
  });
});
