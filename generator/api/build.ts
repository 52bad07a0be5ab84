import { builtinType } from "../builtins.ts";
import { HeaderError, UserError } from "../errors.ts";
import type { Library } from "../libraries/library.ts";
import type { ConstantMacro, RecordDeclaration, Translation, TypedefDeclaration } from "../parse/ast.ts";
import type { ConstantValue } from "../parse/evaluate.ts";
import { byName } from "./collect.ts";
import { parameterType, parseType, typeNames } from "./ctype.ts";
import { inferParameters } from "./direction.ts";
import type {
  ApiCallback,
  ApiConstant,
  ApiDocument,
  ApiEnum,
  ApiFunction,
  ApiHandle,
  ApiRecord,
  ApiTypedef,
  Omission,
  Source,
} from "./document.ts";
import { type Layouts, layouts } from "./layout.ts";
import { joinScope, lookUpName, type Scope, unknownName, whyUnknown } from "./scope.ts";
import { type Spelling, spelling } from "./types.ts";
import { joinVariants, type Variant } from "./variants.ts";

interface Context {
  library: Library;
  scope: Scope;
  lp64: Layouts;
  llp64: Layouts;
  spelling: Spelling;
  omissions: Omission[];
}

/**
 * Joins the configurations of one toolkit into its API document. `omissions` names all that the headers declare and the
 * document does not hold. Throws HeaderError, with the place, for what the headers leave open or contradict.
 */
export function buildDocument(
  translations: readonly Translation[],
  library: Library,
  sources: readonly Source[],
): { document: ApiDocument; omissions: Omission[] } {
  const byConfiguration = {
    default: configuration(translations, "default"),
    perThread: configuration(translations, "perThread"),
    internal: configuration(translations, "internal"),
  };
  const scope = joinScope(Object.values(byConfiguration), library);
  const lp64 = layouts(scope, "lp64");
  const spelled = spelling(scope, lp64);
  const joined = joinVariants(byConfiguration, library, scope, spelled);
  const context: Context = {
    library,
    scope,
    lp64,
    llp64: layouts(scope, "llp64"),
    spelling: spelled,
    omissions: joined.omissions,
  };

  const functions = byName(joined.variants.map((variant) => toFunction(variant, context)));
  const records = byName(toRecords(context));
  const named = toTypedefs(context);
  const document: ApiDocument = {
    toolkit: byConfiguration.default.version,
    library: library.name,
    sources: byName(sources),
    functions,
    aliases: byName(joined.aliases),
    enums: byName(toEnums(context)),
    records,
    handles: byName(named.handles),
    typedefs: named.typedefs,
    callbacks: byName(named.callbacks),
    constants: byName(toConstants(byConfiguration.default, context)),
  };
  document.typedefs = byName([...named.typedefs, ...usedExternals(document, scope)]);
  return { document, omissions: byName(context.omissions) };
}

function configuration(translations: readonly Translation[], name: string): Translation {
  const found = translations.find((translation) => translation.configuration === name);
  if (found === undefined) throw new UserError(`the headers were not read in the configuration "${name}"`);
  return found;
}

function toFunction(variant: Variant, context: Context): ApiFunction {
  const { declaration } = variant;
  const { position } = declaration;
  const params = declaration.params.map((param, index) => {
    const type = parameterType(param.type);
    const spelled = context.spelling.type(type, position);
    // What is passed must have a size: an undefined record cannot go by value.
    context.lp64.extent(type, position);
    return { name: param.name === "" ? `arg${index}` : param.name, type: spelled };
  });
  return {
    name: variant.name,
    base: variant.base,
    since: variant.since,
    streamMode: variant.streamMode,
    default: variant.default,
    retired: variant.retired,
    deprecated: variant.deprecated,
    header: fileName(position.file),
    result: context.spelling.spell(declaration.result, position),
    params: inferParameters(variant, params, context.scope, context.library),
  };
}

function fileName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
}

function toEnums({ scope, lp64, spelling }: Context): ApiEnum[] {
  return [...scope.enums.values()].map(({ tag, anonymous, position }) => {
    // Refuses members beyond 32 bits.
    lp64.extent({ kind: "name", name: `enum ${tag}`, const: false }, position);
    return {
      name: spelling.enumName(tag),
      tag: anonymous ? null : tag,
      members: lp64.members(tag).map(({ name, value }) => ({ name, value: Number(value) })),
    };
  });
}

function toRecords(context: Context): ApiRecord[] {
  const defined = [...context.scope.records.values()].filter((record) => record.fields !== null);
  return defined.map((record) => toRecord(record, context));
}

function toRecord(declaration: RecordDeclaration, { lp64, llp64, spelling }: Context): ApiRecord {
  const here = declaration.position;
  const layout = lp64.record(declaration.tag, here);
  const windows = llp64.record(declaration.tag, here);
  const record: ApiRecord = {
    name: spelling.recordName(declaration.tag),
    tag: declaration.anonymous ? null : declaration.tag,
    kind: declaration.record,
    size: layout.size,
    align: layout.align,
    fields: (declaration.fields ?? []).map((field, index) => {
      const { offset, size } = layout.fields[index] as { offset: number; size: number };
      return { name: field.name, type: spelling.spell(field.type, field.position), offset, size };
    }),
  };
  const differs = JSON.stringify(layout) !== JSON.stringify(windows);
  return differs ? { ...record, llp64: { size: windows.size, align: windows.align, fields: windows.fields } } : record;
}

function toTypedefs(context: Context): { handles: ApiHandle[]; typedefs: ApiTypedef[]; callbacks: ApiCallback[] } {
  const { scope, library, spelling } = context;
  const handles: ApiHandle[] = [];
  const typedefs: ApiTypedef[] = [];
  const callbacks: ApiCallback[] = [];
  for (const typedef of scope.typedefs.values()) {
    if (typedef.name.startsWith(library.procTypedefPrefix)) continue;
    if (namesItself(typedef, scope, spelling)) continue;
    const unknown = unknownName(scope, typedef.type);
    if (unknown !== null) {
      throw new HeaderError(typedef.position, `the type ${whyUnknown(unknown)}`);
    }
    const { name, type, position } = typedef;
    const tag = handleTag(typedef, scope);
    if (tag !== null) handles.push({ name, tag });
    else if (type.kind === "pointer" && type.to.kind === "function" && !type.to.variadic) {
      callbacks.push({
        name,
        result: spelling.spell(type.to.result, position),
        params: type.to.params.map((param, index) => ({
          name: param.name === "" ? `arg${index}` : param.name,
          type: spelling.spell(parameterType(param.type), position),
        })),
      });
    } else typedefs.push({ name, type: spelling.spell(type, position) });
  }
  return { handles, typedefs, callbacks };
}

/** The typedef that a record or an enum is called after. A record that is never defined is not in the document: its name is. */
function namesItself(typedef: TypedefDeclaration, scope: Scope, spelling: Spelling): boolean {
  if (typedef.type.kind !== "name") return false;
  const tagged = /^(struct|union|enum) (.+)$/.exec(typedef.type.name);
  if (tagged === null) return false;
  const tag = tagged[2] as string;
  if (tagged[1] === "enum") return typedef.name === spelling.enumName(tag);
  return typedef.name === spelling.recordName(tag) && Boolean(scope.records.get(tag)?.fields);
}

/** Tag of the struct that the typedef points to, where the headers never define it. */
function handleTag(typedef: TypedefDeclaration, scope: Scope): string | null {
  const { type } = typedef;
  if (type.kind !== "pointer" || type.to.kind !== "name" || !type.to.name.startsWith("struct ")) return null;
  const target = lookUpName(scope, type.to.name);
  return target?.kind === "record" && (target.record === null || target.record.fields === null) ? target.tag : null;
}

function toConstants(translation: Translation, { scope, lp64, library, spelling, omissions }: Context): ApiConstant[] {
  const constants = new Map<string, ApiConstant>();
  const enumOf = new Map<string, string>();
  for (const found of scope.enums.values()) for (const member of found.members) enumOf.set(member.name, found.tag);

  for (const macro of translation.constants) {
    const found = evaluateMacro(macro, lp64);
    if (found instanceof HeaderError) {
      omissions.push({ name: macro.name, reason: found.message });
      continue;
    }
    const { value, type } = found;
    const tag = type.startsWith("enum ") ? type.slice("enum ".length) : null;
    constants.set(macro.name, {
      name: macro.name,
      value: String(value),
      type: tag !== null && scope.enums.has(tag) ? spelling.enumName(tag) : type,
    });
  }
  for (const [name, target] of Object.entries(translation.aliases)) {
    const tag = enumOf.get(target);
    if (tag === undefined || constants.has(name)) continue;
    const member = lp64.members(tag).find((candidate) => candidate.name === target);
    constants.set(name, { name, value: String(member?.value), type: spelling.enumName(tag) });
  }
  const types = new Set([...scope.typedefs.keys(), ...scope.records.keys(), ...scope.enums.keys()]);
  const leaveOut = (name: string, reason: string) => {
    constants.delete(name);
    omissions.push({ name, reason });
  };
  for (const name of constants.keys()) {
    if (name.startsWith("_")) leaveOut(name, "a macro of the headers' own");
    else if (enumOf.has(name)) leaveOut(name, "an enum member has this name");
    else if (types.has(name)) leaveOut(name, "a type has this name");
    // Another name for a function pointer type is no constant that anybody misses.
    else if (name.startsWith(library.procTypedefPrefix)) constants.delete(name);
  }
  return [...constants.values()];
}

/** A macro without a value is no mistake of the header. Enums and records, where they are to blame, were refused before. */
function evaluateMacro({ value, position }: ConstantMacro, lp64: Layouts): ConstantValue | HeaderError {
  try {
    return lp64.value(value, position);
  } catch (error) {
    if (error instanceof HeaderError) return error;
    throw error;
  }
}

/** Types from outside the toolkit that the document's items mention, and what those mention in turn. */
function usedExternals(document: ApiDocument, scope: Scope): ApiTypedef[] {
  const used = new Map<string, ApiTypedef>();
  const visit = (text: string): void => {
    for (const name of typeNames(parseType(text))) {
      const type = scope.external.get(name);
      if (type === undefined || scope.typedefs.has(name) || builtinType(name) !== undefined || used.has(name)) continue;
      used.set(name, { name, type });
      visit(type);
    }
  };
  for (const { result, params } of [...document.functions, ...document.callbacks]) {
    for (const type of [result, ...params.map((param) => param.type)]) visit(type);
  }
  for (const record of document.records) for (const field of record.fields) visit(field.type);
  for (const typedef of document.typedefs) visit(typedef.type);
  return [...used.values()];
}
