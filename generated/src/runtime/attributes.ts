// Written by cuda-codegen 0.1.0 into every package, whatever its toolkit. Do not edit: run codegen generate.
import { bytes, i32, putHandle, putI32, putOut, putU32, putU64, u32, u64 } from "./frame.ts";
import type { Struct, StructClass } from "./struct.ts";

/** C type of an attribute's value: pointers and handles are u64. */
export type AttributeKind = "i32" | "u32" | "u64" | "handle" | StructClass;

/** Attribute -> C type of its value. */
export type AttributeTable = Readonly<Record<number, AttributeKind>>;

/** TypeScript type of an attribute's value; of one that no header names, its 64 bits. */
export type AttributeValue<Types, Attribute> = Attribute extends keyof Types ? Types[Attribute] : bigint;

/** Room for the widest value: two slots. */
export function putAttributeRoom(slot: number, at: number): void {
  putOut(slot, at);
  u32[2 * at + 2] = 0;
  u32[2 * at + 3] = 0;
}

/** The value that the driver wrote at slot `at`. */
export function readAttribute(table: AttributeTable, attribute: number, at: number): number | bigint | Struct {
  const kind = table[attribute];
  if (kind === "i32") return i32[2 * at] as number;
  if (kind === "u32") return u32[2 * at] as number;
  if (kind === undefined || typeof kind === "string") return u64[at] as bigint;
  const record = new kind();
  record.$bytes.set(bytes.subarray(8 * at, 8 * at + kind.size));
  return record;
}

/** Writes the value of an attribute at slot `at`, and the pointer to it. */
export function putAttribute(
  slot: number,
  at: number,
  table: AttributeTable,
  attribute: number,
  value: number | bigint | boolean | Struct,
  name: string,
  parameter: string,
): void {
  putAttributeRoom(slot, at);
  const kind = table[attribute];
  const given = typeof value === "boolean" ? Number(value) : value;
  if (kind === "i32") putI32(at, given as number, name, parameter);
  else if (kind === "u32") putU32(at, given as number, name, parameter);
  else if (kind === "handle") putHandle(at, given as bigint, name, parameter);
  else putU64(at, given as bigint, name, parameter);
}
