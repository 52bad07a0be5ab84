import { formatVersion } from "../errors.ts";
import { copiedLines } from "./copied.ts";
import { describeHandwritten } from "./handwritten.ts";
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
 * copied: one line an entry.
 */
export function describeFunction(fn: PlannedFunction, plan: Plan): string[] {
  const { api, comfort } = fn;
  const since = api.since === null ? "" : ` Since CUDA ${formatVersion(api.since)}.`;
  const mode = api.streamMode === "perThread" ? " Works on the per-thread default stream." : "";
  const lines = [`\`${prototype(fn)}\``, "", `${whatItIs(fn, plan)}${since}${mode}`.trim()];
  const lists = comfort?.lists.map(({ param }) => param) ?? [];
  const made = (param: PlannedParameter) =>
    lists.includes(param) || (comfort?.kind === "enumerate" && param === comfort.count);
  const comment = plan.comments.get(api.name);
  if (comment !== undefined) lines.push("", `From ${api.header}:`, "", ...copiedLines(comment));
  const params = fn.params
    .filter((param) => !made(param))
    .flatMap((param) => {
      const said = describeHandwritten(fn, param);
      return said === null ? describeParameter(param) : [`@param ${param.name} \`${param.api.type}\`: ${said}`];
    });
  if (params.length > 0 || fn.query) lines.push("");
  lines.push(...params);
  const returned = fn.params
    .filter((param) => isReturned(param) || lists.includes(param))
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

function isReturned({ role }: PlannedParameter): boolean {
  return (
    role.kind.startsWith("out") ||
    (role.kind === "inout" && role.returned) ||
    (role.kind === "attribute" && !role.given)
  );
}

function whatItIs({ api, identifier }: PlannedFunction, plan: Plan): string {
  if (api.retired) return `Retired variant of ${api.base}.`;
  if (plan.plain.get(api.base) === identifier)
    return api.name === api.base ? "" : `What ${api.base} means in this toolkit.`;
  return `A variant of ${api.base}.`;
}

function describeParameter({ name, role, api }: PlannedParameter): string[] {
  const nullable = api.nullable ? "; null for NULL" : "";
  switch (role.kind) {
    case "memory":
    case "list":
      return [
        `@param ${name} \`${api.type}\`: host memory${role.least === null ? "" : ` of at least ${role.least.count} elements`}, or an address${nullable}`,
      ];
    case "record":
      return [`@param ${name} \`${api.type}\`${nullable}`];
    case "out":
    case "outRecord":
    case "outString":
      return [];
    case "attribute":
      return role.given ? [`@param ${name} a value of the type that ${role.attribute} decides`] : [];
    default:
      return [`@param ${name} \`${api.type}\`${nullable}`];
  }
}
