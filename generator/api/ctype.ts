import type { CType, Expression } from "../parse/ast.ts";
import type { ApiCallback } from "./document.ts";

/** A C type as the API document spells it: array lengths are numbers, parameters have no names. */
export type ApiType =
  /** `unsigned int`, `CUstream`, `struct CUctx_st`; an unnamed nested record by its place: `CUDA_RESOURCE_DESC_v1.res`. */
  | { kind: "name"; name: string; const: boolean }
  | { kind: "pointer"; to: ApiType; const: boolean }
  /** `length` null: `T[]`. */
  | { kind: "array"; of: ApiType; length: number | null }
  | { kind: "function"; result: ApiType; params: ApiType[]; variadic: boolean };

/**
 * The normal form: `const CUgraphNode **`, `unsigned int[16]`, `void *const *`, `void (*)(void *)`, `int (*)[4]`.
 * Const of a named type stands on its left, const of a pointer on the right of its star; no parameters is `(void)`.
 */
export function formatType(type: ApiType): string {
  return declare(type, "");
}

/** C's declaration of a name, its type in normal form: `int (*table)[4]`. */
export function formatDeclaration(type: string, name: string): string {
  return declare(parseType(type), name);
}

/** C's prototype in one line, types in normal form: `CUresult cuInit(unsigned int Flags)`, without a name `CUresult (void)`. */
export function prototype({ result, params }: Pick<ApiCallback, "result" | "params">, name = ""): string {
  const list = params.map((param) => formatDeclaration(param.type, param.name)).join(", ");
  return formatDeclaration(result, `${name}(${list === "" ? "void" : list})`);
}

/** C's inside-out rule: `inner` is what is declared so far. */
function declare(type: ApiType, inner: string): string {
  switch (type.kind) {
    case "name": {
      const name = type.const ? `const ${type.name}` : type.name;
      return inner === "" || inner.startsWith("[") ? `${name}${inner}` : `${name} ${inner}`;
    }
    case "pointer": {
      const star = type.const ? "*const" : "*";
      const gap = type.const && /^[*\w]/.test(inner) ? " " : "";
      const pointer = `${star}${gap}${inner}`;
      const grouped = type.to.kind === "array" || type.to.kind === "function" ? `(${pointer})` : pointer;
      return declare(type.to, grouped);
    }
    case "array":
      return declare(type.of, `${inner}[${type.length ?? ""}]`);
    case "function": {
      const params = type.params.map(formatType);
      if (type.variadic) params.push("...");
      return declare(type.result, `${inner}(${params.length === 0 ? "void" : params.join(", ")})`);
    }
  }
}

/** The exact inverse of `formatType`. Throws SyntaxError on anything that is not in normal form's grammar. */
export function parseType(text: string): ApiType {
  const tokens = text.match(/\.\.\.|[A-Za-z_][\w.]*|\d+|[*()[\],]|\S/g) ?? [];
  let at = 0;

  function fail(): never {
    throw new SyntaxError(`"${text}" is not a C type in normal form: trouble at "${tokens[at] ?? "the end"}"`);
  }
  function accept(token: string): boolean {
    if (tokens[at] !== token) return false;
    at++;
    return true;
  }
  function expect(token: string): void {
    if (!accept(token)) fail();
  }

  function type(): ApiType {
    const words: string[] = [];
    let constant = false;
    for (let word = tokens[at]; word !== undefined && /^[A-Za-z_]/.test(word); word = tokens[++at]) {
      if (word === "const") constant = true;
      else words.push(word);
    }
    if (words.length === 0) fail();
    return declarator()({ kind: "name", name: words.join(" "), const: constant });
  }

  /** What the declarator makes of the type on its left. */
  function declarator(): (base: ApiType) => ApiType {
    const stars: boolean[] = [];
    while (accept("*")) stars.push(accept("const"));
    let group = (base: ApiType): ApiType => base;
    if (tokens[at] === "(" && tokens[at + 1] === "*") {
      at++;
      group = declarator();
      expect(")");
    }
    const suffixes: ((base: ApiType) => ApiType)[] = [];
    for (;;) {
      if (accept("[")) {
        let length: number | null = null;
        if (tokens[at] !== "]") length = Number(/^\d+$/.test(tokens[at] ?? "") ? tokens[at++] : fail());
        expect("]");
        suffixes.push((of) => ({ kind: "array", of, length }));
      } else if (accept("(")) {
        const params: ApiType[] = [];
        let variadic = false;
        if (tokens[at] === "void" && tokens[at + 1] === ")") at++;
        else if (tokens[at] !== ")") {
          do {
            if (accept("...")) variadic = true;
            else params.push(type());
          } while (!variadic && accept(","));
        }
        expect(")");
        suffixes.push((result) => ({ kind: "function", result, params, variadic }));
      } else break;
    }
    return (base) => {
      let made = base;
      for (const constant of stars) made = { kind: "pointer", to: made, const: constant };
      for (const suffix of suffixes.reverse()) made = suffix(made);
      return group(made);
    };
  }

  const made = type();
  if (at < tokens.length) fail();
  return made;
}

/** What becomes of the parts of a type. */
interface TypeMapping {
  name(type: ApiType & { kind: "name" }): ApiType;
  /** Array lengths that are still expressions; without it there are none. */
  length?(expression: Expression): number;
  /** A function's parameter, once it is mapped. */
  param?(type: ApiType): ApiType;
}

/** The document's type that a type becomes, part by part; array and function parameters become the pointers that C makes of them. */
export function mapType(type: CType | ApiType, mapping: TypeMapping): ApiType {
  const again = (inner: CType | ApiType) => mapType(inner, mapping);
  switch (type.kind) {
    case "name":
      return mapping.name(type);
    case "pointer":
      return { kind: "pointer", to: again(type.to), const: type.const };
    case "array":
      return { kind: "array", of: again(type.of), length: lengthOf(type.length, mapping) };
    case "function": {
      const params = type.params.map((param) => again("type" in param ? parameterType(param.type) : param));
      return {
        kind: "function",
        result: again(type.result),
        params: mapping.param ? params.map(mapping.param) : params,
        variadic: type.variadic,
      };
    }
  }
}

function lengthOf(length: Expression | number | null, mapping: TypeMapping): number | null {
  if (length === null || typeof length === "number") return length;
  if (mapping.length === undefined) throw new Error("an array's length is not known here");
  return mapping.length(length);
}

/** A parameter of array type is a pointer, one of function type a pointer to it. */
export function parameterType(type: CType): CType {
  if (type.kind === "array") return { kind: "pointer", to: type.of, const: false };
  if (type.kind === "function") return { kind: "pointer", to: type, const: false };
  return type;
}

/** Maps types by replacing names, to the end, by what `meaning` says they stand for; null, or the name itself: it stays. */
export function expander(
  meaning: (name: string) => CType | ApiType | null,
  mapping: Omit<TypeMapping, "name"> = {},
): (type: CType | ApiType) => ApiType {
  const done = new Map<string, ApiType>();
  function expandName(name: string): ApiType {
    const known = done.get(name);
    if (known !== undefined) return known;
    const itself: ApiType = { kind: "name", name, const: false };
    done.set(name, itself);
    const target = meaning(name);
    const made = target === null ? itself : expand(target);
    done.set(name, made);
    return made;
  }
  function expand(type: CType | ApiType): ApiType {
    return mapType(type, {
      ...mapping,
      name: ({ name, const: isConst }) => (isConst ? withConst(expandName(name)) : expandName(name)),
    });
  }
  return expand;
}

/** The type without its own const; what it points to keeps its. */
export function withoutConst(type: ApiType): ApiType {
  return (type.kind === "name" || type.kind === "pointer") && type.const ? { ...type, const: false } : type;
}

/** The type made const: an array through its elements, a function not at all. */
function withConst(type: ApiType): ApiType {
  if (type.kind === "array") return { ...type, of: withConst(type.of) };
  return type.kind === "function" ? type : { ...type, const: true };
}

/** Whether the type itself is const (`const char`, `void *const`). */
export function isConst(type: ApiType): boolean {
  return (type.kind === "name" || type.kind === "pointer") && type.const;
}

/** Every name that the type mentions, in order: `CUresult (*)(CUstream, void *)` gives CUresult, CUstream, void. */
export function typeNames(type: CType | ApiType): string[] {
  switch (type.kind) {
    case "name":
      return [type.name];
    case "pointer":
      return typeNames(type.to);
    case "array":
      return typeNames(type.of);
    case "function":
      return [type.result, ...type.params.map((param) => ("type" in param ? param.type : param))].flatMap(typeNames);
  }
}
