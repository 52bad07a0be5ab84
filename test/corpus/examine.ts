import type { CorpusToolkit } from "../support/corpus.ts";
import { type Comparison, compare } from "./compare.ts";
import { compile } from "./compilers.ts";
import { readDocument } from "./document.ts";
import { judgements } from "./judges.ts";

/** One toolkit before all judges. */
export interface Examination extends Comparison {
  toolkit: CorpusToolkit;
  /** Number of constants. */
  constants: number;
  /** Judge -> what it says against the document; "castxml" has `differences`. */
  refused: Record<string, string[]>;
}

export async function examine(toolkit: CorpusToolkit): Promise<Examination> {
  const { document, omissions } = readDocument(toolkit.directory);
  if (document.toolkit !== toolkit.version) {
    throw new Error(`${toolkit.release} was read as version ${document.toolkit}`);
  }
  const judged = await judgements(toolkit.directory);
  const comparison = compare(document, omissions, judged);
  const refused = await compile(document, toolkit.directory, judged);
  return {
    ...comparison,
    toolkit,
    constants: document.constants.length,
    refused: { castxml: comparison.differences, ...refused },
  };
}
