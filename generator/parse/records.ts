import { HeaderError } from "../errors.ts";
import type { EnumDeclaration, FieldDeclaration } from "./ast.ts";
import { nameIn, readDeclarators } from "./declarators.ts";
import type { ChunkReader, NamedType } from "./reader.ts";
import { position, type Token } from "./scan.ts";
import { readSpecifiers } from "./specifiers.ts";
import type { Syntax } from "./syntax.ts";

/** Reads an `enum_specifier`; one that has members is added to the reader's declarations. */
export function readEnum(reader: ChunkReader, node: Syntax, place: () => string): NamedType {
  const { keyword, name, list } = parts(reader, node);
  if (!list) {
    if (!name) reader.refuse(node);
    return { name: `enum ${name.text}`, unnamed: false };
  }
  if (list.type !== "enumerator_list") reader.refuse(list);
  const members: EnumDeclaration["members"] = [];
  for (const child of inside(reader, list)) {
    if (child.type === ",") continue;
    if (child.type !== "enumerator") reader.refuse(child);
    const [label, equals, value, extra] = child.children;
    if (!label || extra || (equals && equals.type !== "=")) reader.refuse(child);
    const token = reader.name(label);
    members.push({ name: token.text, value: value ? reader.expression(value) : null, position: position(token) });
  }
  const first = members[0];
  if (!first) reader.refuse(list, "begins an enum without members");
  const tag = name?.text ?? (place() || first.name);
  const at = position(name ?? reader.leaf(keyword));
  reader.declarations.push({ kind: "enum", tag, anonymous: name === null, members, position: at });
  return { name: `enum ${tag}`, unnamed: name === null };
}

/** Reads a `struct_specifier` or `union_specifier`, which is added to the reader's declarations, defined or not. */
export function readRecord(reader: ChunkReader, node: Syntax, place: () => string): NamedType {
  const { keyword, name, list } = parts(reader, node);
  const record = keyword.type === "union" ? "union" : "struct";
  if (!list && !name) reader.refuse(node);
  const tag = name?.text ?? place();
  if (tag === "") reader.refuse(node, "defines a type without a name where none can be given to it");
  const fields = list ? readFields(reader, list, record, tag) : null;
  const at = position(name ?? reader.leaf(keyword));
  const anonymous = name === null;
  reader.declarations.push({ kind: "record", record, tag, anonymous, fields, align: null, position: at });
  return { name: `${record} ${tag}`, unnamed: anonymous };
}

/** The keyword, the tag and the list in braces. */
function parts(
  reader: ChunkReader,
  { children }: Syntax,
): { keyword: Syntax; name: Token | null; list: Syntax | undefined } {
  const [keyword, ...rest] = children as [Syntax, ...Syntax[]];
  const name = rest[0]?.type === "type_identifier" ? reader.name(rest.shift() as Syntax) : null;
  const [list, extra] = rest;
  if (extra) reader.refuse(extra);
  return { keyword, name, list };
}

function inside(reader: ChunkReader, list: Syntax): Syntax[] {
  const [open, ...rest] = list.children;
  const close = rest.pop();
  if (open?.type !== "{" || close?.type !== "}") reader.refuse(list);
  return rest;
}

function readFields(reader: ChunkReader, list: Syntax, record: "struct" | "union", tag: string): FieldDeclaration[] {
  if (list.type !== "field_declaration_list") reader.refuse(list);
  const fields: FieldDeclaration[] = [];
  for (const child of inside(reader, list)) {
    if (child.type === ";") continue;
    if (child.type !== "field_declaration") reader.refuse(child);
    const bits = child.children.find(({ type }) => type === "bitfield_clause");
    if (bits) {
      const name = child.children[child.children.indexOf(bits) - 1] ?? bits;
      reader.refuse(name, `is a bit-field of ${record} ${tag}, which is not supported`);
    }
    fields.push(...readField(reader, child, tag, fields.length));
  }
  checkFields(fields, record);
  if (fields.length === 0) reader.refuse(list, `begins a ${record} without fields`);
  return fields;
}

/** The fields of one declaration, the first of which is number `index` of the record `tag`. */
function readField(reader: ChunkReader, node: Syntax, tag: string, index: number): FieldDeclaration[] {
  const place = (rest: readonly Syntax[]) => `${tag}.${rest[0]?.type === ";" ? index : nameIn(reader, rest)}`;
  const head = readSpecifiers(reader, node.children, place);
  if (head.storage.length > 0) reader.refuse(node);
  const { base, align, rest } = head;
  if (rest[0]?.type === ";" && head.unnamed && rest.length === 1) {
    const [first] = reader.tokensOf(node.start, node.end);
    return [{ name: "", type: base, align, position: position(first as Token) }];
  }
  return readDeclarators(reader, head).map(({ name, type }) => {
    if (type.kind === "function") reader.refuse(node, "declares a function inside a record");
    return { name: name.text, type, align, position: position(name) };
  });
}

/** @throws HeaderError for fields that C does not allow. */
function checkFields(fields: FieldDeclaration[], record: "struct" | "union"): void {
  const names = new Set<string>();
  fields.forEach(({ name, type, position }, index) => {
    if (name !== "" && names.has(name)) throw new HeaderError(position, `field ${name} stands twice in one ${record}`);
    names.add(name);
    const open = type.kind === "array" && type.length === null;
    if (open && (record === "union" || index === 0 || index < fields.length - 1)) {
      throw new HeaderError(position, `${name} is an array without a length where C allows none`);
    }
  });
}
