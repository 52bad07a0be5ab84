import type { HandwrittenForm } from "../libraries/library.ts";
import type { Plain } from "./moduleText.ts";
import { argument, head, isArgument, outcome } from "./parameters.ts";
import type { PlannedFunction, PlannedParameter } from "./plan.ts";

/** What the runtime does by hand, in `templates/runtime/{procAddress,library}.ts`. */
export function handwritten(fn: PlannedFunction, form: HandwrittenForm, async: boolean): Plain {
  const { type } = outcome(fn);
  const returns = async ? `Promise<${type}>` : type;
  const args = fn.params.filter(isArgument).map(({ name }) => name);
  switch (form) {
    case "look-up":
      return { async, ...head(fn), returns, body: [`return getProcAddress(${args.join(", ")}) as ${type};`] };
    case "unloader": {
      const load = `${async ? "unloadingAsync" : "unloading"}("${fn.api.name}", ${args[0]}`;
      return { async, ...head(fn), returns, body: [`return ${load}, () => plain_${fn.identifier}(${args[0]}));`] };
    }
    case "loader": {
      const [source, ...options] = fn.params.filter(isArgument) as [PlannedParameter, ...PlannedParameter[]];
      const [jit, jitValues, jitCount, library, values, count] = options.map(({ name }) => name);
      const load = `${async ? "loadingAsync" : "loading"}("${fn.api.name}", ${args.join(", ")}`;
      return {
        async,
        generics: "",
        parameters: [
          argument(source),
          `${jit}: Options = null, ${jitValues}: OptionValues | bigint | null = null, ${jitCount}?: number`,
          `${library}: Options = null, ${values}: OptionValues | bigint | null = null, ${count}?: number`,
        ].join(", "),
        returns,
        body: [`return ${load}, (...packed) => plain_${fn.identifier}(${source.name}, ...packed));`],
      };
    }
  }
}
