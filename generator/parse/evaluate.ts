import type { CType, Expression } from "./ast.ts";
import { type Arithmetic, COMPILED, fits, type IntegerType, wrap } from "./integers.ts";

/** `type` is the C spelling: of the arithmetic, of an enum, or of a cast (`CUstream`, `void *`). */
export interface ConstantValue {
  value: bigint;
  integer: IntegerType;
  type: string;
}

/** What an expression may refer to. All of them throw one-line errors for what they do not know. */
export interface Names {
  /** An enum member or a constant; undefined where there is none. */
  constant(name: string): ConstantValue | undefined;
  size(type: CType): number;
  align(type: CType): number;
  /** What a cast to the type does: its integer type, and how the type is spelled. */
  cast(type: CType): { integer: IntegerType; type: string };
}

/**
 * The value of an integer constant expression, with C's conversions: promotion to int, the usual arithmetic conversions,
 * unsigned wrap-around, shifts in the type of the left operand. Throws Error with a one-line message where there is no value:
 * an unknown name, a division by zero, a shift beyond the width, a signed overflow. What C does not evaluate needs no value.
 * @param arithmetic that the expression was read for.
 */
export function evaluate(expression: Expression, names: Names, arithmetic: Arithmetic = COMPILED): ConstantValue {
  const [int] = arithmetic;
  const unsignedLong = arithmetic.at(-1) as IntegerType;
  const truth = (holds: boolean) => constant(holds ? 1n : 0n, int);
  const promote = (operand: ConstantValue) =>
    operand.integer.bits < int.bits ? constant(operand.value, int) : operand;

  /** @param live false: only the type counts, and 0 stands for what has no value. */
  function visit(inner: Expression, live: boolean): ConstantValue {
    switch (inner.kind) {
      case "integer":
        return constant(inner.value, inner.type);
      case "name": {
        const found = names.constant(inner.name);
        if (found === undefined) throw new Error(`"${inner.name}" is no constant that these headers define`);
        return found;
      }
      case "unary":
        return unary(inner.operator, promote(visit(inner.operand, live)), live);
      case "binary":
        return binary(inner, live);
      case "conditional": {
        const holds = visit(inner.condition, live).value !== 0n;
        const then = promote(visit(inner.then, live && holds));
        const otherwise = promote(visit(inner.else, live && !holds));
        const chosen = holds ? then : otherwise;
        return then.type === otherwise.type ? chosen : constant(chosen.value, common(then.integer, otherwise.integer));
      }
      case "cast": {
        const { integer, type } = names.cast(inner.type);
        const { value } = visit(inner.operand, live);
        const isTruth = integer.name === "_Bool" || integer.name === "bool";
        return { value: isTruth ? truth(value !== 0n).value : wrap(value, integer), integer, type };
      }
      case "sizeof":
        return constant(BigInt(names.size(inner.type)), unsignedLong);
      case "alignof":
        return constant(BigInt(names.align(inner.type)), unsignedLong);
    }
  }

  function unary(operator: "-" | "+" | "~" | "!", { value, integer }: ConstantValue, live: boolean): ConstantValue {
    switch (operator) {
      case "-":
        return result(-value, integer, live);
      case "+":
        return constant(value, integer);
      case "~":
        return constant(~value, integer);
      case "!":
        return truth(value === 0n);
    }
  }

  function binary({ operator, left, right }: Expression & { kind: "binary" }, live: boolean): ConstantValue {
    const first = visit(left, live);
    if (operator === "&&") return truth(first.value !== 0n && visit(right, live).value !== 0n);
    if (operator === "||") return truth(first.value !== 0n || visit(right, live).value !== 0n);

    const a = promote(first);
    const b = promote(visit(right, live));
    if (operator === "<<" || operator === ">>") {
      const { bits } = a.integer;
      if (b.value < 0n || b.value >= BigInt(bits)) {
        return without(`a shift by ${b.value} has no value in ${bits} bits`, a.integer, live);
      }
      // Shifting into the sign bit (1 << 31) is what headers do and every compiler takes: it wraps.
      return constant(operator === "<<" ? a.value << b.value : a.value >> b.value, a.integer);
    }

    const type = common(a.integer, b.integer);
    const x = wrap(a.value, type);
    const y = wrap(b.value, type);
    switch (operator) {
      case "+":
        return result(x + y, type, live);
      case "-":
        return result(x - y, type, live);
      case "*":
        return result(x * y, type, live);
      case "/":
      case "%":
        if (y === 0n) return without("a division by zero has no value", type, live);
        return result(operator === "/" ? x / y : x % y, type, live);
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

  return visit(expression, true);
}

function constant(value: bigint, integer: IntegerType): ConstantValue {
  return { value: wrap(value, integer), integer, type: integer.name };
}

/** A signed result must fit: C leaves an overflow undefined, so we refuse it. */
function result(value: bigint, type: IntegerType, live: boolean): ConstantValue {
  if (type.signed && !fits(value, type)) return without(`the result ${value} does not fit in ${type.name}`, type, live);
  return constant(value, type);
}

/** What has no value is refused where it is evaluated. */
function without(reason: string, type: IntegerType, live: boolean): ConstantValue {
  if (live) throw new Error(reason);
  return constant(0n, type);
}

/** The usual arithmetic conversions: the wider type, and of two equally wide ones the unsigned. */
function common(a: IntegerType, b: IntegerType): IntegerType {
  if (a.bits !== b.bits) return a.bits > b.bits ? a : b;
  if (a.signed !== b.signed) return a.signed ? b : a;
  return a;
}
