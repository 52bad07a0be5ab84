/** Seeded random values: a test that fails says its seed, and fails again with it. */
export interface Random {
  /** A whole number from 0 to below `bound`. */
  below(bound: number): number;
  bool(): boolean;
  pick<T>(items: readonly T[]): T;
  bits(count: number): bigint;
  bytes(length: number): Uint8Array<ArrayBuffer>;
}

export function random(seed: number): Random {
  let state = (seed ^ 0x9e3779b9) >>> 0;
  /* mulberry32 */
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  }
  const below = (bound: number) => Math.floor((next() / 2 ** 32) * bound);
  return {
    below,
    bool: () => (next() & 1) === 1,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
    bits: (count) => BigInt.asUintN(count, (BigInt(next()) << 32n) | BigInt(next())),
    bytes: (length) => {
      const bytes = new Uint8Array(length);
      for (let at = 0; at < length; at++) bytes[at] = next() & 0xff;
      return bytes;
    },
  };
}

/** The seed of this run: STANDIN_SEED, else always the same. */
export function seedOfRun(): number {
  return Number(process.env.STANDIN_SEED ?? 1);
}
