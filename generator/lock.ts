import { setTimeout as sleep } from "node:timers/promises";
import { UserError } from "./errors.ts";

/** How long one process waits for another, in milliseconds. */
export const PATIENCE = 30_000;

/** When a lock that nobody refreshes is taken over, in milliseconds: its process was killed, or stopped for that long. */
const STALE = 5_000;

/** What stands beside a path while it is locked. */
export function lockOf(path: string): string {
  return `${path}.lock`;
}

/**
 * Does some work while no other process does so for the same path. A signal to end that
 * comes during work that does not wait takes effect after it.
 * @param busy what to tell whoever has waited in vain.
 * @throws UserError(busy), what the file system says of the lock, and what `work` throws.
 */
export async function whileLocked<T>(
  path: string,
  busy: string,
  patience: number,
  work: () => T | Promise<T>,
): Promise<T> {
  // Loaded here, as most runs change nothing.
  const { lockSync } = await import("proper-lockfile");
  const start = Date.now();
  for (;;) {
    try {
      let isOurs = true;
      const onCompromised = () => {
        isOurs = false;
      };
      const release = lockSync(path, { realpath: false, lockfilePath: lockOf(path), stale: STALE, onCompromised });
      try {
        return await work();
      } finally {
        if (isOurs) release();
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ELOCKED") throw error;
      if (Date.now() - start >= patience) throw new UserError(busy);
      await sleep(50);
    }
  }
}
