import { HeaderError } from "../errors.ts";
import type { CType, Parameter } from "./ast.ts";
import type { ChunkReader } from "./reader.ts";
import { position, type Token } from "./scan.ts";
import { readSpecifiers, type Specifiers } from "./specifiers.ts";
import type { Syntax } from "./syntax.ts";

/** A name and its type; the name of a parameter may be missing. */
export interface Declarator<Name = Token> {
  name: Name;
  type: CType;
}

/** All declarators of a declaration, up to its semicolon. */
export function readDeclarators(reader: ChunkReader, { base, rest }: Pick<Specifiers, "base" | "rest">): Declarator[] {
  const found: Declarator[] = [];
  rest.forEach((node, index) => {
    const expected = index === rest.length - 1 ? ";" : index % 2 === 1 ? "," : null;
    if (expected === null) found.push(readDeclarator(reader, node, base));
    else if (node.type !== expected) reader.refuse(node);
  });
  if (found.length === 0 || rest.length !== found.length * 2) reader.refuse(rest[0] ?? { start: 0 });
  return found;
}

/** A declarator that has a name. */
export function readDeclarator(reader: ChunkReader, node: Syntax, base: CType): Declarator {
  const { name, type } = unwrap(reader, node, base);
  if (!name) reader.refuse(node);
  return { name, type };
}

/** The name that the first declarator among `nodes` declares; "" where none does. */
export function nameIn(reader: ChunkReader, nodes: readonly Syntax[]): string {
  for (const node of nodes) {
    if (NAMES.has(node.type)) return reader.name(node).text;
    if (node.type.endsWith("parameter_list")) continue;
    const found = nameIn(reader, node.children);
    if (found !== "") return found;
  }
  return "";
}

const NAMES = new Set(["identifier", "type_identifier", "field_identifier", "primitive_type"]);

/** Reads a declarator from the outside in, `type` being what stands around it. */
function unwrap(reader: ChunkReader, node: Syntax, type: CType): Declarator<Token | null> {
  const { children } = node;
  switch (node.type) {
    case "identifier":
    case "type_identifier":
    case "field_identifier":
    case "primitive_type":
      return { name: reader.name(node), type };
    case "pointer_declarator":
    case "abstract_pointer_declarator": {
      let isConst = false;
      let inner: Syntax | null = null;
      if (children[0]?.type !== "*") reader.refuse(node);
      for (const child of children.slice(1)) {
        if (child.type !== "type_qualifier") inner = inner === null ? child : reader.refuse(child);
        else if (reader.leaf(child).text !== "const") reader.refuse(child, "is a qualifier that is not supported");
        else isConst = true;
      }
      return step(reader, node, inner, { kind: "pointer", to: type, const: isConst });
    }
    case "array_declarator":
    case "abstract_array_declarator": {
      const open = children.findIndex((child) => child.type === "[");
      const [size, close] = children.length - open === 3 ? children.slice(open + 1) : [null, children[open + 1]];
      if (open < 0 || open > 1 || close?.type !== "]" || children.length - open > 3) reader.refuse(node);
      if (size && (size.type === "*" || size.type === "static" || size.type === "type_qualifier")) reader.refuse(size);
      const length = size ? reader.expression(size) : null;
      return step(reader, node, open === 1 ? (children[0] ?? null) : null, { kind: "array", of: type, length });
    }
    case "function_declarator":
    case "abstract_function_declarator": {
      const list = children.at(-1);
      if (list?.type !== "parameter_list" || children.length > 2) reader.refuse(children[2] ?? node);
      const inner = children.length === 2 ? (children[0] ?? null) : null;
      return step(reader, node, inner, { kind: "function", result: type, ...readParameters(reader, list) });
    }
    case "parenthesized_declarator":
    case "abstract_parenthesized_declarator": {
      const [open, inner, close, extra] = children;
      if (open?.type !== "(" || !inner || close?.type !== ")" || extra) reader.refuse(inner ?? node);
      return unwrap(reader, inner, type);
    }
    default:
      return reader.refuse(node);
  }
}

function step(reader: ChunkReader, node: Syntax, inner: Syntax | null, type: CType): Declarator<Token | null> {
  const part = type.kind === "function" ? type.result : type.kind === "array" ? type.of : null;
  const isOpen = part?.kind === "array" && (type.kind === "function" || part.length === null);
  if (part?.kind === "function" || isOpen) reader.refuse(node, "makes a type that C does not have");
  return inner ? unwrap(reader, inner, type) : { name: null, type };
}

function readParameters(reader: ChunkReader, list: Syntax): { params: Parameter[]; variadic: boolean } {
  const nodes = list.children.slice(1, -1).filter((child) => child.type !== ",");
  const params: Parameter[] = [];
  let variadic = false;
  for (const node of nodes) {
    if (variadic) reader.refuse(node);
    if (node.type === "variadic_parameter") {
      variadic = true;
      continue;
    }
    if (node.type !== "parameter_declaration") reader.refuse(node);
    const head = readSpecifiers(reader, node.children, () => "");
    const [inner, extra] = head.rest;
    if (extra || head.align || head.storage.length > 0 || head.unnamed) reader.refuse(extra ?? node);
    const { name, type } = inner ? unwrap(reader, inner, head.base) : { name: null, type: head.base };
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
  if (params.some(isVoid)) reader.refuse(list, "begins a parameter list with void in it");
  return { params, variadic };
}
