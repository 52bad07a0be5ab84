/** One line of the table. */
export interface Row {
  line: string;
  /** A round, median of five runs. */
  nanoseconds: number;
}

/** Runs `work` until it is compiled, then five times `count` rounds; `settle` waits between runs for what was launched. */
export function measure(line: string, count: number, work: () => void, settle: () => void): Row {
  for (let i = 0; i < Math.max(count / 10, 20_000); i++) work();
  const runs: number[] = [];
  for (let run = 0; run < 5; run++) {
    settle();
    const start = process.hrtime.bigint();
    for (let i = 0; i < count; i++) work();
    runs.push(Number(process.hrtime.bigint() - start) / count);
  }
  settle();
  return { line, nanoseconds: runs.sort((a, b) => a - b)[2] as number };
}
