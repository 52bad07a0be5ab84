import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { errorOf, evaluate } from "./child.ts";
import { fakeEnvironment, logged } from "./fakes.ts";

const env: Record<string, string> = {};

before(async () => {
  Object.assign(env, await fakeEnvironment());
});

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
        ["(b => (structuredClone(b, { transfer: [b] }), b))(new ArrayBuffer(8))", "TypeError"],
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
    await logged(env);
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
      await logged(env, ...all.map((value) => `cuda.cuMemFree(${value}n)`)),
      all.map((value) => `cuMemFree_v2 ${value.toString(16)}`),
    );
    const sizes = ["0", "1", "2**32", "2**53-1", "2n**53n", "2n**63n", "2n**64n-1n", "-0"];
    assert.deepEqual(
      await logged(env, ...sizes.map((size) => `cuda.cuMemAlloc(${size})`)),
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
    assert.deepEqual(await logged(env, "cuda.cuInit(0)", "cuda.cuInit(2**31)", "cuda.cuInit(2**32-1)"), [
      ...["cuInit 0", "cuInit 2147483648", "cuInit 4294967295"],
    ]);
    assert.deepEqual(
      await logged(env, "cuda.cuDeviceGetAttribute(-1, -(2**31))", "cuda.cuDeviceGetAttribute(2**32-1, 2**31-1)"),
      ["cuDeviceGetAttribute -1 -2147483648", "cuDeviceGetAttribute -1 2147483647"],
    );
    assert.deepEqual(await logged(env, "cuda.cuMemsetD8(16n, 255, 2n**40n)"), ["cuMemsetD8_v2 10 255 1099511627776"]);
    assert.deepEqual(
      await logged(
        env,
        ...["1.5", "-0", "Infinity", "NaN", "0.1"].map((value) => `cuda.cuParamSetf(1n, -4, ${value})`),
      ),
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
      await logged(env, ...kinds.map(([memory]) => `cuda.cuMemcpyHtoD(2n, ${memory}, 4)`)),
      kinds.map(([, bytes]) => `cuMemcpyHtoD_v2 2 4 ${bytes}`),
    );
    assert.deepEqual(await logged(env, "cuda.cuMemcpyHtoD(2n, new Uint8Array(0), 0)", "cuda.cuMemcpyHtoD(2n, 0n, 0)"), [
      ...["cuMemcpyHtoD_v2 2 0 ", "cuMemcpyHtoD_v2 2 0 "],
    ]);
  });

  it("passes strings of every length", async () => {
    const names = ["", "f", "größe", "x".repeat(3583), "x".repeat(3584), "x".repeat(5000), "文".repeat(2000), "😀"];
    const told = await logged(env, ...names.map((name) => `cuda.cuModuleGetFunction(1n, ${JSON.stringify(name)})`));
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
        env,
        ...streams.flatMap(([stream]) => [`cuda.cuStreamQuery(${stream})`, `cuda.cuStreamSynchronize(${stream})`]),
      ),
      streams.flatMap(([, text]) => [`cuStreamQuery ${text}`, `cuStreamSynchronize ${text} context (nil) main`]),
    );
  });
});
