/**
 * Types that the signatures are made of, which a program need not name: what is accepted for a record, what an attribute's value
 * is, what a handle is to the compiler. They cannot be imported from the package by name.
 *
 * @module types in signatures
 */
export type * from "../../../generated/dist/attributes.d.ts";
export type { Handle, Kind } from "../../../generated/dist/runtime/kinds.d.ts";
export type { OwnMemory, Piece } from "../../../generated/dist/runtime/memory.d.ts";
export type { StructClass } from "../../../generated/dist/runtime/struct.d.ts";
export type { StructArgument, StructsArgument } from "../../../generated/dist/runtime/structArguments.d.ts";
export type { At, AtMost, Listed, UpTo } from "../../../generated/dist/runtime/versions.d.ts";
export type { Introduced, Variants } from "../../../generated/dist/variants.d.ts";
