/** The child that reads mutants: `worker.ts SEED`, then one job after the other over its channel. It may hang, and it may crash. */
import type { ApiDocument } from "../../generator/api/document.ts";
import { breeder, type Mutant } from "./mutant.ts";
import { read } from "./outcome.ts";
import { shapeOf } from "./shape.ts";
import { flawOfPair } from "./soundness.ts";

export interface Report {
  index: number;
  release: string;
  size: Mutant["size"];
  mutations: string[];
  kind: "document" | "refused" | "broken" | "hang" | "crash";
  message: string;
  /** Of a document: in what way it differs from the one of the same headers without the mutations; "" if in none. */
  shape: string;
  milliseconds: number;
}

const { mutant, parent } = await breeder(Number(process.argv[2]));

process.on("message", (index: number) => {
  const made = mutant(index);
  const start = performance.now();
  const outcome = read(made.headers);
  const milliseconds = performance.now() - start;
  const before = outcome.kind === "document" ? read(parent(index).headers) : null;
  const pair: [ApiDocument, ApiDocument] | null =
    outcome.kind === "document" && before?.kind === "document" ? [before.document, outcome.document] : null;
  const flaw = pair && together(...pair);
  const report: Report = {
    index,
    release: made.release,
    size: made.size,
    mutations: made.mutations,
    kind: flaw ? "broken" : outcome.kind,
    message: flaw ?? (outcome.kind === "document" ? "" : outcome.message),
    shape: pair ? shapeOf(...pair) : "",
    milliseconds,
  };
  process.send?.(report);
});

/** What is wrong with a mutant's document beside that of its parent. */
function together(before: ApiDocument, after: ApiDocument): string | null {
  try {
    return flawOfPair(before, after);
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
}

process.send?.("ready");
