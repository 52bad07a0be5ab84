import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import type { ApiDocument, Omission } from "../../generator/api/document.ts";
import { corpusOf } from "../support/corpus.ts";
import { compare } from "./compare.ts";
import { compile, hasWindowsCompiler } from "./compilers.ts";
import { readDocument } from "./document.ts";
import { type Judgements, judgements } from "./judges.ts";

/** Judges that never object prove nothing: each wrong claim must be seen by every judge that can know. */
const onWindows = (await hasWindowsCompiler()) ? ["mingw-w64 C11"] : [];

describe("the judges of headers", () => {
  let directory = "";
  let right: ApiDocument;
  let omissions: Omission[] = [];
  let judged: Judgements;

  before(async () => {
    directory = (await corpusOf(["13.0.96"]))[0]?.directory ?? "";
    ({ document: right, omissions } = readDocument(directory));
    judged = await judgements(directory);
  });

  /** Names of the judges that object to the document once `spoil` has been at it. */
  async function objectors(spoil: (document: ApiDocument) => void): Promise<string[]> {
    const wrong = structuredClone(right);
    spoil(wrong);
    assert.notDeepEqual(wrong, right);
    const refused = {
      castxml: compare(wrong, omissions, judged).differences,
      ...(await compile(wrong, directory, judged)),
    };
    return Object.entries(refused).flatMap(([judge, lines]) => (lines.length > 0 ? [judge] : []));
  }

  function named<T extends { name: string }>(items: readonly T[], name: string): T {
    const found = items.find((item) => item.name === name);
    assert.ok(found, name);
    return found;
  }

  const all = ["castxml", "gcc C11", "g++ C++17", "clang C11", "clang C++17"];
  /** Who sees types and values; on Windows prototypes are not asked for. */
  const layouts = [...all, ...onWindows];
  const cases: [what: string, judges: string[], spoil: (document: ApiDocument) => void][] = [
    [
      "an enum value",
      layouts,
      ({ enums }) => {
        named(named(enums, "CUresult").members, "CUDA_ERROR_FILE_NOT_FOUND").value = 302;
      },
    ],
    [
      "a lost enum member",
      ["castxml"],
      ({ enums }) => {
        named(enums, "CUresult").members.pop();
      },
    ],
    [
      "a size",
      layouts,
      ({ records }) => {
        named(records, "CUDA_MEMCPY3D_v2").size = 208;
      },
    ],
    [
      "an alignment",
      layouts,
      ({ records }) => {
        named(records, "CUtensorMap").align = 64;
      },
    ],
    [
      "an offset",
      layouts,
      ({ records }) => {
        named(named(records, "CUDA_MEMCPY3D_v2").fields, "srcHost").offset += 8;
      },
    ],
    [
      "an offset in an unnamed record",
      layouts,
      ({ records }) => {
        named(named(records, "CUDA_RESOURCE_DESC_v1.res.pitch2D").fields, "devPtr").offset += 8;
      },
    ],
    [
      "an offset in a record with a tag inside another",
      layouts,
      ({ records }) => {
        named(named(records, "CUstreamMemOpWaitValueParams_st").fields, "flags").offset += 8;
      },
    ],
    [
      "a lost field",
      ["castxml"],
      ({ records }) => {
        named(records, "CUDA_MEMCPY3D_v2").fields.pop();
      },
    ],
    [
      "a layout on Windows",
      ["castxml", ...onWindows],
      ({ records }) => {
        named(records, "CUuuid").llp64 = { size: 8, align: 1, fields: [] };
      },
    ],
    [
      "a parameter's type",
      all,
      ({ functions }) => {
        (named(functions, "cuMemAlloc_v2").params[1] ?? never()).type = "int";
      },
    ],
    [
      "a lost parameter",
      all,
      ({ functions }) => {
        named(functions, "cuMemAlloc").params.pop();
      },
    ],
    [
      "a const too many",
      all,
      ({ functions }) => {
        (named(functions, "cuMemAlloc_v2").params[0] ?? never()).type = "const CUdeviceptr *";
      },
    ],
    [
      "a parameter's name",
      ["castxml"],
      ({ functions }) => {
        (named(functions, "cuInit").params[0] ?? never()).name = "flags";
      },
    ],
    [
      "a lost function",
      ["castxml"],
      ({ functions }) => {
        functions.splice(functions.indexOf(named(functions, "cuInit")), 1);
      },
    ],
    [
      "an invented function",
      ["castxml"],
      ({ functions }) => {
        functions.push({ ...named(functions, "cuInit"), name: "cuInit_v9", default: false });
      },
    ],
    [
      "a version",
      ["castxml"],
      ({ functions }) => {
        named(functions, "cuMemAlloc_v2").since = 3030;
      },
    ],
    [
      "two versions changed for each other",
      all.slice(1),
      ({ functions }) => {
        named(functions, "cuCtxCreate_v2").since = 12050;
        named(functions, "cuCtxCreate_v4").since = 3020;
      },
    ],
    [
      "a default",
      ["header defaults"],
      ({ functions }) => {
        named(functions, "cuMemAlloc_v2").default = false;
      },
    ],
    [
      "a retired function",
      ["castxml"],
      ({ functions }) => {
        named(functions, "cuMemAlloc_v2").retired = true;
      },
    ],
    [
      "a typedef",
      layouts,
      ({ typedefs }) => {
        named(typedefs, "CUdevice").type = "unsigned int";
      },
    ],
    [
      "a handle",
      layouts,
      ({ handles }) => {
        named(handles, "CUstream").tag = "CUevent_st";
      },
    ],
    [
      "a callback",
      layouts,
      ({ callbacks }) => {
        named(callbacks, "CUhostFn").result = "int";
      },
    ],
    [
      "a constant",
      ["constant values"],
      ({ constants }) => {
        named(constants, "CU_STREAM_PER_THREAD").value = "3";
      },
    ],
    [
      "a lost constant",
      ["constant values"],
      ({ constants }) => {
        constants.pop();
      },
    ],
  ];

  it("agree with the document as it is", async () => {
    assert.deepEqual([...compare(right, omissions, judged).differences], []);
    assert.deepEqual(Object.values(await compile(right, directory, judged)).flat(), []);
  });

  for (const [what, judges, spoil] of cases) {
    it(`see ${what}`, async () => assert.deepEqual((await objectors(spoil)).sort(), [...judges].sort()));
  }
});

function never(): never {
  throw new Error("no such parameter");
}
