import { describeFunction } from "./describe.ts";
import type { FunctionModule, FunctionText, Plain } from "./moduleText.ts";
import { overPlain } from "./over.ts";
import { head, outcome } from "./parameters.ts";
import type { Plan, PlannedFunction } from "./planned.ts";
import { isArgument, isRecordOut } from "./roles.ts";

/** `functions.ts`: every function, called on this thread. */
export function functions(plan: Plan): FunctionModule {
  return {
    imports: [
      ...wrapperImports("required, retry, retryQuery", "direct, hooked, unhooked"),
      'import { native } from "./runtime/native.ts";',
      "",
      "const call = native.call;",
    ],
    functions: plan.functions.flatMap((fn) => wrappers(plan, fn, describeFunction(fn, plan), wrapper)),
    aliases: [],
  };
}

/** `promises.ts`: every function, called on a pool thread; the plain spellings too. */
export function promises(plan: Plan): FunctionModule {
  const aliases = [...plan.plain].filter(([name, target]) => name !== target);
  return {
    imports: wrapperImports("callAsync, required, settled, settledQuery", "hooked, unhooked"),
    functions: plan.functions.flatMap((fn) => wrappers(plan, fn, describeFunction(fn, plan, true), asyncWrapper)),
    aliases: aliases.map(([name, target]) => `${target} as ${name}`),
  };
}

function wrapperImports(driver: string, hooks: string): string[] {
  return [
    'import * as attributes from "./attributes.ts";',
    'import * as enter from "./enter.ts";',
    'import type * as enums from "./enums.ts";',
    'import * as hooks from "./hooks.ts";',
    'import * as records from "./records.ts";',
    'import type { AttributeValue, AttributeValues, GivenValue } from "./runtime/attributes.ts";',
    'import { codeOf } from "./runtime/code.ts";',
    'import { countOf } from "./runtime/counts.ts";',
    `import { ${driver} } from "./runtime/driver.ts";`,
    'import { f32, f64, getString, i32, i64, owned, u32, u64 } from "./runtime/frame.ts";',
    'import { readAttribute } from "./runtime/frameAttributes.ts";',
    'import { born, found, givingBack } from "./runtime/handles.ts";',
    `import { ${hooks} } from "./runtime/hooks.ts";`,
    'import { enumerate, lengthFrom, ownedList, rooms, textOf } from "./runtime/lists.ts";',
    'import type { HostMemory } from "./runtime/memory.ts";',
    'import { loading, type Options, type OptionValues, packOptions } from "./runtime/options.ts";',
    'import { getProcAddress } from "./runtime/procAddress.ts";',
    'import { attributeBytes, attributeRoom, attributeRooms } from "./runtime/sizedAttributes.ts";',
    'import type { Struct } from "./runtime/struct.ts";',
    'import type { StructArgument, StructsArgument } from "./runtime/structArguments.ts";',
    'import { memberOf, type MemberValue, setMember } from "./runtime/unions.ts";',
    'import "./tables.ts";',
    'import type * as types from "./types.ts";',
    'import * as unions from "./unions.ts";',
  ];
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
    prepare.push(`enter.enter_${(fn.twin ?? fn).api.name}(${names.join(", ")});`);
  }
  const kept = fn.params
    .filter(({ role }) => ["record", "memory", "list", "outRecord"].includes(role.kind))
    .map(({ name }) => name);
  const owns = fn.params.some(({ role }) => ["record", "string", "list"].includes(role.kind));
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
    prepare.push("const kept = owned();");
    kept.push("kept");
  }
  const more = kept.length > 0 ? `, ${fn.path ?? "undefined"}, ${kept.join(", ")}` : "";
  const after =
    fn.query !== null
      ? [`return i32[0] === 0 || retryQuery(${fn.index}, ${fn.query});`]
      : [`if (i32[0] !== 0) retry(${fn.index}${more});`, ...(expression === null ? [] : [`return ${expression};`])];
  return {
    async: false,
    ...head(fn),
    returns: type,
    body: [...prepare, `u32[0] = ${fn.index};`, `call(${kept.join(", ")});`, ...after],
  };
}

function asyncWrapper(fn: PlannedFunction): Plain {
  const { prepare, kept } = body(fn);
  const { type, expression } = outcome(fn);
  const path = fn.path === null ? "" : `, ${fn.path}`;
  const settle = fn.query !== null ? `settledQuery(${fn.index}, ${fn.query})` : `settled(${fn.index}${path})`;
  const leave = expression === null ? `() => ${settle}` : `() => (${settle}, ${expression})`;
  return {
    async: true,
    ...head(fn),
    returns: `Promise<${type}>`,
    body: [...prepare, `return callAsync<${type}>(${[String(fn.index), leave, ...kept].join(", ")});`],
  };
}
