import { join } from "node:path";
import { createTwoFilesPatch } from "diff";
import { currentText, staleFiles } from "./output.ts";

export interface Difference {
  path: string;
  /** `stale`: of an earlier run, no longer generated. */
  change: "changed" | "missing" | "stale";
  /** Unified diff from what is there to what should be; "" where the text would say nothing more. */
  diff: string;
  /** The text that is there; "" where none is. */
  present: string;
  /** The text that should be; "" where none should. */
  wanted: string;
}

/** A reader of more lines than this learns nothing more. */
const shownLines = 400;
/** Beyond this many edits a diff takes long and says nothing. */
const maxEditLength = 5000;

/** Compares a folder with what should be in it; sorted by path, empty if nothing differs. */
export function comparePackage(out: string, files: ReadonlyMap<string, string>): Difference[] {
  const none = { diff: "", present: "", wanted: "" };
  const differences: Difference[] = staleFiles(out, files).map((path) => ({ ...none, path, change: "stale" }));
  for (const [path, wanted] of files) {
    const present = currentText(join(out, path));
    if (present === null) differences.push({ ...none, path, change: "missing", wanted });
    else if (present !== wanted)
      differences.push({ path, change: "changed", diff: unified(path, present, wanted), present, wanted });
  }
  return differences.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The differences for a person. */
export function formatDifferences(differences: readonly Difference[]): string {
  const lines = differences.flatMap(({ path, change, diff }) => {
    if (change === "missing") return [`${path}: is missing`];
    if (change === "stale") return [`${path}: is no longer generated`];
    return diff === "" ? [`${path}: differs throughout`] : diff.trimEnd().split("\n");
  });
  const hidden = lines.length - shownLines;
  return [...lines.slice(0, shownLines), ...(hidden > 0 ? [`... and ${hidden} more lines`] : [])].join("\n");
}

function unified(path: string, present: string, wanted: string): string {
  const options = { context: 3, maxEditLength };
  return createTwoFilesPatch(path, path, present, wanted, "present", "generated", options) ?? "";
}
