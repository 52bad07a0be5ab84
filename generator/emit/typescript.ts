import type { StatementStructures } from "ts-morph";
import { IndentationText, NewLineKind, Project, QuoteKind } from "./morph.ts";

/** Prints modules: name -> text. */
export function printModules(modules: Record<string, (StatementStructures | string)[]>): [string, string][] {
  const project = new Project({
    useInMemoryFileSystem: true,
    skipLoadingLibFiles: true,
    manipulationSettings: {
      indentationText: IndentationText.TwoSpaces,
      newLineKind: NewLineKind.LineFeed,
      quoteKind: QuoteKind.Double,
    },
  });
  return Object.entries(modules).map(([name, statements]) => {
    const text = project.createSourceFile(name, { statements }).getFullText();
    return [name, text.endsWith("\n") ? text : `${text}\n`];
  });
}
