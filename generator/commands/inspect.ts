import type { Omission } from "../api/document.ts";
import { serialize } from "../api/serialize.ts";
import { driver } from "../libraries/driver.ts";
import { obtain } from "../pipeline.ts";
import { listDocument } from "./listing.ts";
import { columns, during, print, printJson, warn } from "./terminal.ts";

interface InspectOptions {
  toolkit?: string;
  omissions?: boolean;
  json?: boolean;
  text?: boolean;
}

/**
 * Prints the API document, or what the headers declare and the document leaves out: for a person on a terminal, as JSON
 * elsewhere, unless one of the two is asked for.
 */
export async function inspect(options: InspectOptions): Promise<number> {
  const api = await during("reading", () => obtain({ toolkit: options.toolkit }, driver));
  warn(api.warnings);
  const json = options.json || !(options.text || process.stdout.isTTY);
  if (!options.omissions) print(json ? serialize(api.document) : listDocument(api.document));
  else if (json) printJson(api.omissions);
  else print(listOmissions(api.omissions, api.toolkit !== null));
  return 0;
}

function listOmissions(omissions: readonly Omission[], fromHeaders: boolean): string {
  if (!fromHeaders) return "not known: the history answered, which remembers only what there is";
  return omissions.length === 0 ? "nothing is left out" : columns(omissions.map(({ name, reason }) => [name, reason]));
}
