import { type BuiltinType, builtinType } from "../builtins.ts";
import { HeaderError } from "../errors.ts";
import type { Library } from "../libraries/library.ts";
import type {
  CType,
  Declaration,
  EnumDeclaration,
  FunctionDeclaration,
  RecordDeclaration,
  Translation,
  TypedefDeclaration,
} from "../parse/ast.ts";
import type { Position } from "../position.ts";
import { typeNames } from "./ctype.ts";

/** All that the configurations of one toolkit declare, by name. The default configuration's word counts first. */
export interface Scope {
  typedefs: Map<string, TypedefDeclaration>;
  /** By tag. */
  records: Map<string, RecordDeclaration>;
  /** By tag. */
  enums: Map<string, EnumDeclaration>;
  /** Types of headers outside the toolkit: name -> C spelling. */
  external: Map<string, string>;
}

/**
 * Joins the configurations' types. Throws HeaderError where one configuration declares a name twice and differently.
 */
export function joinScope(translations: readonly Translation[], library: Library): Scope {
  const scope: Scope = {
    typedefs: new Map(),
    records: new Map(),
    enums: new Map(),
    external: new Map(library.externalTypes.map((type) => [type.name, type.type])),
  };
  const namesOf = namesReader();
  const scopes = translations.map((translation) => ({ translation, own: readScope(translation, namesOf) }));
  for (const { own } of scopes) {
    for (const [name, typedef] of own.typedefs) if (!scope.typedefs.has(name)) scope.typedefs.set(name, typedef);
    for (const [tag, found] of own.enums) if (!scope.enums.has(tag)) scope.enums.set(tag, found);
    for (const [tag, found] of own.records) {
      const known = scope.records.get(tag);
      if (known === undefined || (known.fields === null && found.fields !== null)) scope.records.set(tag, found);
    }
  }
  for (const { translation, own } of scopes) {
    const isMissing = (name: string) =>
      !own.typedefs.has(name) && !scope.external.has(name) && builtinType(name) === undefined;
    checkMissing(translation, new Set([...scope.typedefs.keys()].filter(isMissing)), namesOf);
  }
  checkCircles(scope.typedefs, namesOf);
  return scope;
}

/** @param missing typedefs that only other configurations have. */
function checkMissing(
  { declarations, configuration }: Translation,
  missing: ReadonlySet<string>,
  namesOf: NamesReader,
): void {
  if (missing.size === 0) return;
  for (const declaration of declarations) {
    for (const name of namesOf(declaration)) {
      if (!missing.has(name)) continue;
      throw new HeaderError(
        declaration.position,
        `the type "${name}" is declared only for other configurations than the one named ${configuration}`,
      );
    }
  }
}

/** Of the types that headers outside the toolkit declare too, the configurations' typedefs may mean each other. */
function checkCircles(typedefs: ReadonlyMap<string, TypedefDeclaration>, namesOf: NamesReader): void {
  const open = new Set<string>();
  const done = new Set<string>();
  function visit(typedef: TypedefDeclaration): void {
    const { name, position } = typedef;
    if (done.has(name)) return;
    if (open.has(name)) throw new HeaderError(position, `the type "${name}" means itself in the end`);
    open.add(name);
    for (const used of namesOf(typedef)) {
      const target = typedefs.get(used);
      if (target !== undefined) visit(target);
    }
    open.delete(name);
    done.add(name);
  }
  for (const typedef of typedefs.values()) visit(typedef);
}

/** The names in the types that a declaration mentions. */
type NamesReader = (declaration: Declaration) => readonly string[];

/** Configurations share most declarations: each is looked into once. */
function namesReader(): NamesReader {
  const known = new Map<Declaration, readonly string[]>();
  return (declaration) => {
    const names = known.get(declaration) ?? typesIn(declaration).flatMap(typeNames);
    known.set(declaration, names);
    return names;
  };
}

function typesIn(declaration: Declaration): CType[] {
  switch (declaration.kind) {
    case "function":
      return [declaration.result, ...declaration.params.map(({ type }) => type)];
    case "typedef":
      return [declaration.type];
    case "record":
      return (declaration.fields ?? []).map(({ type }) => type);
    case "enum":
      return [];
  }
}

/** The types of one configuration. The parser has seen to it that no tag and no enum member is defined twice. */
function readScope({ declarations }: Translation, namesOf: NamesReader): Pick<Scope, "typedefs" | "records" | "enums"> {
  checkOrder(declarations, namesOf);
  checkNames(declarations);
  const records = declarations.filter((declaration) => declaration.kind === "record");
  const enums = declarations.filter((declaration) => declaration.kind === "enum");
  return {
    typedefs: readTypedefs(declarations),
    records: new Map(records.map((record) => [record.tag, record])),
    enums: new Map(enums.map((found) => [found.tag, found])),
  };
}

/** C reads from top to bottom; without this a typedef could mean itself. */
function checkOrder(declarations: readonly Declaration[], namesOf: NamesReader): void {
  const firstIndex = new Map<string, number>();
  declarations.forEach((declaration, index) => {
    if (declaration.kind === "typedef" && !firstIndex.has(declaration.name)) firstIndex.set(declaration.name, index);
  });
  for (const [index, declaration] of declarations.entries()) {
    for (const name of namesOf(declaration)) {
      if ((firstIndex.get(name) ?? -1) < index || builtinType(name) !== undefined) continue;
      throw new HeaderError(declaration.position, `the type "${name}" is used before it is declared`);
    }
  }
}

/** Enum members, typedefs and functions share C's one name space; of the types of C's own headers a typedef may speak again. */
function checkNames(declarations: readonly Declaration[]): void {
  const claims = new Map<string, { as: string; position: Position }>();
  function claim(name: string, as: string, position: Position): void {
    if (builtinType(name) !== undefined) throw new HeaderError(position, `"${name}" is a type of C's own headers`);
    const other = claims.get(name);
    if (other === undefined) claims.set(name, { as, position });
    else if (other.as !== as) {
      throw new HeaderError(
        position,
        `"${name}" is declared here as ${as} and in line ${other.position.line} as ${other.as}`,
      );
    }
  }
  for (const declaration of declarations) {
    const { kind, position } = declaration;
    if (kind === "function") claim(declaration.name, "a function", position);
    if (kind === "typedef" && builtinType(declaration.name) === undefined) {
      claim(declaration.name, "a type", position);
    }
    if (kind === "enum")
      for (const member of declaration.members) claim(member.name, "an enum member", member.position);
  }
}

function readTypedefs(declarations: readonly Declaration[]): Map<string, TypedefDeclaration> {
  const typedefs = new Map<string, TypedefDeclaration>();
  for (const declaration of declarations) {
    if (declaration.kind !== "typedef") continue;
    const known = typedefs.get(declaration.name);
    if (known === undefined) typedefs.set(declaration.name, declaration);
    else if (!sameType(known.type, declaration.type)) {
      throw new HeaderError(
        declaration.position,
        `typedef "${declaration.name}" differs from the one in line ${known.position.line}`,
      );
    }
  }
  return typedefs;
}

/** Equal as written; array lengths as expressions. */
function sameType(a: CType, b: CType): boolean {
  const plain = (_: string, value: unknown) => (typeof value === "bigint" ? `${value}n` : value);
  return JSON.stringify(a, plain) === JSON.stringify(b, plain);
}

/** `struct T` and `union T` give the record, `enum T` the enum, a plain name its typedef. */
type Named =
  | { kind: "builtin"; name: string; builtin: BuiltinType }
  | { kind: "typedef"; typedef: TypedefDeclaration }
  | { kind: "external"; type: string }
  | { kind: "record"; record: RecordDeclaration | null; tag: string }
  | { kind: "enum"; enum: EnumDeclaration };

/** What a type's name stands for; null: nothing that can be used, and `whyUnknown` says why. */
export function lookUpName(scope: Scope, name: string): Named | null {
  const tagged = /^(struct|union|enum) (.+)$/.exec(name);
  if (tagged !== null) {
    const tag = tagged[2] as string;
    if (tagged[1] === "enum") {
      const found = scope.enums.get(tag);
      return found === undefined ? null : { kind: "enum", enum: found };
    }
    const record = scope.records.get(tag) ?? null;
    if (record !== null && record.record !== tagged[1]) return null;
    return { kind: "record", record, tag };
  }
  const typedef = scope.typedefs.get(name);
  if (typedef !== undefined) return { kind: "typedef", typedef };
  const builtin = builtinType(name);
  if (builtin !== undefined) return builtin.unsupported === undefined ? { kind: "builtin", name, builtin } : null;
  const external = scope.external.get(name);
  return external === undefined ? null : { kind: "external", type: external };
}

/** Why a name that `lookUpName` does not know cannot be used: "Foo" is declared nowhere ... */
export function whyUnknown(name: string): string {
  const unsupported = builtinType(name)?.unsupported;
  return unsupported === undefined
    ? `"${name}" is declared nowhere in these headers, neither as a type nor as a macro`
    : `"${name}" is not supported: ${unsupported}`;
}

/** The first name in the type that `lookUpName` does not know, or null. */
export function unknownName(scope: Scope, type: CType): string | null {
  return typeNames(type).find((name) => lookUpName(scope, name) === null) ?? null;
}

/**
 * All functions of a translation by name, with the documentation of whichever declaration has one. Throws HeaderError where
 * two declarations of one name differ by what `signature` says.
 */
export function functionsOf(
  translation: Translation,
  signature: (declaration: FunctionDeclaration) => string,
): Map<string, FunctionDeclaration> {
  const functions = new Map<string, FunctionDeclaration>();
  for (const declaration of translation.declarations) {
    if (declaration.kind !== "function") continue;
    const known = functions.get(declaration.name);
    if (known === undefined) {
      functions.set(declaration.name, declaration);
      continue;
    }
    if (signature(known) !== signature(declaration)) {
      throw new HeaderError(
        declaration.position,
        `"${declaration.name}" is declared with other types than in line ${known.position.line}`,
      );
    }
    if (known.inline && declaration.inline) {
      throw new HeaderError(declaration.position, `"${declaration.name}" has two bodies`);
    }
    const documented = known.documentation === null && declaration.documentation !== null ? declaration : known;
    functions.set(declaration.name, {
      ...documented,
      inline: known.inline || declaration.inline,
      deprecated: known.deprecated || declaration.deprecated,
    });
  }
  return functions;
}
