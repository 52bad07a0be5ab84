import { readFileSync } from "node:fs";
import { join } from "node:path";
import Handlebars from "handlebars";
import { packageRoot } from "../root.ts";

/** A file of `templates/`, filled in. A name that the facts lack is an error. */
export function render(name: string, facts: object): string {
  const template = readFileSync(join(packageRoot(), "templates", `${name}.hbs`), "utf8");
  return Handlebars.compile(template, { noEscape: true, strict: true })(facts);
}
