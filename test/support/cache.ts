import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
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
  return locked(`${target}.lock`, async () => {
    if (existsSync(target)) return target;
    const folder = `${target}.${randomUUID()}`;
    await mkdir(folder);
    try {
      await make(folder);
      await rename(folder, target);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
    return target;
  });
}

/** Runs `body` while no other process holds `path`. A lock whose process is gone is taken over. */
async function locked<T>(path: string, body: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      const file = await open(path, "wx");
      await file.writeFile(String(process.pid));
      await file.close();
      break;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
    const owner = Number(await readFile(path, "utf8").catch(() => ""));
    // An empty file is a lock that is being written just now.
    if (owner && !alive(owner)) await rm(path, { force: true });
    else await sleep(100);
  }
  try {
    return await body();
  } finally {
    await rm(path, { force: true });
  }
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
