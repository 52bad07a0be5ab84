import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const gc = runInNewContext("gc") as () => void;

/** Collects garbage; what was let go in a promise is let go then. */
export async function collect(): Promise<void> {
  for (let round = 0; round < 3; round++) {
    await sleep(5);
    gc();
  }
}
