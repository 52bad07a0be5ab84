import { HeaderError } from "../errors.ts";
import type { Expression } from "./ast.ts";
import { readExpression } from "./expression.ts";
import { expand, type MacroTable } from "./macros.ts";
import { position, type Token } from "./scan.ts";

/** A value of `#if`: 64 bits wide, signed or not. */
interface Value {
  value: bigint;
  unsigned: boolean;
}

/**
 * Says whether the condition of an `#if` or `#elif` holds.
 * @throws HeaderError where it is no integer expression.
 */
export function holds(tokens: readonly Token[], directive: Token, macros: MacroTable): boolean {
  if (tokens.length === 0) throw new HeaderError(position(directive), `#${directive.text} without a condition`);
  const answered: Token[] = [];
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] as Token;
    if (token.text !== "defined") {
      answered.push(token);
      continue;
    }
    const paren = tokens[index + 1]?.text === "(";
    const name = tokens[index + (paren ? 2 : 1)];
    if (name?.kind !== "identifier" || (paren && tokens[index + 3]?.text !== ")")) {
      throw new HeaderError(position(token), "defined without the name of a macro");
    }
    answered.push({ ...token, kind: "number", text: macros.has(name.text) ? "1" : "0" });
    index += paren ? 3 : 1;
  }
  const expression = readExpression(expand(answered, macros, ""), directive, () => false);
  return evaluate(expression, directive).value !== 0n;
}

function evaluate(expression: Expression, directive: Token): Value {
  switch (expression.kind) {
    case "integer":
      return wrap(expression.value, expression.unsigned);
    case "name":
      return wrap(0n, false);
    case "unary": {
      const { value, unsigned } = evaluate(expression.operand, directive);
      if (expression.operator === "!") return truth(value === 0n);
      if (expression.operator === "~") return wrap(~value, unsigned);
      return wrap(expression.operator === "-" ? -value : value, unsigned);
    }
    case "conditional": {
      const { value } = evaluate(expression.condition, directive);
      return evaluate(value !== 0n ? expression.then : expression.else, directive);
    }
    case "binary":
      return binary(expression, directive);
    default:
      throw new HeaderError(position(directive), `${expression.kind} in the condition of #${directive.text}`);
  }
}

function binary({ operator, left, right }: Expression & { kind: "binary" }, directive: Token): Value {
  const first = evaluate(left, directive);
  if (operator === "&&") return truth(first.value !== 0n && evaluate(right, directive).value !== 0n);
  if (operator === "||") return truth(first.value !== 0n || evaluate(right, directive).value !== 0n);
  const second = evaluate(right, directive);
  if (operator === "<<") return wrap(first.value << (second.value & 63n), first.unsigned);
  if (operator === ">>") return wrap(first.value >> (second.value & 63n), first.unsigned);
  const unsigned = first.unsigned || second.unsigned;
  const a = wrap(first.value, unsigned).value;
  const b = wrap(second.value, unsigned).value;
  switch (operator) {
    case "+":
      return wrap(a + b, unsigned);
    case "-":
      return wrap(a - b, unsigned);
    case "*":
      return wrap(a * b, unsigned);
    case "/":
    case "%":
      if (b === 0n)
        throw new HeaderError(position(directive), `division by zero in the condition of #${directive.text}`);
      return wrap(operator === "/" ? a / b : a % b, unsigned);
    case "&":
      return wrap(a & b, unsigned);
    case "|":
      return wrap(a | b, unsigned);
    case "^":
      return wrap(a ^ b, unsigned);
    case "==":
      return truth(a === b);
    case "!=":
      return truth(a !== b);
    case "<":
      return truth(a < b);
    case ">":
      return truth(a > b);
    case "<=":
      return truth(a <= b);
    default:
      return truth(a >= b);
  }
}

function wrap(value: bigint, unsigned: boolean): Value {
  return { value: unsigned ? BigInt.asUintN(64, value) : BigInt.asIntN(64, value), unsigned };
}

function truth(holds: boolean): Value {
  return { value: holds ? 1n : 0n, unsigned: false };
}
