import { HeaderError } from "../errors.ts";
import type { CType } from "../parse/ast.ts";
import type { Position } from "../position.ts";
import { type ApiType, expander, formatType, mapType, parseType, withoutConst } from "./ctype.ts";
import type { Layouts } from "./layout.ts";
import { lookUpName, type Scope, unknownName, whyUnknown } from "./scope.ts";

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
    return mapType(ctype, {
      name: ({ name, const: isConst }) => ({ kind: "name", name: rename(name), const: isConst }),
      length: (length) => values.length(length, position),
    });
  }

  function meaning(name: string): CType | ApiType | null {
    const found = lookUpName(scope, name);
    if (found?.kind === "typedef") return found.typedef.type;
    return found?.kind === "external" ? parseType(found.type) : null;
  }

  const expand = expander(meaning, {
    length: (length) => values.length(length, NOWHERE),
    // A parameter's own const says nothing to the caller.
    param: withoutConst,
  });

  return {
    recordName,
    enumName,
    type,
    spell: (ctype, position) => formatType(type(ctype, position)),
    canonical: (ctype) => formatType(expand(ctype)),
  };
}

const NOWHERE: Position = { file: "", line: 0, column: 0 };
