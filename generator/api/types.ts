import { HeaderError } from "../errors.ts";
import type { CType } from "../parse/ast.ts";
import type { Position } from "../position.ts";
import { type ApiType, formatType, parseType, resolveType, withConst, withoutConst } from "./ctype.ts";
import type { Layouts } from "./layout.ts";
import { lookUpName, parameterType, type Scope, unknownName, whyUnknown } from "./scope.ts";

/** How this toolkit's types are named and spelled in the document. */
export interface Spelling {
  /** Document name of a record or enum by its tag. */
  recordName(tag: string): string;
  enumName(tag: string): string;
  /** Throws HeaderError where a name in the type is declared nowhere. */
  type(type: CType, position: Position): ApiType;
  spell(type: CType, position: Position): string;
  /** Fully resolved: two types with the same text are the same type to C. */
  canonical(type: CType): string;
}

export function spelling(scope: Scope, values: Layouts): Spelling {
  const firstTypedef = new Map<string, string>();
  for (const typedef of scope.typedefs.values()) {
    if (typedef.type.kind !== "name" || !/^(struct|union|enum) /.test(typedef.type.name)) continue;
    if (!firstTypedef.has(typedef.type.name)) firstTypedef.set(typedef.type.name, typedef.name);
  }

  function recordName(tag: string): string {
    const kind = scope.records.get(tag)?.record ?? "struct";
    return firstTypedef.get(`${kind} ${tag}`) ?? placed(tag);
  }
  function enumName(tag: string): string {
    return firstTypedef.get(`enum ${tag}`) ?? placed(tag);
  }
  /** `CUDA_RESOURCE_DESC_st.res.array` is called after the document's name of its outermost record. */
  function placed(tag: string): string {
    const dot = tag.indexOf(".");
    return dot < 0 ? tag : `${recordName(tag.slice(0, dot))}${tag.slice(dot)}`;
  }

  /** Only an unnamed record or enum, whose tag is ours and not C's, is renamed. */
  function rename(name: string): string {
    const found = /^(?:struct|union|enum) /.test(name) ? lookUpName(scope, name) : null;
    if (found?.kind === "record" && found.record?.anonymous) return recordName(found.tag);
    if (found?.kind === "enum" && found.enum.anonymous) return enumName(found.enum.tag);
    return name;
  }

  function type(ctype: CType, position: Position): ApiType {
    const unknown = unknownName(scope, ctype);
    if (unknown !== null) {
      throw new HeaderError(position, `the type ${whyUnknown(unknown)}`);
    }
    return resolveType(decay(ctype), (length) => values.length(length, position), rename);
  }

  function canonical(ctype: CType): string {
    return formatType(expand(ctype, new Set()));
  }

  function expand(ctype: CType, seen: Set<string>): ApiType {
    switch (ctype.kind) {
      case "pointer":
        return { kind: "pointer", to: expand(ctype.to, seen), const: ctype.const };
      case "array":
        return {
          kind: "array",
          of: expand(ctype.of, seen),
          length: ctype.length === null ? null : values.length(ctype.length, NOWHERE),
        };
      case "function":
        return {
          kind: "function",
          result: expand(ctype.result, seen),
          // A parameter's own const says nothing to the caller.
          params: ctype.params.map((param) => withoutConst(expand(parameterType(param.type), seen))),
          variadic: ctype.variadic,
        };
      case "name": {
        const target = expandName(ctype.name, seen);
        return ctype.const ? withConst(target) : target;
      }
    }
  }

  function expandName(name: string, seen: Set<string>): ApiType {
    const found = lookUpName(scope, name);
    if (found?.kind === "typedef" && !seen.has(name)) return expand(found.typedef.type, new Set([...seen, name]));
    return found?.kind === "external" ? parseType(found.type) : { kind: "name", name, const: false };
  }

  return {
    recordName,
    enumName,
    type,
    spell: (ctype, position) => formatType(type(ctype, position)),
    canonical,
  };
}

const NOWHERE: Position = { file: "", line: 0, column: 0 };

/** Array and function parameters become pointers, at every depth. */
function decay(type: CType): CType {
  switch (type.kind) {
    case "name":
      return type;
    case "pointer":
      return { ...type, to: decay(type.to) };
    case "array":
      return { ...type, of: decay(type.of) };
    case "function":
      return {
        ...type,
        result: decay(type.result),
        params: type.params.map((param) => ({ ...param, type: decay(parameterType(param.type)) })),
      };
  }
}
