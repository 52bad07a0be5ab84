/** The package under test, as the tests reach into it: every function by its exported name, in four spellings. */
import { pythonName } from "../../generator/api/pythonName.ts";
import { plan } from "../../generator/emit/plan.ts";
import type { Plan, PlannedFunction } from "../../generator/emit/planned.ts";
import { driver } from "../../generator/libraries/driver.ts";
import { newestDocument } from "./library.ts";

// biome-ignore lint/suspicious/noExplicitAny: called with whatever a test made up
export type AnyFunction = (...args: any[]) => unknown;

export interface Spelling {
  /** `index`, `promises`, `v2`. */
  module: "index" | "promises" | "v2";
  name: string;
  fn: AnyFunction;
}

export interface Package {
  plan: Plan;
  // biome-ignore lint/suspicious/noExplicitAny: classes and constants by name
  cuda: Record<string, any>;
  spellings(fn: PlannedFunction): Spelling[];
}

export async function openPackage(): Promise<Package> {
  const cuda = (await import("cuda-driver")) as Package["cuda"];
  const python = (await import("cuda-driver/v2/driver")) as Package["cuda"];
  const planned = plan(newestDocument(), driver);
  return {
    plan: planned,
    cuda,
    spellings({ identifier, api }) {
      const names: [Spelling["module"], string, unknown][] = [
        ["index", identifier, cuda[identifier]],
        ["promises", identifier, cuda.promises[identifier]],
        ["v2", pythonNameOf(api.name), python[pythonNameOf(api.name)]],
      ];
      /* The Python spelling is for the legacy mode, and not for a retired export whose name means another variant now. */
      const offered = names.filter(
        ([module]) => module !== "v2" || (api.streamMode === "legacy" && identifier === api.name),
      );
      return offered.map(([module, name, fn]) => {
        if (typeof fn !== "function") throw new Error(`${module} has no function ${name} for ${api.name}`);
        return { module, name, fn: fn as AnyFunction };
      });
    },
  };
}

function pythonNameOf(exported: string): string {
  return pythonName(exported, driver.prefix, driver.pythonNames);
}
