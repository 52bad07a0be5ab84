/** Modules, libraries and link states: their options, and what is kept alive for them. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { Worker } from "node:worker_threads";
import * as cuda from "cuda-driver";
import * as driver from "cuda-driver/v2/driver";
import { collect } from "./collect.ts";
import { told, useHandleDriver } from "./handleDriver.ts";

const { promises, jitOptions } = cuda;
const [WALL_TIME, LOG, LOG_SIZE, LEVEL, SYMBOLS] = [2, 3, 4, 7, 17];
const PTX = cuda.CUjitInputType.CU_JIT_INPUT_PTX;

useHandleDriver();

describe("options of modules and links (case 35)", () => {
  it("are counted from the arrays, and NULL where there are none", async () => {
    const modules = [
      cuda.cuModuleLoadDataEx("a"),
      cuda.cuModuleLoadDataEx("a", undefined, null, null),
      cuda.cuModuleLoadDataEx("a", 0, [], []),
      cuda.cuModuleLoadDataEx("a", undefined, [LEVEL], [-1]),
      cuda.cuModuleLoadDataEx("a", 2, Int32Array.of(LEVEL, 0), BigUint64Array.of(4n, 16n)),
      driver.module_load_data_ex("a", 1, [LEVEL], [true]),
      await promises.cuModuleLoadDataEx("a", undefined, [LEVEL], [3]),
      cuda.getProc("cuModuleLoadDataEx", { cudaVersion: 12000 })("a", undefined, [LEVEL], [2]),
    ];
    const none = "cuModuleLoadDataEx a 0 NULL NULL";
    assert.deepEqual(told(), [
      ...[none, none, none, "cuModuleLoadDataEx a 1 names values 7=-1"],
      "cuModuleLoadDataEx a 2 names values 7=4 0=16",
      ...["1", "3", "2"].map((level) => `cuModuleLoadDataEx a 1 names values 7=${level}`),
    ]);
    for (const module of modules) cuda.cuModuleUnload(module);
  });

  it("go to both variants of links", async () => {
    for (const [version, create, file, data] of [
      ["", cuda.cuLinkCreate_v1, cuda.cuLinkAddFile_v1, cuda.cuLinkAddData_v1],
      ["_v2", cuda.cuLinkCreate, cuda.cuLinkAddFile, cuda.cuLinkAddData],
      ["_v2", driver.link_create_v2, driver.link_add_file_v2, driver.link_add_data_v2],
      ["_v2", promises.cuLinkCreate, promises.cuLinkAddFile, promises.cuLinkAddData],
    ] as const) {
      const state = await create();
      const other = await create(undefined, [LEVEL], [3]);
      await file(state, PTX, "f.ptx");
      await file(state, PTX, "f.ptx", undefined, [LEVEL], [2]);
      await data(state, PTX, "ptx", 4, null);
      await data(state, PTX, "ptx", 4n, "name", 1, [LEVEL], [1n]);
      assert.deepEqual(
        told().map((line) => line.replace(/^(\w+) \d+ type/, "$1 type")),
        [
          `cuLinkCreate${version}  0 NULL NULL`,
          `cuLinkCreate${version}  1 names values 7=3`,
          `cuLinkAddFile${version} type 1 f.ptx size 0 0 NULL NULL`,
          `cuLinkAddFile${version} type 1 f.ptx size 0 1 names values 7=2`,
          `cuLinkAddData${version} type 1 ptx size 4 0 NULL NULL`,
          `cuLinkAddData${version} type 1 ptx size 4 1 names values 7=1`,
        ],
      );
      cuda.cuLinkDestroy(state);
      cuda.cuLinkDestroy(other);
      told();
    }
  });

  /** It says that it has more slots than it has. */
  class LongSlots extends BigUint64Array {
    override get length(): number {
      return 2;
    }
  }
  const userCode = () => assert.fail("user code ran");

  it("are read by index, whatever else the caller made of the arrays", () => {
    class Own<Element> extends Array<Element> {
      static override get [Symbol.species](): ArrayConstructor {
        return userCode();
      }
      override [Symbol.iterator](): ArrayIterator<Element> {
        return userCode();
      }
      override entries(): never {
        return userCode();
      }
    }
    const [names, values] = [new Own<number>(), new Own<number>()];
    names[0] = LEVEL;
    values[0] = 3;
    cuda.cuModuleUnload(cuda.cuModuleLoadDataEx("a", undefined, names, values));
    class OwnNames extends Int32Array {
      override [Symbol.iterator](): ArrayIterator<number> {
        return userCode();
      }
    }
    const slots = new (class extends BigUint64Array {
      override entries(): never {
        return userCode();
      }
    })([3n]);
    cuda.cuModuleUnload(cuda.cuModuleLoadDataEx("a", undefined, new OwnNames([LEVEL]), slots));
    assert.deepEqual(
      told().filter((line) => line.startsWith("cuModuleLoad")),
      Array(2).fill("cuModuleLoadDataEx a 1 names values 7=3"),
    );
  });

  it("are records too", async () => {
    const load = (): [cuda.CUlibrary, WeakRef<object>] => {
      const table = new cuda.CUlibraryHostUniversalFunctionAndDataTable({ functionWindowSize: 7 });
      const library = cuda.cuLibraryLoadData("a", [SYMBOLS], [table]);
      assert.deepEqual(told(), [`cuLibraryLoadData a 1 names values ${SYMBOLS}=${table.$address}`]);
      return [library, new WeakRef(table)];
    };
    const [library, ref] = load();
    await collect();
    assert.ok(ref.deref() !== undefined, "it was collected while the driver had it");
    cuda.cuLibraryUnload(library);
    await collect();
    assert.equal(ref.deref(), undefined);
  });

  it("that do not take an answer lose nothing else", async () => {
    const throwing = () =>
      Object.defineProperty([0], 0, {
        get: () => 16,
        set() {
          throw new Error("from the setter");
        },
      });
    for (const load of [cuda.cuModuleLoadDataEx, promises.cuModuleLoadDataEx]) {
      const module = await load("a", 1, [LOG_SIZE], throwing());
      cuda.cuModuleGetFunction(module, "f");
      cuda.cuModuleUnload(module);
      await assert.rejects(async () => load("missing", 1, [LOG_SIZE], throwing()), { errno: 301 });
    }
    const state = cuda.cuLinkCreate();
    cuda.cuLinkAddData(state, PTX, "a", 2, null, 1, [LOG_SIZE], throwing());
    cuda.cuLinkComplete(state);
    cuda.cuLinkDestroy(state);
  });

  it("are refused before any call where they do not fit", async () => {
    const state = cuda.cuLinkCreate();
    told();
    const wrong: [rest: unknown[], "TypeError" | "RangeError"][] = [
      [[undefined, [LEVEL], []], "RangeError"],
      [[undefined, [], [1]], "RangeError"],
      [[undefined, [LEVEL]], "RangeError"],
      [[2, [LEVEL], [1]], "RangeError"],
      [[1], "RangeError"],
      [["1", [LEVEL], [1]], "TypeError"],
      [[{ valueOf: userCode, toString: userCode }, [LEVEL], [1]], "TypeError"],
      [[undefined, 5n, 5n], "TypeError"],
      [[1, [LEVEL], 5n], "TypeError"],
      [[1, 5n, [1]], "TypeError"],
      [[undefined, "7", [1]], "TypeError"],
      [[undefined, [null], [1]], "TypeError"],
      [[undefined, [1n], [1]], "TypeError"],
      [[undefined, [{ valueOf: userCode }], [1]], "TypeError"],
      [[undefined, [LEVEL], [{ valueOf: userCode, toString: userCode }]], "TypeError"],
      [[undefined, new DataView(new ArrayBuffer(4)), [1]], "TypeError"],
      [[undefined, new DataView(new ArrayBuffer(4)), new DataView(new ArrayBuffer(8))], "TypeError"],
      [[undefined, new Float64Array(1), [1]], "TypeError"],
      [[undefined, [LEVEL], new DataView(new ArrayBuffer(8))], "TypeError"],
      [[undefined, [LEVEL], new Uint32Array(1)], "TypeError"],
      [[undefined, { length: 1, 0: LEVEL }, [1]], "TypeError"],
      [[undefined, [LEVEL, LEVEL], new LongSlots(1)], "RangeError"],
      [[undefined, [0.5], [1]], "RangeError"],
      [[undefined, [LEVEL], ["1"]], "TypeError"],
      [[undefined, [LEVEL], [2n ** 64n]], "RangeError"],
    ];
    // biome-ignore lint/suspicious/noExplicitAny: wrong on purpose
    const any = (fn: unknown) => fn as (...args: any[]) => unknown;
    const calls: [string, (...rest: unknown[]) => unknown][] = [
      ["cuModuleLoadDataEx", (...rest) => any(cuda.cuModuleLoadDataEx)("a", ...rest)],
      ["cuLinkCreate_v2", (...rest) => any(cuda.cuLinkCreate)(...rest)],
      ["cuLinkAddData_v2", (...rest) => any(cuda.cuLinkAddData)(state, PTX, "a", 2, null, ...rest)],
      ["cuLinkAddFile_v2", (...rest) => any(cuda.cuLinkAddFile)(state, PTX, "a", ...rest)],
      ["cuLinkAddFile", (...rest) => any(promises.cuLinkAddFile_v1)(state, PTX, "a", ...rest)],
    ];
    for (const [name, call] of calls) {
      for (const [rest, error] of wrong) {
        await assert.rejects(async () => call(...rest), { name: error, message: new RegExp(`^${name}: `) }, `${name}`);
      }
    }
    assert.deepEqual(told(), []);
    cuda.cuLinkDestroy(state);
  });

  it("have the driver's answers afterwards, in an array and in slots (case 36)", async () => {
    const log = new Uint8Array(16);
    const text = () => Buffer.from(log).toString().split("\0")[0];
    for (const load of [cuda.cuModuleLoadDataEx, promises.cuModuleLoadDataEx]) {
      const values = [0, log, 16, 3];
      const module = await load("a", undefined, [WALL_TIME, LOG, LOG_SIZE, LEVEL], values);
      assert.deepEqual([values[0], values[2], values[3], text()], [1.5, 4, 3, "made"]);
      cuda.cuModuleGetFunction(module, "f");
      assert.equal(text(), "used");
      cuda.cuModuleUnload(module);
    }
    const frozen = Object.freeze([16]) as number[];
    cuda.cuModuleUnload(cuda.cuModuleLoadDataEx("a", 1, [LOG_SIZE], frozen));
    const failed = [16];
    assert.throws(() => cuda.cuModuleLoadDataEx("missing", 1, [LOG_SIZE], failed), { errno: 301 });
    assert.deepEqual(failed, [4], "a failure has a log too");

    const jit = jitOptions({ infoLog: 16, wallTime: true });
    const state = cuda.cuLinkCreate(jit.count, jit.names, jit.values);
    assert.deepEqual([jit.infoLog, jit.wallTime], ["made", 1.5]);
    cuda.cuLinkComplete(state);
    assert.equal(jit.infoLog, "used");
    cuda.cuLinkDestroy(state);
  });
});

describe("what the driver still has", () => {
  /** Tries to take a buffer away. */
  const transfer = (buffer: ArrayBuffer) => {
    try {
      /* An error from Node 21 on. */
      structuredClone(buffer, { transfer: [buffer] });
    } catch {}
    return buffer.byteLength;
  };

  it("cannot be transferred away", async () => {
    const log = new Uint8Array(64);
    const view = new DataView(new ArrayBuffer(64));
    const slots = new BigUint64Array([16n]);
    const code = new Uint8Array(64);
    const posing = new (class extends Uint8Array {
      override get buffer(): ArrayBuffer {
        return new ArrayBuffer(64);
      }
    })(64);
    const library = cuda.cuLibraryLoadData(code, [LOG, LOG, LOG, LOG], [log, log.buffer, view, posing]);
    const module = await promises.cuModuleLoadDataEx(code, 1, [LOG_SIZE], slots);
    for (const { buffer } of [log, view, slots, code]) assert.notEqual(transfer(buffer), 0);
    const real = Reflect.get(Object.getPrototypeOf(Uint8Array.prototype), "buffer", posing) as ArrayBuffer;
    assert.equal(transfer(real), 64);
    const table = new BigUint64Array(4);
    cuda.libraryOptions({ hostUniversalFunctionAndDataTable: table });
    assert.equal(transfer(table.buffer), 32);
    cuda.cuLibraryUnload(library);
    cuda.cuModuleUnload(module);

    /* Code of a link is read during the call. */
    const state = cuda.cuLinkCreate();
    const read = new Uint8Array(64);
    cuda.cuLinkAddData(state, PTX, read, undefined, null);
    cuda.cuLinkDestroy(state);
    assert.equal(transfer(read.buffer), 0);
    told();
  });

  it("cannot be memory that can be resized", async () => {
    const Resizable = ArrayBuffer as unknown as new (length: number, options: object) => ArrayBuffer;
    const Growable = SharedArrayBuffer as unknown as new (length: number, options: object) => SharedArrayBuffer;
    const buffers = [new Resizable(64, { maxByteLength: 128 }), new Growable(64, { maxByteLength: 128 })];
    const refused = (name: string, parameter: string) => ({
      name: "TypeError",
      message: `${name}: ${parameter} must not lie in a buffer that can be resized: the driver keeps its address`,
    });
    const state = cuda.cuLinkCreate();
    told();
    for (const buffer of buffers) {
      Object.defineProperty(buffer, "resizable", { value: false });
      for (const memory of [buffer, new Uint8Array(buffer), new DataView(buffer, 8, 8)]) {
        const values = [memory];
        assert.throws(
          () => cuda.cuLibraryLoadData("a", [LOG], values),
          refused("cuLibraryLoadData", "jitOptionsValues[0]"),
        );
        await assert.rejects(
          async () => promises.cuLinkAddFile(state, PTX, "f", 1, [LOG], values),
          refused("cuLinkAddFile_v2", "optionValues[0]"),
        );
        assert.throws(() => cuda.cuLibraryLoadData(memory), refused("cuLibraryLoadData", "code"));
        assert.throws(() => cuda.cuModuleLoadData(memory), refused("cuModuleLoadData", "image"));
        assert.throws(
          () => cuda.libraryOptions({ hostUniversalFunctionAndDataTable: memory }),
          refused("libraryOptions", "hostUniversalFunctionAndDataTable"),
        );
      }
      const slots = new BigUint64Array(buffer, 0, 1);
      assert.throws(() => cuda.cuLinkCreate(1, [LEVEL], slots), refused("cuLinkCreate_v2", "optionValues"));
    }
    assert.deepEqual(told(), []);
    for (const buffer of buffers) cuda.cuLinkAddData(state, PTX, buffer, undefined, null);
    cuda.cuLinkDestroy(state);
  });

  type Made = { handle: bigint; refs: WeakRef<object>[]; use(): void; giveBack(): void | Promise<void> };
  /** Two buffers: that of an ordinary array, which the caller empties afterwards, and that of a builder. */
  const buffers = () => {
    const log = new Uint8Array(4096);
    const values: cuda.OptionValue[] = [log, 4096];
    const jit = jitOptions({ infoLog: 4096 });
    return { values, jit, refs: [new WeakRef(log), new WeakRef(jit.values)] };
  };
  const makers: Record<string, () => Promise<Made>> = {
    "a module": async () => {
      const { values, jit, refs } = buffers();
      const handle = cuda.cuModuleLoadDataEx("a", undefined, [LOG, LOG_SIZE], values);
      values.fill(0);
      const other = await promises.cuModuleLoadDataEx("a", jit.count, jit.names, jit.values);
      return {
        ...{ handle, refs },
        use: () => void [handle, other].map((module) => cuda.cuModuleGetFunction(module, "f")),
        giveBack: async () => {
          cuda.cuModuleUnload(handle);
          await promises.cuModuleUnload(other);
        },
      };
    },
    "a link": async () => {
      const { values, jit, refs } = buffers();
      const handle = cuda.cuLinkCreate(undefined, [LOG, LOG_SIZE], values);
      values.fill(0);
      const other = await promises.cuLinkCreate(jit.count, jit.names, jit.values);
      return {
        ...{ handle, refs },
        use: () => void [handle, other].map((state) => cuda.cuLinkComplete(state)),
        giveBack: async () => {
          cuda.cuLinkDestroy(handle);
          await promises.cuLinkDestroy(other);
        },
      };
    },
    "what was added to a link": async () => {
      const { values, jit, refs } = buffers();
      const handle = cuda.cuLinkCreate();
      cuda.cuLinkAddData(handle, PTX, "a", 2, null, undefined, [LOG, LOG_SIZE], values);
      values.fill(0);
      await promises.cuLinkAddFile(handle, PTX, "f", undefined, jit.names, jit.values);
      return {
        ...{ handle, refs },
        use: () => void cuda.cuLinkComplete(handle),
        giveBack: () => cuda.cuLinkDestroy(handle),
      };
    },
    "a library": async () => {
      const { values, jit, refs } = buffers();
      const handle = cuda.cuLibraryLoadData("a", [LOG, LOG_SIZE], values);
      values.fill(0);
      const other = await promises.cuLibraryLoadData("a", jit.names, jit.values);
      return {
        ...{ handle, refs },
        use: () => void [handle, other].map((library) => cuda.cuLibraryGetKernel(library, "f")),
        giveBack: async () => {
          await promises.cuLibraryUnload(handle);
          cuda.cuLibraryUnload(other);
        },
      };
    },
  };
  for (const [name, make] of Object.entries(makers)) {
    it(`lives until the handle is given back, and not longer: ${name}`, async () => {
      const made = await make();
      await collect();
      assert.ok(
        made.refs.every((ref) => ref.deref() !== undefined),
        "a buffer was collected while the driver had it",
      );
      made.use();
      await made.giveBack();
      await collect();
      assert.deepEqual(
        made.refs.map((ref) => ref.deref()),
        [undefined, undefined],
        "a buffer outlives the handle",
      );
    });
  }

  it("stays where giving back fails", async () => {
    for (const unload of [cuda.cuModuleUnload, promises.cuModuleUnload]) {
      const load = (): [cuda.CUmodule, WeakRef<object>] => {
        const jit = jitOptions({ infoLog: 64 });
        return [cuda.cuModuleLoadDataEx("stuck", jit.count, jit.names, jit.values), new WeakRef(jit.values)];
      };
      const [module, ref] = load();
      await assert.rejects(async () => unload(module), { errno: 709 });
      await collect();
      assert.ok(ref.deref() !== undefined, "it was collected while the driver had it");
      cuda.cuModuleGetFunction(module, "f");
      await unload(module);
      await collect();
      assert.equal(ref.deref(), undefined);
    }
  });

  it("is let go where another thread gave the handle back, once its value is given out again", async () => {
    const load = (): [cuda.CUmodule, WeakRef<object>] => {
      const jit = jitOptions({ infoLog: 64 });
      return [cuda.cuModuleLoadDataEx("a", jit.count, jit.names, jit.values), new WeakRef(jit.values)];
    };
    const [first, ref] = load();
    const code = `import("cuda-driver").then((cuda) => cuda.cuModuleUnload(${first}n))`;
    await new Promise((done) => new Worker(code, { eval: true }).on("exit", done));
    const second = cuda.cuModuleLoadDataEx("a");
    assert.equal(second, first);
    await collect();
    assert.equal(ref.deref(), undefined);
    cuda.cuModuleUnload(second);
  });

  it("belongs to the new handle where its value was given out again meanwhile", async () => {
    const first = cuda.cuModuleLoadDataEx("a");
    const ending = promises.cuModuleUnload(first);
    /* The pool thread is done long before its promise is. */
    const until = Date.now() + 50;
    while (Date.now() < until);
    const load = (): [cuda.CUmodule, WeakRef<object>] => {
      const jit = jitOptions({ infoLog: 64 });
      return [cuda.cuModuleLoadDataEx("a", jit.count, jit.names, jit.values), new WeakRef(jit.values)];
    };
    const [second, ref] = load();
    assert.equal(second, first);
    await ending;
    await collect();
    assert.ok(ref.deref() !== undefined, "it was let go with the old handle");
    cuda.cuModuleUnload(second);
  });
});
