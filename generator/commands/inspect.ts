import { serialize } from "../api/serialize.ts";
import { driver } from "../libraries/driver.ts";
import { obtain } from "../pipeline.ts";
import { during, print, printJson, warn } from "./terminal.ts";

export interface InspectOptions {
  toolkit?: string;
  omissions?: boolean;
}

/** Prints the API document, or what the headers declare and the document leaves out. Both are JSON. */
export async function inspect(options: InspectOptions): Promise<number> {
  const api = await during("reading", () => obtain({ toolkit: options.toolkit }, driver));
  warn(api.warnings);
  if (options.omissions) printJson(api.omissions);
  else print(serialize(api.document));
  return 0;
}
