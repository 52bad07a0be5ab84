import { HeaderError } from "../errors.ts";
import type { CType, Expression } from "./ast.ts";
import type { ChunkReader } from "./reader.ts";
import { readEnum, readRecord } from "./records.ts";
import { position, type Token } from "./scan.ts";
import type { Syntax } from "./syntax.ts";
import { joinSpecifiers, SPECIFIER_WORDS } from "./types.ts";

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

/** A type that a declaration names, as `CType` names it. */
export interface NamedType {
  name: string;
  unnamed: boolean;
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
  const { name, unnamed } = readTypeName(reader, type, () => place(rest));
  return { base: { kind: "name", name, const: isConst }, storage, align: aligns[0] ?? null, unnamed, rest };
}

/** Reads a type specifier; a record or enum that it defines is added to the reader's declarations. */
export function readTypeName(reader: ChunkReader, node: Syntax, place: () => string): NamedType {
  switch (node.type) {
    case "primitive_type":
    case "sized_type_specifier": {
      const words = reader.tokensOf(node.start, node.end);
      const [first] = words;
      const stray = words.find((word) => !SPECIFIER_WORDS.has(word.text) && words.length > 1);
      if (stray) throw new HeaderError(position(stray), `"${stray.text}" is no part of a type`);
      const joined = joinSpecifiers(words.map((word) => word.text));
      if (joined === null && (node.type === "sized_type_specifier" || words.length !== 1)) {
        reader.refuse(node, `begins words that make no type (${words.map((word) => word.text).join(" ")})`);
      }
      return { name: joined ?? (first as Token).text, unnamed: false };
    }
    case "type_identifier": {
      const { text } = reader.leaf(node);
      // The grammar does not know _Bool for a type of its own.
      return { name: text === "_Bool" ? text : reader.name(node).text, unnamed: false };
    }
    case "enum_specifier":
      return readEnum(reader, node, place);
    default:
      return readRecord(reader, node, place);
  }
}

const TYPE_SPECIFIERS = new Set([
  "primitive_type",
  "sized_type_specifier",
  "type_identifier",
  "struct_specifier",
  "union_specifier",
  "enum_specifier",
]);
