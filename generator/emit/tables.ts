import { formatType, parseType } from "../api/ctype.ts";
import type { SymbolTable } from "../api/lookup.ts";
import { splitName } from "../names.ts";
import { type Plan, sinceOf } from "./planned.ts";
import { className, type Meaning, type TypeIndex } from "./types.ts";
import { valueType } from "./values.ts";

/** What `templates/types.ts.hbs` says: handles, callbacks, and the library's own integer types. */
export function types({ document, types }: Plan) {
  return {
    handles: document.handles.map(({ name }) => name),
    callbacks: document.callbacks.map(({ name, result, params }) => ({
      name,
      declared: `${result} (${params.map(({ type }) => type).join(", ") || "void"})`,
    })),
    aliases: document.typedefs.flatMap(({ name, type }) => {
      const meant = aliased(name, types.of(type), types);
      return meant === null ? [] : [{ name, declared: formatType(parseType(type)), type: meant }];
    }),
  };
}

/** The type that a typedef names; null: it is no type of its own in TypeScript, or a class. */
function aliased(name: string, meaning: Meaning, types: TypeIndex): string | null {
  switch (meaning.kind) {
    case "integer":
      if (!types.isOwn(name)) return null;
      return meaning.name ?? `Kind<"${name}", ${meaning.bits < 64 ? "number" : "bigint"}>`;
    case "handle":
    case "callback":
      return meaning.name;
    default:
      return null;
  }
}

/** What `templates/constants.ts.hbs` says: macros that are constants. */
export function constants({ document, types }: Plan) {
  return {
    constants: document.constants.map(({ name, value, type }) => ({
      name,
      type,
      value: literal(value, types.of(type)),
    })),
  };
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
  const twins = new Map(
    plan.functions
      .filter(({ api }) => api.streamMode === "perThread")
      .map(({ api, index }) => [splitName(api.name).stem, index]),
  );
  return {
    toolkit: document.toolkit,
    procs: plan.functions.map((fn) =>
      JSON.stringify([
        fn.api.name,
        fn.api.base,
        sinceOf(fn, plan),
        fn.api.streamMode === "perThread",
        fn.identifier === fn.api.name ? null : fn.identifier,
        twins.get(fn.api.name) ?? null,
      ]),
    ),
    symbols: Object.entries(symbols).map(([base, variants]) => ({ base, variants: JSON.stringify(variants) })),
    results: [...names].sort(([a], [b]) => a - b).map(([value, name]) => ({ value, name })),
    libraries: JSON.stringify(library.sharedLibrary),
  };
}
