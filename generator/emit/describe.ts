import { formatVersion } from "../errors.ts";
import { hiddenByAttributes } from "./attributeForms.ts";
import { hiddenByComfort } from "./comfort.ts";
import { copiedLines } from "./copied.ts";
import { countedBy } from "./counts.ts";
import { describeHandwritten } from "./handwritten.ts";
import { isResult } from "./parameters.ts";
import type { Plan, PlannedFunction, PlannedParameter } from "./plan.ts";

/** The C prototype, on one line. */
export function prototype({ api }: PlannedFunction): string {
  const params = api.params.map(({ name, type }) => declare(type, name));
  return `${api.result} ${api.name}(${params.length === 0 ? "void" : params.join(", ")})`;
}

function declare(type: string, name: string): string {
  const inner = /^(.*\(\*+)(\).*)$/.exec(type);
  if (inner !== null) return `${inner[1]}${name}${inner[2]}`;
  return type.endsWith("*") ? `${type}${name}` : `${type} ${name}`;
}

/**
 * Documentation of our own for one function, from the facts of the API document, and the header's comment where that is to be
 * copied: one line an entry. `async`: of the function of `promises`.
 */
export function describeFunction(fn: PlannedFunction, plan: Plan, async = false): string[] {
  const { api, comfort } = fn;
  const since = api.since === null ? "" : ` Since CUDA ${formatVersion(api.since)}.`;
  const mode = api.streamMode === "perThread" ? " Works on the per-thread default stream." : "";
  const place = async ? " Runs on a pool thread, with the caller's current context." : "";
  const lines = [`\`${prototype(fn)}\``, "", `${whatItIs(fn, plan)}${since}${mode}${place}`.trim()];
  const lists = comfort?.lists.map(({ param }) => param) ?? [];
  const hidden = [...(comfort === null ? [] : hiddenByComfort(comfort)), ...hiddenByAttributes(fn, plan.library)];
  const comment = plan.comments.get(api.name);
  if (comment !== undefined) lines.push("", `From ${api.header}:`, "", ...copiedLines(comment));
  const params = fn.params
    .filter((param) => !hidden.includes(param))
    .flatMap((param) => {
      const said = describeHandwritten(fn, param);
      if (said !== null) return [`@param ${param.name} \`${param.api.type}\`: ${said}`];
      return describeParameter(param, countedBy(fn, param));
    });
  if (params.length > 0 || fn.query) lines.push("");
  lines.push(...params);
  const returned = fn.params
    .filter((param) => (isResult(param) && !comfort?.hidden.includes(param)) || lists.includes(param))
    .map(({ api: { name, type } }) => `${name} (\`${type}\`)`);
  if (fn.query) lines.push("@returns false while the driver answers CUDA_ERROR_NOT_READY, true when the work is done");
  else if (returned.length > 0) lines.push(`@returns ${returned.join(", ")}`);
  lines.push(
    `@throws CudaError for any ${api.result} but CUDA_SUCCESS; CudaSymbolError on a driver that lacks the function`,
  );
  if (fn.handwritten?.form === "unloader" || fn.params.some((param) => param.guarded && param.role.kind === "value"))
    lines.push(
      "@throws CudaError CUDA_ERROR_INVALID_HANDLE, and the driver is not called, for a handle that was given back before",
    );
  if (api.deprecated) lines.push(`@deprecated as of CUDA ${formatVersion(plan.document.toolkit)}`);
  return lines;
}

function whatItIs({ api, identifier }: PlannedFunction, plan: Plan): string {
  if (api.retired) return `Retired variant of ${api.base}.`;
  if (plan.plain.get(api.base) === identifier)
    return api.name === api.base ? "" : `What ${api.base} means in this toolkit.`;
  return `A variant of ${api.base}.`;
}

/** `lists`: what the parameter counts. */
function describeParameter({ name, role, api }: PlannedParameter, lists: readonly PlannedParameter[]): string[] {
  const nullable = api.nullable ? "; null for NULL" : "";
  const counted =
    lists.length === 0 ? "" : `; undefined: as many as ${lists.map((list) => list.name).join(" and ")} has`;
  switch (role.kind) {
    case "memory":
    case "list":
      return [
        `@param ${name} \`${api.type}\`: host memory${role.least === null ? "" : ` of at least ${role.least.said} ${role.least.size === 1 ? "bytes" : "elements"}`}, or an address${nullable}`,
      ];
    case "record":
      return [`@param ${name} \`${api.type}\`${nullable}`];
    case "out":
    case "outRecord":
    case "outString":
    case "outList":
      return [];
    case "attribute":
      return role.given ? [`@param ${name} a value of the type that ${role.attribute} decides`] : [];
    default:
      return [`@param ${name} \`${api.type}\`${counted}${nullable}`];
  }
}
