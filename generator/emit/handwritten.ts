import type { Library, OptionRow } from "../libraries/library.ts";
import type { Plain } from "./moduleText.ts";
import { declare, head, outcome, parameterList, plainCall } from "./parameters.ts";
import type { Plan, PlannedFunction } from "./planned.ts";
import { isArgument, type PlannedParameter } from "./roles.ts";

/** What the runtime does by hand, in `templates/runtime/{procAddress,handles,options,registered}.ts`. */
export function handwritten(fn: PlannedFunction, { library }: Plan, async: boolean): Plain {
  const { type } = outcome(fn);
  const args = fn.params.filter(isArgument).map(({ name }) => name);
  const shared = { async, ...head(fn), returns: async ? `Promise<${type}>` : type };
  switch (fn.handwritten?.form) {
    case "look-up":
      return { ...shared, body: [`return getProcAddress(${args.join(", ")}) as ${type};`] };
    case "destroy": {
      const { destroys } = fn;
      const given = `"${fn.api.name}", "${destroys?.api.name}", ${destroys?.name}`;
      const end = `givingBack(${given}, () => ${plainCall(fn)})`;
      if (!fn.handwritten.callback) return { ...shared, body: [`return ${end};`] };
      return { ...shared, body: [`return unhooking(${destroys?.name}, () => ${end});`] };
    }
    case "register":
    case "unregister": {
      const memory = fn.params.find(({ api }) => api.name === fn.handwritten?.memory);
      const call = `() => ${plainCall(fn)}`;
      if (fn.handwritten.form === "unregister")
        return { ...shared, body: [`return unregistering(${memory?.name}, ${call});`] };
      return {
        ...shared,
        body: [`return registering("${fn.api.name}", "${memory?.api.name}", ${memory?.name}, ${call});`],
      };
    }
    case "loader":
      return { ...shared, ...loader(fn, library) };
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

/** The argument that what is passed belongs to; undefined: it belongs to the handle that is returned. */
function ownerOf({ params }: PlannedFunction): PlannedParameter | undefined {
  return params.find((param) => param.guarded === "used" && isArgument(param));
}

function loader(fn: PlannedFunction, library: Library): Pick<Plain, "parameters" | "body"> {
  const groups = optionGroups(fn);
  const code = codeOf(fn);
  const named = ({ api }: PlannedParameter) => `"${api.name}"`;
  const given = (param: PlannedParameter) => `[${named(param)}, ${param.name}]`;
  const declared = fn.params.filter(isArgument).map((param) => {
    const plain = declare(param, fn);
    if (param === code) return { ...plain, type: `string | ${plain.type}` };
    if (groups.some(({ count }) => count === param)) return { ...plain, type: "number", optional: true };
    if (groups.some(({ names }) => names === param))
      return { ...plain, type: optionsType(param, library), optional: true, initial: "null" };
    if (!groups.some(({ values }) => values === param)) return plain;
    return { ...plain, type: "OptionValues | HostAddress | null", optional: true, initial: "null" };
  });
  const packs = groups.map(({ names, values, count }) => {
    return `packOptions("${fn.api.name}", "${optionEnum(names)}", ${[names, values, count].map(given).join(", ")})`;
  });
  const replaced = new Map(
    groups.flatMap(({ names, values, count }, index) => [
      [names, `$packed${index}.names`] as const,
      [values, `$packed${index}.slots`] as const,
      [count, `$packed${index}.count`] as const,
    ]),
  );
  const inner = [code?.name ?? "_", ...groups.map((_, index) => `$packed${index}`)];
  const owner = ownerOf(fn)?.name ?? null;
  const text = code === undefined ? "0n" : `codeOf(${code.name}, "${fn.api.name}", ${named(code)}, ${owner === null})`;
  const load = `${owner}, ${text}, [${packs.join(", ")}]`;
  return {
    parameters: parameterList(declared),
    body: [`return loading(${load}, (${inner.join(", ")}) => ${plainCall(fn, replaced)});`],
  };
}

/** The names of options, or both as the package makes them. */
function optionsType(names: PlannedParameter, library: Library): string {
  return `Options<enums.${optionEnum(names)}> | ${optionRow(names, library).type}`;
}

function optionRow(names: PlannedParameter, { options }: Library): OptionRow {
  const row = options[optionEnum(names)];
  if (row === undefined) throw new Error(`nothing makes options of ${optionEnum(names)}`);
  return row;
}

/** C's enum that the names of options are of. */
function optionEnum({ type }: PlannedParameter): string {
  return type.kind === "pointer" && type.to.kind === "name" ? type.to.name : "";
}

/** What a parameter of a hand-written form takes, where that is not what the plain form's does. */
export function describeHandwritten(fn: PlannedFunction, param: PlannedParameter, library: Library): string | null {
  if (fn.handwritten?.form === "register" && param.api.name === fn.handwritten.memory) {
    return "host memory, or an address. Memory of JavaScript's is kept alive until it is unregistered, and cannot be transferred or resized";
  }
  if (fn.handwritten?.form !== "loader") return null;
  if (param === codeOf(fn)) {
    return "PTX as a string; memory that holds PTX, a cubin or a fatbin; or an address. Text needs no final NUL, a binary that is cut short is a RangeError";
  }
  for (const { names, values, count } of optionGroups(fn)) {
    if (param === names) {
      return `${optionRow(names, library).maker}(...), which has the values too; ${optionEnum(names)} members; an address; null for none`;
    }
    if (param === values) {
      const answers = optionRow(names, library).answers ? "; what the driver answers comes back in them" : "";
      return `a value for each of ${names.name}${answers}; null for none`;
    }
    if (param === count) return `taken from ${names.name} where it is left out`;
  }
  return null;
}
