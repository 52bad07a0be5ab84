/** Fields of records that point to elements which another field counts, from the data rows and the document alone. */
import type { ApiType } from "../../generator/api/ctype.ts";
import type { ApiDocument, ApiRecord } from "../../generator/api/document.ts";
import { driver } from "../../generator/libraries/driver.ts";
import { parseType, resolve } from "./ctext.ts";
import { recordOf, type Scalar, scalarOf, sizeOf } from "./facts.ts";

export interface CountedPointer {
  record: ApiRecord;
  field: string;
  /** Offset of the pointer. */
  at: number;
  /** What it points to: records, or numbers. */
  element: { size: number; record: ApiRecord | null; scalar: Scalar | null };
  count: { field: string; at: number; size: number };
}

/** Those of one record; not those of the records in it. */
export function countedPointers(document: ApiDocument, record: ApiRecord): CountedPointer[] {
  return driver.fieldCounts
    .filter((row) => row.record === record.name.replace(/_v\d+$/i, ""))
    .flatMap((row) =>
      row.fields.map((field): CountedPointer => {
        const pointer = fieldOf(record, field);
        const count = fieldOf(record, row.count);
        const type = resolve(document, parseType(pointer.type));
        if (type.kind !== "pointer") throw new Error(`${record.name}: ${field} is no pointer`);
        return {
          record,
          field,
          at: pointer.offset,
          element: elementOf(document, type.to),
          count: { field: row.count, at: count.offset, size: sizeOf(document, parseType(count.type)) },
        };
      }),
    );
}

function elementOf(document: ApiDocument, target: ApiType): CountedPointer["element"] {
  const size = sizeOf(document, target);
  return { size, record: recordOf(document, resolve(document, target)), scalar: scalarOf(document, target) };
}

function fieldOf(record: ApiRecord, name: string) {
  const found = record.fields.find((field) => field.name === name);
  if (found === undefined) throw new Error(`${record.name} has no ${name}`);
  return found;
}

/** Writes an unsigned number of 4 or 8 bytes. */
export function writeNumber(bytes: Uint8Array, at: number, size: number, value: bigint): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (size === 8) view.setBigUint64(at, value, true);
  else view.setUint32(at, Number(value), true);
}
