// Written by cuda-codegen 0.1.0 into every package, whatever its toolkit. Do not edit: run codegen generate.
/** A <= B for versions as literals, decided by the compiler. A negative B asks for the newest: everything is at most that. */
export type AtMost<A extends number, B extends number> = `${B}` extends `-${string}`
  ? true
  : InOrder<Padded<`${A}`>, Padded<`${B}`>>;

type Padded<S extends string> = S extends `${infer _0}${infer _1}${infer _2}${infer _3}${infer _4}${infer Rest}`
  ? Rest extends ""
    ? S
    : "99999"
  : Padded<`0${S}`>;

type InOrder<A extends string, B extends string> = A extends `${infer X}${infer RestA}`
  ? B extends `${infer Y}${infer RestB}`
    ? X extends Y
      ? InOrder<RestA, RestB>
      : "0123456789" extends `${string}${X}${string}${Y}${string}`
        ? true
        : false
    : false
  : true;

/** The variants of one symbol: [since, function], newest first. */
interface SymbolVariants {
  readonly legacy: readonly (readonly [since: number, type: unknown])[];
  readonly perThread: readonly (readonly [since: number, type: unknown])[];
}

/**
 * The function that a look-up at a version gives; never where there is none yet. For several versions the union of theirs, for a
 * version unknown to the compiler that of all.
 */
export type At<List, Version extends number> = number extends Version
  ? List extends readonly (readonly [number, infer Type])[]
    ? Type
    : never
  : Version extends unknown
    ? AtOne<List, Version>
    : never;

type AtOne<List, Version extends number> = List extends readonly [
  readonly [infer Since extends number, infer Type],
  ...infer Older,
]
  ? AtMost<Since, Version> extends true
    ? Type
    : AtOne<Older, Version>
  : never;

/** The list that the flags choose: with the per-thread flag the per-thread variants, where there are any. */
export type Listed<Variants extends SymbolVariants, Flags extends number | bigint> = Flags extends 2 | 3 | 2n | 3n
  ? Variants["perThread"] extends readonly []
    ? Variants["legacy"]
    : Variants["perThread"]
  : Variants["legacy"];

type Both<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** From interfaces by version: everything that exists at a version; of one that the compiler does not know, what may exist. */
export type UpTo<Introduced, Version extends number> = number extends Version
  ? Partial<UpToKnown<Introduced, -1>>
  : UpToKnown<Introduced, Version>;

type UpToKnown<Introduced, Version extends number> = Both<
  | object
  | {
      [Since in keyof Introduced & number]: AtMost<Since, Version> extends true ? Introduced[Since] : never;
    }[keyof Introduced & number]
>;
