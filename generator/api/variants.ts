import { HeaderError } from "../errors.ts";
import type { Library } from "../libraries/library.ts";
import { splitName } from "../names.ts";
import type { CType, DocumentationFacts, FunctionDeclaration, Translation } from "../parse/ast.ts";
import type { Position } from "../position.ts";
import { groupBy } from "./collect.ts";
import type { ApiAlias, Omission, StreamMode } from "./document.ts";
import { functionsOf, type Scope, unknownName, whyUnknown } from "./scope.ts";
import { matchInOrder } from "./subsequence.ts";
import type { Spelling } from "./types.ts";

/** An exported function before its parameters are interpreted. */
export interface Variant extends Exported {
  since: number | null;
  default: boolean;
}

/** What the declaration of an exported function says by itself. */
interface Exported {
  name: string;
  base: string;
  /** The number in `_v2`; null for the plain name. */
  version: number | null;
  streamMode: StreamMode;
  retired: boolean;
  deprecated: boolean;
  declaration: FunctionDeclaration;
}

interface Proc {
  typedef: string;
  base: string;
  since: number;
  /** Of the function's name: `_ptds`, `_ptsz`, or "". */
  mode: string;
  streamMode: StreamMode;
  type: Extract<CType, { kind: "function" }>;
  position: Position;
}

/** Every exported variant of the three configurations, and the plain spellings that mean another base name. */
export function joinVariants(
  translations: Record<"default" | "perThread" | "internal", Translation>,
  library: Library,
  scope: Scope,
  spelling: Spelling,
): { variants: Variant[]; aliases: ApiAlias[]; omissions: Omission[] } {
  const omissions: Omission[] = [];
  const variants = new Map<string, Exported>();
  const read = (translation: Translation) => functionsOf(translation, (found) => signature(found, spelling));
  for (const configuration of ["default", "perThread", "internal"] as const) {
    for (const declaration of read(translations[configuration]).values()) {
      const { name } = declaration;
      const known = variants.get(name);
      if (known !== undefined) {
        const same = known.declaration === declaration;
        if (!same && signature(known.declaration, spelling) !== signature(declaration, spelling)) {
          throw new HeaderError(
            declaration.position,
            `"${name}" is declared with other parameters than in line ${known.declaration.position.line}`,
          );
        }
        continue;
      }
      const unknown = unknownName(scope, declaration.result);
      if (unknown !== null) {
        throw new HeaderError(declaration.position, `the type ${whyUnknown(unknown)}`);
      }
      const reason = notExported(declaration, library);
      if (reason !== null) {
        if (!omissions.some((omission) => omission.name === name)) omissions.push({ name, reason });
        continue;
      }
      const { base, version, streamMode } = splitName(name);
      variants.set(name, {
        name,
        base,
        version,
        streamMode,
        retired: configuration === "internal",
        deprecated: declaration.deprecated || (declaration.documentation?.deprecated ?? false),
        declaration,
      });
    }
  }

  const procs = readProcs([translations.default, translations.perThread, translations.internal], library, omissions);
  addUndeclared(variants, procs, scope, omissions);
  const dates = dateVariants(variants, procs, spelling, omissions);
  // A variant without a comment of its own is described by its base name's.
  const documented = new Map<string, DocumentationFacts>();
  for (const { name, documentation } of read(translations.default).values()) {
    const { base } = splitName(name);
    if (documentation !== null && !documented.has(base)) documented.set(base, documentation);
  }
  const { defaults, aliases } = readDefaults(variants, translations);
  const made = Array.from(variants.values(), (variant) => {
    const { name, base, declaration } = variant;
    const documentation = declaration.documentation ?? documented.get(base) ?? null;
    const since = dates.get(name) ?? null;
    return { ...variant, since, default: defaults.has(name), declaration: { ...declaration, documentation } };
  });
  return { variants: made, aliases, omissions };
}

function notExported(declaration: FunctionDeclaration, library: Library): string | null {
  if (declaration.inline) return "a helper with a body in the header, not an export of the library";
  if (!new RegExp(`^${library.prefix}[A-Z]`).test(declaration.name)) return `does not start with "${library.prefix}"`;
  if (declaration.result.kind !== "name" || declaration.result.name !== library.resultType) {
    return `does not return ${library.resultType}`;
  }
  return null;
}

function signature(declaration: FunctionDeclaration, spelling: Spelling): string {
  return spelling.canonical({
    kind: "function",
    result: declaration.result,
    params: declaration.params,
    variadic: false,
  });
}

/** The versioned PFN_ typedefs, each once. */
function readProcs(translations: readonly Translation[], library: Library, omissions: Omission[]): Proc[] {
  const procs = new Map<string, Proc>();
  for (const translation of translations) {
    for (const declaration of translation.declarations) {
      if (declaration.kind !== "typedef" || !declaration.name.startsWith(library.procTypedefPrefix)) continue;
      if (procs.has(declaration.name)) continue;
      const { base, version, mode, streamMode } = splitName(declaration.name.slice(library.procTypedefPrefix.length));
      const { type } = declaration;
      if (version === null || type.kind !== "pointer" || type.to.kind !== "function") {
        if (!omissions.some((omission) => omission.name === declaration.name)) {
          omissions.push({ name: declaration.name, reason: "not a function pointer with a version in its name" });
        }
        continue;
      }
      procs.set(declaration.name, {
        typedef: declaration.name,
        base,
        since: version,
        mode,
        streamMode,
        type: type.to,
        position: declaration.position,
      });
    }
  }
  return [...procs.values()];
}

/**
 * Functions of which only the PFN_ typedef is there: their header is not part of this toolkit. Where it is, as some other
 * function of the same typedefs shows, what it does not declare is no function.
 * Throws HeaderError for such a typedef with a type that nothing declares.
 */
function addUndeclared(
  variants: Map<string, Exported>,
  procs: readonly Proc[],
  scope: Scope,
  omissions: Omission[],
): void {
  const declared = new Set([...variants.values()].map((variant) => variant.base));
  const complete = new Set(procs.filter((proc) => declared.has(proc.base)).map((proc) => proc.position.file));
  for (const { position, type } of procs) {
    const unknown = complete.has(position.file) ? unknownName(scope, type) : null;
    if (unknown !== null) throw new HeaderError(position, `the type ${whyUnknown(unknown)}`);
  }
  const missing = groupBy(
    procs.filter((proc) => !declared.has(proc.base)),
    (proc) => `${proc.base}${proc.mode}`,
  );
  for (const [name, [proc, ...more]] of missing) {
    if (proc === undefined) continue;
    const unknown = unknownName(scope, proc.type);
    const inline = omissions.some((omission) => omission.name === name);
    const undeclared = complete.has(proc.position.file);
    if (more.length > 0 || unknown !== null || inline || undeclared) {
      const reason =
        unknown !== null
          ? `its type ${whyUnknown(unknown)}`
          : undeclared
            ? "no header declares the function that this typedef is for"
            : "declared only by typedefs, which do not say what each version is called";
      for (const { typedef } of [proc, ...more]) omissions.push({ name: typedef, reason });
      if (!inline) omissions.push({ name, reason });
      continue;
    }
    variants.set(name, {
      name,
      base: proc.base,
      version: null,
      streamMode: proc.streamMode,
      retired: false,
      deprecated: false,
      declaration: {
        kind: "function",
        name,
        result: proc.type.result,
        params: proc.type.params,
        inline: false,
        deprecated: false,
        documentation: null,
        comment: null,
        position: proc.position,
      },
    });
  }
}

/** Name of a variant -> version of its PFN_ typedef: same base name and stream mode, in order, with an equal signature. */
function dateVariants(
  variants: ReadonlyMap<string, Exported>,
  procs: readonly Proc[],
  spelling: Spelling,
  omissions: Omission[],
): Map<string, number> {
  const dates = new Map<string, number>();
  const key = (of: { base: string; streamMode: StreamMode }) => `${of.base} ${of.streamMode}`;
  const dated = groupBy(procs, key);
  const exported = groupBy(variants.values(), key);
  for (const [group, versions] of dated) {
    const inOrder = [...versions].sort((a, b) => a.since - b.since);
    const named = [...(exported.get(group) ?? [])].sort((a, b) => (a.version ?? 1) - (b.version ?? 1));
    const pairs = matchInOrder(
      named.map((variant) => signature(variant.declaration, spelling)),
      inOrder.map((proc) => spelling.canonical(proc.type)),
    );
    const used = new Set<number>();
    named.forEach((variant, index) => {
      const match = pairs[index];
      if (match === undefined || match === null) return;
      used.add(match);
      dates.set(variant.name, (inOrder[match] as Proc).since);
    });
    inOrder.forEach((proc, index) => {
      if (used.has(index) || omissions.some((omission) => omission.name === proc.typedef)) return;
      omissions.push({ name: proc.typedef, reason: "no exported function of that base name has this signature" });
    });
  }
  return dates;
}

/** What each plain spelling means, from the macros alone: a variant of that base name, or (an alias) one of another. */
function readDefaults(
  variants: ReadonlyMap<string, Exported>,
  translations: Record<"default" | "perThread", Translation>,
): { defaults: Set<string>; aliases: ApiAlias[] } {
  const defaults = new Set<string>();
  const aliases: ApiAlias[] = [];
  const bases = new Set([...variants.values()].map((variant) => variant.base));
  for (const [streamMode, translation] of [
    ["legacy", translations.default],
    ["perThread", translations.perThread],
  ] as const) {
    for (const base of bases) {
      const target = Object.hasOwn(translation.aliases, base) ? (translation.aliases[base] as string) : base;
      const meant = variants.get(target);
      // A retired variant is not declared to programs: the spelling leads to nothing.
      if (meant === undefined || meant.streamMode !== streamMode || meant.retired) continue;
      if (meant.base === base) defaults.add(meant.name);
      else aliases.push({ name: base, streamMode, target });
    }
  }
  return { defaults, aliases };
}
