/** What the stand-in driver writes, predicted: the TypeScript twin of `pattern` in standin.c. */
import type { Content } from "./facts.ts";

const GOLDEN = 0x9e3779b97f4a7c15n;

/** The k-th 64-bit word of the pattern that starts at `seed`. */
export function word(seed: bigint, k: number): bigint {
  let z = BigInt.asUintN(64, seed + BigInt(k + 1) * GOLDEN);
  z = BigInt.asUintN(64, (z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
  z = BigInt.asUintN(64, (z ^ (z >> 27n)) * 0x94d049bb133111ebn);
  return z ^ (z >> 31n);
}

/** The bytes that the driver writes to memory of this content. */
export function patternBytes(content: Content, seed: bigint, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  const view = new DataView(bytes.buffer);
  if (content === "F32") {
    for (let k = 0; 4 * k + 4 <= length; k++) view.setFloat32(4 * k, Number(word(seed, k) & 0xfffffn) / 64, true);
  } else if (content === "F64") {
    for (let k = 0; 8 * k + 8 <= length; k++) view.setFloat64(8 * k, Number(word(seed, k) & 0xffffffffffn) / 64, true);
  } else {
    const words = new Uint8Array(Math.ceil(length / 8) * 8);
    const wide = new DataView(words.buffer);
    for (let k = 0; 8 * k < length; k++) wide.setBigUint64(8 * k, word(seed, k), true);
    bytes.set(words.subarray(0, length));
  }
  return bytes;
}

/** Text in a buffer of `room` bytes: cut where it does not fit, NUL behind it. */
export function patternText(text: string, room: number): Uint8Array {
  const bytes = new Uint8Array(room);
  if (room > 0) bytes.set(new TextEncoder().encode(text).subarray(0, room - 1));
  return bytes;
}
