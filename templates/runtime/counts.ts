import { refuse, WANTED_MEMORY } from "./frame.ts";
import { byteLengthOf, isHostMemory } from "./memory.ts";
import { Struct } from "./struct.ts";

/** A list that is counted: its parameter, what was passed for it, the bytes of one element, whether it may be NULL beside others. */
type Counted = readonly [parameter: string, value: unknown, size: number, optional?: boolean];

/** How many elements a list has, once it was read; null for NULL, which has none. */
function lengthOf([parameter, value, size]: Counted, name: string, count: string): number | null {
  if (value === null) return null;
  if (Array.isArray(value)) return value.length;
  if (value instanceof Struct) return 1;
  if (isHostMemory(value)) {
    const bytes = byteLengthOf(value);
    if (bytes % size === 0) return bytes / size;
    throw new RangeError(
      `${name}: ${parameter} holds ${bytes} bytes, which are no whole number of elements of ${size}`,
    );
  }
  if (typeof value === "bigint") {
    throw new TypeError(`${name}: ${count} must be given, since ${parameter} is an address`);
  }
  return refuse(name, parameter, size === 1 ? WANTED_MEMORY : `an array, ${WANTED_MEMORY}`, value);
}

/** The count that a program left out: the length of the lists that it counts, which must all be as long. */
export function countOf(name: string, count: string, ...lists: readonly Counted[]): number {
  let found: { parameter: string; length: number } | null = null;
  for (const list of lists) {
    const length = lengthOf(list, name, count);
    if (length === null) continue;
    if (found !== null && found.length !== length) {
      throw new RangeError(
        `${name}: ${found.parameter} has ${found.length} elements and ${list[0]} has ${length}; give ${count}, or lists of one length`,
      );
    }
    found ??= { parameter: list[0], length };
  }
  const absent = lists.find(([, value, , optional]) => value === null && optional !== true);
  if (absent !== undefined && found !== null && found.length > 0) {
    throw new TypeError(
      `${name}: ${absent[0]} must not be null where ${found.parameter} has ${found.length} elements; give ${count}, or a list`,
    );
  }
  return found?.length ?? 0;
}
