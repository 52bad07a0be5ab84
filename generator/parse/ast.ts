/** What one header says in one configuration, as plain data. Everything after `parse/` speaks of declarations, never of syntax nodes. */

import type { Position } from "../position.ts";
import type { IntegerType } from "./integers.ts";

/** A C integer constant expression, kept as a tree: its value may need enum members and record sizes that are known only later. */
export type Expression =
  /** A literal, with the type that C gives it: the first that holds it. */
  | { kind: "integer"; value: bigint; type: IntegerType }
  | { kind: "name"; name: string }
  | { kind: "unary"; operator: "-" | "+" | "~" | "!"; operand: Expression }
  | { kind: "binary"; operator: string; left: Expression; right: Expression }
  | { kind: "conditional"; condition: Expression; then: Expression; else: Expression }
  | { kind: "cast"; type: CType; operand: Expression }
  | { kind: "sizeof"; type: CType }
  | { kind: "alignof"; type: CType };

/**
 * A C type. `name` is a normalised spelling: `unsigned int`, `unsigned long long`, `size_t`, a typedef's name, or `struct T`,
 * `union T`, `enum T` for a tag. A record or enum that is defined without a tag gets a tag of our own from where it stands:
 * the typedef it is defined in (`CUuuid`), or the parent and the field (`CUDA_RESOURCE_DESC_st.res`, an unnamed member by its
 * index: `CUdevResource_st.0`).
 */
export type CType =
  | { kind: "name"; name: string; const: boolean }
  | { kind: "pointer"; to: CType; const: boolean }
  | { kind: "array"; of: CType; length: Expression | null }
  | { kind: "function"; result: CType; params: Parameter[]; variadic: boolean };

export interface Parameter {
  name: string;
  type: CType;
}

/** Facts read off a documentation comment; never its text. */
export interface DocumentationFacts {
  /** Parameter name -> what the comment says of it. A parameter that the comment does not mention is absent. */
  params: Record<string, ParameterFacts>;
  deprecated: boolean;
}

export interface ParameterFacts {
  /** The comment says that the function writes it ("Returned ...", `[out]`, ...). */
  returned: boolean;
  /** The comment says that it is read ("... to set", `[in]`, ...), where it says so plainly. */
  given: boolean;
  /** The comment says that NULL is allowed ("optional", "may be NULL", ...). */
  optional: boolean;
}

export interface FunctionDeclaration {
  kind: "function";
  name: string;
  result: CType;
  params: Parameter[];
  /** Has a body in the header (`static inline`): a helper, not an export. */
  inline: boolean;
  deprecated: boolean;
  documentation: DocumentationFacts | null;
  /** The documentation comment as it stands in the header: for whoever asks for a copy of it, and for nothing else. */
  comment: string | null;
  position: Position;
}

export interface TypedefDeclaration {
  kind: "typedef";
  name: string;
  type: CType;
  position: Position;
}

export interface RecordDeclaration {
  kind: "record";
  record: "struct" | "union";
  /** The tag, or our own name where the header gives none. */
  tag: string;
  anonymous: boolean;
  /** null: declared but not defined (the target of a handle). */
  fields: FieldDeclaration[] | null;
  /** `_Alignas` of the whole record; a field's own stands with the field. */
  align: Expression | null;
  position: Position;
}

export interface FieldDeclaration {
  /** "" for an unnamed struct or union member. */
  name: string;
  type: CType;
  align: Expression | null;
  position: Position;
}

export interface EnumDeclaration {
  kind: "enum";
  tag: string;
  anonymous: boolean;
  members: { name: string; value: Expression | null; position: Position }[];
  position: Position;
}

export type Declaration = FunctionDeclaration | TypedefDeclaration | RecordDeclaration | EnumDeclaration;

/** An object-like macro whose expansion is a constant expression. */
export interface ConstantMacro {
  name: string;
  value: Expression;
  position: Position;
}

/** One configuration of a toolkit's headers, read to the end. */
export interface Translation {
  configuration: string;
  /** In source order, over all headers. */
  declarations: Declaration[];
  /** Object-like macros that are constant expressions, with their last definition, also if undefined again later. */
  constants: ConstantMacro[];
  /** Object-like macros that end in one identifier when fully expanded at the end of the headers: `cuMemAlloc` -> `cuMemAlloc_v2`. */
  aliases: Record<string, string>;
  /** What the library's version macro says: 12040. */
  version: number;
}
