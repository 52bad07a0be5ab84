/** One line of the table. */
export interface Row {
  line: string;
  /** A round, median of five runs. */
  nanoseconds: number;
}

/** The compiler needs some hundred thousand rounds, in several calls, before it has settled. */
const WARM_UPS = 20;

/**
 * Runs `loop`, which makes as many rounds as it is told, until it is compiled, then five times `count` rounds; `settle` waits
 * between runs for what was launched. Each line has a loop of its own, as it has in C: a shared one would measure its calls.
 */
export function measure(line: string, count: number, loop: (rounds: number) => void, settle: () => void): Row {
  for (let warm = 0; warm < WARM_UPS; warm++) loop(Math.trunc(Math.max(count / WARM_UPS, 2_000)));
  const runs: number[] = [];
  for (let run = 0; run < 5; run++) {
    settle();
    const start = process.hrtime.bigint();
    loop(count);
    runs.push(Number(process.hrtime.bigint() - start) / count);
  }
  settle();
  return { line, nanoseconds: runs.sort((a, b) => a - b)[2] as number };
}
