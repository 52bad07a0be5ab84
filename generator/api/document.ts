import type { Length } from "../libraries/library.ts";
import type { StreamMode } from "../names.ts";

/**
 * The API document: everything between `parse/` and `emit/` speaks this. Plain JSON; `document.schema.json` beside this file
 * describes it and tests hold every document to it.
 *
 * Types are C spellings in one normal form (`const CUgraphNode **`, `unsigned int[16]`, `struct CUctx_st *`); `parseType` in
 * `ctype.ts` reads them. Lists are sorted by name, except enum members, fields and parameters, which keep the header's order.
 */
export interface ApiDocument {
  /** CUDA_VERSION of the headers: 1000*major + 10*minor. */
  toolkit: number;
  /** Name of the row in `libraries/`. */
  library: string;
  sources: Source[];
  functions: ApiFunction[];
  aliases: ApiAlias[];
  enums: ApiEnum[];
  records: ApiRecord[];
  handles: ApiHandle[];
  typedefs: ApiTypedef[];
  callbacks: ApiCallback[];
  constants: ApiConstant[];
}

export interface Source {
  name: string;
  /** Of the text with LF line ends and without a byte order mark, so that a CRLF copy is the same toolkit. */
  sha256: string;
}

export type { StreamMode };

/** A variant: one exported function with one signature. */
export interface ApiFunction {
  /** Exported name: `cuMemcpyHtoD_v2_ptds`. */
  name: string;
  /** What get_proc_address_v2 is asked for: `cuMemcpyHtoD`. */
  base: string;
  /** First CUDA version of this variant, for (base, stream mode). null: these headers do not say (see `history`). */
  since: number | null;
  streamMode: StreamMode;
  /** The plain spelling means this variant in these headers, in its stream mode. */
  default: boolean;
  /** Declared only for the library's own build: exported, but no longer for new programs. */
  retired: boolean;
  deprecated: boolean;
  /** Header that declares it. */
  header: string;
  result: string;
  params: ApiParameter[];
}

/** A plain spelling that means a function of another base name: cuGraphInstantiate is cuGraphInstantiateWithFlags from 12.0 on. */
export interface ApiAlias {
  name: string;
  streamMode: StreamMode;
  /** Exported name of the function that is meant. */
  target: string;
}

export interface ApiParameter {
  name: string;
  type: string;
  /**
   * `out`: one value that the function gives; the caller need not have it. `inout`: memory of the caller's that the function
   * writes (and may read): buffers, arrays, the counts of two-call queries, a `void *` that is filled. `in`: all else.
   */
  direction: "in" | "out" | "inout";
  /** C allows NULL here. Absent: no, or not known. */
  nullable?: true;
  /** Name of the parameter that counts this one's elements (for `void *` and text: bytes); it may itself be a pointer to the count. */
  count?: string;
  /** Bytes that the function touches: where no parameter says it, or more than that says. */
  bytes?: number;
  /** Elements that the function touches, where no parameter is their number but some say it. */
  length?: ApiLength;
}

/** As the library's row says it. */
export type ApiLength = Length;

export interface ApiEnum {
  /** First typedef, or the tag. */
  name: string;
  tag: string | null;
  members: { name: string; value: number }[];
}

export interface ApiRecord {
  /** First typedef, or the tag; a nested unnamed one is called after its place: `CUDA_RESOURCE_DESC_v1.res.array`. */
  name: string;
  tag: string | null;
  kind: "struct" | "union";
  size: number;
  align: number;
  fields: ApiField[];
  /** Where 64-bit Windows (LLP64) differs from LP64; absent where it does not. */
  llp64?: { size: number; align: number; fields: { offset: number; size: number }[] };
}

interface ApiField {
  /** "" for an unnamed struct or union member, whose fields are reached as if they were this record's own. */
  name: string;
  type: string;
  /** Bytes. */
  offset: number;
  size: number;
}

/** A pointer to a record that the headers never define. */
export interface ApiHandle {
  name: string;
  tag: string;
}

export interface ApiTypedef {
  name: string;
  type: string;
}

export interface ApiCallback {
  name: string;
  result: string;
  params: { name: string; type: string }[];
}

export interface ApiConstant {
  name: string;
  /** Decimal. */
  value: string;
  /** Of the cast, of the enum, or of the literal as C types it. */
  type: string;
}

/** What the headers declare and the document leaves out, by name, with the reason. */
export interface Omission {
  name: string;
  reason: string;
}
