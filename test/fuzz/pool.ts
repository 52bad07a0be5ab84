import { fork } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Breeder, breeder } from "./mutant.ts";
import type { Report } from "./worker.ts";

const WORKER = fileURLToPath(new URL("worker.ts", import.meta.url));

export interface PoolOptions {
  seed: number;
  indices: readonly number[];
  workers: number;
  /** No mutant may take longer than this to read, in milliseconds of a processor (a busy machine is no fault). */
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
        const start = processorTime(child.pid);
        let patience = 10;
        const look = () => {
          const left = limit - (processorTime(child.pid) - start);
          if (left > 0 && --patience > 0) {
            timer = setTimeout(look, Math.max(left, limit / 10));
            return;
          }
          hung = true;
          child.kill("SIGKILL");
        };
        timer = setTimeout(look, limit);
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

/** Milliseconds that a process has had of a processor; where the system does not say, that have passed. */
function processorTime(pid: number | undefined): number {
  try {
    // The twelfth and thirteenth field after the name of the program, in hundredths of a second: user and system.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
    return (Number(fields[11]) + Number(fields[12])) * 10;
  } catch {
    return performance.now();
  }
}

function endedReport({ mutant }: Breeder, index: number, kind: "hang" | "crash", message: string): Report {
  const { release, size, mutations } = mutant(index);
  return { index, release, size, mutations, kind, message, shape: "", milliseconds: 0 };
}
