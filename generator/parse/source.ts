import type { Position } from "../position.ts";
import type { HeaderText } from "../toolkit/toolkit.ts";

/** A header with its line continuations taken out, and the way back to the text as the user has it. */
export interface Source {
  name: string;
  /** Without line continuations; every `offset` in this room counts in this text. */
  text: string;
  /** Offsets in `text` where a continuation was taken out, and how many characters went up to and with it. */
  splices: { at: number; removed: number }[];
  /** Offsets in the original text where its lines start. */
  lines: number[];
}

/** Takes the line continuations out of a header (translation phase 2 of C). */
export function spliceLines(header: Pick<HeaderText, "name" | "text">): Source {
  const splices: Source["splices"] = [];
  let text = "";
  let kept = 0;
  let removed = 0;
  for (let at = header.text.indexOf("\\"); at >= 0; at = header.text.indexOf("\\", at + 1)) {
    // gcc also takes blanks between the backslash and the end of the line.
    let end = at + 1;
    while (header.text[end] === " " || header.text[end] === "\t") end++;
    if (header.text[end] !== "\n") continue;
    text += header.text.slice(kept, at);
    kept = end + 1;
    removed += kept - at;
    splices.push({ at: text.length, removed });
  }
  text += header.text.slice(kept);

  const lines = [0];
  for (let at = header.text.indexOf("\n"); at >= 0; at = header.text.indexOf("\n", at + 1)) lines.push(at + 1);
  return { name: header.name, text, splices, lines };
}

/** Where an offset of `source.text` stands in the original header. */
export function positionAt(source: Source, offset: number): Position {
  const original = offset + (source.splices[lastNotAfter(source.splices, offset, ({ at }) => at)]?.removed ?? 0);
  const line = lastNotAfter(source.lines, original, (start) => start);
  return { file: source.name, line: line + 1, column: original - (source.lines[line] ?? 0) + 1 };
}

/** Index of the last of the sorted `items` whose key is not above `limit`; -1 if there is none. */
export function lastNotAfter<T>(items: readonly T[], limit: number, key: (item: T) => number): number {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (key(items[middle] as T) <= limit) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
