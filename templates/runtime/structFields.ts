import { inspect } from "node:util";
import type { Struct } from "./struct.ts";

/* Fields of a record by name. `base`: the prototype of Struct, which has none. */

export function hasSetter(record: Struct, base: object, field: string): boolean {
  for (let at = Object.getPrototypeOf(record); at !== null && at !== base; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, field);
    if (found !== undefined) return found.set !== undefined;
  }
  return false;
}

/** Every field that C has, with its value. What a program's own class adds to a record's, or replaces, is not run. */
function fieldsOf(record: Struct, base: object): [name: string, value: unknown][] {
  let layout: object | null = null;
  for (let at = Object.getPrototypeOf(record); at !== null && at !== base; at = Object.getPrototypeOf(at)) layout = at;
  return Object.entries(Object.getOwnPropertyDescriptors(layout ?? {})).flatMap(([name, { get, set }]) =>
    get === undefined || set === undefined ? [] : [[name, Reflect.apply(get, record, [])]],
  );
}

/** What is printed for a record: an object of its class that has the fields as properties, and no way of its own to be printed. */
export function printed(record: Struct, base: object): object {
  const properties = fieldsOf(record, base).map(([name, value]) => [name, { value, enumerable: true }]);
  return Object.create(Object.getPrototypeOf(record), {
    ...Object.fromEntries(properties),
    [inspect.custom]: { value: undefined },
  });
}

/** The fields as a plain object, those of records in it too; arrays as such. */
export function plainFields(record: Struct, base: object): Record<string, unknown> {
  const plain = (value: unknown): unknown => {
    if (ArrayBuffer.isView(value)) return Array.from(value as Uint8Array);
    if (Array.isArray(value)) return value.map(plain);
    return typeof value === "object" ? plainFields(value as Struct, base) : value;
  };
  return Object.fromEntries(fieldsOf(record, base).map(([name, value]) => [name, plain(value)]));
}
