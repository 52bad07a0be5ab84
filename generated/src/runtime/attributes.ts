// Written by cuda-codegen 0.1.0 into every package, whatever its toolkit. Do not edit: run codegen generate.
import type { StructClass } from "./struct.ts";

/**
 * C type of an attribute's value. "u64": a 64-bit integer; "handle": a handle or an address, never a number. A list ends before
 * the first filler.
 */
export type AttributeKind =
  | "bool"
  | "i32"
  | "u32"
  | "u64"
  | "handle"
  | { readonly text: number }
  | { readonly list: number; readonly filler: number }
  | StructClass;

/** Attribute -> C type of its value. */
export type AttributeTable = Readonly<Record<number, AttributeKind>>;

/** TypeScript type of an attribute's value; of one that no header names, its 64 bits or its bytes. */
export type AttributeValue<Types, Attribute, Unknown = bigint> = Attribute extends keyof Types
  ? Types[Attribute]
  : Unknown;

/** TypeScript type of a value that is set: where the attribute is one of several, the value must fit all of them. */
export type GivenValue<Types, Attribute, Unknown = number | bigint> = (
  Attribute extends keyof Types
    ? (value: Types[Attribute]) => void
    : (value: Unknown) => void
) extends (value: infer Value) => void
  ? Value
  : never;

/** The values of several attributes, in their order. */
export type AttributeValues<Types, Attributes extends readonly unknown[], Unknown = bigint> = {
  -readonly [Index in keyof Attributes]: AttributeValue<Types, Attributes[Index], Unknown>;
};
