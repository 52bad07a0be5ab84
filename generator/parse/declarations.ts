import { HeaderError } from "../errors.ts";
import type { Declaration, FunctionDeclaration } from "./ast.ts";
import type { Chunk } from "./chunks.ts";
import { type Declarator, nameIn, readDeclarator, readDeclarators } from "./declarators.ts";
import { readDocumentation } from "./documentation.ts";
import { type ChunkReader, chunkReader } from "./reader.ts";
import { position } from "./scan.ts";
import { readSpecifiers } from "./specifiers.ts";
import type { Syntax } from "./syntax.ts";
import { readTypeName } from "./typeName.ts";

/**
 * Turns the syntax of one chunk into declarations; records and enums come before what uses them.
 * @param types names of types declared so far; those of this chunk are added.
 * @throws HeaderError for whatever is not fully understood.
 */
export function readDeclarations(chunk: Chunk, nodes: readonly Syntax[], types: Set<string>): Declaration[] {
  const reader: ChunkReader = chunkReader(chunk, types, readTypeName);
  const { declarations } = reader;
  const [node, semicolon, extra] = nodes;
  if (!node || extra || (semicolon && semicolon.type !== ";") || node.start !== 0)
    reader.refuse(extra ?? node ?? { start: 0 });
  switch (node.type) {
    case "struct_specifier":
    case "union_specifier":
    case "enum_specifier":
      if (!semicolon) reader.refuse(node);
      reader.typeName(node, () => "");
      if (declarations.length === 0) reader.refuse(node);
      break;
    case "type_definition": {
      const head = readSpecifiers(reader, node.children, (rest) => nameIn(reader, rest));
      if (semicolon || head.align || head.storage.join() !== "typedef") reader.refuse(node);
      for (const { name, type } of readDeclarators(reader, head)) {
        declarations.push({ kind: "typedef", name: name.text, type, position: position(name) });
        types.add(name.text);
      }
      break;
    }
    case "declaration": {
      const head = readSpecifiers(reader, node.children, () => "");
      if (semicolon || head.align || head.storage.includes("typedef") || head.unnamed) reader.refuse(node);
      for (const found of readDeclarators(reader, head))
        declarations.push(functionDeclaration(chunk, found, head.storage.includes("static")));
      break;
    }
    case "function_definition": {
      const head = readSpecifiers(reader, node.children, () => "");
      const [inner, body, more] = head.rest;
      if (semicolon || !inner || body?.type !== "compound_statement" || more || head.align || head.unnamed)
        reader.refuse(more ?? node);
      declarations.push(functionDeclaration(chunk, readDeclarator(reader, inner, head.base), true));
      break;
    }
    default:
      reader.refuse(node);
  }
  const last = nodes.at(-1);
  if (last?.end !== chunk.text.length) reader.refuse({ start: last?.end ?? 0 });
  return declarations;
}

function functionDeclaration(chunk: Chunk, { name, type }: Declarator, inline: boolean): FunctionDeclaration {
  if (type.kind !== "function") {
    throw new HeaderError(position(name), `${name.text} is a variable, which is not supported in a header`);
  }
  if (type.variadic)
    throw new HeaderError(position(name), `${name.text} takes a variable number of arguments, which is not supported`);
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
