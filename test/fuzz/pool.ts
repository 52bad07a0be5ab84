import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type Breeder, breeder } from "./mutant.ts";
import type { Report } from "./worker.ts";

const WORKER = fileURLToPath(new URL("worker.ts", import.meta.url));

export interface PoolOptions {
  seed: number;
  indices: readonly number[];
  workers: number;
  /** No mutant may take longer than this to read, in milliseconds. */
  limit: number;
  progress?: (done: number) => void;
}

/** Reads mutants in child processes, so that neither a crash nor a hang ends the run. Reports come in order. */
export async function readMutants({ seed, indices, workers, limit, progress }: PoolOptions): Promise<Report[]> {
  const reports: Report[] = [];
  const queue = [...indices].reverse();
  const describe = await breeder(seed);

  /** One child until it has nothing to do or something ends it. @returns whether another is needed */
  function work(): Promise<boolean> {
    return new Promise((resolve) => {
      const child = fork(WORKER, [String(seed)], {
        execArgv: ["--import", "tsx", "--max-old-space-size=2048"],
        stdio: ["ignore", "ignore", "pipe", "ipc"],
      });
      let stderr = "";
      let current: number | undefined;
      let timer: NodeJS.Timeout | undefined;
      let hung = false;
      child.stderr?.on("data", (data: Buffer) => {
        stderr = (stderr + data).slice(-2000);
      });
      const next = () => {
        current = queue.pop();
        if (current === undefined) return child.disconnect();
        child.send(current);
        timer = setTimeout(() => {
          hung = true;
          child.kill("SIGKILL");
        }, limit);
      };
      child.on("message", (message: Report | "ready") => {
        clearTimeout(timer);
        if (message !== "ready") {
          reports.push(message);
          progress?.(reports.length);
        }
        next();
      });
      child.on("exit", (code, signal) => {
        clearTimeout(timer);
        if (current === undefined && code === 0) return resolve(false);
        if (current === undefined) throw new Error(`the fuzzer's child could not start: ${stderr}`);
        const how = hung ? `read for more than ${limit} ms` : `ended with ${signal ?? code}: ${stderr}`;
        reports.push(endedReport(describe, current, hung ? "hang" : "crash", how));
        resolve(true);
      });
    });
  }

  async function keepWorking(): Promise<void> {
    while (queue.length > 0 && (await work()));
  }
  await Promise.all(Array.from({ length: workers }, keepWorking));
  return reports.sort((a, b) => a.index - b.index);
}

function endedReport({ mutant }: Breeder, index: number, kind: "hang" | "crash", message: string): Report {
  const { release, size, mutations } = mutant(index);
  return { index, release, size, mutations, kind, message, shape: "", milliseconds: 0 };
}
