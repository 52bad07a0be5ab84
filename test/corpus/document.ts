import { buildDocument } from "../../generator/api/build.ts";
import type { ApiDocument, Omission } from "../../generator/api/document.ts";
import { driver } from "../../generator/libraries/driver.ts";
import { parseHeaders } from "../../generator/parse/parse.ts";
import { readHeaders } from "../../generator/toolkit/headers.ts";

/** What the generator makes of an include folder: the API document and what it leaves out. */
export function readDocument(directory: string): { document: ApiDocument; omissions: Omission[] } {
  const headers = readHeaders(directory, driver);
  const sources = headers.map(({ name, sha256 }) => ({ name, sha256 }));
  return buildDocument(parseHeaders(headers, driver), driver, sources);
}
