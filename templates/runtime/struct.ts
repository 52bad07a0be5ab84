import { refuse } from "./frame.ts";
import { allocate, type HostMemory, isHostMemory, type TypedArray } from "./memory.ts";
import { type NumberKind, packedArray } from "./pack.ts";
import type { Needs } from "./pitched.ts";
import { cString, float, handle, integer, wideInteger, wideString } from "./structChecks.ts";
import { hasSetter, plainFields, printed } from "./structFields.ts";
import {
  copyList,
  countLists,
  current,
  type ElementKind,
  type ListFields,
  type Pointed,
  type PointerValue,
  pointed,
} from "./structLists.ts";
import { isPlain, littleEndian, recordOver, takePlace } from "./structMaking.ts";
import { type Kept, Pointers } from "./structPointers.ts";

export { littleEndian };

/** The class of a record: its layout stands with it. */
export interface StructClass<T extends Struct = Struct> {
  new (init?: object): T;
  /** Bytes. */
  readonly size: number;
  readonly align: number;
  /** @internal Pointer fields whose elements another field counts. */
  readonly $lists?: ListFields;
  /** @internal Pointer fields to memory of which the other fields say how much is touched. */
  readonly $needs?: Needs;
}

/**
 * Pointer fields that were set to JavaScript's memory get the address that it has now, in this record, in those within it and
 * in those that it points to. Before each use by the driver: such memory may move, grow, shrink or go.
 * @throws TypeError naming record and field where it is detached; RangeError where it became shorter than what counts it
 */
export function repoint(record: Struct): void {
  record.$repoint();
}

/** The class with the layout of a record: a program's own class may stand before it. */
function layoutOf(type: object): StructClass {
  const base: unknown = Object.getPrototypeOf(type);
  return base === Struct || base === null ? (type as StructClass) : layoutOf(base as object);
}

/** Node's name for a method that says what is printed; its own module would have to be known to every program's compiler. */
const INSPECT = Symbol.for("nodejs.util.inspect.custom");

/**
 * A C struct or union over its bytes, in the machine's byte order. Fields are accessors; reserved bytes are zero and have none,
 * unless there is nothing else.
 * A pointer field that is set to memory of JavaScript's keeps that memory alive for as long as the record lives. What is not a
 * field has a name that starts with $, which no C name does, or one that JavaScript looks for. `Fields`: what it can be set from.
 */
export abstract class Struct<Fields extends object = object> {
  /** The record's bytes; writing to them writes the record. */
  readonly $bytes: Uint8Array;
  /** The same bytes, for reading numbers. */
  protected readonly $view: DataView;
  /** As $bytes, which a program may replace: Object.assign does. */
  readonly #bytes: Uint8Array;
  readonly #address: number;
  readonly #wideAddress: bigint;
  readonly #owner: Struct;
  /** Of an owner: what its pointers and those of its parts were set to. null: none was set to anything that is kept. */
  #pointers: Pointers | null = null;
  /** It is being constructed: nobody else has it, or any part of it, yet. */
  #isNew = false;
  /** Fields are being set from a literal: counts are compared with lists at its end. */
  #inLiteral = false;

  constructor(init?: object) {
    const { size, align } = new.target as unknown as StructClass;
    const place = takePlace(new.target);
    const { buffer, offset, address } = place ?? allocate(size, align);
    this.#bytes = new Uint8Array(buffer, offset, size);
    this.$bytes = this.#bytes;
    this.$view = new DataView(buffer, offset, size);
    this.#address = address;
    this.#wideAddress = BigInt(address);
    this.#owner = place?.owner ?? this;
    if (init === undefined) return;
    this.#isNew = true;
    this.$assign(init as Fields);
    this.#isNew = false;
  }

  /**
   * Address of the bytes; valid for as long as the record is referenced.
   * @throws TypeError where the record was made to show another's bytes, as Object.assign does
   */
  get $address(): bigint {
    if (this.$bytes !== this.#bytes) {
      throw new TypeError(
        `${this.constructor.name}: its $bytes were replaced; set it from another record with $assign`,
      );
    }
    return this.#wideAddress;
  }

  /**
   * Sets the fields that `init` names. An array sets the field that counts it too; where both are given they must agree.
   * @throws TypeError for a name that is no field; RangeError for an array that is shorter than its count, or than another
   * that the same field counts
   */
  $assign(init: this | Fields): this {
    const name = this.constructor.name;
    if (!this.#takes(init)) refuse(name, "fields", `a plain object or a ${name}`, init);
    if (init instanceof Struct) {
      init.$repoint();
      this.$bytes.set(init.$bytes);
      this.#keepAs(init);
      return this;
    }
    this.#inLiteral = true;
    const set = (this.constructor as unknown as StructClass).$lists === undefined ? null : new Set<string>();
    let wrong: string | null = null;
    try {
      const put = (field: string, value: unknown) => {
        if (!hasSetter(this, Struct.prototype, field))
          throw new TypeError(`${name}: has no field ${JSON.stringify(field)} to set`);
        if (value === undefined) return;
        (this as unknown as Record<string, unknown>)[field] = value;
        set?.add(field);
      };
      /* A record in this one may lie over other fields, such as that which says which record it is: those come last. */
      const last: [field: string, value: unknown][] = [];
      for (const [field, value] of Object.entries(init)) {
        if (typeof value === "object" && value !== null) put(field, value);
        else last.push([field, value]);
      }
      for (const [field, value] of last) put(field, value);
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
    this.$repoint();
    return this;
  }

  /** @internal What console.log prints: the fields, those of records in it as deep as other objects are; all members of a union. */
  [INSPECT](): object {
    /* What has nothing but the class of a record has no bytes. */
    return #owner in this ? printed(this, Struct.prototype) : this;
  }

  /**
   * The fields as a plain object, those of records in it too; arrays are arrays, pointers their addresses, 64-bit integers
   * bigints. JSON.stringify, which calls this, throws its own TypeError for those unless a replacer turns them into something.
   */
  toJSON(): Record<string, unknown> {
    return #owner in this ? plainFields(this, Struct.prototype) : {};
  }

  /** @internal As `repoint`, before the driver reads: there must be as much memory as the fields say is touched. */
  $use(): void {
    this.$repoint(undefined, true);
  }

  /** @internal As `repoint`. `at`: no pointer but the one there, and what it leads to. `used`: as `$use`. */
  $repoint(at?: number, used = false): void {
    if (this.#owner.#pointers === null) return;
    const reached = new Set<Struct>();
    this.#follow(reached, used, at);
    /* Grows while it is walked; a record that is reached twice is walked once. */
    for (const record of reached) record.#follow(reached, used);
  }

  /** One record's part of that; those that it points to are added to `reached`. */
  #follow(reached: Set<Struct>, used: boolean, only?: number): void {
    const [start, end] = only === undefined ? [0, this.$bytes.length] : [only, only + 1];
    for (const hold of this.#owner.#pointers?.follow(this.#start + start, this.#start + end, used) ?? []) {
      if (hold instanceof Struct) reached.add(hold);
      else if (Array.isArray(hold)) for (const record of hold) reached.add(record);
    }
  }

  /** @internal Copies the lists of this very record. */
  protected $ownLists(): void {
    for (const [field, list] of Object.entries(this.#lists)) {
      const address = this.$view.getBigUint64(list.at, littleEndian);
      if (address === 0n || this.#pointed(list.at) !== null) continue;
      const copy = copyList(list, address, this.#count(list.count));
      if (copy === null) continue;
      for (const element of copy.elements) if (element instanceof Struct) element.$own();
      this.#point(list.at, copy.to, field);
    }
  }

  /** @internal Copies of the elements that a field points to. */
  protected $elements(field: string): unknown[] {
    const name = this.constructor.name;
    const list = Object.hasOwn(this.#lists, field) ? this.#lists[field] : undefined;
    if (list === undefined) throw new TypeError(`${name}.$list: ${String(field)} is no field that another counts`);
    this.$repoint(list.at);
    const address = this.$view.getBigUint64(list.at, littleEndian);
    const count = this.#count(list.count);
    if (address === 0n || count === 0) return [];
    const known = this.#pointed(list.at);
    const copy = known !== null && known.room < count ? null : copyList(list, address, count);
    if (copy === null)
      throw new RangeError(`${name}.$list: ${field} cannot hold ${count} elements, as ${list.count} says`);
    /* What the elements point to lives for as long as they do. */
    for (const [index, element] of copy.elements.entries()) {
      const source: unknown = Array.isArray(known?.hold) ? known.hold[index] : known?.hold;
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

  /** Offset in its owner. */
  get #start(): number {
    return this.#address - this.#owner.#address;
  }

  /** What the pointer at `offset` was set to, if it still is. */
  #pointed(offset: number): Pointed | null {
    return this.#owner.#pointers?.at(this.#start + offset) ?? null;
  }

  /** As `countLists`, of this record. */
  #countLists(set: ReadonlySet<string>): string | null {
    return countLists(this, this.#lists, set, (at) => this.#pointed(at));
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

  /** What its pointers, and those of its parts, were set to. */
  get #kept(): readonly (readonly [at: number, kept: Kept])[] {
    const start = this.#start;
    const kept = this.#owner.#pointers?.within(start, start + this.$bytes.length) ?? [];
    return kept.map(([offset, to]) => [offset - start, to]);
  }

  /** Keeps alive what `other` does: its bytes are these now. null: nothing. */
  #keepAs(other: Struct | null): void {
    const theirs = other === null ? [] : other.#kept;
    for (const [at] of this.#kept) this.#owner.#pointers?.delete(this.#start + at);
    for (const [at, kept] of theirs) this.#keeping.set(this.#start + at, kept);
  }

  get #keeping(): Pointers {
    this.#owner.#pointers ??= new Pointers(this.#owner.$view);
    return this.#owner.#pointers;
  }

  /** @internal Field at `offset`: an unsigned 64-bit integer. */
  protected $setU64(offset: number, value: number | bigint, field: string): void {
    this.$view.setBigUint64(offset, wideInteger(value, false, this.constructor.name, field), littleEndian);
  }

  /** @internal Field at `offset`: a signed 64-bit integer. */
  protected $setI64(offset: number, value: number | bigint, field: string): void {
    this.$view.setBigInt64(offset, wideInteger(value, true, this.constructor.name, field), littleEndian);
  }

  /** @internal Checks an integer field of at most 32 bits. */
  protected $integer(value: number, least: number, most: number, field: string): number {
    return integer(value, least, most, this.constructor.name, field);
  }

  /** @internal Checks a floating-point field. */
  protected $float(value: number, bits: 32 | 64, field: string): number {
    return float(value, bits, this.constructor.name, field);
  }

  /** @internal Field at `offset`: a handle. */
  protected $setHandle(offset: number, value: bigint | null, field: string): void {
    this.$view.setBigUint64(offset, handle(value, this.constructor.name, field), littleEndian);
  }

  /** @internal Field at `offset`: a pointer to what is only read, which may be text; `wide`: in UTF-16. It is kept alive. */
  protected $setText(
    offset: number,
    value: bigint | HostMemory | Struct | string | null,
    field: string,
    wide = false,
  ): void {
    const encode = wide ? wideString : cString;
    const target = typeof value === "string" ? encode(value, this.constructor.name, field) : value;
    this.$setPointer(offset, target, field, "a string, ");
  }

  /** @internal Field at `offset`: a pointer to nobody knows what. What it points to is kept alive. */
  protected $setPointer(offset: number, target: bigint | HostMemory | Struct | null, field: string, more = ""): void {
    if (target !== null && typeof target !== "bigint" && !(target instanceof Struct) && !isHostMemory(target)) {
      refuse(this.constructor.name, field, `null, a bigint address, a record, ${more}an ArrayBuffer or a view`, target);
    }
    if (target instanceof Struct) {
      const to = {
        address: target.#wideAddress,
        room: Number.POSITIVE_INFINITY,
        listed: false,
        hold: target,
        element: 0,
      };
      this.#point(offset, to, field);
    } else {
      this.#point(offset, pointed(target, null, this.constructor.name, field), field);
    }
  }

  /** @internal Field at `offset`: a pointer to elements of one kind; null: that the driver writes. They are kept alive. */
  protected $setList(offset: number, value: PointerValue, field: string, kind: ElementKind | null): void {
    this.#point(offset, pointed(value, kind, this.constructor.name, field), field);
  }

  #point(offset: number, to: Pointed, field: string): void {
    const before = to.hold === null ? this.#pointed(offset) : null;
    /* The address that is there already: so is what lies there, as long as it does. */
    const same = before !== null && current(before)?.address === to.address;
    const now = same ? { ...before, listed: false } : to;
    this.$view.setBigUint64(offset, now.address, littleEndian);
    const type = layoutOf(this.constructor);
    if (now.hold === null) this.#owner.#pointers?.delete(this.#start + offset);
    else this.#keeping.set(this.#start + offset, { to: now, type, field, at: offset });
  }

  /** @internal A fixed array of numbers over a part of this record. */
  protected $array<T>(
    type: new (buffer: ArrayBuffer, offset: number, length: number) => T,
    offset: number,
    length: number,
  ): T {
    return new type(this.$bytes.buffer as ArrayBuffer, this.$bytes.byteOffset + offset, length);
  }

  /** @internal Field: a fixed array. A shorter source leaves zeros behind it, unless it must be the `whole`. */
  protected $setArray(
    target: TypedArray,
    source: ArrayLike<unknown>,
    kind: NumberKind,
    field: string,
    whole = false,
  ): void {
    const copy = packedArray(source, kind, target.length, this.constructor.name, field);
    if (whole && copy.length !== target.length) {
      throw new RangeError(
        `${this.constructor.name}: ${field} must have ${target.length} elements, not ${copy.length}`,
      );
    }
    new Uint8Array(target.buffer, target.byteOffset, target.byteLength).fill(0);
    (target as Uint8Array).set(copy as Uint8Array);
  }

  /** Whether fields can come from it. */
  #takes(source: unknown): boolean {
    return isPlain(source) || (source instanceof Struct && source.constructor === this.constructor);
  }

  /** @internal Field: a record within this one. What the new value leaves out is zero. */
  protected $setPart(target: Struct, source: object, field: string): void {
    if (!target.#takes(source)) {
      refuse(this.constructor.name, field, `a ${target.constructor.name} or its fields`, source);
    }
    if (!isPlain(source)) {
      target.$assign(source);
      return;
    }
    if (target.#owner.#isNew) {
      target.#clear().$assign(source);
      return;
    }
    /* The fields may be parts of the record itself: they are read before it changes. */
    target.$assign(target.#another(source));
  }

  /** @internal Field: a fixed array of records. */
  protected $setParts(targets: readonly Struct[], sources: readonly object[], field: string): void {
    if (!Array.isArray(sources) || sources.length > targets.length) {
      refuse(this.constructor.name, field, `an array of at most ${targets.length} elements`, sources, "object");
    }
    /* As above: all are read before any changes. */
    const given = targets.map((target, index) => {
      const source = sources[index];
      if (source !== undefined && !target.#takes(source)) {
        refuse(this.constructor.name, `${field}[${index}]`, `a ${target.constructor.name} or its fields`, source);
      }
      return source === undefined || target.#owner.#isNew ? source : target.#another(source);
    });
    for (const [index, target] of targets.entries()) {
      target.#clear();
      const source = given[index];
      if (source !== undefined) target.$assign(source);
    }
  }

  /** A record of the same class. */
  #another(init: object): Struct {
    return new (this.constructor as unknown as StructClass)(init);
  }

  #clear(): this {
    this.$bytes.fill(0);
    this.#keepAs(null);
    return this;
  }
}
