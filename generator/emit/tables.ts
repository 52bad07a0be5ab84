import type { StatementStructures } from "ts-morph";
import { formatType, parseType } from "../api/ctype.ts";
import type { SymbolTable } from "../api/lookup.ts";
import { type Plan, sinceOf } from "./planned.ts";
import { className, isOwnName, type Meaning } from "./types.ts";
import { valueType } from "./values.ts";

type Statement = StatementStructures | string;

/** `types.ts`: handles, callbacks, and the library's own integer types. */
export function types(plan: Plan): Statement[] {
  const { document } = plan;
  const aliases = document.typedefs.flatMap(({ name, type }): string[] => {
    const meaning = plan.types.of(type);
    const doc = `/** C's \`${formatType(parseType(type))}\`. */\n`;
    switch (meaning.kind) {
      case "integer":
        if (!isOwnName(name)) return [];
        if (meaning.name !== null) return [`${doc}export type ${name} = ${meaning.name};`];
        return [`${doc}export type ${name} = Kind<"${name}", ${meaning.bits < 64 ? "number" : "bigint"}>;`];
      case "handle":
      case "callback":
        return [`${doc}export type ${name} = ${meaning.name};`];
      default:
        return [];
    }
  });
  return [
    'import type { Handle, Kind } from "./runtime/kinds.ts";',
    ...document.handles.map(({ name }) => `/** A handle; 0n is NULL. */\nexport type ${name} = Handle<"${name}">;`),
    ...document.callbacks.map(({ name, result, params }) => {
      const list = params.map(({ type }) => type).join(", ") || "void";
      return `/** Address of a C function \`${result} (${list})\`. */\nexport type ${name} = Kind<"${name}", bigint>;`;
    }),
    ...aliases,
  ];
}

/** `constants.ts`: macros that are constants. */
export function constants(plan: Plan): Statement[] {
  const lines = plan.document.constants.map(({ name, value, type }) => {
    const meaning = plan.types.of(type);
    return `/** \`${type}\` */\nexport const ${name} = ${literal(value, meaning)};`;
  });
  return ['import type * as enums from "./enums.ts";', 'import type * as types from "./types.ts";', ...lines];
}

function literal(value: string, meaning: Meaning): string {
  switch (meaning.kind) {
    case "integer":
      return meaning.bits === 64 ? `${value}n${branded(meaning)}` : `${value}${branded(meaning)}`;
    case "enum": {
      /* The member's own type: what an attribute decides hangs on it. */
      const member = meaning.enum.members.find((each) => BigInt(each.value) === BigInt(value));
      const type =
        member === undefined ? valueType(meaning, false) : `enums.${className(meaning.enum.name)}.${member.name}`;
      return `${value} as ${type}`;
    }
    default:
      return `${BigInt.asUintN(64, BigInt(value))}n${meaning.kind === "handle" ? ` as ${valueType(meaning, false)}` : ""}`;
  }
}

function branded(meaning: Extract<Meaning, { kind: "integer" }>): string {
  return meaning.name === null ? "" : ` as types.${meaning.name}`;
}

/** What `templates/tables.ts.hbs` says: what the fixed half of the package needs to know. */
export function tables(plan: Plan, symbols: SymbolTable) {
  const { document, library } = plan;
  const results = document.enums.find(({ name }) => name === library.resultType)?.members ?? [];
  const names = new Map(results.toReversed().map(({ name, value }) => [value, name]));
  return {
    toolkit: document.toolkit,
    procs: plan.functions.map((fn) =>
      JSON.stringify([
        fn.api.name,
        fn.api.base,
        sinceOf(fn, plan),
        fn.api.streamMode === "perThread",
        ...(fn.identifier === fn.api.name ? [] : [fn.identifier]),
      ]),
    ),
    symbols: Object.entries(symbols).map(([base, variants]) => ({ base, variants: JSON.stringify(variants) })),
    results: [...names].sort(([a], [b]) => a - b).map(([value, name]) => ({ value, name })),
    libraries: JSON.stringify(library.sharedLibrary),
  };
}
