// Written by cuda-codegen 0.1.0 into every package, whatever its toolkit. Do not edit: run codegen generate.
import { refuse } from "./frame.ts";
import { Struct, type StructClass } from "./struct.ts";
import { fitting } from "./structArguments.ts";
import { isPlain } from "./structMaking.ts";

/** Value of an enum -> the member of a union that it selects. */
export type MemberTable = Readonly<Record<number, string>>;

/** Type of the member that a value selects; `Whole`, the union, for one that selects none known here. */
export type MemberValue<Members, Selects, Whole> = Selects extends keyof Members ? Members[Selects] : Whole;

/** Looking up what is no number could run code of its own. */
function selectedBy(selects: number, table: MemberTable): string | undefined {
  return typeof selects === "number" ? table[selects] : undefined;
}

/** What a member of a union is; where no member is known, the union. Records are copies. */
export function memberOf(table: MemberTable, selects: number, union: Struct): number | bigint | Struct {
  const member = selectedBy(selects, table);
  const value = member === undefined ? union : (union as unknown as Record<string, number | bigint | Struct>)[member];
  if (!(value instanceof Struct)) return value as number | bigint;
  return new (value.constructor as StructClass)(value);
}

/**
 * A union whose member that a value selects is set, as by setMember. A whole union is passed as it is: the driver may write
 * into it.
 */
export function unionWith<Union extends Struct>(
  table: MemberTable,
  type: StructClass<Union>,
  selects: number,
  value: unknown,
  name: string,
  parameter: string,
): Union {
  if (value instanceof type) return value;
  const union = new type();
  setMember(table, selects, union, value, name, parameter);
  return union;
}

/**
 * Sets the member of a union that a value selects. A whole union or (where no member is known) its fields do too.
 * @throws TypeError, RangeError naming `name` and `parameter` where the value does not fit
 */
export function setMember(
  table: MemberTable,
  selects: number,
  union: Struct,
  value: unknown,
  name: string,
  parameter: string,
): void {
  const member = selectedBy(selects, table);
  if (value instanceof union.constructor) {
    union.$assign(value as Struct);
    return;
  }
  const whole = `a ${union.constructor.name}`;
  if (member === undefined && !isPlain(value)) refuse(name, parameter, `${whole} or its fields`, value);
  if (value === undefined) refuse(name, parameter, `the value of ${member}, or ${whole}`, value);
  const fields = member === undefined ? (value as object) : { [member]: value };
  fitting(name, parameter, () => union.$assign(fields));
}
