import { buildDocument } from "../../generator/api/build.ts";
import type { ApiDocument, Omission } from "../../generator/api/document.ts";
import { HeaderError } from "../../generator/errors.ts";
import { driver } from "../../generator/libraries/driver.ts";
import { parseHeaders } from "../../generator/parse/parse.ts";
import { sha256 } from "../../generator/toolkit/headers.ts";
import type { HeaderText } from "../../generator/toolkit/toolkit.ts";
import { flawOfDocument } from "./soundness.ts";

/** What became of a set of headers. `broken`: neither of the two things that may come of it. */
export type Outcome =
  | { kind: "document"; document: ApiDocument; omissions: Omission[] }
  | { kind: "refused"; message: string }
  | { kind: "broken"; message: string };

/** The longest line that an error may be. */
const ONE_LINE = 400;

export function read(headers: HeaderText[]): Outcome {
  try {
    const sources = headers.map(({ name, text }) => ({ name, sha256: sha256(text) }));
    const { document, omissions } = buildDocument(parseHeaders(headers, driver), driver, sources);
    const flaw = flawOfDocument(document);
    if (flaw !== null) return { kind: "broken", message: flaw };
    return { kind: "document", document, omissions };
  } catch (error) {
    if (!(error instanceof Error)) return { kind: "broken", message: `threw ${String(error)}` };
    if (!(error instanceof HeaderError)) return { kind: "broken", message: error.stack ?? String(error) };
    const flaw = flawOf(error, headers);
    return flaw === null
      ? { kind: "refused", message: error.message }
      : { kind: "broken", message: `${flaw}: ${error.message.slice(0, 2 * ONE_LINE)}` };
  }
}

/** What is wrong with an error: it must be one line with a place that exists. */
function flawOf({ message, position }: HeaderError, headers: readonly HeaderText[]): string | null {
  const header = headers.find(({ name }) => name === position.file);
  if (!header) return "an error in no header";
  const line = header.text.split("\n")[position.line - 1];
  if (line === undefined) return "an error at a line that is not there";
  if (!(position.column >= 1 && position.column <= line.length + 1)) return "an error at a column that is not there";
  if (!message.startsWith(`${position.file}:${position.line}:${position.column}: `))
    return "an error without its place";
  if (/[\n\r\u2028]/.test(message)) return "an error of several lines";
  if (message.length > ONE_LINE) return "an error longer than a line";
  return null;
}
