import { buildDocument } from "../../generator/api/build.ts";
import type { ApiDocument, ApiFunction, ApiRecord, Omission } from "../../generator/api/document.ts";
import { driver } from "../../generator/libraries/driver.ts";
import { parseHeaders } from "../../generator/parse/parse.ts";
import { fetchToolkit } from "../../generator/toolkit/fetch.ts";
import { readHeaders, sha256 } from "../../generator/toolkit/headers.ts";
import type { HeaderText } from "../../generator/toolkit/toolkit.ts";
import { cacheFolder } from "../support/cache.ts";

export interface Read {
  document: ApiDocument;
  omissions: Omission[];
}

/** What stands before the declarations of every header of ours. */
const PRELUDE = `
#define CUDA_VERSION 13000
#ifndef CUDAAPI
#define CUDAAPI
#endif
#if defined(__CUDA_API_VERSION_INTERNAL) || defined(CUDA_API_PER_THREAD_DEFAULT_STREAM)
#define PTSZ(api) api ## _ptsz
#else
#define PTSZ(api) api
#endif
typedef enum cudaError_enum { CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1 } CUresult;
typedef struct CUctx_st *CUcontext;
typedef struct CUstream_st *CUstream;
typedef unsigned long long cuuint64_t;
`;

/** Reads a small header of ours, and typedefs beside it, as if they were cuda.h and cudaTypedefs.h. */
export function read(header: string, typedefs = ""): Read {
  const texts = [
    { name: "cuda.h", text: `${PRELUDE}${header}\n` },
    { name: "cudaTypedefs.h", text: `#include "cuda.h"\n${typedefs}\n` },
  ];
  return build(texts.map(({ name, text }) => ({ name, path: name, text, sha256: sha256(text) })));
}

function build(headers: HeaderText[]): Read {
  const sources = headers.map(({ name, sha256 }) => ({ name, sha256 }));
  return buildDocument(parseHeaders(headers, driver), driver, sources);
}

const releases = new Map<string, Promise<Read>>();

/** A real toolkit's document; its headers come from the cache, or once through pip. */
export function readRelease(release: string): Promise<Read> {
  const known = releases.get(release) ?? fetchAndRead(release);
  releases.set(release, known);
  return known;
}

async function fetchAndRead(release: string): Promise<Read> {
  const { directory } = await fetchToolkit(release, driver, { cache: cacheFolder() });
  return build(readHeaders(directory, driver));
}

export function functionNamed({ document }: Read, name: string): ApiFunction {
  const found = document.functions.find((variant) => variant.name === name);
  if (found === undefined) throw new Error(`no function ${name}`);
  return found;
}

export function recordNamed({ document }: Read, name: string): ApiRecord {
  const found = document.records.find((record) => record.name === name);
  if (found === undefined) throw new Error(`no record ${name}`);
  return found;
}

/** `int a, void * b` */
export function parameters(variant: ApiFunction): string {
  return variant.params.map(({ type, name }) => `${type} ${name}`).join(", ");
}
