import { checkText, refuse } from "./frame.ts";
import { allocate, type HostMemory, isHostMemory } from "./memory.ts";
import {
  agreed,
  copyList,
  type ElementKind,
  type ListFields,
  type Pointed,
  type PointerValue,
  pointed,
} from "./structLists.ts";
import { isPlain, recordOver, takePlace } from "./structMaking.ts";

/** The class of a record: its layout stands with it. */
export interface StructClass<T extends Struct = Struct> {
  new (init?: object): T;
  /** Bytes. */
  readonly size: number;
  readonly align: number;
  /** @internal Pointer fields whose elements another field counts. */
  readonly $lists?: ListFields;
}

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
  /** Offset of a pointer field in the owner -> what it was set to. */
  #kept: Map<number, Pointed> | null = null;
  /** Fields are being set from a literal: counts are compared with lists at its end. */
  #inLiteral = false;

  constructor(init?: object) {
    const { size, align } = new.target as unknown as StructClass;
    const place = takePlace();
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

  /**
   * Sets the fields that `init` names. An array sets the field that counts it too; where both are given they must agree.
   * @throws TypeError for a name that is no field; RangeError for an array that is shorter than its count, or than another
   * that the same field counts
   */
  $assign(init: object): this {
    const name = this.constructor.name;
    if (!(init instanceof Struct) && !isPlain(init)) throw new TypeError(`${name}: fields must come as a plain object`);
    if (init instanceof Struct) {
      if (init.constructor !== this.constructor)
        throw new TypeError(`${name}: cannot be set from a ${init.constructor.name}`);
      this.$bytes.set(init.$bytes);
      this.#keepAs(init);
      return this;
    }
    this.#inLiteral = true;
    const set = (this.constructor as unknown as StructClass).$lists === undefined ? null : new Set<string>();
    let wrong: string | null = null;
    try {
      for (const [field, value] of Object.entries(init)) {
        if (!hasSetter(this, field)) throw new TypeError(`${name}: has no field ${JSON.stringify(field)} to set`);
        if (value === undefined) continue;
        (this as unknown as Record<string, unknown>)[field] = value;
        set?.add(field);
      }
    } finally {
      this.#inLiteral = false;
      wrong = set === null ? null : this.#countLists(set);
    }
    if (wrong !== null) throw new RangeError(`${name}: ${wrong}`);
    return this;
  }

  /**
   * Lists that lie in the driver's memory are copied into memory that the record keeps alive, those of the records in it too.
   * Where nobody can tell whether there is a list (a member of a union that nothing selects), the address stays.
   */
  $own(): this {
    return this;
  }

  /** @internal Copies the lists of this very record. */
  protected $ownLists(): void {
    for (const list of Object.values(this.#lists)) {
      const address = this.$view.getBigUint64(list.at, littleEndian);
      if (address === 0n || (this.#pointed(list.at)?.hold ?? null) !== null) continue;
      const copy = copyList(list, address, this.#count(list.count));
      if (copy === null) continue;
      for (const element of copy.elements) if (element instanceof Struct) element.$own();
      this.$view.setBigUint64(list.at, copy.to.address, littleEndian);
      this.#keep(list.at, copy.to);
    }
  }

  /** @internal Copies of the elements that a field points to. */
  protected $elements(field: string): unknown[] {
    const name = this.constructor.name;
    const list = Object.hasOwn(this.#lists, field) ? this.#lists[field] : undefined;
    if (list === undefined) throw new TypeError(`${name}.$list: ${String(field)} is no field that another counts`);
    const address = this.$view.getBigUint64(list.at, littleEndian);
    const count = this.#count(list.count);
    if (address === 0n || count === 0) return [];
    const known = this.#pointed(list.at);
    const copy = known !== null && known.room < count ? null : copyList(list, address, count);
    if (copy === null)
      throw new RangeError(`${name}.$list: ${field} cannot hold ${count} elements, as ${list.count} says`);
    /* What the elements point to lives for as long as they do. */
    for (const [index, element] of copy.elements.entries()) {
      const source = Array.isArray(known?.hold) ? known.hold[index] : known?.hold;
      if (element instanceof Struct && source instanceof Struct) element.#keepAs(source);
    }
    return [...copy.elements];
  }

  get #lists(): ListFields {
    return (this.constructor as unknown as StructClass).$lists ?? {};
  }

  #count(field: string): number {
    return Number((this as unknown as Record<string, number | bigint>)[field]);
  }

  /** What the pointer at `offset` was set to, if it still is. */
  #pointed(offset: number): Pointed | null {
    const owner = this.#owner;
    const kept = owner.#kept?.get(this.#address - owner.#address + offset);
    return kept?.address === this.$view.getBigUint64(offset, littleEndian) ? kept : null;
  }

  /**
   * After fields were set: counts follow lists.
   * @returns why lists and count disagree, after setting the count to what all lists hold; null: they agree
   */
  #countLists(set: ReadonlySet<string>): string | null {
    const lists = Object.entries(this.#lists);
    let wrong: string | null = null;
    for (const count of new Set(lists.map(([, list]) => list.count))) {
      const counted = lists.filter(([, list]) => list.count === count);
      if (!set.has(count) && !counted.some(([field]) => set.has(field))) continue;
      const known = counted.flatMap(([field, list]) => {
        const to = this.#pointed(list.at);
        return to === null ? [] : [{ field, to }];
      });
      const now = this.#count(count);
      const follows = !set.has(count) && known.some(({ field, to }) => to.listed && set.has(field));
      const result = agreed(known, count, follows ? null : now);
      if (result.count !== now) (this as unknown as Record<string, number>)[count] = result.count;
      wrong ??= result.wrong;
    }
    return wrong;
  }

  /** @internal After a field that counts, or that is counted, was set. @throws RangeError where they do not agree */
  protected $counted(field: string): void {
    const wrong = this.#inLiteral ? null : this.#countLists(new Set([field]));
    if (wrong !== null) throw new RangeError(`${this.constructor.name}: ${wrong}`);
  }

  /** @internal A record over a part of this one. */
  protected $part<T extends Struct>(type: StructClass<T>, offset: number): T {
    return recordOver(type, {
      buffer: this.$bytes.buffer as ArrayBuffer,
      offset: this.$bytes.byteOffset + offset,
      address: this.#address + offset,
      owner: this.#owner,
    });
  }

  /** @internal An array of records over a part of this one. */
  protected $parts<T extends Struct>(type: StructClass<T>, offset: number, length: number): readonly T[] {
    return Array.from({ length }, (_, index) => this.$part(type, offset + index * type.size));
  }

  /** Keeps alive what the pointer at `offset` points to, with the record that owns the bytes. */
  #keep(offset: number, to: Pointed): void {
    const owner = this.#owner;
    owner.#kept ??= new Map();
    owner.#kept.set(this.#address - owner.#address + offset, to);
  }

  /** Keeps alive what `other` does: its bytes are these now. null: nothing. */
  #keepAs(other: Struct | null): void {
    const owner = this.#owner;
    const start = this.#address - owner.#address;
    const end = start + this.$bytes.length;
    const theirs = other === null ? [] : [...(other.#owner.#kept ?? [])];
    for (const at of [...(owner.#kept?.keys() ?? [])]) if (at >= start && at < end) owner.#kept?.delete(at);
    if (other === null) return;
    const from = other.#address - other.#owner.#address;
    for (const [at, to] of theirs) {
      if (at >= from && at < from + other.$bytes.length) this.#keep(at - from, to);
    }
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

  /** @internal Field at `offset`: a pointer to nobody knows what, or to text. What it points to is kept alive. */
  protected $setPointer(offset: number, value: bigint | HostMemory | Struct | string | null, field: string): void {
    const target = typeof value === "string" ? cString(value, this.constructor.name, field) : value;
    if (target !== null && typeof target !== "bigint" && !(target instanceof Struct) && !isHostMemory(target)) {
      const wanted = "null, a bigint address, a record, a string, an ArrayBuffer or a view";
      refuse(this.constructor.name, field, wanted, value);
    }
    if (target instanceof Struct) {
      this.#point(offset, {
        address: target.#wideAddress,
        room: Number.POSITIVE_INFINITY,
        listed: false,
        hold: target,
      });
    } else {
      this.#point(offset, pointed(target, null, this.constructor.name, field));
    }
  }

  /** @internal Field at `offset`: a pointer to elements of one kind; null: that the driver writes. They are kept alive. */
  protected $setList(offset: number, value: PointerValue, field: string, kind: ElementKind | null): void {
    this.#point(offset, pointed(value, kind, this.constructor.name, field));
  }

  #point(offset: number, to: Pointed): void {
    this.$view.setBigUint64(offset, to.address, littleEndian);
    this.#keep(offset, to);
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
    if (!(source instanceof Struct)) target.#clear();
    target.$assign(source);
  }

  /** @internal Field: a fixed array of records. */
  protected $setParts(targets: readonly Struct[], sources: readonly object[], field: string): void {
    if (!Array.isArray(sources) || sources.length > targets.length) {
      refuse(this.constructor.name, field, `an array of at most ${targets.length} elements`, sources, "object");
    }
    for (const [index, target] of targets.entries()) {
      target.#clear();
      const source = sources[index];
      if (source !== undefined) target.$assign(source);
    }
  }

  #clear(): void {
    this.$bytes.fill(0);
    this.#keepAs(null);
  }
}

/** Stub. */
export function repoint(_record: Struct): void {}

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
