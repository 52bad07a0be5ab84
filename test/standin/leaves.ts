/** Every number, handle, pointer and text that a record holds, with its way there in C and in TypeScript. */
import { type ApiType, parseType } from "../../generator/api/ctype.ts";
import type { ApiDocument, ApiRecord } from "../../generator/api/document.ts";
import { resolve } from "./ctext.ts";
import { recordOf, type Scalar, scalarOf, sizeOf } from "./facts.ts";

export interface Leaf {
  record: ApiRecord;
  /** Field names and indices: `["res", "array", "hArray"]`, `["sm", "partitions", 2]`. */
  path: (string | number)[];
  offset: number;
  /** Bytes. */
  size: number;
  scalar: Scalar;
}

/** Records that stand by themselves: a nested one is reached through its owner. */
export function ownRecords(document: ApiDocument): ApiRecord[] {
  return document.records.filter(({ name }) => !name.includes("."));
}

export function leavesOf(document: ApiDocument, record: ApiRecord): Leaf[] {
  function within(type: ApiType, path: Leaf["path"], offset: number): Leaf[] {
    const meant = resolve(document, type);
    if (meant.kind === "array") {
      const size = sizeOf(document, meant.of);
      return Array.from({ length: meant.length ?? 0 }, (_, at) =>
        within(meant.of, [...path, at], offset + at * size),
      ).flat();
    }
    const inner = recordOf(document, meant);
    if (inner !== null) return fields(inner, path, offset);
    const scalar = scalarOf(document, meant);
    if (scalar === null) throw new Error(`${record.name}: ${path.join(".")} is no value`);
    return [{ record, path, offset, size: scalar.bits / 8, scalar }];
  }
  function fields(of: ApiRecord, path: Leaf["path"], base: number): Leaf[] {
    return of.fields.flatMap(({ name, type, offset }) =>
      within(parseType(type), name === "" ? path : [...path, name], base + offset),
    );
  }
  return fields(record, [], 0);
}

/** `r.res.array.hArray`, `r.partitions[2]` */
export function cPath({ path }: Leaf): string {
  return path.reduce<string>((text, step) => (typeof step === "number" ? `${text}[${step}]` : `${text}.${step}`), "r");
}
