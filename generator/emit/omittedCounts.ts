import type { Library } from "../libraries/library.ts";
import type { PlannedFunction } from "./planned.ts";
import { isArgument, type PlannedParameter } from "./roles.ts";

/** The lists and buffers that a program passes and that a number counts: where it is left out, they say it. */
export function countedBy(fn: PlannedFunction, number: PlannedParameter): PlannedParameter[] {
  if (number.role.kind !== "value" || number.role.meaning.kind !== "integer") return [];
  const filled = fn.comfort?.lists.map(({ param }) => param) ?? [];
  return fn.params.filter((param) => {
    const several = ["memory", "list", "record"].includes(param.role.kind);
    return several && isArgument(param) && param.api.count === number.api.name && !filled.includes(param);
  });
}

/** Sets each number that was left out; `nameOf`: where the lists stand. */
export function takeCounts(
  fn: PlannedFunction,
  library: Library,
  nameOf = ({ name }: PlannedParameter) => name,
): string[] {
  const isOptional = ({ role }: PlannedParameter) =>
    role.kind === "record" && library.optionalLists.some(({ of }) => of === role.name);

  return fn.params.flatMap((number) => {
    const lists = countedBy(fn, number).map(
      (param) => `["${param.api.name}", ${nameOf(param)}, ${sizeOf(param)}${isOptional(param) ? ", true" : ""}]`,
    );
    if (lists.length === 0) return [];
    return [
      `if (${number.name} === undefined) ${number.name} = countOf("${fn.api.name}", "${number.api.name}", ${lists.join(", ")});`,
    ];
  });
}

/** Bytes of one element. */
function sizeOf({ role }: PlannedParameter): string {
  if (role.kind === "record") return `records.${role.name}.size`;
  return role.kind === "memory" || role.kind === "list" ? String(role.least?.size ?? 1) : "1";
}
