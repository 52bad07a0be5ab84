/**
 * Started by `flavours.test.ts`, since a process opens one driver only: calls every function of the package through the
 * stand-in driver of the flavour in STANDIN_FLAVOUR, and prints what became of each as JSON.
 */
import { invocation } from "./arguments.ts";
import { checkRaw, checkReturned } from "./checks.ts";
import { tellSizes } from "./context.ts";
import type { FunctionFacts } from "./facts.ts";
import { random } from "./random.ts";
import { SPECIAL } from "./special.ts";
import { openWorld } from "./world.ts";

export interface Fate {
  name: string;
  /** Exported names that were called with these arguments. */
  called: string[];
  /** "" where all was as it must be. */
  wrong: string;
  error: { name: string; needed?: number; present?: number; message: string } | null;
}

const world = await openWorld(JSON.parse(process.env.STANDIN_FLAVOUR ?? "{}"));
const { standin } = world;
tellSizes(world);
const fates: Fate[] = [];
for (const fn of world.package.plan.functions) {
  if (SPECIAL[fn.api.name] !== undefined) continue;
  const made = invocation(world, fn, random(fn.index));
  const [spelling] = world.package.spellings(fn);
  const fate: Fate = { name: fn.api.name, called: [], wrong: "", error: null };
  standin.take();
  let got: unknown;
  try {
    got = spelling?.fn(...made.args);
  } catch (error) {
    const { name, message, needed, present } = error as Error & { needed?: number; present?: number };
    fate.error = {
      name,
      message,
      ...(needed === undefined ? {} : { needed }),
      ...(present === undefined ? {} : { present }),
    };
  }
  const stem = fn.api.name.replace(/_pt(ds|sz)$/, "");
  const calls = standin.take().filter(({ name }) => name.replace(/_pt(ds|sz)$/, "") === stem);
  fate.called = [...new Set(calls.map(({ name }) => name))];
  const last = calls.at(-1);
  if (last !== undefined && fate.error === null) {
    try {
      const facts = standin.byName.get(last.name) as FunctionFacts;
      checkRaw(fn.api.name, facts, made.passed, last.arguments);
      /* The pattern is that of the function in whose place another was called. */
      if (last.name === fn.api.name) checkReturned(fn.api.name, got, made.returned);
    } catch (error) {
      fate.wrong = (error as Error).message;
    }
  }
  fates.push(fate);
}
process.stdout.write(JSON.stringify(fates));
