import { pythonNames } from "../api/pythonName.ts";
import type { attributes } from "./attributes.ts";
import type { Plan } from "./planned.ts";
import type { unions as selected } from "./unions.ts";

/** What `templates/index.ts.hbs` says: everything under the exported names and the plain spellings. */
export function index(plan: Plan, { tables }: ReturnType<typeof attributes>, { unions }: ReturnType<typeof selected>) {
  const hooks = plan.hooks.map(({ name }) => name);
  return {
    /* Toolkits before 10.0 know no host functions. */
    hostFunction: hooks.find((name) => name === plan.library.hostFunction) ?? null,
    hooks,
    attributes: tables.map(({ name }) => name),
    unions,
    plain: [...plan.plain].flatMap(([name, target]) => (name === target ? [] : [{ name, target }])),
  };
}

/**
 * What `templates/driver.ts.hbs` says: the functions of the legacy stream mode under the names of cuda-python's
 * `cuda.bindings._v2.driver`.
 */
export function pythonModule({ document, functions, library }: Plan) {
  const identifiers = new Map(functions.map(({ api, identifier }) => [api.name, identifier]));
  const names = pythonNames(document, library);
  return {
    names: Array.from(names, ([name, exported]) => ({ name, function: identifiers.get(exported) ?? exported })),
  };
}
