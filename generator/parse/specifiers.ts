import type { CType, Expression } from "./ast.ts";
import type { ChunkReader } from "./reader.ts";
import type { Syntax } from "./syntax.ts";

/** What stands before the declarators of a declaration. */
export interface Specifiers {
  base: CType;
  storage: readonly string[];
  align: Expression | null;
  /** A record or an enum without a name is defined here. */
  unnamed: boolean;
  /** The children that are left: declarators and what stands between them. */
  rest: Syntax[];
}

/**
 * Reads the specifiers among the children of a declaration.
 * @param place the tag of a record or enum that is defined here without one.
 */
export function readSpecifiers(
  reader: ChunkReader,
  children: readonly Syntax[],
  place: (rest: readonly Syntax[]) => string,
): Specifiers {
  const storage: string[] = [];
  const aligns: Expression[] = [];
  let isConst = false;
  let type: Syntax | null = null;
  let count = 0;
  for (; count < children.length; count++) {
    const child = children[count] as Syntax;
    if (child.type === "typedef" || child.type === "storage_class_specifier") {
      storage.push(reader.leaf(child).text);
    } else if (child.type === "type_qualifier") {
      const [align] = child.children;
      if (align?.type === "alignas_qualifier") aligns.push(reader.alignment(align));
      else if (reader.leaf(child).text === "const") isConst = true;
      else reader.refuse(child, "is a qualifier that is not supported");
    } else if (type === null && TYPE_SPECIFIERS.has(child.type)) type = child;
    else break;
  }
  if (!type) reader.refuse(children[count] ?? children[0] ?? { start: 0 });
  if (aligns.length > 1) reader.refuse(type, "has several alignments, which is not supported");
  const rest = children.slice(count);
  const { name, unnamed } = reader.typeName(type, () => place(rest));
  return { base: { kind: "name", name, const: isConst }, storage, align: aligns[0] ?? null, unnamed, rest };
}

const TYPE_SPECIFIERS = new Set([
  "primitive_type",
  "sized_type_specifier",
  "type_identifier",
  "struct_specifier",
  "union_specifier",
  "enum_specifier",
]);
