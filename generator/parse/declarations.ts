import { HeaderError } from "../errors.ts";
import type {
  CType,
  Declaration,
  EnumDeclaration,
  Expression,
  FieldDeclaration,
  FunctionDeclaration,
  Parameter,
  RecordDeclaration,
} from "./ast.ts";
import type { Chunk } from "./chunks.ts";
import { notUnderstood } from "./diagnosis.ts";
import { readDocumentation } from "./documentation.ts";
import { chunkReader } from "./reader.ts";
import { position, type Token } from "./scan.ts";
import type { Syntax } from "./syntax.ts";
import { joinSpecifiers, SPECIFIER_WORDS } from "./types.ts";

/** What stands before the declarators of a declaration. */
interface Specifiers {
  base: CType;
  storage: readonly string[];
  align: Expression | null;
  /** The tag of the struct or union without a name that is defined here. */
  unnamed: boolean;
  /** The children that are left: declarators and what stands between them. */
  rest: Syntax[];
}

interface Declarator {
  name: Token;
  type: CType;
}

/**
 * Turns the syntax of one chunk into declarations; records and enums come before what uses them.
 * @param types names of types declared so far; those of this chunk are added.
 * @throws HeaderError for whatever is not fully understood.
 */
export function readDeclarations(chunk: Chunk, nodes: readonly Syntax[], types: Set<string>): Declaration[] {
  const declarations: Declaration[] = [];
  const { leaf, name: nameOf, tokensOf, expression, alignment } = chunkReader(chunk, types);

  function refuse(node: Pick<Syntax, "start">, what?: string): never {
    throw notUnderstood(chunk, node.start, what);
  }
  /** @param place the tag of a record or enum that is defined here without one. */
  function specifiers(children: readonly Syntax[], place: (rest: readonly Syntax[]) => string): Specifiers {
    const storage: string[] = [];
    const aligns: Expression[] = [];
    let isConst = false;
    let type: Syntax | null = null;
    let count = 0;
    for (; count < children.length; count++) {
      const child = children[count] as Syntax;
      if (child.type === "typedef" || child.type === "storage_class_specifier") {
        storage.push(leaf(child).text);
      } else if (child.type === "type_qualifier") {
        const [align] = child.children;
        if (align?.type === "alignas_qualifier") aligns.push(alignment(align));
        else if (leaf(child).text === "const") isConst = true;
        else refuse(child, "is a qualifier that is not supported");
      } else if (type === null && TYPE_SPECIFIERS.has(child.type)) type = child;
      else break;
    }
    if (!type) refuse(children[count] ?? children[0] ?? { start: 0 });
    if (aligns.length > 1) refuse(type, "has several alignments, which is not supported");
    const rest = children.slice(count);
    const { name, unnamed } = typeName(type, () => place(rest));
    return { base: { kind: "name", name, const: isConst }, storage, align: aligns[0] ?? null, unnamed, rest };
  }

  function typeName(node: Syntax, place: () => string): { name: string; unnamed: boolean } {
    switch (node.type) {
      case "primitive_type":
      case "sized_type_specifier": {
        const words = tokensOf(node.start, node.end);
        const [first] = words;
        const stray = words.find((word) => !SPECIFIER_WORDS.has(word.text) && words.length > 1);
        if (stray) throw new HeaderError(position(stray), `"${stray.text}" is no part of a type`);
        const joined = joinSpecifiers(words.map((word) => word.text));
        if (joined === null && (node.type === "sized_type_specifier" || words.length !== 1)) {
          refuse(node, `begins words that make no type (${words.map((word) => word.text).join(" ")})`);
        }
        return { name: joined ?? (first as Token).text, unnamed: false };
      }
      case "type_identifier":
        // The grammar does not know _Bool for a type of its own.
        return { name: (leaf(node).text === "_Bool" ? leaf(node) : nameOf(node)).text, unnamed: false };
      case "enum_specifier":
        return enumeration(node, place);
      default:
        return record(node, place);
    }
  }

  function enumeration(node: Syntax, place: () => string): { name: string; unnamed: boolean } {
    const [keyword, ...parts] = node.children as [Syntax, ...Syntax[]];
    const name = parts[0]?.type === "type_identifier" ? nameOf(parts.shift() as Syntax) : null;
    const list = parts.shift();
    if (parts.length > 0) refuse(parts[0] as Syntax);
    if (!list) {
      if (!name) refuse(node);
      return { name: `enum ${name.text}`, unnamed: false };
    }
    if (list.type !== "enumerator_list") refuse(list);
    const members: EnumDeclaration["members"] = [];
    for (const child of inside(list)) {
      if (child.type === ",") continue;
      if (child.type !== "enumerator") refuse(child);
      const [label, equals, value, extra] = child.children;
      if (!label || extra || (equals && equals.type !== "=")) refuse(child);
      const token = nameOf(label);
      members.push({ name: token.text, value: value ? expression(value) : null, position: position(token) });
    }
    const first = members[0];
    if (!first) refuse(list, "begins an enum without members");
    const tag = name?.text ?? (place() || first.name);
    const at = name ?? leaf(keyword);
    declarations.push({ kind: "enum", tag, anonymous: name === null, members, position: position(at) });
    return { name: `enum ${tag}`, unnamed: name === null };
  }

  function record(node: Syntax, place: () => string): { name: string; unnamed: boolean } {
    const [keyword, ...parts] = node.children as [Syntax, ...Syntax[]];
    const kind = keyword.type === "union" ? "union" : "struct";
    const name = parts[0]?.type === "type_identifier" ? nameOf(parts.shift() as Syntax) : null;
    const list = parts.shift();
    if (parts.length > 0) refuse(parts[0] as Syntax);
    if (!list && !name) refuse(node);
    const tag = name?.text ?? place();
    if (tag === "") refuse(node, "defines a type without a name where none can be given to it");
    let fields: FieldDeclaration[] | null = null;
    if (list) {
      if (list.type !== "field_declaration_list") refuse(list);
      fields = [];
      for (const child of inside(list)) {
        if (child.type === ";") continue;
        if (child.type !== "field_declaration") refuse(child);
        readFields(child, kind, tag, fields);
      }
      checkFields(fields, kind);
      if (fields.length === 0) refuse(list, `begins a ${kind} without fields`);
    }
    const at = position(name ?? leaf(keyword));
    const made: RecordDeclaration = {
      kind: "record",
      record: kind,
      tag,
      anonymous: name === null,
      fields,
      align: null,
      position: at,
    };
    declarations.push(made);
    return { name: `${kind} ${tag}`, unnamed: name === null };
  }

  function readFields(node: Syntax, parent: "struct" | "union", tag: string, fields: FieldDeclaration[]): void {
    const bits = node.children.find((child) => child.type === "bitfield_clause");
    if (bits) {
      const name = node.children[node.children.indexOf(bits) - 1] ?? bits;
      refuse(name, `is a bit-field of ${parent} ${tag}, which is not supported`);
    }
    const head = specifiers(node.children, (rest) => `${tag}.${rest[0]?.type === ";" ? fields.length : nameIn(rest)}`);
    if (head.storage.length > 0) refuse(node);
    const { base, align } = head;
    if (head.rest[0]?.type === ";" && head.unnamed && head.rest.length === 1) {
      fields.push({ name: "", type: base, align, position: position(tokensOf(node.start, node.end)[0] as Token) });
      return;
    }
    for (const { name, type } of declarators(head)) {
      if (type.kind === "function") refuse(node, "declares a function inside a record");
      fields.push({ name: name.text, type, align, position: position(name) });
    }
  }

  function inside(list: Syntax): Syntax[] {
    const [open, ...rest] = list.children;
    const close = rest.pop();
    if (open?.type !== "{" || close?.type !== "}") refuse(list);
    return rest;
  }

  /** All declarators of a declaration, up to its semicolon. */
  function declarators({ base, rest }: Specifiers): Declarator[] {
    const found: Declarator[] = [];
    rest.forEach((node, index) => {
      const expected = index === rest.length - 1 ? ";" : index % 2 === 1 ? "," : null;
      if (expected === null) found.push(named(node, declarator(node, base)));
      else if (node.type !== expected) refuse(node);
    });
    if (found.length === 0 || rest.length !== found.length * 2) refuse(rest[0] ?? { start: 0 });
    return found;
  }

  function named(node: Syntax, { name, type }: { name: Token | null; type: CType }): Declarator {
    if (!name) refuse(node);
    return { name, type };
  }

  /** Reads a declarator from the outside in, `type` being what stands around it. */
  function declarator(node: Syntax, type: CType): { name: Token | null; type: CType } {
    const { children } = node;
    switch (node.type) {
      case "identifier":
      case "type_identifier":
      case "field_identifier":
      case "primitive_type":
        return { name: nameOf(node), type };
      case "pointer_declarator":
      case "abstract_pointer_declarator": {
        let isConst = false;
        let inner: Syntax | null = null;
        if (children[0]?.type !== "*") refuse(node);
        for (const child of children.slice(1)) {
          if (child.type !== "type_qualifier") inner = inner === null ? child : refuse(child);
          else if (leaf(child).text !== "const") refuse(child, "is a qualifier that is not supported");
          else isConst = true;
        }
        return step(node, inner, { kind: "pointer", to: type, const: isConst });
      }
      case "array_declarator":
      case "abstract_array_declarator": {
        const open = children.findIndex((child) => child.type === "[");
        const [size, close] = children.length - open === 3 ? children.slice(open + 1) : [null, children[open + 1]];
        if (open < 0 || open > 1 || close?.type !== "]" || children.length - open > 3) refuse(node);
        if (size && (size.type === "*" || size.type === "static" || size.type === "type_qualifier")) refuse(size);
        return step(node, open === 1 ? (children[0] ?? null) : null, {
          kind: "array",
          of: type,
          length: size ? expression(size) : null,
        });
      }
      case "function_declarator":
      case "abstract_function_declarator": {
        const list = children.at(-1);
        if (list?.type !== "parameter_list" || children.length > 2) refuse(children[2] ?? node);
        return step(node, children.length === 2 ? (children[0] ?? null) : null, {
          kind: "function",
          result: type,
          ...parameters(list),
        });
      }
      case "parenthesized_declarator":
      case "abstract_parenthesized_declarator": {
        const [open, inner, close, extra] = children;
        if (open?.type !== "(" || !inner || close?.type !== ")" || extra) refuse(inner ?? node);
        return declarator(inner, type);
      }
      default:
        return refuse(node);
    }
  }
  function step(node: Syntax, inner: Syntax | null, type: CType): { name: Token | null; type: CType } {
    const part = type.kind === "function" ? type.result : type.kind === "array" ? type.of : null;
    const isOpen = part?.kind === "array" && (type.kind === "function" || part.length === null);
    if (part?.kind === "function" || isOpen) refuse(node, "makes a type that C does not have");
    return inner ? declarator(inner, type) : { name: null, type };
  }

  function parameters(list: Syntax): { params: Parameter[]; variadic: boolean } {
    const nodes = list.children.slice(1, -1).filter((child) => child.type !== ",");
    const params: Parameter[] = [];
    let variadic = false;
    for (const node of nodes) {
      if (variadic) refuse(node);
      if (node.type === "variadic_parameter") {
        variadic = true;
        continue;
      }
      if (node.type !== "parameter_declaration") refuse(node);
      const head = specifiers(node.children, () => "");
      const [inner, extra] = head.rest;
      if (extra || head.align || head.storage.length > 0 || head.unnamed) refuse(extra ?? node);
      const { name, type } = inner ? declarator(inner, head.base) : { name: null, type: head.base };
      if (name && params.some((param) => param.name === name.text)) {
        throw new HeaderError(position(name), `parameter ${name.text} stands twice in one list`);
      }
      params.push({ name: name?.text ?? "", type });
    }
    const [only] = params;
    // `()` says nothing in C, but these headers are C++ as well, where it says (void).
    if (!only) return { params, variadic };
    const isConst = ({ type }: Parameter) => type.kind === "name" && type.const;
    const isVoid = ({ type }: Parameter) => type.kind === "name" && type.name === "void";
    if (params.length === 1 && !variadic && isVoid(only) && only.name === "" && !isConst(only))
      return { params: [], variadic };
    if (params.some(isVoid)) refuse(list, "begins a parameter list with void in it");
    return { params, variadic };
  }

  /** The name that the first declarator among `nodes` declares. */
  function nameIn(nodes: readonly Syntax[]): string {
    for (const node of nodes) {
      if (NAMES.has(node.type)) return nameOf(node).text;
      if (node.type.endsWith("parameter_list")) continue;
      const found = nameIn(node.children);
      if (found !== "") return found;
    }
    return "";
  }

  function functionDeclaration({ name, type }: Declarator, inline: boolean): FunctionDeclaration {
    if (type.kind !== "function") {
      throw new HeaderError(position(name), `${name.text} is a variable, which is not supported in a header`);
    }
    if (type.variadic)
      throw new HeaderError(
        position(name),
        `${name.text} takes a variable number of arguments, which is not supported`,
      );
    const { documentation } = chunk;
    const comment = documentation?.source.text.slice(documentation.start, documentation.end) ?? null;
    return {
      kind: "function",
      name: name.text,
      result: type.result,
      params: type.params,
      inline,
      deprecated: chunk.deprecated,
      documentation: comment === null ? null : readDocumentation(comment),
      comment,
      position: position(name),
    };
  }

  const [node, semicolon, extra] = nodes;
  if (!node || extra || (semicolon && semicolon.type !== ";") || node.start !== 0)
    refuse(extra ?? node ?? { start: 0 });
  switch (node.type) {
    case "struct_specifier":
    case "union_specifier":
    case "enum_specifier":
      if (!semicolon) refuse(node);
      typeName(node, () => "");
      if (declarations.length === 0) refuse(node);
      break;
    case "type_definition": {
      const head = specifiers(node.children, nameIn);
      if (semicolon || head.align || head.storage.join() !== "typedef") refuse(node);
      for (const { name, type } of declarators(head)) {
        declarations.push({ kind: "typedef", name: name.text, type, position: position(name) });
        types.add(name.text);
      }
      break;
    }
    case "declaration": {
      const head = specifiers(node.children, () => "");
      if (semicolon || head.align || head.storage.includes("typedef") || head.unnamed) refuse(node);
      for (const found of declarators(head))
        declarations.push(functionDeclaration(found, head.storage.includes("static")));
      break;
    }
    case "function_definition": {
      const head = specifiers(node.children, () => "");
      const [inner, body, more] = head.rest;
      if (semicolon || !inner || body?.type !== "compound_statement" || more || head.align || head.unnamed)
        refuse(more ?? node);
      declarations.push(functionDeclaration(named(inner, declarator(inner, head.base)), true));
      break;
    }
    default:
      refuse(node);
  }
  const last = nodes.at(-1);
  if (last?.end !== chunk.text.length) refuse({ start: last?.end ?? 0 });
  return declarations;
}

/** @throws HeaderError for fields that C does not allow. */
function checkFields(fields: FieldDeclaration[], kind: "struct" | "union"): void {
  const names = new Set<string>();
  fields.forEach(({ name, type, position }, index) => {
    if (name !== "" && names.has(name)) throw new HeaderError(position, `field ${name} stands twice in one ${kind}`);
    names.add(name);
    const open = type.kind === "array" && type.length === null;
    if (open && (kind === "union" || index === 0 || index < fields.length - 1)) {
      throw new HeaderError(position, `${name} is an array without a length where C allows none`);
    }
  });
}

const TYPE_SPECIFIERS = new Set([
  "primitive_type",
  "sized_type_specifier",
  "type_identifier",
  "struct_specifier",
  "union_specifier",
  "enum_specifier",
]);

const NAMES = new Set(["identifier", "type_identifier", "field_identifier", "primitive_type"]);
