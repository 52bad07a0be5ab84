import { countedBy } from "./counts.ts";
import type { Plain } from "./moduleText.ts";
import { argument, argumentType, head, isArgument, outcome } from "./parameters.ts";
import type { PlannedFunction, PlannedParameter } from "./plan.ts";

/** What the runtime does by hand, in `templates/runtime/{procAddress,handles,options}.ts`. */
export function handwritten(fn: PlannedFunction, async: boolean): Plain {
  const { type } = outcome(fn);
  const args = fn.params.filter(isArgument).map(({ name }) => name);
  const shared = { async, ...head(fn), returns: async ? `Promise<${type}>` : type };
  switch (fn.handwritten?.form) {
    case "look-up":
      return { ...shared, body: [`return getProcAddress(${args.join(", ")}) as ${type};`] };
    case "unloader": {
      const call = `plain_${fn.identifier}(${args.join(", ")})`;
      return {
        ...shared,
        body: [`return givingBack("${fn.api.name}", "${fn.api.params[0]?.name}", ${args[0]}, () => ${call});`],
      };
    }
    case "loader":
      return { ...shared, ...loader(fn) };
    default:
      throw new Error(`${fn.api.name} has no hand-written form`);
  }
}

/** Options of one kind: their names, their values, and how many there are. */
interface OptionGroup {
  names: PlannedParameter;
  values: PlannedParameter;
  count: PlannedParameter;
}

function optionGroups({ params }: PlannedFunction): OptionGroup[] {
  return params.flatMap((count) => {
    const [names, values, ...more] = params.filter(({ api }) => api.count === count.api.name);
    return names === undefined || values === undefined || more.length > 0 ? [] : [{ names, values, count }];
  });
}

function codeOf({ params, handwritten }: PlannedFunction): PlannedParameter | undefined {
  return params.find(({ api }) => api.name === handwritten?.code);
}

/** The handle that what is passed belongs to: an argument, or what is returned. */
function ownerOf({ params }: PlannedFunction): PlannedParameter | undefined {
  return params.find((param) => param.guarded === "used" && isArgument(param));
}

function loader(fn: PlannedFunction): Pick<Plain, "parameters" | "body"> {
  const groups = optionGroups(fn);
  const code = codeOf(fn);
  const named = ({ api }: PlannedParameter) => `"${api.name}"`;
  const given = (param: PlannedParameter) => `[${named(param)}, ${param.name}]`;
  const parameters = fn.params.filter(isArgument).map((param) => {
    if (param === code) return `${param.name}: string | ${argumentType(param)}`;
    if (groups.some(({ count }) => count === param)) return `${param.name}?: number`;
    if (groups.some(({ names }) => names === param)) return `${param.name}: Options = null`;
    if (groups.some(({ values }) => values === param)) return `${param.name}: OptionValues | bigint | null = null`;
    const isLeftOut = countedBy(fn, param).length > 0;
    return `${argument(param)}${isLeftOut ? " | undefined" : ""}`;
  });
  const packs = groups.map(({ names, values, count }) => {
    return `packOptions("${fn.api.name}", "${optionEnum(names)}", ${[names, values, count].map(given).join(", ")})`;
  });
  const args = fn.params.filter(isArgument).map((param) => {
    for (const [index, { names, values, count }] of groups.entries()) {
      if (param === names) return `packed${index}.names`;
      if (param === values) return `packed${index}.slots`;
      if (param === count) return `packed${index}.count`;
    }
    return param.name;
  });
  const inner = [code?.name ?? "_", ...groups.map((_, index) => `packed${index}`)];
  const text = code === undefined ? "0n" : `codeOf(${code.name}, "${fn.api.name}", ${named(code)})`;
  const load = `${ownerOf(fn)?.name ?? null}, ${text}, [${packs.join(", ")}]`;
  return {
    parameters: parameters.join(", "),
    body: [`return loading(${load}, (${inner.join(", ")}) => plain_${fn.identifier}(${args.join(", ")}));`],
  };
}

/** C's enum that the names of options are of. */
function optionEnum({ type }: PlannedParameter): string {
  return type.kind === "pointer" && type.to.kind === "name" ? type.to.name : "";
}

/** What a parameter of a hand-written form takes, where that is not what the plain form's does. */
export function describeHandwritten(fn: PlannedFunction, param: PlannedParameter): string | null {
  if (fn.handwritten?.form !== "loader") return null;
  if (param === codeOf(fn)) return "code: a string (PTX), host memory, or an address; text needs no final NUL";
  for (const { names, values, count } of optionGroups(fn)) {
    if (param === names) return `${optionEnum(names)} members, or an address; null for none`;
    if (param === values) return `a value for each of ${names.name}; what the driver answers comes back in them`;
    if (param === count) return `taken from ${names.name} where it is left out`;
  }
  return null;
}
