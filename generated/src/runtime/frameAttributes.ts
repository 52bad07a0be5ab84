// Written by cuda-codegen 0.1.0 into every package, whatever its toolkit. Do not edit: run codegen generate.
import type { AttributeTable } from "./attributes.ts";
import { bytes, f64, i32, putHandle, putI32, putOut, putU32, putU64, u32, u64 } from "./frame.ts";
import type { Struct } from "./struct.ts";
import { recordFrom } from "./structMaking.ts";

/** Values of attributes that have room in the frame: a few slots. */

/** Room for a value of as many slots. */
export function putAttributeRoom(slot: number, at: number, slots: number): void {
  putOut(slot, at);
  /* Quicker than fill() for the few that they are. */
  for (let index = at + 1; index < at + slots; index++) f64[index] = 0;
}

/** The value that the driver wrote at slot `at`. */
export function readAttribute(table: AttributeTable, attribute: number, at: number): number | bigint | Struct {
  const kind = table[attribute];
  if (kind === "i32") return i32[2 * at] as number;
  if (kind === "u32") return u32[2 * at] as number;
  if (typeof kind !== "function") return u64[at] as bigint;
  return recordFrom(kind, bytes.subarray(8 * at, 8 * at + kind.size));
}

/** Writes the value of an attribute at slot `at`, and the pointer to it. */
export function putAttribute(
  slot: number,
  at: number,
  slots: number,
  table: AttributeTable,
  attribute: number,
  value: unknown,
  name: string,
  parameter: string,
): void {
  putAttributeRoom(slot, at, slots);
  const kind = table[attribute];
  const given = typeof value === "boolean" ? Number(value) : value;
  if (kind === "i32") putI32(at, given as number, name, parameter);
  else if (kind === "u32") putU32(at, given as number, name, parameter);
  else if (kind === "handle") putHandle(at, given as bigint, name, parameter);
  else putU64(at, given as bigint, name, parameter);
}
