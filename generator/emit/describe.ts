import { prototype } from "../api/ctype.ts";
import { formatVersion } from "../versions.ts";
import { describeByAttributes, notPassedByAttributes } from "./attributeForms.ts";
import { limitOf, notPassed } from "./comfort.ts";
import { copiedLines } from "./copied.ts";
import { describeHandwritten } from "./handwritten.ts";
import { countedBy } from "./omittedCounts.ts";
import { listType } from "./parameters.ts";
import type { Plan, PlannedFunction } from "./planned.ts";
import { isArgument, isResult, type PlannedParameter } from "./roles.ts";

/**
 * Documentation of our own for one function, from the facts of the API document, and the header's comment where that is to be
 * copied: one line an entry. `async`: of the function of `promises`.
 */
export function describeFunction(fn: PlannedFunction, plan: Plan, async = false): string[] {
  const { api, comfort } = fn;
  const since = api.since === null ? "" : ` Since CUDA ${formatVersion(api.since)}.`;
  const mode = api.streamMode === "perThread" ? " Works on the per-thread default stream." : "";
  const place = async ? ` Runs on a pool thread, with the caller's current context.${staying(api.base, plan)}` : "";
  const lines = [`\`${prototype(api, api.name)}\``, "", `${whatItIs(fn, plan)}${since}${mode}${place}`.trim()];
  const lists = comfort?.lists.map(({ param }) => param) ?? [];
  const hidden = [...(comfort === null ? [] : notPassed(comfort)), ...notPassedByAttributes(fn, plan)];
  const comment = plan.comments.get(api.name);
  if (comment !== undefined) lines.push("", `From ${api.header}:`, "", ...copiedLines(comment));
  const params = fn.params
    .filter((param) => isArgument(param) && !hidden.includes(param))
    .map((param) => {
      const said =
        describeHandwritten(fn, param, plan.library) ??
        describeByAttributes(fn, param, plan) ??
        describeParameter(fn, param, plan, async);
      return `@param ${param.name} \`${param.api.type}\`${said === "" ? "" : `: ${said}`}`;
    });
  const limit = limitOf(fn);
  if (limit !== null)
    params.push(`@param ${limit.name} \`${limit.api.type}\`: at most as many; undefined: all that there can be`);
  if (params.length > 0 || fn.query !== null) lines.push("");
  lines.push(...params);
  const returned = fn.params
    .filter((param) => (isResult(param) && !comfort?.notReturned.includes(param)) || lists.includes(param))
    .map((param) => describeResult(fn, param))
    .join(", ");
  const result = describeByAttributes(fn, null, plan) ?? returned;
  const { queries } = plan.library;
  if (fn.query !== null)
    lines.push(`@returns false while the driver answers ${queries.result}, true when the work is done`);
  else if (result !== "") lines.push(`@returns ${result}`);
  const answers = fn.query === null ? "CUDA_SUCCESS" : `CUDA_SUCCESS and ${queries.result}`;
  lines.push(
    `@throws CudaError for any ${api.result} but ${answers}; CudaSymbolError on a driver that lacks the function`,
  );
  if (params.length > 0) lines.push("@throws TypeError, RangeError for a wrong argument, before the driver is called");
  if (refusesDestroyed(fn)) {
    lines.push(
      "@throws CudaError CUDA_ERROR_INVALID_HANDLE for a handle that was destroyed before; the driver is not called",
    );
  }
  if (api.deprecated) lines.push(`@deprecated says the header of CUDA ${formatVersion(plan.document.toolkit)}`);
  return lines;
}

/** Said of promises: what the function changes is the pool thread's, which is put back afterwards. */
function staying(base: string, { library }: Plan): string {
  if (!library.threadBound.functions.includes(base)) return "";
  return " What it makes current, or changes, is that thread's own: call the function that is no promise for this thread's.";
}

function refusesDestroyed({ destroys, params }: PlannedFunction): boolean {
  return destroys !== null || params.some(({ guarded, role }) => guarded === "used" && role.kind === "value");
}

function whatItIs({ api, identifier }: PlannedFunction, plan: Plan): string {
  if (api.retired) return `Retired variant of ${api.base}.`;
  if (plan.plain.get(api.base) === identifier)
    return api.name === api.base ? "" : `What ${api.base} means in this toolkit.`;
  return `A variant of ${api.base}.`;
}

/** What is returned for a parameter of C's. */
function describeResult({ comfort }: PlannedFunction, param: PlannedParameter): string {
  const { role, api } = param;
  if (role.kind === "attribute") return `the value, of the type that ${role.attribute} decides`;
  const list = comfort?.lists.find((each) => each.param === param);
  const form = () => {
    if (list !== undefined && comfort?.kind === "text") return ", a string";
    if (list !== undefined) return listType(list.of) === "Uint8Array" ? ", its bytes" : ", an array";
    if (role.kind === "outString") return ", a string";
    if (role.kind !== "outList") return "";
    return listType(role.of) === "Uint8Array" ? ", a copy of its bytes" : ", a copy as an array";
  };
  return `${api.name} (\`${api.type}\`${form()})`;
}

/** What a parameter takes beside its C type, in words. */
function describeParameter(fn: PlannedFunction, param: PlannedParameter, { library }: Plan, async: boolean): string {
  const { role, api } = param;
  const isHooked = fn.hook !== null && !(async && fn.hook.hook.kind === "direct");
  if (isHooked && param === fn.hook?.callback) {
    const when =
      fn.hook?.hook.kind === "direct"
        ? "called before this returns"
        : "called on this thread when its event loop turns";
    return `a JavaScript function, ${when}; or the address of one of C's${api.nullable ? "; null for NULL" : ""}`;
  }
  if (fn.hook !== null && param === fn.hook.callback)
    return `the address of a function of C's: a pool thread can call none of JavaScript's${api.nullable ? "; null for NULL" : ""}`;
  if (isHooked && param === fn.hook?.data) return "for a function of C's; null with a JavaScript function";
  const reason = library.nullableTypes.find(({ name }) => name === api.type)?.reason;
  const said = [
    ...takes(fn, param),
    ...(api.nullable ? [reason === undefined ? "null for NULL" : `null: ${reason}`] : []),
  ];
  return role.kind === "attribute" ? `a value of the type that ${role.attribute} decides` : said.join("; ");
}

function takes(fn: PlannedFunction, param: PlannedParameter): string[] {
  const { role } = param;
  const counted = countedBy(fn, param);
  if (counted.length > 0) return [`undefined: as many as ${haveOrHas(counted.map((list) => list.api.name))}`];
  if (fn.comfort?.kind === "text" && fn.comfort.length.kind === "parameter" && fn.comfort.length.param === param)
    return ["bytes of room for the string and the NUL behind it"];
  if (role.kind === "kernelParams")
    return ["kernelParams(kernel.i32(1), ...), which may be used for many launches, or an array of such values"];
  if (role.kind === "record" && param.api.direction === "inout" && typeof param.lowered !== "object") {
    const which = role.count === null ? "a record" : "a record, or several that recordArray made";
    return [`${which}, which the driver writes into; host memory, or an address`];
  }
  if (role.kind !== "memory" && role.kind !== "list") return [];
  if (role.kind === "memory" && role.orNumber)
    return ["a number such as a file descriptor, a record, host memory, or an address"];
  if (role.kind === "memory" && role.onDevice) return ["a device pointer"];
  const unit = role.least?.size === 1 ? "bytes" : "elements";
  const least = role.least === null ? "" : ` of at least ${role.least.said} ${unit}`;
  return [`${role.kind === "list" ? "an array, " : ""}host memory${least}, or an address`];
}

function haveOrHas(names: readonly string[]): string {
  const last = names.at(-1);
  return names.length === 1 ? `${last} has` : `${names.slice(0, -1).join(", ")} and ${last} have`;
}
