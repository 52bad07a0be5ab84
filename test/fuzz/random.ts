/** Numbers that look random and are the same every time for one seed. */
export interface Random {
  /** A whole number from 0 to `limit` - 1; 0 for a limit below 1. */
  below(limit: number): number;
  /** True with this probability. */
  chance(probability: number): boolean;
  /** @throws Error for an empty list */
  pick<T>(items: readonly T[]): T;
  /** Up to `count` different items, in their own order. */
  sample<T>(items: readonly T[], count: number): T[];
}

/** @param parts whole numbers that together are the seed: a run's and an index, say. */
export function random(...parts: readonly number[]): Random {
  // splitmix32; each part is stirred in before the first number is given.
  let state = 0x9e3779b9;
  const next = () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
  for (const part of parts) state = (next() ^ part) | 0;

  const below = (limit: number) => (limit < 1 ? 0 : next() % limit);
  return {
    below,
    chance: (probability) => next() < probability * 2 ** 32,
    pick<T>(items: readonly T[]): T {
      if (items.length === 0) throw new Error("nothing to pick from");
      return items[below(items.length)] as T;
    },
    sample<T>(items: readonly T[], count: number): T[] {
      const indices = items.map((_, index) => index);
      const chosen = new Set<number>();
      while (indices.length > 0 && chosen.size < count) {
        const at = below(indices.length);
        chosen.add(indices[at] as number);
        indices[at] = indices.at(-1) as number;
        indices.pop();
      }
      return items.filter((_, index) => chosen.has(index));
    },
  };
}
