import { type BuiltinType, builtinType, type DataModel } from "../builtins.ts";
import { HeaderError } from "../errors.ts";
import type { CType, Expression, FieldDeclaration, RecordDeclaration } from "../parse/ast.ts";
import { type ConstantValue, evaluate, type Names } from "../parse/evaluate.ts";
import { fits, INT, type IntegerType, LONG, UNSIGNED, UNSIGNED_LONG } from "../parse/integers.ts";
import type { Position } from "../position.ts";
import { type ApiType, formatType, mapType, parseType } from "./ctype.ts";
import { lookUpName, type Scope, whyUnknown } from "./scope.ts";

/** Bytes. */
interface Extent {
  size: number;
  align: number;
}

interface RecordLayout extends Extent {
  /** In the header's order. */
  fields: { offset: number; size: number }[];
}

/** Values and layouts of one scope in one data model. Everything is computed when first asked for, and once. */
export interface Layouts {
  /** Members of an enum in the header's order. */
  members(tag: string): { name: string; value: bigint }[];
  /** A constant expression's value; `position` is where an error points. */
  value(expression: Expression, position: Position): ConstantValue;
  /** An array's length. */
  length(expression: Expression, position: Position): number;
  /** Throws HeaderError for a record that is not defined, contains itself, or holds what we do not know. */
  record(tag: string, position: Position): RecordLayout;
  extent(type: CType, position: Position): Extent;
}

export function layouts(scope: Scope, model: DataModel): Layouts {
  const members = new Map<string, { name: string; value: bigint }[]>();
  const records = new Map<string, RecordLayout | "under way">();
  /** Enum member -> its enum's tag. */
  const owners = new Map<string, string>();
  for (const found of scope.enums.values()) for (const member of found.members) owners.set(member.name, found.tag);
  /** Members of the enum that is being read: C lets them refer to those before them. */
  const known = new Map<string, bigint>();
  const reading = new Set<string>();

  function readEnum(tag: string): { name: string; value: bigint }[] {
    const done = members.get(tag);
    if (done !== undefined) return done;
    const declaration = scope.enums.get(tag);
    if (declaration === undefined) throw new Error(`enum "${tag}" is defined nowhere`);
    if (reading.has(tag)) throw new HeaderError(declaration.position, `enum "${tag}" is used in its own definition`);
    reading.add(tag);
    let next = 0n;
    const values = declaration.members.map((member) => {
      const value = member.value === null ? next : valueAt(member.value, member.position).value;
      next = value + 1n;
      known.set(member.name, value);
      return { name: member.name, value };
    });
    reading.delete(tag);
    members.set(tag, values);
    return values;
  }

  function memberValue(name: string): ConstantValue | undefined {
    const owner = owners.get(name);
    if (owner === undefined) return undefined;
    if (!reading.has(owner)) readEnum(owner);
    const value = known.get(name);
    if (value === undefined) throw new Error(`enum member "${name}" is used before it has a value`);
    const integer = [INT, UNSIGNED, LONG].find((type) => fits(value, type)) ?? UNSIGNED_LONG;
    return { value, integer, type: `enum ${owner}` };
  }

  function namesAt(position: Position): Names {
    return {
      constant: memberValue,
      size: (type) => extent(type, position).size,
      align: (type) => extent(type, position).align,
      cast: (type) => castTarget(scope, type),
    };
  }

  function valueAt(expression: Expression, here: Position): ConstantValue {
    try {
      return evaluate(expression, namesAt(here));
    } catch (error) {
      if (error instanceof HeaderError || !(error instanceof Error)) throw error;
      throw new HeaderError(here, error.message);
    }
  }

  function length(expression: Expression, here: Position): number {
    const { value } = valueAt(expression, here);
    if (value <= 0n || value > 0x7fffffffn) throw new HeaderError(here, `an array cannot have ${value} elements`);
    return Number(value);
  }

  function extent(type: CType, here: Position): Extent {
    switch (type.kind) {
      case "pointer":
        return { size: 8, align: 8 };
      case "array": {
        if (type.length === null) throw new HeaderError(here, "an array without a length has no size");
        const element = extent(type.of, here);
        return { size: bytes(element.size * length(type.length, here), here), align: element.align };
      }
      case "function":
        throw new HeaderError(here, "a function has no size");
      case "name":
        return namedExtent(type.name, here);
    }
  }

  function namedExtent(name: string, here: Position): Extent {
    const found = lookUpName(scope, name);
    if (found === null) throw new HeaderError(here, `the type ${whyUnknown(name)}`);
    switch (found.kind) {
      case "builtin": {
        const size = found.builtin.size[model];
        if (size === 0) throw new HeaderError(here, `"${name}" has no size`);
        return { size, align: size };
      }
      case "typedef":
        return extent(found.typedef.type, here);
      case "external":
        return externalExtent(parseType(found.type), here);
      case "record": {
        const { size, align } = record(found.tag, here);
        return { size, align };
      }
      case "enum": {
        const values = readEnum(found.enum.tag);
        const negative = values.some(({ value }) => value < 0n);
        const fitting = values.every(({ value }) => fits(value, negative ? INT : UNSIGNED));
        if (!fitting) {
          throw new HeaderError(
            found.enum.position,
            `enum "${found.enum.tag}" needs more than 32 bits: compilers differ in its size`,
          );
        }
        return { size: 4, align: 4 };
      }
    }
  }

  function externalExtent(type: ApiType, here: Position): Extent {
    if (type.kind === "pointer") return { size: 8, align: 8 };
    if (type.kind === "name") return namedExtent(type.name, here);
    throw new HeaderError(here, "a type from outside the toolkit is neither a name nor a pointer");
  }

  function record(tag: string, here: Position): RecordLayout {
    const done = records.get(tag);
    const declaration = scope.records.get(tag);
    if (done === "under way") throw new HeaderError(here, `"${tag}" contains itself`);
    if (done !== undefined) return done;
    if (declaration === undefined || declaration.fields === null) {
      throw new HeaderError(here, `"${tag}" is declared but not defined: it has no size`);
    }
    records.set(tag, "under way");
    const made = layOut(declaration, declaration.fields);
    records.set(tag, made);
    return made;
  }

  function layOut(declaration: RecordDeclaration, fields: readonly FieldDeclaration[]): RecordLayout {
    let end = 0;
    let align = alignment(declaration.align, declaration.position);
    const placed = fields.map(({ type, align: own, position }) => {
      // Only the last member of a struct has no length: the parser refuses others.
      const { size, align: natural } =
        type.kind === "array" && type.length === null
          ? { size: 0, align: extent(type.of, position).align }
          : extent(type, position);
      const boundary = Math.max(natural, alignment(own, position));
      align = Math.max(align, boundary);
      const offset = declaration.record === "union" ? 0 : roundUp(end, boundary);
      end = Math.max(end, offset + size);
      return { offset, size };
    });
    return { size: bytes(roundUp(end, align), declaration.position), align, fields: placed };
  }

  /** An `_Alignas` in bytes; 1 where there is none. */
  function alignment(expression: Expression | null, here: Position): number {
    if (expression === null) return 1;
    const { value } = valueAt(expression, here);
    if (value === 0n) return 1;
    if (value < 0n || value > 0x10000000n || (value & (value - 1n)) !== 0n) {
      throw new HeaderError(here, `${value} is no alignment: it must be a power of two`);
    }
    return Number(value);
  }

  return {
    members: readEnum,
    value: valueAt,
    length,
    record,
    extent,
  };
}

/** A size that can be counted; compilers have such a limit too. */
function bytes(size: number, here: Position): number {
  if (size > Number.MAX_SAFE_INTEGER) throw new HeaderError(here, "this is larger than any object can be");
  return size;
}

function roundUp(value: number, boundary: number): number {
  return Math.ceil(value / boundary) * boundary;
}

/** C's integer type of that name on LP64; null: none. */
function integerType(name: string, builtin: BuiltinType | undefined): IntegerType | null {
  if (builtin === undefined || builtin.signed === null) return null;
  return { name, bits: builtin.size.lp64 * 8, signed: builtin.signed };
}

/** The integer that a cast makes of a value; pointers are 64 bits unsigned. The spelling stays what the cast says. */
function castTarget(scope: Scope, type: CType): { integer: IntegerType; type: string } {
  if (type.kind === "pointer")
    return { integer: UNSIGNED_LONG, type: formatType(mapType(type, { name: (named) => named })) };
  if (type.kind !== "name") throw new Error("a constant is cast to an array or a function");
  const found = lookUpName(scope, type.name);
  if (found === null) throw new Error(`the type ${whyUnknown(type.name)}`);
  switch (found.kind) {
    case "builtin": {
      const integer = integerType(type.name, found.builtin);
      if (integer === null) throw new Error(`a constant is cast to "${type.name}", which is no integer`);
      return { integer, type: type.name };
    }
    case "typedef":
      return { integer: castTarget(scope, found.typedef.type).integer, type: type.name };
    case "external": {
      const outside = parseType(found.type);
      return {
        integer:
          outside.kind === "name"
            ? (integerType(outside.name, builtinType(outside.name)) ?? UNSIGNED_LONG)
            : UNSIGNED_LONG,
        type: type.name,
      };
    }
    case "enum":
      return { integer: UNSIGNED, type: type.name };
    case "record":
      throw new Error(`a constant is cast to "${type.name}", which is no integer or pointer`);
  }
}
