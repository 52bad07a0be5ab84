import { HeaderError } from "../errors.ts";
import type { ChunkReader, NamedType } from "./reader.ts";
import { readEnum, readRecord } from "./records.ts";
import { position, type Token } from "./scan.ts";
import type { Syntax } from "./syntax.ts";
import { joinSpecifiers, SPECIFIER_WORDS } from "./types.ts";

/** What a `ChunkReader` calls `typeName`. */
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
