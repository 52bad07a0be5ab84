import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { ApiDocument, Omission } from "../../generator/api/document.ts";
import { driver } from "../../generator/libraries/driver.ts";
import type { HeaderText } from "../../generator/toolkit/toolkit.ts";
import { readDocument } from "../corpus/document.ts";
import { corpusOf } from "../support/corpus.ts";
import { compilePackages, differences } from "./judge.ts";
import { asOfVersion } from "./older.ts";
import { read } from "./outcome.ts";

/** Headers of ours in the manner of toolkits that no wheel has: no list of versions decides how they are read. */
async function headersOf(version: string): Promise<HeaderText[]> {
  const folder = join(import.meta.dirname, "fixtures", version);
  const present = await readdir(folder);
  const rows = driver.headers.filter(({ name }) => present.includes(name));
  return Promise.all(
    rows.map(async ({ name }) => ({
      name,
      path: name,
      text: await readFile(join(folder, name), "utf8"),
      sha256: "0".repeat(64),
    })),
  );
}

function documentOf(headers: HeaderText[]): { document: ApiDocument; omissions: Omission[] } {
  const outcome = read(headers);
  assert.ok(outcome.kind === "document", JSON.stringify(outcome));
  return outcome;
}

/** `cuRoomGet_v2 default (CUdeviceptr * out, size_t in)` */
function functionsOf({ functions }: ApiDocument): string[] {
  return functions.map(({ name, streamMode, default: meant, retired, deprecated, since, params }) => {
    assert.equal(since, null, name);
    const marks = [
      streamMode === "perThread" && "per-thread",
      meant && "default",
      retired && "retired",
      deprecated && "deprecated",
    ];
    return [name, ...marks.filter(Boolean), `(${params.map(({ type }) => type).join(", ")})`].join(" ");
  });
}

test("headers of 8.0: the numbers of the API decide", async () => {
  const headers = await headersOf("8.0");
  const { document, omissions } = documentOf(headers);
  assert.equal(document.toolkit, 8000);
  assert.deepEqual(
    omissions.map(({ name }) => name),
    ["__CUDA_API_VERSION"],
  );
  assert.deepEqual(functionsOf(document), [
    "cuCarry default (CUdeviceptr, CUdeviceptr, size_t)",
    "cuCarry2D default (const CUDA_CARRY2D *)",
    "cuCarry_ptds per-thread default (CUdeviceptr, CUdeviceptr, size_t)",
    "cuGLBuffer default (GLuint, GLenum)",
    "cuGLPaint retired (unsigned int *, CUdevice *, unsigned int)",
    "cuGLPaint_v2 default (unsigned int *, CUdevice *, unsigned int, CUGLlist)",
    "cuHouseOpen default (CUhouse *, CUdevice)",
    "cuLineBatch default (CUstream, unsigned int, CUlineOpParams *, unsigned int)",
    "cuLineQuery default (CUstream)",
    "cuLineQuery_ptsz per-thread default (CUstream)",
    "cuPictureBind2D retired (CUview, const CUDA_PICTURE_v1 *, CUdeviceptr_v1, unsigned int)",
    "cuPictureBind2D_v2 retired (CUview, const CUDA_PICTURE *, CUdeviceptr, size_t)",
    "cuPictureBind2D_v3 default (CUview, const CUDA_PICTURE *, CUdeviceptr, size_t)",
    "cuRoomFill retired (CUdeviceptr_v1, unsigned char, unsigned int)",
    "cuRoomFillAsync retired (CUdeviceptr_v1, unsigned char, unsigned int, CUstream)",
    "cuRoomFillAsync_v2 default (CUdeviceptr, unsigned char, size_t, CUstream)",
    "cuRoomFillAsync_v2_ptsz per-thread default (CUdeviceptr, unsigned char, size_t, CUstream)",
    "cuRoomFill_v2 default (CUdeviceptr, unsigned char, size_t)",
    "cuRoomFill_v2_ptds per-thread default (CUdeviceptr, unsigned char, size_t)",
    "cuRoomGet retired (CUdeviceptr_v1 *, unsigned int)",
    "cuRoomGet_v2 default (CUdeviceptr *, size_t)",
    "cuStart default (unsigned int)",
  ]);
  const get = document.functions.find(({ name }) => name === "cuRoomGet_v2");
  assert.deepEqual(
    get?.params.map(({ direction }) => direction),
    ["out", "in"],
  );
  assert.deepEqual(
    document.enums.map(({ name, members }) => [name, ...members.map((one) => `${one.name}=${one.value}`)].join(" ")),
    [
      "CUGLlist CU_GL_LIST_ALL=1 CU_GL_LIST_NEXT=2",
      "CUlineOp CU_LINE_OP_WAIT=1 CU_LINE_OP_WRITE=2",
      "CUresult CUDA_SUCCESS=0 CUDA_ERROR_INVALID_VALUE=1 CUDA_ERROR_UNKNOWN=999",
      "CUroom_flags CU_ROOM_AUTO=0 CU_ROOM_BLOCK=4 CU_ROOM_WAIT=4 CU_ROOM_FLUSH=1073741824 CU_ROOM_MASK=31",
    ],
  );
  assert.deepEqual(
    document.records.map(({ name, size, align }) => `${name} ${size}/${align}`),
    [
      "CUDA_CARRY2D 48/8",
      "CUDA_CARRY2D_v1 40/8",
      "CUDA_PICTURE 24/8",
      "CUDA_PICTURE_v1 12/4",
      "CUletter 64/1",
      "CUlineOpParams 48/8",
      "CUlineWait_st 32/8",
      "CUlineWait_st.2 8/8",
    ],
  );
  assert.deepEqual(
    document.constants.map(({ name, value, type }) => `${type} ${name}=${value}`),
    [
      "int CUDA_VERSION=8000",
      "void * CU_END=0",
      "int CU_LETTER_SIZE=64",
      "CUstream CU_LINE_OLD=1",
      "CUstream CU_LINE_OWN=2",
      "int CU_ROOM_MAPPED=2",
      "int CU_ROOM_PINNED=1",
    ],
  );
  assert.deepEqual(await differences(headers, document, omissions), []);
});

test("headers of 10.2: deprecations by macro, members after conditionals", async () => {
  const headers = await headersOf("10.2");
  const { document, omissions } = documentOf(headers);
  assert.deepEqual(functionsOf(document), [
    "cuLineAttach default deprecated (CUstream, const CUuuid *)",
    "cuStart default (unsigned int)",
    "cuTapeBegin retired (CUstream)",
    "cuTapeBegin_ptsz per-thread retired (CUstream)",
    "cuTapeBegin_v2 default (CUstream, CUtape_mode)",
    "cuTapeBegin_v2_ptsz per-thread default (CUstream, CUtape_mode)",
  ]);
  assert.deepEqual(
    document.enums.flatMap(({ members }) => members.map(({ name, value }) => `${name}=${value}`)),
    [
      ..."CUDA_SUCCESS=0 CUDA_ERROR_INVALID_VALUE=1 CUDA_ERROR_PROFILER=5 CUDA_ERROR_OLD_NAME=7".split(" "),
      ..."CU_TAPE_GLOBAL=0 CU_TAPE_THREAD=1 CU_TAPE_RELAXED=2".split(" "),
    ],
  );
  assert.deepEqual(await differences(headers, document, omissions), []);
});

test("an API number that a header refuses is an error with its place", async () => {
  const headers = await headersOf("8.0");
  const [first] = headers as [HeaderText];
  const text = first.text.replace(
    "#define OURS_8_0_CUDA_H\n",
    "#define OURS_8_0_CUDA_H\n#define CUDA_FORCE_API_VERSION 4000\n",
  );
  const outcome = read([{ ...first, text }]);
  assert.ok(outcome.kind === "refused");
  assert.match(outcome.message, /^cuda\.h:23:10: .*#error "no such API"/);
});

test("packages of what toolkits from 3.2 on had compile", async () => {
  const [newest] = await corpusOf(["11.7.99"]);
  const { document } = readDocument(newest?.directory ?? "");
  const versions = [3020, 6050, 8000, 9000, 10000, 10020, 11000];
  const samples = versions.map((version) => ({ index: version, document: asOfVersion(document, version) }));
  assert.deepEqual(await compilePackages(samples), { compiled: versions.length, refused: [], errors: [] });
});
