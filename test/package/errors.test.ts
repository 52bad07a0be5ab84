import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { driver } from "../support/drivers.ts";
import { evaluate, valuesOf } from "./child.ts";

describe("errors of a real driver", () => {
  it("carry the driver's own name and text, as C reads them", async () => {
    const build = await driver(12040);
    const [names] = valuesOf(
      await evaluate(
        [
          `Object.entries(cuda.CUresult).filter(([name]) => isNaN(name)).map(([name, value]) => {
            try { return [name, value, cuda.cuGetErrorName(value), cuda.cuGetErrorString(value), native.errorText(value)] }
            catch (error) { return [name, value, error.code] }
          })`,
        ],
        { driver: build },
      ),
    );
    let known = 0;
    for (const [name, , told, text, own] of names as [string, number, string, string?, [string, string]?][]) {
      if (told === "CUDA_ERROR_INVALID_VALUE" && text === undefined) continue; // newer than this driver
      known++;
      assert.equal(told, name);
      assert.deepEqual(own, [told, text]);
    }
    assert.ok(known > 80);
  });

  it("look like Node's own", async () => {
    const [shape] = valuesOf(
      await evaluate(
        [
          `(() => {
            try { cuda.cuInit(0) } catch (error) {
              return {
                error: error instanceof Error, cuda: error instanceof cuda.CudaError, symbol: error instanceof cuda.CudaSymbolError,
                text: String(error), keys: Object.keys(error).sort(), own: Object.hasOwn(error, "path"),
                stack: error.stack.split("\\n")[0], tag: Object.prototype.toString.call(error),
                inspected: process.getBuiltinModule("util").inspect(error).split("\\n")[0],
              };
            }
          })()`,
        ],
        { driver: await driver(12040) },
      ),
    );
    const text = "CudaError: cuInit: CUDA_ERROR_NO_DEVICE (100), no CUDA-capable device is detected";
    assert.deepEqual(shape, {
      ...{ error: true, cuda: true, symbol: false, text, keys: ["code", "errno", "syscall"], own: false },
      ...{ stack: text, tag: "[object Error]", inspected: text },
    });
  });
});
