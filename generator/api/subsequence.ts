/**
 * A longest common subsequence: for each entry of `left` the index in `right` of the one it is paired with, or null. Of several
 * such, the one that pairs the earliest entries.
 */
export function commonSubsequence(left: readonly string[], right: readonly string[]): (number | null)[] {
  const best = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  const longest = (l: number, r: number) => best[l]?.[r] ?? 0;
  for (let l = left.length - 1; l >= 0; l--) {
    for (let r = right.length - 1; r >= 0; r--) {
      (best[l] as number[])[r] =
        left[l] === right[r] ? 1 + longest(l + 1, r + 1) : Math.max(longest(l + 1, r), longest(l, r + 1));
    }
  }
  let from = 0;
  return left.map((text, l) => {
    for (let r = from; r < right.length; r++) {
      if (right[r] === text && 1 + longest(l + 1, r + 1) === longest(l, from)) {
        from = r + 1;
        return r;
      }
    }
    return null;
  });
}

/**
 * Pairs equal texts of two lists without crossing, as many as possible. Where there are several ways to do so, only pairs
 * that all ways agree on are given; null: no pair.
 */
export function matchInOrder(left: readonly string[], right: readonly string[]): (number | null)[] {
  const early = commonSubsequence(left, right);
  const late = commonSubsequence([...left].reverse(), [...right].reverse())
    .reverse()
    .map((index) => (index === null ? null : right.length - 1 - index));
  return early.map((match, index) => (match === late[index] ? match : null));
}
