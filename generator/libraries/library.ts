/** One row of data describes a library; nothing outside this folder knows the name of a header. */
export interface Library {
  /** Names the row, the history file and the `--library` of the future. */
  name: string;
  /** npm name of the generated package. */
  package: string;
  /** Macro that holds the toolkit's version, as 1000*major + 10*minor. */
  versionMacro: string;
  /** Exported names start so. */
  prefix: string;
  headers: HeaderRow[];
  /** The first header declares at least this many functions in every release; one with fewer is a stub or a hand-made subset. */
  minimumFunctions: number;
  /** NVIDIA's Python wheel that holds the headers; without the `-cu11` or `-cu12` that the older majors append. */
  wheel: string;
  configurations: ConfigurationRow[];
  /** Types that come from headers outside the toolkit. */
  externalTypes: ExternalType[];
  /** Headers that are not the toolkit's own: `#include` of these is passed over. */
  systemHeaders: string[];
  /** Macro that marks a declaration as deprecated. */
  deprecatedMacro: string;
  /** `PFN_` and a version: where `since` comes from. */
  procTypedefPrefix: string;
  /** The status type that every function returns. */
  resultType: string;
  /** Base names of functions for which one result is an answer, not an error. */
  queries: { functions: readonly string[]; result: string; reason: string };
  /** Functions that say in outputs why they failed: base name, those outputs, and on which result, where it is but one. */
  explained: readonly { function: string; parameters: readonly string[]; result?: string; reason: string }[];
  /** Handles of another type that functions take too: base names, the type that is declared, the other. */
  alsoTaken: readonly { functions: readonly string[]; declared: string; type: string; reason: string }[];
  /** Last parameters, which may be NULL, that may be left out. */
  leftOut: readonly { parameter: string; reason: string }[];
  /** Names of integer types that are a kind of their own in TypeScript; the others are plain integers. */
  ownTypes: RegExp;
  /** Fields of records that hold nothing. */
  reservedFields: RegExp;
  /** C's enums of options -> how the package makes options of that kind, and the class of those. */
  options: Readonly<Record<string, OptionRow>>;
  /** Parameters that name a file, which errors name too. */
  paths: readonly string[];
  /** The handle type of streams: what a capturing one is given becomes part of a graph. */
  streamType: string;
  /** Base name of the function that says whether a stream captures. */
  captureStatus: string;
  /** The callback that records hold: the package makes one out of a JavaScript function. */
  hostFunction: string;
  attributes: readonly AttributeRow[];
  attributeLists: readonly AttributeListRow[];
  counters: readonly CounterRow[];
  /** `void *` parameters that may hold a small integer itself, such as a file descriptor. */
  numbersInPointers: readonly { function: string; parameter: string; reason: string }[];
  /** `void *` parameters that are device pointers. */
  deviceAddresses: readonly { parameter: string; function?: string; reason: string }[];
  /** Records of which NULL stands for a list of defaults: it may be NULL beside lists that have elements. */
  optionalLists: readonly { of: string; reason: string }[];
  unions: readonly UnionRow[];
  /** Fields of records that point to several elements. */
  fieldCounts: readonly CountRow[];
  /** Fields of records that point to where the driver writes: an array there would be a copy, and what is written lost. */
  written: readonly FieldRow[];
  /** Fields that point to host memory of a pitched copy, and the side of it: `srcPitch` and its fellows say how much is touched. */
  pitched: readonly (FieldRow & { side: "src" | "dst" })[];
  /** `void *` fields of records that are device pointers, or may be. */
  deviceFields: readonly FieldRow[];
  /** `const void *` fields of records that may be text: its bytes in UTF-8, or UTF-16 with a NUL behind. */
  textFields: readonly (FieldRow & { encoding: "UTF-8" | "UTF-16" })[];
  /** Functions that the fixed runtime wraps by hand: exported names; a base name stands for all its variants. */
  handwritten: Readonly<Record<string, HandwrittenRow>>;
  /** Base names of functions that make the handle that they give, although they are called Get: the others look one up. */
  makers: readonly { function: string; reason: string }[];
  sharedLibrary: { linux: string[]; win32: string[] };
  /** What the rules for directions cannot know. */
  directions: readonly DirectionRow[];
  /** Base names of functions that change the state of the thread that calls them. */
  threadBound: { functions: readonly string[]; reason: string };
  /** Base names of functions whose two calls list no more elements than the first is told: the caller may say how many. */
  limited: readonly { function: string; reason: string }[];
  /** The parameter that holds the arguments of a kernel, in whatever function. */
  kernelParams: string;
  /** Handles for which NULL is a choice in every function that takes them. */
  nullableTypes: readonly { name: string; reason: string }[];
  /** Names in Python's manner that the rules do not give: exported name -> name; a second row gives a second name. */
  pythonNames: readonly NameRow[];
  /** Retired functions that cuda-python offers all the same, under the name that now means another in C. */
  pythonRetired: readonly { function: string; reason: string }[];
}

/** One reviewed exception: overrides what types and comments say of a parameter, or of several of one or more functions. */
export interface DirectionRow {
  /** Exported names without their stream mode; a base name stands for all its variants. */
  function: string | readonly string[];
  /** Each function has each of them. */
  parameter: string | readonly string[];
  direction: "in" | "out" | "inout";
  nullable?: boolean;
  /** null: counted by none, whatever the names suggest. */
  count?: string | null;
  /** Bytes that the function touches: where no parameter says it, or more than that says. */
  bytes?: number;
  /** Elements, where no parameter is their number but some say it. */
  length?: Length;
  reason: string;
}

/** The value of the parameter `of`, less `minus`, or divided by that of the parameter `per` and rounded up. */
export interface Length {
  of: string;
  minus?: number;
  per?: string;
}

/** A function with a form of `generator/emit/handwritten.ts`. */
export interface HandwrittenRow {
  /**
   * - look-up: answers addresses of functions
   * - loader: takes code, or options as names, values and their count
   * - destroy: destroys, unloads or unregisters a handle, which is none afterwards
   * - register, unregister: from the one to the other the driver uses host memory
   */
  form: "look-up" | "loader" | "destroy" | "register" | "unregister";
  /** The handle that is destroyed, where it is not the first parameter. */
  handle?: string;
  /** A destroyed handle is refused wherever it is used, not only where it is destroyed again; costs a look-up at each use. */
  refusedOnUse?: true;
  /** The handle is that of a registered callback, which may be a JavaScript function. */
  callback?: true;
  /** The parameter of a loader that is code, of a length that the driver is not told: text ends in a NUL. */
  code?: string;
  /** The parameter that is memory which is registered. */
  memory?: string;
  /** Every package has it, whatever its toolkit. */
  everywhere?: true;
  reason: string;
}

/** A `void *` parameter that is a value of the type that another parameter, an attribute, decides. */
export interface AttributeRow {
  /** Base name. */
  function: string;
  /** Parameter that points to the value. */
  value: string;
  /** Parameter that says which attribute. */
  attribute: string;
  /** Parameter with the size of the value, where C wants it told. */
  size?: string;
  /**
   * Enum member -> C type of the value; `char[N]`: a text; `int[N]`: as many of N as come before the first `filler`; `int flag`: an
   * int that says yes or no.
   */
  types: Readonly<Record<string, string>>;
  /** What is put behind the last element of a list. */
  filler?: number;
  reason: string;
}

/** A function that gives several attributes at once, each of the type that the function for one of them gives. */
export interface AttributeListRow {
  /** Base name. */
  function: string;
  /** Base name of the function for one. */
  one: string;
  /** Parameters: pointers to the values, which attributes, how many; their sizes, where C wants them told. */
  values: string;
  attributes: string;
  count: string;
  sizes?: string;
  reason: string;
}

/** Where another function says how many elements there are: the caller need not. */
export interface CounterRow {
  /** Base name of the function that lists. */
  function: string;
  /** Base name of the function that counts; what it is given is called as in the other. */
  counter: string;
  /** Parameter that says how many were listed, where fewer can be. */
  listed?: string;
  reason: string;
}

/** A union of which one member is in use: the one that a value of an enum selects. */
export interface UnionRow {
  /** Record whose members share their bytes: a union, or a struct with an unnamed one. */
  union: string;
  /** Enum that selects. */
  by: string;
  /** Field of the same record that holds the selecting value; null: it stands elsewhere. */
  field: string | null;
  /** Enum member -> field of the record. Those that a toolkit lacks are passed over. */
  members: Readonly<Record<string, string>>;
  /** A function that makes a record out of a selecting value (its field `by`) and the member's value (its field `value`). */
  maker?: { name: string; record: string; by: string; value: string };
  reason: string;
}

/** Fields of a record that point to elements, and the field that counts them. */
export interface CountRow {
  /** Name without `_v1`, which stands for all its variants; with the path to it where it is within another. */
  record: string;
  fields: readonly string[];
  count: string;
  reason: string;
}

/** Options of one kind, which a function of the package makes. */
export interface OptionRow {
  maker: string;
  type: string;
  /** The driver writes into their values. */
  answers: boolean;
}

/** A field that points somewhere. */
export interface FieldRow {
  /** Name without `_v1`, which stands for all its variants. */
  record: string;
  field: string;
  reason: string;
}

export interface NameRow {
  function: string;
  name: string;
  reason: string;
}

export interface HeaderRow {
  name: string;
  /** A toolkit without it is no toolkit. */
  required: boolean;
  /** Declares PFN_ typedefs only. */
  typedefs: boolean;
}

export interface ConfigurationRow {
  name: "default" | "perThread" | "internal";
  /** Macros defined before the first line, beside the compiler's own. */
  define: Record<string, string>;
}

export interface ExternalType {
  name: string;
  /** C spelling of what it is: `unsigned int`, `void *`. */
  type: string;
  reason: string;
}
