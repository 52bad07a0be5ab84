import { diff, formatDiff } from "../api/diff.ts";
import { driver } from "../libraries/driver.ts";
import { obtain } from "../pipeline.ts";
import { during, print, printJson, warn } from "./terminal.ts";

/** Prints what changed from one toolkit to another; each is a folder or a version. */
export async function diffToolkits(from: string, to: string, options: { json?: boolean }): Promise<number> {
  const read = (toolkit: string) => obtain({ toolkit, origin: "the argument" }, driver);
  const [a, b] = await during("reading", () => [read(from), read(to)] as const);
  warn([...a.warnings, ...b.warnings]);
  const changes = diff(a.document, b.document);
  if (options.json) {
    printJson(changes);
    return 0;
  }
  const text = formatDiff(changes);
  if (text === "") warn(["there is no difference"]);
  print(text);
  return 0;
}
