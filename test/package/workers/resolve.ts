/**
 * Calls every wrapper of the package with arguments that it accepts, and catches each at the moment in which it would be bound
 * to its address: nothing of the driver runs, whatever the function does.
 */

import { native } from "../../../generated/dist/runtime/native.js";
import { answer, type Failure, failure } from "../child.ts";

/** What became of the call of one wrapper. */
export type Binding =
  | { kind: "bound"; index: number; address: bigint }
  | { kind: "refused"; error: Failure }
  /** It never came to a binding: the wrapper is no call of a driver function. */
  | { kind: "answered" };

export interface Resolved {
  /** Where the library says that cuInit lies. */
  cuInit: bigint;
  version: number;
  /** Module -> wrapper -> outcome. */
  modules: Record<"functions" | "promises" | "index" | "v2", Record<string, Binding>>;
}

class Bound extends Error {
  readonly index: number;
  readonly address: bigint;
  constructor(index: number, address: bigint) {
    super("bound");
    this.index = index;
    this.address = address;
  }
}

type Wrapper = (...given: unknown[]) => unknown;

const { driverInfo } = await import("cuda-driver");
const { version } = driverInfo();
native.bind = (index, address) => {
  throw new Bound(index, address);
};

const bytes = new Uint8Array(65536);
const CANDIDATES = [0, 0n, 1, "x", bytes, {}, null, []];

/** Tries arguments until they are taken. The errors say which parameter they refuse. */
async function bindingOf(name: string, wrapper: Wrapper): Promise<Binding> {
  const parameters = /\(([^)]*)\)/
    .exec(wrapper.toString())?.[1]
    ?.split(",")
    .map((text) => text.trim().split(" ")[0] ?? "");
  const names = (parameters ?? []).filter(Boolean).slice(0, wrapper.length); // without the optional ones
  const chosen = names.map(() => 0);
  for (let attempt = 0; attempt < names.length * CANDIDATES.length + 1; attempt++) {
    try {
      await wrapper(...chosen.map((candidate) => CANDIDATES[candidate]));
      return { kind: "answered" };
    } catch (error) {
      if (error instanceof Bound) return { kind: "bound", index: error.index, address: error.address };
      if (!(error instanceof TypeError || error instanceof RangeError))
        return { kind: "refused", error: failure(error) };
      const [, parameter = ""] = /^\w+: (\w+) /.exec(error.message) ?? [];
      const at = names.length === 1 ? 0 : names.findIndex((each) => each === parameter || each === `${parameter}_`);
      const next = (chosen[at] ?? 0) + 1;
      if (at >= 0) chosen[at] = next;
      if (at < 0 || next >= CANDIDATES.length) {
        throw new Error(`no arguments found for ${name}(${names.join(", ")}): ${error.message}`);
      }
    }
  }
  throw new Error(`no arguments found for ${name}`);
}

async function bindingsOf(module: object): Promise<Record<string, Binding>> {
  const bindings: Record<string, Binding> = {};
  for (const [name, wrapper] of Object.entries(module)) {
    if (typeof wrapper !== "function" || !/^[a-z]/.test(name)) continue;
    bindings[name] = await bindingOf(name, wrapper as Wrapper);
  }
  return bindings;
}

function driverFunctions(module: object): object {
  return Object.fromEntries(Object.entries(module).filter(([name]) => /^cu[A-Z]/.test(name)));
}

answer({
  cuInit: native.symbol("cuInit"),
  version,
  modules: {
    functions: await bindingsOf(await import("../../../generated/dist/functions.js")),
    promises: await bindingsOf(await import("../../../generated/dist/promises.js")),
    index: await bindingsOf(driverFunctions(await import("cuda-driver"))),
    v2: await bindingsOf(await import("cuda-driver/v2/driver")),
  },
} satisfies Resolved);
