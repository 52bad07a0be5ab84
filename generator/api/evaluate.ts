import type { CType, Expression } from "../parse/ast.ts";

/** An integer type as C's arithmetic sees it, on LP64. */
export interface IntegerType {
  name: string;
  bits: number;
  signed: boolean;
}

/** `type` is the C spelling: of the arithmetic, of an enum, or of a cast (`CUstream`, `void *`). */
export interface ConstantValue {
  value: bigint;
  integer: IntegerType;
  type: string;
}

/** What an expression may refer to. Both functions throw one-line errors for what they do not know. */
export interface Names {
  /** An enum member or a constant; undefined where there is none. */
  constant(name: string): ConstantValue | undefined;
  size(type: CType): number;
  align(type: CType): number;
  /** What a cast to the type does: its integer type, and how the type is spelled. */
  cast(type: CType): { integer: IntegerType; type: string };
}

export const INT: IntegerType = { name: "int", bits: 32, signed: true };
export const UNSIGNED: IntegerType = { name: "unsigned int", bits: 32, signed: false };
export const LONG: IntegerType = { name: "long", bits: 64, signed: true };
export const UNSIGNED_LONG: IntegerType = { name: "unsigned long", bits: 64, signed: false };

/** `value` as the type holds it: wrapped around. */
export function wrap(value: bigint, type: IntegerType): bigint {
  return type.signed ? BigInt.asIntN(type.bits, value) : BigInt.asUintN(type.bits, value);
}

/** Whether the type holds it as it is. */
export function fits(value: bigint, type: IntegerType): boolean {
  return wrap(value, type) === value;
}

function constant(value: bigint, integer: IntegerType): ConstantValue {
  return { value: wrap(value, integer), integer, type: integer.name };
}

/**
 * The value of an integer constant expression, with C's conversions: promotion to int, the usual arithmetic conversions,
 * unsigned wrap-around, shifts in the type of the left operand. Throws Error with a one-line message where there is no value:
 * an unknown name, a division by zero, a shift beyond the width, a signed overflow.
 */
export function evaluate(expression: Expression, names: Names): ConstantValue {
  switch (expression.kind) {
    case "integer":
      return literal(expression);
    case "name": {
      const found = names.constant(expression.name);
      if (found === undefined) throw new Error(`"${expression.name}" is no constant that these headers define`);
      return found;
    }
    case "unary":
      return unary(expression.operator, promote(evaluate(expression.operand, names)));
    case "binary":
      return binary(expression.operator, evaluate(expression.left, names), () => evaluate(expression.right, names));
    case "conditional": {
      const chosen = evaluate(expression.condition, names).value !== 0n ? expression.then : expression.else;
      return promote(evaluate(chosen, names));
    }
    case "cast": {
      const { integer, type } = names.cast(expression.type);
      const { value } = evaluate(expression.operand, names);
      const isTruth = integer.name === "_Bool" || integer.name === "bool";
      return { value: isTruth ? truth(value !== 0n).value : wrap(value, integer), integer, type };
    }
    case "sizeof":
      return constant(BigInt(names.size(expression.type)), UNSIGNED_LONG);
    case "alignof":
      return constant(BigInt(names.align(expression.type)), UNSIGNED_LONG);
  }
}

/** The parser gave the literal a type that holds it. */
function literal({ value, unsigned, long }: Expression & { kind: "integer" }): ConstantValue {
  if (long) return constant(value, unsigned ? UNSIGNED_LONG : LONG);
  return constant(value, unsigned ? UNSIGNED : INT);
}

function promote(operand: ConstantValue): ConstantValue {
  return operand.integer.bits < 32 ? constant(operand.value, INT) : operand;
}

/** A signed result must fit: C leaves an overflow undefined, so we refuse it. */
function result(value: bigint, type: IntegerType): ConstantValue {
  if (type.signed && !fits(value, type)) throw new Error(`the result ${value} does not fit in ${type.name}`);
  return constant(value, type);
}

function unary(operator: "-" | "+" | "~" | "!", operand: ConstantValue): ConstantValue {
  switch (operator) {
    case "-":
      return result(-operand.value, operand.integer);
    case "+":
      return constant(operand.value, operand.integer);
    case "~":
      return constant(~operand.value, operand.integer);
    case "!":
      return constant(operand.value === 0n ? 1n : 0n, INT);
  }
}

function truth(value: boolean): ConstantValue {
  return constant(value ? 1n : 0n, INT);
}

function binary(operator: string, left: ConstantValue, right: () => ConstantValue): ConstantValue {
  if (operator === "&&") return truth(left.value !== 0n && right().value !== 0n);
  if (operator === "||") return truth(left.value !== 0n || right().value !== 0n);

  const a = promote(left);
  const b = promote(right());
  if (operator === "<<" || operator === ">>") {
    if (b.value < 0n || b.value >= BigInt(a.integer.bits)) throw new Error(`a shift by ${b.value} has no value in C`);
    // Shifting into the sign bit (1 << 31) is what headers do and every compiler takes: it wraps.
    return constant(operator === "<<" ? a.value << b.value : a.value >> b.value, a.integer);
  }

  const type = common(a.integer, b.integer);
  const x = wrap(a.value, type);
  const y = wrap(b.value, type);
  switch (operator) {
    case "+":
      return result(x + y, type);
    case "-":
      return result(x - y, type);
    case "*":
      return result(x * y, type);
    case "/":
    case "%":
      if (y === 0n) throw new Error("a division by zero has no value");
      return result(operator === "/" ? x / y : x % y, type);
    case "&":
      return constant(x & y, type);
    case "|":
      return constant(x | y, type);
    case "^":
      return constant(x ^ y, type);
    case "==":
      return truth(x === y);
    case "!=":
      return truth(x !== y);
    case "<":
      return truth(x < y);
    case ">":
      return truth(x > y);
    case "<=":
      return truth(x <= y);
    case ">=":
      return truth(x >= y);
    default:
      throw new Error(`the operator "${operator}" is not known in constant expressions`);
  }
}

/** The usual arithmetic conversions: the wider type, and of two equally wide ones the unsigned. */
function common(a: IntegerType, b: IntegerType): IntegerType {
  if (a.bits !== b.bits) return a.bits > b.bits ? a : b;
  if (a.signed !== b.signed) return a.signed ? b : a;
  return a;
}
