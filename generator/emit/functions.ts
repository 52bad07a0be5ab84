import { describeFunction } from "./describe.ts";
import { FUNCTION_IMPORTS, importLines, PROMISE_IMPORTS } from "./imports.ts";
import type { FunctionModule, FunctionText, Plain } from "./moduleText.ts";
import { overPlain } from "./over.ts";
import { explain, head, outcome, outOf } from "./parameters.ts";
import type { Plan, PlannedFunction } from "./planned.ts";
import { isArgument, isRecordOut, isResult } from "./roles.ts";

/** `functions.ts`: every function, called on this thread. */
export function functions(plan: Plan): FunctionModule {
  return {
    imports: [...importLines(FUNCTION_IMPORTS), "", "const call = native.call;"],
    functions: plan.functions.flatMap((fn) => wrappers(plan, fn, describeFunction(fn, plan), wrapper)),
    aliases: [],
  };
}

/** `promises.ts`: every function, called on a pool thread; the plain spellings too. */
export function promises(plan: Plan): FunctionModule {
  const aliases = [...plan.plain].filter(([name, target]) => name !== target);
  return {
    imports: importLines(PROMISE_IMPORTS),
    functions: plan.functions.flatMap((fn) => wrappers(plan, fn, describeFunction(fn, plan, true), asyncWrapper)),
    aliases: aliases.map(([name, target]) => `${target} as ${name}`),
  };
}

interface Body {
  /** Before the call: records for the driver to fill, and the encoder. */
  prepare: string[];
  /** Arguments that hold memory, to be kept alive during the call. */
  kept: string[];
  /** There may be temporaries. */
  owns: boolean;
}

function body(fn: PlannedFunction): Body {
  const prepare = fn.params.filter(isRecordOut).map(({ name, role }) => {
    return `const ${name} = new records.${role.kind === "outRecord" ? role.name : ""}();`;
  });
  if (fn.params.length > 0) {
    const names = [...fn.params.filter(isArgument), ...fn.params.filter(isRecordOut)].map(({ name }) => name);
    prepare.push(`encoders.encode_${(fn.twin ?? fn).api.name}(${names.join(", ")});`);
  }
  const kept = fn.params
    .filter(({ role }) => ["record", "memory", "list", "kernelParams", "outRecord"].includes(role.kind))
    .map(({ name }) => name);
  const owns = fn.params.some(({ role }) => ["record", "string", "list", "kernelParams"].includes(role.kind));
  return { prepare, kept, owns };
}

/** A function as it is exported; where there is a comfortable form, the plain one stands in front of it for its use. */
function wrappers(
  plan: Plan,
  fn: PlannedFunction,
  docs: string[],
  make: (fn: PlannedFunction) => Plain,
): FunctionText[] {
  const plain = make(fn);
  const name = fn.identifier;
  const over = overPlain(fn, plan, plain.async);
  if (over === null) return [{ ...plain, docs, exported: true, name }];
  /* The look-up goes past the wrapper of its own function. */
  if (fn.handwritten?.form === "look-up") return [{ ...over, docs, exported: true, name }];
  return [
    { ...plain, docs: [], exported: false, name: `plain_${name}` },
    { ...over, docs, exported: true, name },
  ];
}

function wrapper(fn: PlannedFunction): Plain {
  const { prepare, kept, owns } = body(fn);
  const { type, expression } = outcome(fn);
  if (owns) {
    prepare.push("const $kept = owned();");
    kept.push("$kept");
  }
  const more = kept.length > 0 ? `, ${fn.path ?? "undefined"}, ${kept.join(", ")}` : "";
  const after =
    fn.query !== null
      ? [`return i32[0] === 0 || retryQuery(${fn.index}, ${fn.query});`]
      : [
          `if (i32[0] !== 0) ${explained(fn, `retry(${fn.index}${more})`)};`,
          ...(expression === null ? [] : [`return ${expression};`]),
        ];
  return {
    async: false,
    ...head(fn),
    returns: type,
    body: [...prepare, `u32[0] = ${fn.index};`, `call(${kept.join(", ")});`, ...after],
  };
}

/** The check of a result on which outputs say why. */
function explained(fn: PlannedFunction, check: string): string {
  const outputs = fn.params.filter(isResult).map((param) => [param.api.name, outOf(param, fn).expression] as const);
  return explain(fn, outputs, check);
}

function asyncWrapper(fn: PlannedFunction): Plain {
  const { prepare, kept } = body(fn);
  const { type, expression } = outcome(fn);
  const path = fn.path === null ? "" : `, ${fn.path}`;
  const settle =
    fn.query !== null ? `settledQuery(${fn.index}, ${fn.query})` : explained(fn, `settled(${fn.index}${path})`);
  const decode =
    expression === null || fn.query !== null ? `() => ${settle}` : `() => { ${settle}; return ${expression}; }`;
  return {
    async: true,
    ...head(fn),
    returns: `Promise<${type}>`,
    body: [...prepare, `return await callAsync(${[String(fn.index), decode, ...kept].join(", ")});`],
  };
}
