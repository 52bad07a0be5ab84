import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { errorOf, evaluate, valuesOf } from "./child.ts";
import { fakeEnvironment } from "./fakes.ts";

const env: Record<string, string> = {};

before(async () => {
  Object.assign(env, await fakeEnvironment());
});

describe("values on their way back", () => {
  it("are exact (case 44)", async () => {
    const told = await evaluate(
      [
        "cuda.cuMemAlloc(44)",
        "cuda.cuMemGetInfo()",
        "cuda.cuStreamGetFlags(null)",
        "cuda.cuDeviceGetAttribute(1, 0)",
        "cuda.promises.cuMemAlloc(44)",
        "cuda.promises.cuMemGetInfo()",
      ],
      { env },
    );
    const most = 18446744073709551615n;
    assert.deepEqual(valuesOf(told), [most, [0xdeadbeefn, most - 1n], 0xffffffff, -1, most, [0xdeadbeefn, most - 1n]]);
  });

  it("may be enum values that no header names (case 47)", async () => {
    const told = await evaluate(
      ["cuda.cuStreamIsCapturing(null)", "cuda.cuStreamIsCapturing(7n)", "cuda.promises.cuStreamIsCapturing(7n)"],
      { env },
    );
    assert.deepEqual(valuesOf(told), [77, -77, -77]);
  });

  it("may be errors that no header names: the number reaches the caller in a CudaError (case 47)", async () => {
    const told = await evaluate(
      [47, 46, 49].flatMap((size) => [`cuda.cuMemAlloc(${size})`, `cuda.promises.cuMemAlloc(${size})`]),
      { env },
    );
    const facts = told.map((outcome) => {
      const { name, code, errno, syscall, message } = errorOf(outcome);
      return [name, code, errno, syscall, message];
    });
    const named = (code: string, errno: number) => [
      ...["CudaError", code, errno, "cuMemAlloc_v2", `cuMemAlloc_v2: ${code} (${errno})`],
    ];
    assert.deepEqual(facts, [
      ...[named("CUDA_ERROR_12345", 12345), named("CUDA_ERROR_12345", 12345)],
      ...[named("CUDA_ERROR_-7", -7), named("CUDA_ERROR_-7", -7)],
      ...[named("CUDA_ERROR_OF_TOMORROW", 4321), named("CUDA_ERROR_OF_TOMORROW", 4321)],
    ]);
  });

  it("are nothing after a failure that scribbles on them (case 48)", async () => {
    const told = await evaluate(
      [
        "cuda.cuMemAlloc(48)",
        "cuda.promises.cuMemAlloc(48)",
        "cuda.cuMemGetInfo()",
        "cuda.promises.cuMemGetInfo()",
        "cuda.cuStreamGetFlags(null)",
      ],
      { env: { ...env, FAKE_FAIL: "1" } },
    );
    for (const outcome of told.slice(0, 4)) {
      const error = errorOf(outcome);
      assert.deepEqual([error.code, error.errno], ["CUDA_ERROR_OUT_OF_MEMORY", 2]);
      assert.match(error.message, /^cuMem\w+_v2: CUDA_ERROR_OUT_OF_MEMORY \(2\), out of memory$/);
      assert.doesNotMatch(JSON.stringify(error), /dead|16045690984503098046|16045690984833335023|3735928559/i);
    }
    assert.equal(told[4]?.value, 0xffffffff);
  });

  it("are booleans from queries: not ready is no exception", async () => {
    const told = await evaluate(
      [
        ...["cuda.cuStreamQuery(5n)", "cuda.cuStreamQuery(null)", "cuda.cuStreamQuery(5n)", "cuda.cuStreamQuery(6n)"],
        ...["cuda.promises.cuStreamQuery(5n)", "cuda.promises.cuStreamQuery(null)", "cuda.promises.cuStreamQuery(6n)"],
      ],
      { env },
    );
    assert.deepEqual(
      told.map(({ value, error }) => value ?? error?.code),
      [false, true, false, "CUDA_ERROR_OUT_OF_MEMORY", false, true, "CUDA_ERROR_OUT_OF_MEMORY"],
    );
  });
});
