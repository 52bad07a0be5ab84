import { type ApiType, formatType, parseType } from "../api/ctype.ts";
import type { ApiDocument, ApiEnum, ApiRecord } from "../api/document.ts";
import { BUILTIN_TYPES } from "../builtins.ts";
import { UserError } from "../errors.ts";
import type { Library } from "../libraries/library.ts";

/**
 * What a C type is once its typedefs are followed. `name` is what TypeScript calls it: the name that the C spelling used, where
 * the package exports one.
 */
export type Meaning =
  | { kind: "void" }
  /** `name`: the library's own name for it (CUdeviceptr); null: a plain integer. */
  | { kind: "integer"; bits: 8 | 16 | 32 | 64; signed: boolean; character: boolean; name: string | null }
  | { kind: "float"; bits: 32 | 64 }
  | { kind: "enum"; name: string; enum: ApiEnum; signed: boolean }
  | { kind: "handle"; name: string }
  | { kind: "callback"; name: string }
  | { kind: "record"; name: string; record: ApiRecord }
  | { kind: "array"; of: ApiType; length: number }
  | { kind: "pointer"; to: ApiType };

/** Finds what the types of one document mean. */
export interface TypeIndex {
  meaning(type: ApiType): Meaning;
  /** As `meaning`, from a spelling. */
  of(spelling: string): Meaning;
  /** Bytes of one value on LP64; 1 for void, as in pointer arithmetic. */
  size(type: ApiType): number;
  isHandle(name: string): boolean;
  /** Whether an integer type is a kind of its own. */
  isOwn(name: string): boolean;
}

export function typeIndex(document: ApiDocument, { ownTypes }: Pick<Library, "ownTypes">): TypeIndex {
  const isOwn = (name: string) => ownTypes.test(name);
  const enums = new Map<string, ApiEnum>();
  for (const item of document.enums) enums.set(item.name, item).set(`enum ${item.tag ?? item.name}`, item);
  const records = new Map<string, ApiRecord>();
  for (const item of document.records) records.set(item.name, item).set(`${item.kind} ${item.tag ?? item.name}`, item);
  const handles = new Set(document.handles.map(({ name }) => name));
  const handleOfTag = new Map(document.handles.map(({ name, tag }) => [`struct ${tag}`, name]));
  const callbacks = new Set(document.callbacks.map(({ name }) => name));
  const typedefs = new Map(document.typedefs.map(({ name, type }) => [name, parseType(type)]));

  function named(name: string): Meaning {
    if (Object.hasOwn(BUILTIN_TYPES, name)) return builtinMeaning(name);
    if (handles.has(name)) return { kind: "handle", name };
    if (callbacks.has(name)) return { kind: "callback", name };
    const found = enums.get(name);
    if (found !== undefined) {
      return {
        kind: "enum",
        name: className(found.name),
        enum: found,
        signed: !found.members.some(({ value }) => value > 0x7fffffff),
      };
    }
    const record = records.get(name);
    if (record !== undefined) return { kind: "record", name: className(record.name), record };
    const target = typedefs.get(name);
    /* Declared and never defined: all that can be had of it is its address. */
    if (target === undefined && /^(struct|union) /.test(name)) return { kind: "void" };
    if (target === undefined) throw new UserError(`the API document never says what "${name}" is`);
    const meant = meaning(target);
    switch (meant.kind) {
      case "integer":
        return isOwn(name) ? { ...meant, name } : meant;
      case "enum":
      case "handle":
      case "callback":
      case "record":
        return { ...meant, name };
      default:
        return meant;
    }
  }

  function meaning(type: ApiType): Meaning {
    switch (type.kind) {
      case "name":
        return named(type.name);
      case "pointer": {
        const handle = type.to.kind === "name" ? handleOfTag.get(type.to.name) : undefined;
        return handle === undefined ? { kind: "pointer", to: type.to } : { kind: "handle", name: handle };
      }
      case "array":
        if (type.length === null) throw new UserError(`"${formatType(type)}" has no length`);
        return { kind: "array", of: type.of, length: type.length };
      case "function":
        throw new UserError(`"${formatType(type)}" is a function, not a value`);
    }
  }

  function size(type: ApiType): number {
    const meant = meaning(type);
    switch (meant.kind) {
      case "void":
        return 1;
      case "integer":
      case "float":
        return meant.bits / 8;
      case "enum":
        return 4;
      case "record":
        return meant.record.size;
      case "array":
        return meant.length * size(meant.of);
      case "handle":
      case "callback":
      case "pointer":
        return 8;
    }
  }

  return {
    meaning,
    of: (spelling) => meaning(parseType(spelling)),
    size,
    isHandle: (name) => handles.has(name),
    isOwn,
  };
}

/** A nested unnamed record is called after its place, with dots: a TypeScript name has none. */
export function className(name: string): string {
  return name.replaceAll(".", "_");
}

function builtinMeaning(name: string): Meaning {
  const { size, signed } = BUILTIN_TYPES[name] as (typeof BUILTIN_TYPES)[string];
  if (name === "void") return { kind: "void" };
  if (name === "float" || name === "double") return { kind: "float", bits: name === "float" ? 32 : 64 };
  if (size.lp64 !== size.llp64)
    throw new UserError(`"${name}" differs between platforms, which the shim does not carry`);
  const bits = (size.lp64 * 8) as 8 | 16 | 32 | 64;
  return { kind: "integer", bits, signed: signed === true, character: name === "char", name: null };
}
