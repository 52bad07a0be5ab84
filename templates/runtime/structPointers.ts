import { byteLengthOf, isHostMemory } from "./memory.ts";
import type { Struct, StructClass } from "./struct.ts";
import { followed, type Pointed } from "./structLists.ts";
import { littleEndian, recordOver } from "./structMaking.ts";

/** What a pointer field was set to, and which field that is. */
export interface Kept {
  readonly to: Pointed;
  /** The class that has the field. */
  readonly type: StructClass;
  readonly field: string;
  /** Its offset there. */
  readonly at: number;
}

/**
 * What the pointers in one piece of memory were set to, by their offsets: those of the record that owns it, and of the records
 * in it. They keep that alive.
 */
export class Pointers {
  readonly #kept = new Map<number, Kept>();
  readonly #view: DataView;

  /** @param view the whole piece */
  constructor(view: DataView) {
    this.#view = view;
  }

  set(offset: number, kept: Kept): void {
    this.#kept.set(offset, kept);
  }

  delete(offset: number): void {
    this.#kept.delete(offset);
  }

  /** What the pointer at an offset was set to, if it still is. */
  at(offset: number): Pointed | null {
    const to = this.#kept.get(offset)?.to;
    return to?.address === this.#view.getBigUint64(offset, littleEndian) ? to : null;
  }

  /** All from one offset on and before another, as they are now. */
  within(start: number, end: number): [offset: number, kept: Kept][] {
    return [...this.#kept].filter(([offset]) => offset >= start && offset < end);
  }

  /**
   * Those within get the address that their memory has now. `used`: the driver is about to use them.
   * @returns what they keep alive
   * @throws TypeError, RangeError as `repoint` does
   */
  follow(start: number, end: number, used: boolean): Pointed["hold"][] {
    const holds: Pointed["hold"][] = [];
    for (const [offset, kept] of this.#kept) {
      if (offset < start || offset >= end || this.#view.getBigUint64(offset, littleEndian) !== kept.to.address)
        continue;
      const now = followed(kept.to, kept.type.name, kept.field);
      if (used) this.#checkBytes(now, kept, offset - kept.at);
      if (now !== kept.to) {
        this.#checkRoom(now, kept, offset - kept.at);
        this.#view.setBigUint64(offset, now.address, littleEndian);
        this.#kept.set(offset, { ...kept, to: now });
      }
      holds.push(now.hold);
    }
    return holds;
  }

  /** The record at an offset that has a field. */
  #record(type: StructClass, offset: number): Struct {
    const { buffer, byteOffset } = this.#view;
    const place = { buffer: buffer as ArrayBuffer, offset: byteOffset + offset, address: 0, owner: null };
    return recordOver<Struct>(type, place);
  }

  /** @throws RangeError where there are fewer bytes than the other fields of the record at `offset` say are touched */
  #checkBytes({ hold }: Pointed, { type, field }: Kept, offset: number): void {
    const needs = type.$needs?.[field];
    const holds = isHostMemory(hold)
      ? byteLengthOf(hold)
      : hold !== null && "$bytes" in hold
        ? hold.$bytes.length
        : null;
    if (needs === undefined || holds === null) return;
    const needed = needs(this.#record(type, offset));
    if (holds < needed)
      throw new RangeError(`${type.name}: ${field} holds ${holds} bytes, the other fields ask for ${needed}`);
  }

  /** @throws RangeError where less memory is left than the record at `offset`, which has the field, counts */
  #checkRoom({ room }: Pointed, { to, type, field }: Kept, offset: number): void {
    const list = type.$lists?.[field];
    if (list === undefined) {
      if (room > 0 || to.room === 0) return;
      throw new RangeError(`${type.name}: ${field} points to memory that has shrunk to nothing`);
    }
    const count = Number(this.#record(type, offset)[list.count as keyof Struct]);
    if (room < count) {
      throw new RangeError(`${type.name}: ${field} holds ${room} elements, ${list.count} asks for ${count}`);
    }
  }
}
