/** Words that cannot name anything in an ES module. */
const RESERVED = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends false " +
    "finally for function if implements import in instanceof interface let new null package private protected public return " +
    "static super switch this throw true try typeof undefined var void while with yield"
  ).split(" "),
);

/** Names that the generated functions use themselves. */
const USED = new Set(
  (
    "attributes bytes call callAsync direct enter enums f32 f64 getString hooks hooked i32 i64 kept list lists native owned readAttribute records " +
    "result retry retryQuery room rooms settled startText textOf total types unhooked u32 u64 BigInt Number"
  ).split(" "),
);

/** A C parameter's name as a TypeScript identifier: the same, unless the language or the generated code needs it. */
export function identifier(name: string): string {
  return RESERVED.has(name) || USED.has(name) || /^(put|enter|plain|enumerate)([A-Z_]|$)/.test(name)
    ? `${name}_`
    : name;
}

/** Whether TypeScript can declare a type, an enum or a constant of this name. */
export function isDeclarable(name: string): boolean {
  return !RESERVED.has(name);
}
