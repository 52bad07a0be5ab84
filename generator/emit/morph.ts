import { createRequire } from "node:module";
import type * as TsMorph from "ts-morph";

/** ts-morph is CommonJS. Imported as an ES module, all its nine megabytes are first scanned for names, which takes longer than its work here. */
export const { IndentationText, NewLineKind, Project, QuoteKind, StructureKind }: typeof TsMorph = createRequire(
  import.meta.url,
)("ts-morph");
