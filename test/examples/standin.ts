/**
 * Loaded before an example: the stand-in driver is its driver. At the end, what it was asked is written to the file that
 * EXAMPLE_CALLS names, as JSON: [name, values of the arguments in decimal] in order.
 */
import { writeFileSync } from "node:fs";
import { DEFAULT_MODE, MODE, openStandin } from "../standin/control.ts";

/** How many devices there are. */
const DEVICES = 2;

const { addon, output, take } = await openStandin();
/* What lies behind pointers is many megabytes here, and nobody looks at it. No two handles are the same. */
addon.mode((DEFAULT_MODE & ~MODE.peek) | MODE.fresh);
output("cuDeviceGetCount", "count", new Uint8Array(Uint32Array.of(DEVICES).buffer));

process.on("exit", () => {
  const calls = take().map(({ name, arguments: given }) => [name, given.map(({ value }) => String(value))]);
  writeFileSync(process.env.EXAMPLE_CALLS ?? "", JSON.stringify(calls));
});
