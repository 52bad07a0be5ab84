import type { ApiDocument, ApiFunction } from "../api/document.ts";
import type { HandwrittenRow, Library } from "../libraries/library.ts";
import type { Lowered, PlannedParameter } from "./roles.ts";
import type { Meaning, TypeIndex } from "./types.ts";

/* What `plan` decides, and all files of the package are written from. */

/** A callback parameter that may be a JavaScript function. */
export interface HookUse {
  hook: Hook;
  callback: PlannedParameter;
  /** Parameter that C hands back to a queued hook. */
  data: PlannedParameter | null;
  /**
   * Registered: called until a handle that the function returns is given back. Once: when the work of a stream gets to it.
   * Finally: once too, but only when an object ends, which no work of a stream leads to.
   */
  life: "once" | "registered" | "finally";
  /** The stream whose capture would make a call of it part of a graph. */
  stream: PlannedParameter | null;
}

export interface PlannedFunction {
  /** The addon's number for it. */
  index: number;
  api: ApiFunction;
  /** Its TypeScript name: the exported name, unless the plain spelling means another variant. */
  identifier: string;
  params: PlannedParameter[];
  /** Index into `Plan.signatures`. */
  signature: number;
  /** The result that is an answer here ("not ready"), not an error; null: none. */
  query: number | null;
  /** Outputs that say why it failed, and on which result (null: on any); null: none does. */
  explained: { parameters: readonly string[]; errno: number | null } | null;
  /** The parameter that names a file, for errors. */
  path: string | null;
  comfort: Comfort | null;
  hook: HookUse | null;
  handwritten: HandwrittenRow | null;
  /** The handle that this function destroys. */
  destroys: PlannedParameter | null;
  /** The function whose parameters are the very same, in the other stream mode; its encoder serves both. */
  twin: PlannedFunction | null;
}

/** Everything that the files of the package say, decided. */
export interface Plan {
  library: Library;
  document: ApiDocument;
  types: TypeIndex;
  functions: PlannedFunction[];
  /** Distinct lowered signatures. */
  signatures: Lowered[][];
  /** Callbacks that can be JavaScript functions. */
  hooks: Hook[];
  /** Plain spelling -> identifier of the function it means, for the legacy mode. */
  plain: Map<string, string>;
  /** Exported name -> text of the header's comment that is to be copied. */
  comments: ReadonlyMap<string, string>;
}

/**
 * A comfortable form over the plain one: lists and texts that the driver fills are returned.
 * - enumerate: two calls, one for the count and one for the lists
 * - collect: lists whose length is known before the call
 * - text: a text whose room the caller says
 */
export interface Comfort {
  kind: "enumerate" | "collect" | "text";
  /** Parameters that hold the lists or the text, each with what one element is. */
  lists: { param: PlannedParameter; of: Meaning }[];
  length: Length;
  /** What is not returned, since it only counts. */
  notReturned: PlannedParameter[];
  /** The caller may say how many elements there are to be at most. */
  limited: boolean;
  /** Parameter that says how many elements there are after the call, where fewer than there is room for can be. */
  listed: PlannedParameter | null;
}

/** Where the number of elements comes from. */
export type Length =
  /** A parameter, passed by the caller, of as many bits; `behind`: a pointer to it. */
  | { kind: "parameter"; param: PlannedParameter; bits: number; behind: boolean }
  /** Another function, which takes the arguments of these names; the count goes into a parameter. */
  | { kind: "function"; name: string; args: string[]; param: PlannedParameter }
  /** An expression of arguments, the first of which is wrong where it is. */
  | { kind: "computed"; expression: string; of: string };

/**
 * A C callback that may be a JavaScript function.
 * - queued: called on a thread of the driver's; the function runs later, on the thread that made it
 * - direct: called during a call, on the thread that makes it; the function's result goes back to C
 */
export interface Hook {
  /** The addon's number for it. */
  index: number;
  name: string;
  kind: "queued" | "direct";
  params: HookParameter[];
  /** Index of the parameter that C hands back as it was given; -1 for a direct hook. */
  data: number;
}

export interface HookParameter {
  name: string;
  /** What it is in JavaScript. */
  meaning: Meaning;
  /** How it lies in its slot, and crosses in C. */
  slot: HookSlot;
  /** What it points to is the driver's, and gone when the callback returns: copied behind the slots. At most one in a hook is. */
  copy: HookCopy | null;
  /** Given to the JavaScript function. */
  given: boolean;
}

export type HookSlot = "i8" | "u8" | "i16" | "u16" | "i32" | "u32" | "i64" | "u64" | "f32" | "f64" | "pointer";

/** A record, or a text whose length in bytes another parameter says. */
export type HookCopy = { kind: "record"; record: string; size: number } | { kind: "text"; length: number };

/** First CUDA version of a function; the toolkit's own where nothing says. */
export function sinceOf({ api }: PlannedFunction, { document }: Plan): number {
  return api.since ?? document.toolkit;
}
