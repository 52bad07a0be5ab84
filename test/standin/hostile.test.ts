/** Arguments that run code of the program's while a call is prepared, that pose as something else, or that change meanwhile. */
import assert from "node:assert/strict";
import { before, beforeEach, describe, it } from "node:test";
import { runInNewContext, runInThisContext } from "node:vm";
import { tellSizes, type World } from "./context.ts";
import type { RecordedCall } from "./control.ts";
import { numberBytes } from "./scalars.ts";
import { openWorld } from "./world.ts";

describe("arguments that do more than be there", () => {
  let world: World;
  let cuda: World["package"]["cuda"];

  before(async () => {
    world = await openWorld();
    ({ cuda } = world.package);
  });
  beforeEach(() => {
    world.standin.addon.reset();
    tellSizes(world);
  });

  /** The calls of one function that the driver got. */
  function calls(name: string): RecordedCall[] {
    return world.standin.take().filter((call) => call.name === name);
  }

  /** Getters that make calls of their own: one that is made, and some that are refused on the way. */
  const within: [name: string, act: () => unknown][] = [
    ["a call", () => cuda.cuCtxSetCurrent(0x77n)],
    ["a call of much", () => cuda.cuGraphAddDependencies([9n], [9n, 9n], [8n, 8n], null)],
    ["a call that is refused at its second argument", () => cuda.cuLaunchKernel(0xdeadn, 0xbad, "x")],
    ["a call whose text is refused", () => cuda.cuModuleGetFunction(0xbadn, "a\0b")],
    ["a call whose list is refused", () => cuda.cuGraphAddDependencies_v2(0xbadn, [1n, 2n], ["x"], null, 2)],
    ["a promise", () => void cuda.promises.cuCtxSynchronize().catch(() => {})],
    ["a promise that is refused", () => void cuda.promises.cuLaunchKernel(0xdeadn, 0xbad, "x").catch(() => {})],
  ];

  for (const [what, act] of within) {
    it(`a getter may make ${what}`, () => {
      const attempt = () => {
        try {
          act();
        } catch {
          /* As it may. */
        }
      };
      const params = {
        get WidthInBytes() {
          attempt();
          return 5n;
        },
        Height: 6n,
        Depth: 7n,
      };
      const dependencies = [0x21n, 0x22n];
      Object.defineProperty(dependencies, 1, {
        get: () => {
          attempt();
          return 0x23n;
        },
      });
      world.standin.take();
      assert.equal(typeof cuda.cuGraphAddMemcpyNode(0x1111n, dependencies, undefined, params, 0x44n), "bigint");
      const [call, ...others] = calls("cuGraphAddMemcpyNode");
      assert.deepEqual(others, []);
      const [, graph, list, count, copy, context] = call?.arguments ?? [];
      assert.deepEqual([graph?.value, count?.value, context?.value], [0x1111n, 2n, 0x44n]);
      assert.deepEqual([...new BigUint64Array(Uint8Array.from(list?.bytes ?? []).buffer)], [0x21n, 0x23n]);
      const record = new cuda.CUDA_MEMCPY3D();
      record.$bytes.set(copy?.bytes ?? []);
      assert.deepEqual([record.WidthInBytes, record.Height, record.Depth], [5n, 6n, 7n]);
    });
  }

  it("a getter may shrink, detach or empty what stands beside it: the call is refused, or gets what is there", () => {
    const resizable = () =>
      runInThisContext("new ArrayBuffer(16, { maxByteLength: 16 })") as ArrayBuffer & { resize(length: number): void };
    const lists: [change: (buffer: ReturnType<typeof resizable>) => void, name: string, message: RegExp][] = [
      [(buffer) => buffer.resize(0), "RangeError", /^cuGraphAddDependencies_v2: from holds 0 bytes, 16 are asked for/],
      [
        (buffer) => void structuredClone(buffer, { transfer: [buffer] }),
        "TypeError",
        /^cuGraphAddDependencies_v2: from points to memory that was transferred/,
      ],
    ];
    for (const [change, name, message] of lists) {
      const buffer = resizable();
      const to = [1n, 2n];
      const changing = () => {
        change(buffer);
        return 2n;
      };
      Object.defineProperty(to, 1, { get: changing });
      world.standin.take();
      const add = () => cuda.cuGraphAddDependencies_v2(1n, new BigUint64Array(buffer), to, null, 2);
      assert.throws(add, {
        name,
        message,
      });
      assert.deepEqual(calls("cuGraphAddDependencies_v2"), []);
    }
    const from = [5n, 6n];
    const to = [7n, 8n];
    const emptying = () => {
      from.length = 0;
      return 7n;
    };
    Object.defineProperty(to, 0, { get: emptying });
    world.standin.take();
    cuda.cuGraphAddDependencies_v2(1n, from, to, null);
    const [call] = calls("cuGraphAddDependencies_v2");
    assert.equal(call?.arguments[4]?.value, 2n);
    assert.deepEqual([...new BigUint64Array(Uint8Array.from(call?.arguments[1]?.bytes ?? []).buffer)], [5n, 6n]);
  });

  it("memory has the bytes that it has, whatever it says", () => {
    const lies = [
      Object.defineProperty(new Uint8Array(4), "byteLength", { value: 1000 }),
      Object.defineProperty(new DataView(new ArrayBuffer(4)), "byteLength", { get: () => assert.fail("was run") }),
      Object.defineProperty(new ArrayBuffer(4), "byteLength", { value: 1000 }),
      Object.defineProperty(new SharedArrayBuffer(4), "byteLength", { value: 1000 }),
      new (class extends Uint8Array {
        override get byteLength() {
          return assert.fail("was run");
        }
      })(4),
      runInNewContext("new Uint8Array(4)"),
    ];
    for (const memory of lies) {
      world.standin.take();
      const copy = () => cuda.cuMemcpyHtoD(5n, memory, 1000);
      assert.throws(copy, { name: "RangeError", message: /srcHost holds 4 bytes, 1000 are asked for/ });
      cuda.cuMemcpyHtoD(5n, memory);
      const [call] = calls("cuMemcpyHtoD_v2");
      assert.deepEqual([call?.arguments[0]?.value, call?.arguments[2]?.value], [5n, 4n]);
    }
    const gone = new DataView(new ArrayBuffer(8));
    structuredClone(gone.buffer, { transfer: [gone.buffer] });
    assert.throws(() => cuda.cuMemcpyHtoD(5n, gone, 8), { name: "TypeError" });
    for (const poser of [
      Object.create(cuda.KernelParams.prototype),
      { byteLength: 8, address: 8n },
      Object.create(Uint8Array.prototype),
    ]) {
      assert.throws(() => cuda.cuMemcpyHtoD(5n, poser, 4), {
        name: "TypeError",
        message: /^cuMemcpyHtoD_v2: srcHost must be/,
      });
    }
  });

  it("a list lies in bytes or in elements of its own kind", () => {
    const copy = (sizes: unknown) => () => cuda.cuMemcpyBatchAsync([1n], [2n], sizes, 1, [{}], [0], 1, null);
    for (const wrong of [new Uint32Array([3, 4]), new Float64Array(1), new Uint16Array(4)]) {
      assert.throws(copy(wrong), {
        name: "TypeError",
        message: /^cuMemcpyBatchAsync_v2: sizes must hold elements of 64 bits/,
      });
    }
    for (const right of [new BigUint64Array([3n]), new BigInt64Array([3n]), new Uint8Array(8), new ArrayBuffer(8)])
      copy(right)();
    assert.throws(() => cuda.cuGraphAddEmptyNode(1n, new Float32Array(2)), { name: "TypeError" });
  });

  it("more elements than there can be room for are a RangeError, whoever says so", () => {
    world.standin.output("cuGraphGetNodes", "numNodes", numberBytes(2n ** 40n, 8));
    assert.throws(() => cuda.cuGraphGetNodes(1n), {
      name: "RangeError",
      message: /^the driver tells of 1099511627776 elements of 8 bytes/,
    });
    world.standin.output("cuGraphGetNodes", "numNodes", null);
    assert.throws(() => cuda.cuDevSmResourceSplit(2 ** 31 - 1, {}, 0, [{}]), {
      name: "RangeError",
      message: /^cu\w+: \w+ asks for 2147483647 elements/,
    });
    /* The other arguments are refused before any record is made. */
    const before = process.memoryUsage().heapUsed;
    assert.throws(() => cuda.cuDevSmResourceSplit(1_000_000, {}, 0, [{}]), {
      name: "TypeError",
      message: /groupParams/,
    });
    assert.ok(process.memoryUsage().heapUsed - before < 50e6);
  });

  it("memory that is gone is refused, also where nothing is counted", () => {
    const gone = new BigUint64Array(4);
    structuredClone(gone, { transfer: [gone.buffer] });
    const calls: Record<string, () => unknown> = {
      cuMemFreeHost: () => cuda.cuMemFreeHost(gone),
      cuMemcpyHtoD_v2: () => cuda.cuMemcpyHtoD(1n, gone),
      cuMemcpyDtoH_v2: () => cuda.cuMemcpyDtoH(gone.buffer, 1n),
      cuGraphAddDependencies_v2: () => cuda.cuGraphAddDependencies_v2(1n, gone, gone, null),
      cuLaunchKernel: () => cuda.cuLaunchKernel(1n, 1, 1, 1, 1, 1, 1, 0, null, gone, null),
      cuModuleLoadData: () => cuda.cuModuleLoadData(gone),
      addressOf: () => cuda.addressOf(gone),
      copyTo: () => cuda.copyTo(1n, gone),
    };
    for (const [name, call] of Object.entries(calls))
      assert.throws(call, {
        name: "TypeError",
        message: new RegExp(`^${name}: \\w+ points to memory that was transferred`),
      });
    assert.deepEqual(
      world.standin.take().filter(({ name }) => Object.hasOwn(calls, name)),
      [],
    );
  });

  it("a promise of another class than the global one is a promise", async () => {
    const { Promise: own } = globalThis;
    const module = cuda.cuModuleLoadData("x".repeat(64));
    try {
      globalThis.Promise = class extends own<unknown> {} as PromiseConstructor;
      world.standin.fail("cuModuleUnload", 700);
      await assert.rejects(cuda.promises.cuModuleUnload(module), { errno: 700 });
    } finally {
      globalThis.Promise = own;
    }
    cuda.cuModuleUnload(module);
    assert.throws(() => cuda.cuModuleUnload(module), { errno: 400 });
  });

  it("what is no list is refused by its name, also where a count is left out", () => {
    for (const from of ["ab", undefined, 5, {}, () => 1]) {
      assert.throws(() => cuda.cuGraphAddDependencies_v2(1n, from, [1n], null), {
        name: "TypeError",
        message: /^cuGraphAddDependencies_v2: from must be an array/,
      });
    }
  });

  it("what is wrong is wrong of the function that was called, not of the one that counts for it", () => {
    for (const [act, name] of [
      [() => cuda.cuLibraryEnumerateKernels("x"), "cuLibraryEnumerateKernels: lib"],
      [() => cuda.cuModuleEnumerateFunctions(null), "cuModuleEnumerateFunctions: mod"],
      [() => cuda.cuDeviceGetCliqueInfo(1n), "cuDeviceGetCliqueInfo: dev"],
      [
        () => cuda.cuMemGetLocationInfo(1n, 2n ** 40n, 1n, 1n),
        "cuMemGetLocationInfo: size asks for 1099511627776 elements",
      ],
      [
        () => cuda.cuMemGetLocationInfo(1n, 4, 0, 1n),
        "cuMemGetLocationInfo: summaryGranularity must be an integer from 1",
      ],
    ] as const) {
      world.standin.take();
      assert.throws(act, { message: new RegExp(`^${name}`) });
      assert.deepEqual(world.standin.take(), []);
    }
  });

  it("fields that do not fit are named with the function and the parameter", () => {
    assert.throws(() => cuda.cuLaunchKernelEx({ gridDimX: -1 }, 1n, null, null), {
      name: "RangeError",
      message: /^cuLaunchKernelEx: config does not fit: CUlaunchConfig: gridDimX must be/,
    });
  });

  it("a message runs no code of the value that it shows", () => {
    const never = () => assert.fail("was run");
    const values = [
      Object.defineProperty({}, "constructor", { get: never }),
      Object.defineProperty({}, "toString", { value: never }),
      Object.assign(() => 1, { toString: never }),
      new Proxy({}, { get: never, getPrototypeOf: never, getOwnPropertyDescriptor: never }),
      Object.create(new Proxy({}, { get: never, getOwnPropertyDescriptor: never })),
    ];
    for (const value of values) {
      assert.throws(() => cuda.cuMemFree(value), {
        name: "TypeError",
        message: /^cuMemFree_v2: dptr must be a bigint/,
      });
    }
  });

  it("attributes are those that were there at the call", () => {
    class Odd extends Array<number> {
      static override get [Symbol.species]() {
        return assert.fail("was run") as never;
      }
    }
    const list = Odd.from([2, 3, 2]);
    world.standin.take();
    assert.equal(cuda.cuPointerGetAttributes(list, 5n).length, 3);
    const [call] = calls("cuPointerGetAttributes");
    assert.equal(call?.arguments[0]?.value, 3n);
    // biome-ignore lint/suspicious/noSparseArray: that is the case
    assert.throws(() => cuda.cuPointerGetAttributes([2, , 3], 5n), {
      name: "TypeError",
      message: /^cuPointerGetAttributes: attributes must be/,
    });
  });

  it("a refused call leaves nothing behind", () => {
    const big = () => Array.from({ length: 1000 }, (_, at) => BigInt(at));
    const refused = () => {
      try {
        cuda.cuGraphAddDependencies_v2(1n, big(), big(), [Symbol("no")], 1000);
      } catch {
        cuda.cuCtxGetFlags();
      }
    };
    global.gc?.();
    for (let round = 0; round < 2000; round++) refused();
    const before = process.memoryUsage().arrayBuffers;
    for (let round = 0; round < 4000; round++) refused();
    global.gc?.();
    const grown = process.memoryUsage().arrayBuffers - before;
    assert.ok(grown < 16 * 2 ** 20, `${grown} bytes more after 4000 calls, which made 64 MB of lists`);
  });
});
