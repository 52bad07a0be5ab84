import { f64, putAddress, putMemory, refuse, temporaries } from "./frame.ts";
import type { HostAddress } from "./kinds.ts";
import { allocate, type HostMemory, isHostMemory, MOST_BYTES } from "./memory.ts";
import { repoint, Struct, type StructClass } from "./struct.ts";
import { isRecordOrFields, recordsOver } from "./structMaking.ts";

/**
 * Records side by side in one piece of memory: what a function takes that writes several of them.
 * @param records how many, all zero; or their fields
 */
export function recordArray<Class extends StructClass>(
  type: Class,
  records: number | readonly NonNullable<ConstructorParameters<Class>[0]>[],
): InstanceType<Class>[] {
  if (typeof type !== "function" || !(type.prototype instanceof Struct)) {
    refuse("recordArray", "type", "the class of a record", type);
  }
  const fields = Array.isArray(records) ? records : null;
  const length = fields === null ? records : fields.length;
  if (typeof length !== "number" || !Number.isInteger(length) || length < 0 || length * type.size > MOST_BYTES) {
    refuse("recordArray", "records", "an array, or a number from 0 on", records, "number");
  }
  const made = recordsOver(type, allocate(type.size * length, type.align), length);
  if (fields !== null) for (const [index, record] of made.entries()) record.$assign(fields[index]);
  for (const record of made) rows.set(record, made);
  return made as InstanceType<Class>[];
}

/** The array that a record was made in. Records that were made one by one may lie side by side too, but by chance. */
const rows = new WeakMap<Struct, readonly Struct[]>();

function areSideBySide(records: readonly Struct[], size: number): boolean {
  const [first] = records;
  if (first === undefined || records.length === 1) return true;
  const row = rows.get(first);
  const start = first.$address;
  return (
    row !== undefined &&
    records.every((record, at) => rows.get(record) === row && record.$address === start + BigInt(at * size))
  );
}

/**
 * A record that the driver writes (of `readArray`): its own memory, since what is written into a copy would be lost. `count`: how many it
 * writes, where another parameter says it; several come in an array whose records lie side by side.
 */
export function putFilled(
  slot: number,
  value: Struct | readonly Struct[] | HostMemory | bigint,
  type: StructClass,
  name: string,
  parameter: string,
  count?: number | bigint | null,
): void {
  if (typeof value === "bigint" || isHostMemory(value)) {
    putMemory(slot, value, name, parameter, (count === undefined ? 1 : Number(count)) * type.size);
    return;
  }
  const several = count !== undefined;
  const records: readonly Struct[] = Array.isArray(value) && several ? value : [value as Struct];
  for (const record of records) {
    if (!(record instanceof type)) refuse(name, parameter, wantedToFill(type, several), record);
  }
  if (!areSideBySide(records, type.size)) {
    throw new TypeError(
      `${name}: ${parameter} must be records that lie side by side: recordArray(${type.name}, ${records.length}) makes them`,
    );
  }
  if (records.length < (count === undefined ? 1 : Number(count))) {
    throw new RangeError(`${name}: ${parameter} holds ${records.length} records, ${count} are asked for`);
  }
  if (records.length > 1) temporaries.push(records);
  follow(records, name, parameter, Array.isArray(value));
  if (records[0] === undefined) f64[slot] = 0;
  else putAddress(slot, records[0].$address);
}

function wantedToFill({ name }: StructClass, several: boolean): string {
  const [which, maker] = several
    ? [`a ${name} or an array of them`, `recordArray(${name}, [{ ... }])`]
    : [`a ${name}`, `new ${name}({ ... })`];
  return `${which}, which the driver writes into: ${maker}; or memory, or an address`;
}

/** As putFilled; null is NULL. */
export function putFilledOrNull(
  slot: number,
  value: Struct | readonly Struct[] | HostMemory | bigint | null,
  type: StructClass,
  name: string,
  parameter: string,
  count?: number | bigint | null,
): void {
  if (value === null) f64[slot] = 0;
  else putFilled(slot, value, type, name, parameter, count);
}

/** What a record parameter takes: a record, its fields, memory that holds it, an address. */
export type StructArgument<T extends Struct, Fields> = T | Fields | HostMemory | HostAddress;

/** What a parameter for several records takes: also an array of them. */
export type StructsArgument<T extends Struct, Fields> = StructArgument<T, Fields> | readonly (T | Fields)[];

/** What an argument for records holds once its fields and elements are read. */
type ReadStruct = Struct | readonly Struct[] | HostMemory | bigint;

/** Sets fields from an argument, or reads them: what is wrong with them is wrong with that. `index`: of the element that it is. */
export function fitting<Result>(name: string, parameter: string, set: () => Result, index?: number): Result {
  try {
    return set();
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof RangeError)) throw error;
    const Kind = error instanceof TypeError ? TypeError : RangeError;
    throw new Kind(`${name}: ${placeOf(parameter, index)} does not fit: ${error.message}`, { cause: error });
  }
}

function placeOf(parameter: string, index: number | undefined): string {
  return index === undefined ? parameter : `${parameter}[${index}]`;
}

/** Before the driver reads them: what they point to is where it is now. */
function follow(records: readonly Struct[], name: string, parameter: string, several: boolean): void {
  for (const [index, record] of records.entries())
    fitting(name, parameter, () => record.$use(), several ? index : undefined);
}

/**
 * Reads an argument for a record, or for `several`: fields become records. It runs code of the program's (getters), so it comes
 * before anything is written into the frame.
 */
export function readStruct(
  value: StructsArgument<Struct, object> | null,
  type: StructClass,
  name: string,
  parameter: string,
  several: boolean,
): ReadStruct | null {
  if (value === null || typeof value === "bigint" || isHostMemory(value)) return value;
  const wanted = `a ${type.name} or its fields${several ? ", or an array of those" : ""}`;
  const recordOf = (item: unknown, index?: number): Struct => {
    if (!isRecordOrFields(type, item)) {
      refuse(name, placeOf(parameter, index), index === undefined ? wanted : `a ${type.name} or its fields`, item);
    }
    return item instanceof type ? item : fitting(name, parameter, () => new type(item), index);
  };
  return Array.isArray(value) && several ? Array.from(value, recordOf) : recordOf(value);
}

/** Writes a record parameter. `count`: how many the driver reads, where another parameter says it. */
export function putStruct(
  slot: number,
  value: ReadStruct | null,
  type: StructClass,
  name: string,
  parameter: string,
  count?: number | bigint,
): void {
  if (value === null) refuse(name, parameter, `a ${type.name} or its fields`, value);
  if (typeof value === "bigint" || isHostMemory(value)) {
    putMemory(slot, value, name, parameter, Number(count ?? 1) * type.size);
    return;
  }
  const records = Array.isArray(value) ? (value as readonly Struct[]) : [value as Struct];
  if (records.length < Number(count ?? 1)) {
    throw new RangeError(`${name}: ${parameter} holds ${records.length} records, ${count} are asked for`);
  }
  follow(records, name, parameter, Array.isArray(value));
  temporaries.push(records);
  const [first] = records;
  if (first !== undefined && !Array.isArray(value)) {
    putAddress(slot, first.$address);
    return;
  }
  const memory = allocate(type.size * records.length, type.align);
  const whole = new Uint8Array(memory.buffer, memory.offset, type.size * records.length);
  for (const [index, record] of records.entries()) whole.set(record.$bytes, index * type.size);
  temporaries.push(whole);
  putAddress(slot, memory.address);
}

/** As putStruct; null is NULL. */
export function putStructOrNull(
  slot: number,
  value: ReadStruct | null,
  type: StructClass,
  name: string,
  parameter: string,
  count?: number | bigint,
): void {
  if (value === null) f64[slot] = 0;
  else putStruct(slot, value, type, name, parameter, count);
}

/** A record that is passed by value: itself or its fields, never an address. */
export function putStructValue(
  slot: number,
  value: ReadStruct | null,
  type: StructClass,
  name: string,
  parameter: string,
): void {
  if (typeof value === "bigint" || isHostMemory(value)) refuse(name, parameter, `a ${type.name} or its fields`, value);
  putStruct(slot, value, type, name, parameter);
}

/** As putMemory; what C takes for the pointer may be a small integer, such as a file descriptor, or point to a record. */
export function putMemoryOrNumber(
  slot: number,
  value: number | bigint | HostMemory | Struct,
  name: string,
  parameter: string,
): void {
  if (typeof value === "number" && value >>> 0 === value) {
    putAddress(slot, value);
  } else if (value instanceof Struct) {
    fitting(name, parameter, () => repoint(value));
    putAddress(slot, value.$address);
  } else if (typeof value === "bigint" || isHostMemory(value)) {
    putMemory(slot, value, name, parameter);
  } else {
    refuse(name, parameter, "an integer from 0 to 4294967295, an address, memory or a record", value, "number");
  }
}
