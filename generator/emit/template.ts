import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, parse } from "node:path";
import Handlebars from "handlebars";
import { packageRoot } from "../root.ts";

const ENDING = ".hbs";

/**
 * A file of `templates/`, filled in. Its parts, where it has some, lie in the folder of its name: `{{> shim/calls.c}}` in
 * `shim.c.hbs` is `shim/calls.c.hbs`. A name that the facts lack is an error.
 */
export function render(name: string, facts: object): string {
  const templates = join(packageRoot(), "templates");
  const compile = (path: string) =>
    Handlebars.compile(readFileSync(join(templates, path + ENDING), "utf8"), { noEscape: true, strict: true });
  const stem = parse(name).name;
  const parts = existsSync(join(templates, stem)) ? readdirSync(join(templates, stem)) : [];
  const partials = Object.fromEntries(
    parts
      .filter((file) => file.endsWith(ENDING))
      .map((file) => `${stem}/${file.slice(0, -ENDING.length)}`)
      .map((part) => [part, compile(part)]),
  );
  return compile(name)(facts, { partials });
}
