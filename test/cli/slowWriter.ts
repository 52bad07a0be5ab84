/**
 * Writes a package into a folder, slowly: `slowWriter.ts OUT NAME`. Its files are `src/NAME-0.ts` to `-9.ts` and `shared.ts`;
 * says "moving" when half of them have come, and ends as the program does.
 */
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { UserError } from "../../generator/errors.ts";
import { withManifest, writePackage } from "../../generator/output.ts";

const [out = "", name = ""] = process.argv.slice(2);
const pause = new Int32Array(new SharedArrayBuffer(4));
const { renameSync } = fs;
let moved = 0;
fs.renameSync = (from, to) => {
  if (++moved === 8) fs.writeSync(1, "moving\n");
  Atomics.wait(pause, 0, 0, moved >= 8 ? 40 : 1);
  renameSync(from, to);
};
syncBuiltinESMExports();

const paths = Array.from({ length: 10 }, (_, at) => `src/${name}-${at}.ts`);
const files = new Map([...paths, "shared.ts", "package.json"].map((path) => [path, `{"name":"p"} // ${name}`]));
const facts = { generator: "1.0.0", library: "driver", toolkit: 12040, sources: [] };
try {
  await writePackage(out, withManifest(files, facts));
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  process.stderr.write(error.message);
  process.exitCode = 2;
}
