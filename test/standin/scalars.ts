/** Numbers, handles and addresses: random ones, and their bits. */
import type { Scalar } from "./facts.ts";
import type { Random } from "./random.ts";

/** Of the type's whole range, with its ends and the values around zero more often than chance has them. */
export function randomScalar({ kind, bits, signed }: Scalar, random: Random): number | bigint {
  if (kind === "float") {
    const wide = random.pick([0, -0, 1.5, -1, Infinity, NaN, 3.0e38, Number(random.bits(30)) / 1024]);
    return bits === 32 ? Math.fround(wide) : wide;
  }
  const ends = [0n, 1n, 2n ** BigInt(bits - 1) - 1n, 2n ** BigInt(bits - 1), 2n ** BigInt(bits) - 1n];
  const unsigned = random.bool() ? random.pick(ends) : random.bits(bits);
  const value = signed ? BigInt.asIntN(bits, unsigned) : unsigned;
  return bits < 64 ? Number(value) : value;
}

/** Finite numbers that C's `float` could only hold as infinite: the nearest to zero lies halfway between its largest and the next. */
export const BEYOND_F32: readonly number[] = [
  1e40,
  -1e40,
  2 ** 128,
  -(2 ** 128),
  2 ** 128 - 2 ** 103,
  -(2 ** 128 - 2 ** 103),
];

/** The bits of a value, zero-extended. */
export function rawOf({ kind, bits }: Scalar, value: number | bigint): bigint {
  if (kind !== "float") return BigInt.asUintN(bits, BigInt(value));
  const view = new DataView(new ArrayBuffer(8));
  if (bits === 32) view.setFloat32(0, value as number, true);
  else view.setFloat64(0, value as number, true);
  return view.getBigUint64(0, true);
}

/** A whole number as C has it in `size` bytes. */
export function numberBytes(value: number | bigint, size: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(new BigUint64Array([BigInt(value)]).buffer).slice(0, size);
}

/** A value as C has it in memory. */
export function rawBytes(scalar: Scalar, value: number | bigint): Uint8Array {
  return new Uint8Array(new BigUint64Array([rawOf(scalar, value)]).buffer).subarray(0, scalar.bits / 8);
}

/** Of the first eight bytes at most. */
export function little(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
}
