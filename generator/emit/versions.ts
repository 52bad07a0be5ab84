import { groupBy } from "../api/collect.ts";
import { prototype } from "../api/ctype.ts";
import { type Plan, type PlannedFunction, sinceOf } from "./planned.ts";

/** What `templates/variants.ts.hbs` says, for the compiler: each symbol's variants, and what each version brought. */
export function variants(plan: Plan) {
  const bases = groupBy(plan.functions, ({ api }) => api.base);
  const introduced = groupBy(availability(plan), ({ version }) => version);
  return {
    variants: [...bases].map(([base, fns]) => ({
      base,
      legacy: newestFirst(fns, "legacy", plan),
      perThread: newestFirst(fns, "perThread", plan),
    })),
    introduced: [...introduced]
      .sort(([a], [b]) => a - b)
      .map(([since, functions]) => ({ since, names: functions.map(({ name }) => name) })),
  };
}

function newestFirst(fns: readonly PlannedFunction[], mode: "legacy" | "perThread", plan: Plan) {
  return fns
    .filter(({ api }) => api.streamMode === mode)
    .map((fn) => ({ name: fn.identifier, exported: fn.api.name, since: sinceOf(fn, plan) }))
    .sort((a, b) => b.since - a.since || (a.exported < b.exported ? 1 : -1));
}

/** What `templates/procs.ts.hbs` says: look-ups that give typed functions. */
export function procs(plan: Plan) {
  return {
    renamed: plan.functions
      .filter(({ api, identifier }) => api.name !== identifier)
      .map(({ api, identifier }) => ({ exported: api.name, name: identifier })),
    signatures: plan.functions.map((fn) => ({ exported: fn.api.name, prototype: prototype(fn.api, fn.api.name) })),
    since: availability(plan),
  };
}

/** Every exported function name of `index.ts`, plain spellings among them, with the CUDA version that it needs. */
function availability(plan: Plan): { name: string; version: number }[] {
  const since = new Map(plan.functions.map((fn) => [fn.identifier, sinceOf(fn, plan)]));
  for (const [name, target] of plan.plain) since.set(name, since.get(target) ?? plan.document.toolkit);
  return [...since].map(([name, version]) => ({ name, version })).sort((a, b) => (a.name < b.name ? -1 : 1));
}
