import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { whileLocked } from "../../generator/lock.ts";
import { cacheFolder } from "../../generator/toolkit/cache.ts";

/** The one folder for what tests download or compile is the generator's own: CODEGEN_CACHE, else in the user's cache. */
export { cacheFolder };

/**
 * The folder `name` of the cache; `make` fills an empty folder the first time it is asked for, over all processes.
 * It appears whole or not at all: what exists is never looked at again, so a second run needs no network.
 */
export async function cached(name: string, make: (folder: string) => Promise<void>): Promise<string> {
  const target = join(cacheFolder(), name);
  if (existsSync(target)) return target;
  await mkdir(dirname(target), { recursive: true });
  return whileLocked(target, "", Number.POSITIVE_INFINITY, async () => {
    if (existsSync(target)) return target;
    const folder = `${target}.${randomUUID()}`;
    await mkdir(folder);
    try {
      await make(folder);
      // Another process has it made meanwhile where this one was stopped for so long that its lock was taken over.
      if (!existsSync(target)) await rename(folder, target);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return target;
  });
}
