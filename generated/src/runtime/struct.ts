// Written by cuda-codegen 0.1.0 into every package, whatever its toolkit. Do not edit: run codegen generate.
import { checkText, f64, putAddress, putMemory, refuse, temporaries } from "./frame.ts";
import { allocate, type HostMemory, hostAddress, isHostMemory, type Piece } from "./memory.ts";

/** A piece of memory that a record lies over: its own, or a part of another record's. */
interface Place {
  readonly buffer: ArrayBuffer;
  readonly offset: number;
  readonly address: number;
  /** null: the record itself. */
  readonly owner: Struct | null;
}

/** The class of a record: its layout stands with it. */
export interface StructClass<T extends Struct = Struct> {
  new (init?: object): T;
  /** Bytes. */
  readonly size: number;
  readonly align: number;
}

let placeForNext: Place | null = null;

/**
 * A C struct or union over its bytes, in the machine's byte order. Fields are accessors; reserved bytes are zero and have none.
 * A pointer field that is set to memory of JavaScript's keeps that memory alive for as long as the record lives. What is not a
 * field has a name that starts with $, which no C name does.
 */
export abstract class Struct {
  /** The record's bytes; writing to them writes the record. */
  readonly $bytes: Uint8Array;
  /** The same bytes, for reading numbers. */
  protected readonly $view: DataView;
  readonly #address: number;
  readonly #wideAddress: bigint;
  readonly #owner: Struct;
  #kept: Map<number, unknown> | null = null;

  constructor(init?: object) {
    const { size, align } = new.target as unknown as StructClass;
    const place = placeForNext;
    placeForNext = null;
    const { buffer, offset, address } = place ?? allocate(size, align);
    this.$bytes = new Uint8Array(buffer, offset, size);
    this.$view = new DataView(buffer, offset, size);
    this.#address = address;
    this.#wideAddress = BigInt(address);
    this.#owner = place?.owner ?? this;
    if (init !== undefined) this.$assign(init);
  }

  /** Address of the bytes; valid for as long as the record is referenced. */
  get $address(): bigint {
    return this.#wideAddress;
  }

  /** Sets the fields that `init` names. @throws TypeError for a name that is no field. */
  $assign(init: object): this {
    const name = this.constructor.name;
    if (!(init instanceof Struct) && !isPlain(init)) throw new TypeError(`${name}: fields must come as a plain object`);
    if (init instanceof Struct) {
      if (init.constructor !== this.constructor)
        throw new TypeError(`${name}: cannot be set from a ${init.constructor.name}`);
      this.$bytes.set(init.$bytes);
      this.$keep(-1, init);
      return this;
    }
    for (const [field, value] of Object.entries(init)) {
      if (!hasSetter(this, field)) throw new TypeError(`${name}: has no field ${JSON.stringify(field)} to set`);
      if (value !== undefined) (this as unknown as Record<string, unknown>)[field] = value;
    }
    return this;
  }

  /** @internal A record over a part of this one. */
  protected $part<T extends Struct>(type: StructClass<T>, offset: number): T {
    placeForNext = {
      buffer: this.$bytes.buffer as ArrayBuffer,
      offset: this.$bytes.byteOffset + offset,
      address: this.#address + offset,
      owner: this.#owner,
    };
    return new type();
  }

  /** @internal An array of records over a part of this one. */
  protected $parts<T extends Struct>(type: StructClass<T>, offset: number, length: number): readonly T[] {
    return Array.from({ length }, (_, index) => this.$part(type, offset + index * type.size));
  }

  /** @internal Keeps a value alive with the record that owns the bytes. */
  protected $keep(offset: number, value: unknown): void {
    const owner = this.#owner;
    owner.#kept ??= new Map();
    owner.#kept.set(this.#address - owner.#address + offset, value);
  }

  /** @internal Field at `offset`: an unsigned 64-bit integer. */
  protected $setU64(offset: number, value: number | bigint, field: string): void {
    const wide = typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
    if (typeof wide !== "bigint" || BigInt.asUintN(64, wide) !== wide) {
      refuse(this.constructor.name, field, "an integer from 0 to 18446744073709551615", value, "number", "bigint");
    }
    this.$view.setBigUint64(offset, wide, littleEndian);
  }

  /** @internal Field at `offset`: a signed 64-bit integer. */
  protected $setI64(offset: number, value: number | bigint, field: string): void {
    const wide = typeof value === "number" && Number.isSafeInteger(value) ? BigInt(value) : value;
    if (typeof wide !== "bigint" || BigInt.asIntN(64, wide) !== wide) {
      refuse(this.constructor.name, field, "an integer from -2**63 to 2**63 - 1", value, "number", "bigint");
    }
    this.$view.setBigInt64(offset, wide, littleEndian);
  }

  /** @internal Checks an integer field of at most 32 bits. */
  protected $integer(value: number, least: number, most: number, field: string): number {
    if (typeof value !== "number" || !Number.isInteger(value) || value < least || value > most) {
      refuse(this.constructor.name, field, `an integer from ${least} to ${most}`, value, "number");
    }
    return value;
  }

  /** @internal Checks a floating-point field. */
  protected $float(value: number, field: string): number {
    if (typeof value !== "number") refuse(this.constructor.name, field, "a number", value);
    return value;
  }

  /** @internal Field at `offset`: a handle. */
  protected $setHandle(offset: number, value: bigint | null, field: string): void {
    if (value !== null && (typeof value !== "bigint" || BigInt.asUintN(64, value) !== value)) {
      refuse(this.constructor.name, field, "null or a bigint from 0n to 2n**64n - 1n", value, "bigint");
    }
    this.$view.setBigUint64(offset, value ?? 0n, littleEndian);
  }

  /** @internal Field at `offset`: a pointer. What it points to is kept alive. */
  protected $setPointer(offset: number, value: bigint | HostMemory | Struct | string | null, field: string): void {
    if (value === null || typeof value === "bigint") {
      this.$setHandle(offset, value, field);
      this.$keep(offset, null);
      return;
    }
    const target = typeof value === "string" ? cString(value, this.constructor.name, field) : value;
    const address = target instanceof Struct ? target.#wideAddress : isHostMemory(target) ? hostAddress(target) : null;
    if (address === null) {
      refuse(
        this.constructor.name,
        field,
        "null, a bigint address, a record, a string, an ArrayBuffer or a view",
        value,
      );
    }
    this.$view.setBigUint64(offset, BigInt(address), littleEndian);
    this.$keep(offset, target);
  }

  /** @internal A fixed array of numbers over a part of this record. */
  protected $array<T>(
    type: new (buffer: ArrayBuffer, offset: number, length: number) => T,
    offset: number,
    length: number,
  ): T {
    return new type(this.$bytes.buffer as ArrayBuffer, this.$bytes.byteOffset + offset, length);
  }

  /** @internal Field: a fixed array. A shorter source leaves zeros behind it. */
  protected $setArray<T extends number | bigint>(
    target: ArrayLike<T> & { set(source: ArrayLike<T>): void; fill(value: T): unknown },
    source: ArrayLike<T>,
    zero: T,
    field: string,
  ): void {
    if (source === null || typeof source !== "object" || !(source.length <= target.length)) {
      refuse(this.constructor.name, field, `an array of at most ${target.length} elements`, source, "object");
    }
    target.fill(zero);
    target.set(source);
  }

  /** @internal Field: a record within this one. What the new value leaves out is zero. */
  protected $setPart(target: Struct, source: object): void {
    if (!(source instanceof Struct)) target.$bytes.fill(0);
    target.$assign(source);
  }

  /** @internal Field: a fixed array of records. */
  protected $setParts(targets: readonly Struct[], sources: readonly object[], field: string): void {
    if (!Array.isArray(sources) || sources.length > targets.length) {
      refuse(this.constructor.name, field, `an array of at most ${targets.length} elements`, sources, "object");
    }
    for (const [index, target] of targets.entries()) {
      target.$bytes.fill(0);
      const source = sources[index];
      if (source !== undefined) target.$assign(source);
    }
  }

  /** @internal Where the bytes lie. */
  static addressOf(record: Struct): bigint {
    return record.#wideAddress;
  }
}

/** Records that lie side by side in one piece of memory. */
export function recordsOver<T extends Struct>(type: StructClass<T>, piece: Piece, length: number): T[] {
  return Array.from({ length }, (_, index) => {
    const offset = index * type.size;
    placeForNext = {
      buffer: piece.buffer,
      offset: piece.offset + offset,
      address: piece.address + offset,
      owner: null,
    };
    return new type();
  });
}

export const littleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

function hasSetter(record: object, field: string): boolean {
  for (let at = Object.getPrototypeOf(record); at !== null && at !== Struct.prototype; at = Object.getPrototypeOf(at)) {
    const found = Object.getOwnPropertyDescriptor(at, field);
    if (found !== undefined) return found.set !== undefined;
  }
  return false;
}

function cString(value: string, name: string, field: string): Uint8Array {
  checkText(value, name, field);
  return new TextEncoder().encode(`${value}\0`);
}

/** A record that the driver writes: its own memory, since what is written into a copy would be lost. */
export function putFilled(
  slot: number,
  value: Struct | HostMemory | bigint,
  type: StructClass,
  name: string,
  parameter: string,
  count: number | bigint | null = 1,
): void {
  if (typeof value === "bigint" || isHostMemory(value)) {
    putMemory(slot, value, name, parameter, Number(count) * type.size);
  } else {
    if (!(value instanceof type)) refuse(name, parameter, `a ${type.name}, memory or an address`, value);
    if (Number(count) > 1) throw new RangeError(`${name}: ${parameter} holds 1 record, ${count} are asked for`);
    putAddress(slot, Struct.addressOf(value));
  }
}

/** As putFilled; null is NULL. */
export function putFilledOrNull(
  slot: number,
  value: Struct | HostMemory | bigint | null,
  type: StructClass,
  name: string,
  parameter: string,
  count: number | bigint | null = 1,
): void {
  if (value === null) f64[slot] = 0;
  else putFilled(slot, value, type, name, parameter, count);
}

/** What a record parameter takes: a record, its fields, memory that holds it, an address. */
export type StructArgument<T extends Struct, Fields> = T | Fields | HostMemory | bigint;

/** What a parameter for several records takes: also an array of them. */
export type StructsArgument<T extends Struct, Fields> = StructArgument<T, Fields> | readonly (T | Fields)[];

/** Whether fields can come in it: an object as a literal makes it, of any realm. */
export function isPlain(value: unknown): value is object {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/**
 * Writes a record parameter. A record is passed as it is; fields and arrays are copied into records made for the call.
 * `count`: how many the driver reads, where another parameter says it; undefined: one, which does not come in an array.
 */
export function putStruct(
  slot: number,
  value: StructsArgument<Struct, object>,
  type: StructClass,
  name: string,
  parameter: string,
  count?: number | bigint,
): void {
  if (typeof value === "bigint" || isHostMemory(value)) {
    putMemory(slot, value, name, parameter, Number(count ?? 1) * type.size);
    return;
  }
  const items: readonly unknown[] = Array.isArray(value) && count !== undefined ? value : [value];
  for (const item of items) {
    if (!(item instanceof type) && (item instanceof Struct || !isPlain(item))) {
      refuse(
        name,
        parameter,
        `a ${type.name} or its fields${count === undefined ? "" : ", or an array of those"}`,
        item,
      );
    }
  }
  if (items.length < Number(count ?? 1)) {
    throw new RangeError(`${name}: ${parameter} holds ${items.length} records, ${count} are asked for`);
  }
  if (value instanceof Struct) {
    putAddress(slot, Struct.addressOf(value));
    return;
  }
  /* Made before any is copied: a getter may call the driver, and with it use the frame. */
  const records = items.map((item) => (item instanceof type ? item : new type(item as object)));
  const memory = allocate(type.size * items.length, type.align);
  const whole = new Uint8Array(memory.buffer, memory.offset, type.size * items.length);
  for (const [index, record] of records.entries()) whole.set(record.$bytes, index * type.size);
  temporaries.push(whole, records);
  putAddress(slot, memory.address);
}

/** As putStruct; null is NULL. */
export function putStructOrNull(
  slot: number,
  value: StructsArgument<Struct, object> | null,
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
  value: Struct | object,
  type: StructClass,
  name: string,
  parameter: string,
): void {
  if (typeof value === "bigint" || isHostMemory(value)) refuse(name, parameter, `a ${type.name} or its fields`, value);
  putStruct(slot, value, type, name, parameter);
}
