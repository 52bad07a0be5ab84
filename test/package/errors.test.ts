import assert from "node:assert/strict";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { driver, drivers } from "../support/drivers.ts";
import { errorOf, evaluate, valuesOf } from "./child.ts";
import { fakeDriver, scratchFolder } from "./fakes.ts";

const env: Record<string, string> = {};
let folder: string;

before(async () => {
  folder = await scratchFolder();
  env.CUDA_DRIVER_LIBRARY = await fakeDriver(join(folder, "libcuda.so.1"));
  env.FAKE_LOG = join(folder, "log");
});

/** What the driver of our own wrote down while the expressions ran. */
async function logged(...expressions: string[]): Promise<string[]> {
  return valuesOf(await evaluate(["log()", ...expressions, "log()"], { env })).at(-1) as string[];
}

describe("values on their way to the driver (case 43)", () => {
  const REFUSED: [call: string, what: string, values: [value: string, error: "TypeError" | "RangeError"][]][] = [
    [
      "cuMemFree(VALUE)",
      "cuMemFree_v2: dptr ",
      [
        ["-1n", "RangeError"],
        ["2n**64n", "RangeError"],
        ["1", "TypeError"],
        ["2**53+1", "TypeError"],
        ["1.5", "TypeError"],
        ["NaN", "TypeError"],
        ['"1"', "TypeError"],
        ["null", "TypeError"],
        ["undefined", "TypeError"],
        ["true", "TypeError"],
        ["{}", "TypeError"],
        ["Symbol()", "TypeError"],
        ["Object(1n)", "TypeError"],
        ["new Uint8Array(8)", "TypeError"],
      ],
    ],
    [
      "cuMemAlloc(VALUE)",
      "cuMemAlloc_v2: bytesize ",
      [
        ["-1n", "RangeError"],
        ["-1", "RangeError"],
        ["2n**64n", "RangeError"],
        ["2**53", "RangeError"],
        ["2**53+1", "RangeError"],
        ["1.5", "RangeError"],
        ["NaN", "RangeError"],
        ["Infinity", "RangeError"],
        ['"1"', "TypeError"],
        ["null", "TypeError"],
        ["undefined", "TypeError"],
        ["[5]", "TypeError"],
      ],
    ],
    [
      "cuInit(VALUE)",
      "cuInit: Flags ",
      [
        ["-1", "RangeError"],
        ["2**32", "RangeError"],
        ["2**53+1", "RangeError"],
        ["1.5", "RangeError"],
        ["NaN", "RangeError"],
        ["0n", "TypeError"],
        ['"1"', "TypeError"],
        ["null", "TypeError"],
        ["undefined", "TypeError"],
      ],
    ],
    [
      "cuDeviceGetAttribute(1, VALUE)",
      "cuDeviceGetAttribute: dev ",
      [
        ["2**31", "RangeError"],
        ["-(2**31)-1", "RangeError"],
        ["0.5", "RangeError"],
        ["0n", "TypeError"],
        ["null", "TypeError"],
      ],
    ],
    [
      "cuDeviceGetAttribute(VALUE, 0)",
      "cuDeviceGetAttribute: attrib ",
      [
        ["2**32", "RangeError"],
        ["-(2**31)-1", "RangeError"],
        ["0.5", "RangeError"],
        ["1n", "TypeError"],
        ["null", "TypeError"],
      ],
    ],
    [
      "cuMemsetD8(0n, VALUE, 1)",
      "cuMemsetD8_v2: uc ",
      [
        ["256", "RangeError"],
        ["-1", "RangeError"],
        ["2**32", "RangeError"],
        ["0.5", "RangeError"],
        ["NaN", "RangeError"],
        ["1n", "TypeError"],
      ],
    ],
    [
      "cuMemcpyHtoD(0n, VALUE, 4)",
      "cuMemcpyHtoD_v2: srcHost ",
      [
        ["new Uint8Array(3)", "RangeError"],
        ["new ArrayBuffer(0)", "RangeError"],
        ["new SharedArrayBuffer(3)", "RangeError"],
        ["new Uint8Array(new ArrayBuffer(8), 5)", "RangeError"],
        ["new DataView(new ArrayBuffer(8), 5)", "RangeError"],
        ["[1, 2, 3, 4]", "TypeError"],
        ['"text"', "TypeError"],
        ["1", "TypeError"],
        ["null", "TypeError"],
        ["undefined", "TypeError"],
        ["-1n", "RangeError"],
        ["{ byteLength: 8 }", "TypeError"],
        ["Object.create(Uint8Array.prototype)", "TypeError"],
        ["(b => (structuredClone(b, { transfer: [b] }), b))(new ArrayBuffer(8))", "RangeError"],
      ],
    ],
    [
      "cuModuleGetFunction(1n, VALUE)",
      "cuModuleGetFunction: name ",
      [
        ["null", "TypeError"],
        ["5", "TypeError"],
        ["Buffer.from('f')", "TypeError"],
        ["'a\\0'", "TypeError"],
        ["'\\ud800'", "TypeError"],
        ["'a\\udfffb'", "TypeError"],
        ["new String('f')", "TypeError"],
      ],
    ],
    [
      "cuModuleGetFunction(VALUE, 'f')",
      "cuModuleGetFunction: hmod ",
      [
        ["null", "TypeError"],
        ["5", "TypeError"],
        ["-1n", "RangeError"],
      ],
    ],
    [
      "cuStreamQuery(VALUE)",
      "cuStreamQuery: hStream ",
      [
        ["5", "TypeError"],
        ["undefined", "TypeError"],
        ["-1n", "RangeError"],
        ["2n**64n", "RangeError"],
      ],
    ],
    [
      "cuParamSetf(1n, 0, VALUE)",
      "cuParamSetf: value ",
      [
        ["1n", "TypeError"],
        ["'1'", "TypeError"],
        ["null", "TypeError"],
      ],
    ],
  ];

  it("refuses what C cannot hold, naming function and parameter, before any call", async (t) => {
    const cases = REFUSED.flatMap(([call, what, values]) =>
      values.map(([value, error]) => ({ call: call.replace("VALUE", value), what, error })),
    );
    await logged();
    const told = await evaluate([...cases.map(({ call }) => `cuda.${call}`), "log()"], { env });
    const rejected = await evaluate([...cases.map(({ call }) => `settled(() => cuda.promises.${call})`), "log()"], {
      env,
    });
    const problems: string[] = [];
    for (const [index, { call, what, error }] of cases.entries()) {
      const promise = rejected[index]?.value as
        | { error?: { name: string; message: string }; thrown?: true }
        | undefined;
      for (const [title, got] of [
        [call, told[index]?.error],
        [`promises.${call}`, promise?.error],
      ] as const) {
        if (!got) problems.push(`${title} was accepted`);
        else if (got.name !== error || !got.message.startsWith(what)) {
          problems.push(`${title}: ${got.name}: ${got.message}`);
        }
      }
      if (promise?.thrown) problems.push(`promises.${call} throws instead of rejecting`);
    }
    t.diagnostic(`${cases.length} values, each in a call and in a promise`);
    assert.deepEqual(problems, []);
    assert.deepEqual(told.at(-1)?.value, []);
    assert.deepEqual(rejected.at(-1)?.value, []);
  });

  it("is not taken in by an object that poses as a buffer", async () => {
    const told = await evaluate(
      ["ArrayBuffer", "SharedArrayBuffer"].map(
        (tag) => `cuda.cuMemcpyHtoD(0n, { byteLength: 8, [Symbol.toStringTag]: "${tag}" }, 4)`,
      ),
      { env },
    );
    for (const outcome of told) assert.equal(errorOf(outcome).name, "TypeError");
  });

  it("passes what C can hold unchanged", async () => {
    const all = [0n, 1n, 2n ** 32n, 2n ** 53n + 1n, 2n ** 63n, 2n ** 64n - 1n];
    assert.deepEqual(
      await logged(...all.map((value) => `cuda.cuMemFree(${value}n)`)),
      all.map((value) => `cuMemFree_v2 ${value.toString(16)}`),
    );
    const sizes = ["0", "1", "2**32", "2**53-1", "2n**53n", "2n**63n", "2n**64n-1n", "-0"];
    assert.deepEqual(
      await logged(...sizes.map((size) => `cuda.cuMemAlloc(${size})`)),
      [
        "0",
        "1",
        "4294967296",
        "9007199254740991",
        "9007199254740992",
        "9223372036854775808",
        "18446744073709551615",
        "0",
      ].map((size) => `cuMemAlloc_v2 ${size}`),
    );
    assert.deepEqual(await logged("cuda.cuInit(0)", "cuda.cuInit(2**31)", "cuda.cuInit(2**32-1)"), [
      ...["cuInit 0", "cuInit 2147483648", "cuInit 4294967295"],
    ]);
    assert.deepEqual(
      await logged("cuda.cuDeviceGetAttribute(-1, -(2**31))", "cuda.cuDeviceGetAttribute(2**32-1, 2**31-1)"),
      ["cuDeviceGetAttribute -1 -2147483648", "cuDeviceGetAttribute -1 2147483647"],
    );
    assert.deepEqual(await logged("cuda.cuMemsetD8(16n, 255, 2n**40n)"), ["cuMemsetD8_v2 10 255 1099511627776"]);
    assert.deepEqual(
      await logged(...["1.5", "-0", "1e40", "NaN", "0.1"].map((value) => `cuda.cuParamSetf(1n, -4, ${value})`)),
      ["0x1.8p+0", "-0x0p+0", "inf", "nan", "0x1.99999ap-4"].map((value) => `cuParamSetf 0x1 -4 ${value}`),
    );
  });

  it("reads host memory of every kind where it lies", async () => {
    const kinds: [string, string][] = [
      ["new Uint8Array([1, 2, 3, 4])", "01020304"],
      ["new Uint8Array([9, 1, 2, 3, 4]).subarray(1)", "01020304"],
      ["new Uint8Array([1, 2, 3, 4]).buffer", "01020304"],
      ["new Float32Array([1])", "0000803f"],
      ["new BigUint64Array([0x807060504030201n])", "01020304"],
      ["new DataView(new Uint8Array([9, 9, 1, 2, 3, 4]).buffer, 2)", "01020304"],
      ["Buffer.from([1, 2, 3, 4])", "01020304"],
      ["(b => (new Uint8Array(b).set([1, 2, 3, 4]), b))(new SharedArrayBuffer(4))", "01020304"],
      ["new Uint8Array((b => (new Uint8Array(b).set([9, 1, 2, 3, 4]), b))(new SharedArrayBuffer(5)), 1)", "01020304"],
      ["(kept.b = new Uint8Array([1, 2, 3, 4]), cuda.addressOf(kept.b))", "01020304"],
      ["new Uint16Array([0x201, 0x403])", "01020304"],
    ];
    assert.deepEqual(
      await logged(...kinds.map(([memory]) => `cuda.cuMemcpyHtoD(2n, ${memory}, 4)`)),
      kinds.map(([, bytes]) => `cuMemcpyHtoD_v2 2 4 ${bytes}`),
    );
    assert.deepEqual(await logged("cuda.cuMemcpyHtoD(2n, new Uint8Array(0), 0)", "cuda.cuMemcpyHtoD(2n, 0n, 0)"), [
      ...["cuMemcpyHtoD_v2 2 0 ", "cuMemcpyHtoD_v2 2 0 "],
    ]);
  });

  it("passes strings of every length", async () => {
    const names = ["", "f", "größe", "x".repeat(3583), "x".repeat(3584), "x".repeat(5000), "文".repeat(2000), "😀"];
    const told = await logged(...names.map((name) => `cuda.cuModuleGetFunction(1n, ${JSON.stringify(name)})`));
    assert.deepEqual(
      told.map((line) => line.split(" ")[2]),
      names.map((name) => String(Buffer.byteLength(name))),
    );
  });

  it("takes the special streams where streams go (case 45)", async () => {
    const streams: [string, string][] = [
      ["null", "(nil)"],
      ["0n", "(nil)"],
      ["cuda.CU_STREAM_LEGACY", "0x1"],
      ["cuda.CU_STREAM_PER_THREAD", "0x2"],
    ];
    assert.deepEqual(
      await logged(
        ...streams.flatMap(([stream]) => [`cuda.cuStreamQuery(${stream})`, `cuda.cuStreamSynchronize(${stream})`]),
      ),
      streams.flatMap(([, text]) => [`cuStreamQuery ${text}`, `cuStreamSynchronize ${text} context (nil) main`]),
    );
  });
});

describe("values on their way back", () => {
  it("are exact (case 44)", async () => {
    const told = await evaluate(
      [
        "cuda.cuMemAlloc(44)",
        "cuda.cuMemGetInfo()",
        "cuda.cuStreamGetFlags(null)",
        "cuda.cuDeviceGetAttribute(1, 0)",
        "cuda.promises.cuMemAlloc(44)",
        "cuda.promises.cuMemGetInfo()",
      ],
      { env },
    );
    const most = 18446744073709551615n;
    assert.deepEqual(valuesOf(told), [most, [0xdeadbeefn, most - 1n], 0xffffffff, -1, most, [0xdeadbeefn, most - 1n]]);
  });

  it("may be enum values that no header names (case 47)", async () => {
    const told = await evaluate(
      ["cuda.cuStreamIsCapturing(null)", "cuda.cuStreamIsCapturing(7n)", "cuda.promises.cuStreamIsCapturing(7n)"],
      { env },
    );
    assert.deepEqual(valuesOf(told), [77, -77, -77]);
  });

  it("may be errors that no header names: the number reaches the caller in a CudaError (case 47)", async () => {
    const told = await evaluate(
      [47, 46, 49].flatMap((size) => [`cuda.cuMemAlloc(${size})`, `cuda.promises.cuMemAlloc(${size})`]),
      { env },
    );
    const facts = told.map((outcome) => {
      const { name, code, errno, syscall, message } = errorOf(outcome);
      return [name, code, errno, syscall, message];
    });
    const named = (code: string, errno: number) => [
      ...["CudaError", code, errno, "cuMemAlloc_v2", `cuMemAlloc_v2: ${code} (${errno})`],
    ];
    assert.deepEqual(facts, [
      ...[named("CUDA_ERROR_12345", 12345), named("CUDA_ERROR_12345", 12345)],
      ...[named("CUDA_ERROR_-7", -7), named("CUDA_ERROR_-7", -7)],
      ...[named("CUDA_ERROR_OF_TOMORROW", 4321), named("CUDA_ERROR_OF_TOMORROW", 4321)],
    ]);
  });

  it("are nothing after a failure that scribbles on them (case 48)", async () => {
    const told = await evaluate(
      [
        "cuda.cuMemAlloc(48)",
        "cuda.promises.cuMemAlloc(48)",
        "cuda.cuMemGetInfo()",
        "cuda.promises.cuMemGetInfo()",
        "cuda.cuStreamGetFlags(null)",
      ],
      { env: { ...env, FAKE_FAIL: "1" } },
    );
    for (const outcome of told.slice(0, 4)) {
      const error = errorOf(outcome);
      assert.deepEqual([error.code, error.errno], ["CUDA_ERROR_OUT_OF_MEMORY", 2]);
      assert.match(error.message, /^cuMem\w+_v2: CUDA_ERROR_OUT_OF_MEMORY \(2\), out of memory$/);
      assert.doesNotMatch(JSON.stringify(error), /dead|16045690984503098046|16045690984833335023|3735928559/i);
    }
    assert.equal(told[4]?.value, 0xffffffff);
  });

  it("are booleans from queries: not ready is no exception", async () => {
    const told = await evaluate(
      [
        ...["cuda.cuStreamQuery(5n)", "cuda.cuStreamQuery(null)", "cuda.cuStreamQuery(5n)", "cuda.cuStreamQuery(6n)"],
        ...["cuda.promises.cuStreamQuery(5n)", "cuda.promises.cuStreamQuery(null)", "cuda.promises.cuStreamQuery(6n)"],
      ],
      { env },
    );
    assert.deepEqual(
      told.map(({ value, error }) => value ?? error?.code),
      [false, true, false, "CUDA_ERROR_OUT_OF_MEMORY", false, true, "CUDA_ERROR_OUT_OF_MEMORY"],
    );
  });
});

describe("promises", () => {
  it("work on another thread, with the caller's context, and put the thread's own back (case 46)", async () => {
    const lines = await logged(
      "cuda.cuCtxSetCurrent(0xabcn)",
      "cuda.cuStreamSynchronize(1n)",
      "cuda.promises.cuStreamSynchronize(2n)",
      "cuda.promises.cuMemAlloc(48).catch(() => {})",
      "cuda.cuCtxGetCurrent()",
      "cuda.cuStreamSynchronize(3n)",
    );
    assert.deepEqual(lines, [
      ...["cuCtxSetCurrent 0xabc main", "cuStreamSynchronize 0x1 context 0xabc main"],
      ...["cuCtxSetCurrent 0xabc other", "cuStreamSynchronize 0x2 context 0xabc other", "cuCtxSetCurrent (nil) other"],
      ...["cuCtxSetCurrent 0xabc other", "cuMemAlloc_v2 48", "cuCtxSetCurrent (nil) other"],
      "cuStreamSynchronize 0x3 context 0xabc main",
    ]);
  });

  it("do so many at a time", async () => {
    const lines = await logged(
      "cuda.cuCtxSetCurrent(0xabcn)",
      "Promise.all(Array.from({ length: 12 }, () => cuda.promises.cuStreamSynchronize(3n)))",
      "cuda.cuCtxSetCurrent(null)",
      "Promise.all(Array.from({ length: 12 }, () => cuda.promises.cuStreamSynchronize(4n)))",
    );
    assert.deepEqual(
      lines.filter((line) => line.startsWith("cuStreamSynchronize")),
      [
        ...Array(12).fill("cuStreamSynchronize 0x3 context 0xabc other"),
        ...Array(12).fill("cuStreamSynchronize 0x4 context (nil) other"),
      ],
    );
  });

  it("take the context of the moment of the call", async () => {
    const lines = await logged(
      `(() => {
        cuda.cuCtxSetCurrent(1n);
        const first = cuda.promises.cuStreamSynchronize(101n);
        cuda.cuCtxSetCurrent(2n);
        return Promise.all([first, cuda.promises.cuStreamSynchronize(102n)]);
      })()`,
    );
    assert.deepEqual(lines.filter((line) => line.startsWith("cuStreamSynchronize")).sort(), [
      "cuStreamSynchronize 0x65 context 0x1 other",
      "cuStreamSynchronize 0x66 context 0x2 other",
    ]);
  });

  it("do not block the event loop, and let calls be made meanwhile", async () => {
    const [result] = valuesOf(
      await evaluate(
        [
          `(async () => {
            const start = performance.now();
            const waits = [400n, 400n].map((stream) => cuda.promises.cuStreamSynchronize(stream));
            const called = performance.now() - start;
            const sum = [];
            for (let i = 0; i < 20; i++) {
              sum.push(cuda.cuMemAlloc(44 + (i % 2) * 4 === 44 ? 44 : 1));
              await new Promise((done) => setTimeout(done, 5));
            }
            const meanwhile = performance.now() - start;
            await Promise.all(waits);
            return { called, meanwhile, whole: performance.now() - start, distinct: [...new Set(sum)].length };
          })()`,
        ],
        { env },
      ),
    );
    const { called, meanwhile, whole, distinct } = result as Record<string, number>;
    assert.ok(Number(called) < 200, `${called} ms to start`);
    assert.ok(Number(meanwhile) < 390, `${meanwhile} ms`);
    assert.ok(Number(whole) >= 395 && Number(whole) < 790, `${whole} ms`);
    assert.equal(distinct, 2);
  });

  it("keep strings, buffers and outputs of many calls apart", async () => {
    const [sizes, lines] = valuesOf(
      await evaluate(
        [
          `Promise.all(Array.from({ length: 200 }, (_, i) => Promise.all([
            cuda.promises.cuMemAlloc(i === 100 ? 44 : i + 1000),
            cuda.promises.cuModuleGetFunction(1n, "name" + i + "x".repeat(i * 30)),
            cuda.promises.cuMemcpyHtoD(BigInt(i), new Uint8Array([i, i + 1]), 2),
          ]))).then((all) => (gc(), all.map(([address]) => address)))`,
          "log()",
        ],
        { env },
      ),
    );
    assert.equal((sizes as bigint[]).filter((address) => address === 2n ** 64n - 1n).length, 1);
    assert.equal((sizes as bigint[])[100], 2n ** 64n - 1n);
    const of = (name: string) => (lines as string[]).filter((line) => line.startsWith(name)).sort();
    assert.deepEqual(
      of("cuModuleGetFunction"),
      Array.from({ length: 200 }, (_, i) => {
        const name = `name${i}${"x".repeat(i * 30)}`;
        return `cuModuleGetFunction 0x1 ${name.length} ${name.slice(0, 60)}`;
      }).sort(),
    );
    const hex = (value: number) => (value & 255).toString(16).padStart(2, "0");
    assert.deepEqual(
      of("cuMemcpyHtoD"),
      Array.from({ length: 200 }, (_, i) => `cuMemcpyHtoD_v2 ${i.toString(16)} 2 ${hex(i)}${hex(i + 1)}`).sort(),
    );
  });

  it("reject with what calls throw, on a driver without GPU", async () => {
    const calls = [
      "cuInit(0)",
      "cuMemAlloc(4)",
      "cuDeviceGet(0)",
      "cuCtxGetCurrent()",
      "cuStreamQuery(null)",
      "cuModuleLoad('/none.cubin')",
      "cuMemAlloc(-1)",
      "cuGreenCtxDestroy(1n)",
    ];
    for (const build of await drivers()) {
      const told = await evaluate(
        [...calls.map((call) => `cuda.${call}`), ...calls.map((call) => `cuda.promises.${call}`)],
        { driver: build },
      );
      for (const [index, call] of calls.entries()) {
        const thrown = told[index];
        const rejected = told[index + calls.length];
        assert.deepEqual(rejected, thrown, `${build.cuda}: ${call}`);
        if (!call.startsWith("cuCtxGetCurrent")) assert.ok(thrown?.error, `${build.cuda}: ${call}`);
      }
      assert.equal(errorOf(told[calls.length - 1]).name, build.cuda >= 12040 ? "CudaError" : "CudaSymbolError");
    }
  });
});

describe("errors of a real driver", () => {
  it("carry the driver's own name and text, as C reads them", async () => {
    const build = await driver(12040);
    const [names] = valuesOf(
      await evaluate(
        [
          `Object.entries(cuda.CUresult).filter(([name]) => isNaN(name)).map(([name, value]) => {
            try { return [name, value, cuda.cuGetErrorName(value), cuda.cuGetErrorString(value), native.errorText(value)] }
            catch (error) { return [name, value, error.code] }
          })`,
        ],
        { driver: build },
      ),
    );
    let known = 0;
    for (const [name, , told, text, own] of names as [string, number, string, string?, [string, string]?][]) {
      if (told === "CUDA_ERROR_INVALID_VALUE" && text === undefined) continue; // newer than this driver
      known++;
      assert.equal(told, name);
      assert.deepEqual(own, [told, text]);
    }
    assert.ok(known > 80);
  });

  it("look like Node's own", async () => {
    const [shape] = valuesOf(
      await evaluate(
        [
          `(() => {
            try { cuda.cuInit(0) } catch (error) {
              return {
                error: error instanceof Error, cuda: error instanceof cuda.CudaError, symbol: error instanceof cuda.CudaSymbolError,
                text: String(error), keys: Object.keys(error).sort(), own: Object.hasOwn(error, "path"),
                stack: error.stack.split("\\n")[0], tag: Object.prototype.toString.call(error),
                inspected: process.getBuiltinModule("util").inspect(error).split("\\n")[0],
              };
            }
          })()`,
        ],
        { driver: await driver(12040) },
      ),
    );
    const text = "CudaError: cuInit: CUDA_ERROR_NO_DEVICE (100), no CUDA-capable device is detected";
    assert.deepEqual(shape, {
      ...{ error: true, cuda: true, symbol: false, text, keys: ["code", "errno", "syscall"], own: false },
      ...{ stack: text, tag: "[object Error]", inspected: text },
    });
  });
});
