import assert from "node:assert/strict";
import { endianness } from "node:os";
import { describe, it } from "node:test";
import * as cuda from "cuda-driver";
import { openStandin } from "../standin/control.ts";
import { openPackage } from "../standin/package.ts";
import { type Random, random, seedOfRun } from "../standin/random.ts";

const { kernel, kernelParams, copyFrom, addressOf } = cuda;

/** A parameter, and its bytes as C has them. */
interface Made {
  param: cuda.KernelParam | cuda.Struct;
  bytes: Uint8Array;
  align: number;
}

function bytesOf(size: number, write: (view: DataView, little: boolean) => void): Uint8Array {
  const view = new DataView(new ArrayBuffer(size));
  write(view, endianness() === "LE");
  return new Uint8Array(view.buffer);
}

const SIGNED = { i8: 1, i16: 2, i32: 4, i64: 8 } as const;
const UNSIGNED = { u8: 1, u16: 2, u32: 4, u64: 8 } as const;

function integers(name: keyof typeof SIGNED | keyof typeof UNSIGNED, size: number, rng: Random): Made {
  const raw = rng.bytes(size);
  const bits = raw.toReversed().reduce((sum, byte) => 256n * sum + BigInt(byte), 0n);
  const value = name.startsWith("i") ? BigInt.asIntN(8 * size, bits) : bits;
  const make = kernel[name] as (value: number | bigint) => cuda.KernelParam;
  const bytes = bytesOf(size, (view, little) => {
    for (let at = 0; at < size; at++) view.setUint8(little ? at : size - 1 - at, raw[at] as number);
  });
  return { param: make(size === 8 ? value : Number(value)), bytes, align: size };
}

function anyParam(rng: Random): Made {
  const kinds = [
    ...Object.entries({ ...SIGNED, ...UNSIGNED }).map(
      ([name, size]) =>
        () =>
          integers(name as keyof typeof SIGNED, size, rng),
    ),
    () => ({ param: kernel.f32(1.5), bytes: bytesOf(4, (view, little) => view.setFloat32(0, 1.5, little)), align: 4 }),
    () => ({
      param: kernel.f64(Math.PI),
      bytes: bytesOf(8, (view, little) => view.setFloat64(0, Math.PI, little)),
      align: 8,
    }),
    () => ({ param: kernel.ptr(null), bytes: new Uint8Array(8), align: 8 }),
    () => {
      const bytes = rng.bytes(rng.below(40));
      const align = 2 ** rng.below(13);
      return { param: kernel.bytes(bytes, align), bytes, align };
    },
    () => {
      const record = new cuda.CUDA_MEMCPY2D_v2();
      record.$bytes.set(rng.bytes(record.$bytes.length));
      return { param: record, bytes: record.$bytes.slice(), align: cuda.CUDA_MEMCPY2D_v2.align };
    },
  ];
  return (kinds[rng.below(kinds.length)] as () => Made)();
}

describe("kernel parameters", () => {
  it("are pointers to the values, each aligned as C has it, in memory that is long enough", () => {
    const rng = random(seedOfRun());
    for (let round = 0; round < 500; round++) {
      const made = Array.from({ length: rng.below(20) }, () => anyParam(rng));
      const packed = kernelParams(...made.map(({ param }) => param));
      const start = addressOf(packed);
      const pointers = new BigUint64Array(copyFrom(start, 8 * Math.max(1, made.length)).slice().buffer);
      let end = start + 8n * BigInt(made.length);
      for (const [index, { bytes, align }] of made.entries()) {
        const at = pointers[index] as bigint;
        assert.ok(at >= end, `parameter ${index} lies in another`);
        assert.equal(at % BigInt(align), 0n);
        if (bytes.length > 0) assert.deepEqual(Buffer.from(copyFrom(at, bytes.length)), Buffer.from(bytes));
        end = at + BigInt(bytes.length);
      }
      assert.ok(end <= start + BigInt(packed.byteLength));
    }
  });

  it("may be passed as an array of values, records or memory, which is packed for the call", async () => {
    const standin = await openStandin();
    // biome-ignore lint/suspicious/noExplicitAny: the package over the stand-in driver
    const { cuda: over } = (await openPackage()) as any;
    const launch = (...params: unknown[]) => over.cuLaunchKernel(1n, 1, 1, 1, 1, 1, 1, 0, null, params, null);
    const first = (): bigint => {
      const call = standin.take().find(({ name }) => name === "cuLaunchKernel");
      const bytes = call?.arguments.at(-2)?.bytes ?? assert.fail("nothing was launched");
      return new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, endianness() === "LE");
    };
    standin.take();
    const word = new Uint32Array([7]);
    launch(word, new Float64Array(2));
    assert.equal(first(), addressOf(word));
    launch(over.kernel.u32(0x11223344), over.kernel.ptr(5n));
    first();
    launch(new over.CUDA_MEMCPY2D({ Height: 3 }), over.kernel.f32(1));
    first();
    launch();
    for (const wrong of [
      [5n],
      [null],
      [over.kernel.u32(1), 5n],
      [over.kernel.u32(1), word],
      [undefined],
      [[1]],
      ["x"],
    ]) {
      assert.throws(() => launch(...wrong), {
        name: "TypeError",
        message: /^cuLaunchKernel: kernelParams must be kernelParams\(kernel\.i32\(1\), \.\.\.\), an array/,
      });
    }
  });

  it("are copies: what they were made of may change", () => {
    const shared = Buffer.alloc(4);
    const values = [1, 2, 3].map((value) => {
      shared.writeInt32LE(value);
      return kernel.bytes(shared, 4);
    });
    const packed = kernelParams(...values);
    const pointers = new BigUint64Array(copyFrom(addressOf(packed), 24).buffer);
    assert.deepEqual(
      Array.from(pointers, (at) => Buffer.from(copyFrom(at, 4)).readInt32LE()),
      [1, 2, 3],
    );
  });

  it("are values that C can hold", () => {
    // biome-ignore lint/suspicious/noExplicitAny: what the compiler refuses
    const any = kernel as any;
    for (const [name, size] of Object.entries({ ...SIGNED, ...UNSIGNED })) {
      const bits = BigInt(8 * size);
      const [least, most] = name.startsWith("i")
        ? [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n]
        : [0n, 2n ** bits - 1n];
      const given = (value: bigint) => (size === 8 ? value : Number(value));
      any[name](given(least));
      any[name](given(most));
      for (const wrong of [given(least - 1n), given(most + 1n), 1.5, Number.NaN, Number.POSITIVE_INFINITY])
        assert.throws(() => any[name](wrong), {
          name: "RangeError",
          message: new RegExp(`^kernelParams: ${name} must be `),
        });
      for (const wrong of ["1", null, undefined, {}, [1], true, size === 8 ? "" : 1n])
        assert.throws(() => any[name](wrong), {
          name: "TypeError",
          message: new RegExp(`^kernelParams: ${name} must be `),
        });
    }
    for (const align of [0, -1, 3, 1.5, 16.25, 8192, 2 ** 31, 2 ** 32, Number.NaN, Number.POSITIVE_INFINITY])
      assert.throws(() => kernel.bytes(new Uint8Array(8), align), {
        name: "RangeError",
        message: /^kernelParams: align must be a power of two/,
      });
    for (const wrong of [null, 1, "x", {}, [], new ArrayBuffer(8)])
      assert.throws(() => any.bytes(wrong, 8), {
        name: "TypeError",
        message: /^kernelParams: bytes must be a Uint8Array/,
      });
    for (const wrong of [1, 1n, null, undefined, {}, "x"])
      assert.throws(() => kernelParams(wrong as never), {
        name: "TypeError",
        message: /^kernelParams: every argument must be/,
      });
  });
});
