import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { drivers } from "../support/drivers.ts";
import { errorOf, evaluate, type Outcome, valuesOf } from "./child.ts";
import { fakeEnvironment, logged } from "./fakes.ts";

const env: Record<string, string> = {};

before(async () => {
  Object.assign(env, await fakeEnvironment());
});

describe("promises", () => {
  it("work on another thread, with the caller's context, and put the thread's own back (case 46)", async () => {
    const lines = await logged(
      env,
      "cuda.cuCtxSetCurrent(0xabcn)",
      "cuda.cuStreamSynchronize(1n)",
      "cuda.promises.cuStreamSynchronize(2n)",
      "cuda.promises.cuMemAlloc(48).catch(() => {})",
      "cuda.cuCtxGetCurrent()",
      "cuda.cuStreamSynchronize(3n)",
    );
    assert.deepEqual(lines, [
      ...["cuCtxSetCurrent 0xabc main", "cuStreamSynchronize 0x1 context 0xabc main"],
      ...["cuCtxSetCurrent 0xabc other", "cuStreamSynchronize 0x2 context 0xabc other", "cuCtxSetCurrent (nil) other"],
      ...["cuCtxSetCurrent 0xabc other", "cuMemAlloc_v2 48", "cuCtxSetCurrent (nil) other"],
      "cuStreamSynchronize 0x3 context 0xabc main",
    ]);
  });

  /** What is on the only pool thread's stack after each of the calls, the current context last; `own` was on it at first. */
  async function stacks(own: string, caller: string, calls: readonly string[]): Promise<[call: string, string[]][]> {
    const made = calls.map((call) => `(cuda.cuCtxSetCurrent(${caller}), cuda.promises.${call}.catch(() => {}))`);
    const outcomes = valuesOf(
      await evaluate(
        made.flatMap((call) => [call, "log()"]),
        { env: { ...env, FAKE_OWN: own, UV_THREADPOOL_SIZE: "1" } },
      ),
    );
    return calls.map((call, at) => {
      const lines = outcomes[2 * at + 1] as string[];
      const last = lines.findLast((line) => line.startsWith("stack other"));
      return [call, last?.split(" ").slice(2) ?? assert.fail(`${call}: no context was made current`)];
    });
  }

  /** Calls that leave other contexts than they found, and some that do not. */
  const CALLS = [
    "cuStreamSynchronize(2n)",
    "cuMemAlloc(48)",
    "cuCtxSetCurrent(0x777n)",
    "cuCtxSetCurrent(null)",
    "cuCtxPopCurrent()",
  ];
  const PUSH = "cuCtxPushCurrent(0x777n)";

  for (const caller of ["0xabcn", "null"]) {
    it(`leave a pool thread without a context that had none, whatever the call did, where the caller's is ${caller} (case 46)`, async () => {
      for (const [call, left] of await stacks("0", caller, [...CALLS, PUSH, ...CALLS]))
        assert.deepEqual(left, [], call);
    });

    it(`put back the context that a pool thread had, whatever the call did, where the caller's is ${caller} (case 46)`, async () => {
      for (const [call, left] of await stacks("0x501", caller, CALLS)) assert.deepEqual(left, ["0x501"], call);
      /* Below it may lie what the call pushed upon. */
      for (const [call, left] of await stacks("0x501", caller, [PUSH, CALLS[0] as string]))
        assert.equal(left.at(-1), "0x501", call);
    });
  }

  it("call nothing where the caller's context cannot be had on the other thread", async () => {
    const [, told, lines] = valuesOf(
      await evaluate(
        [
          "(cuda.cuCtxSetCurrent(0x201n), log())",
          "settled(() => cuda.promises.cuMemAlloc(48))",
          "log()",
          "cuda.cuCtxSetCurrent(null)",
        ],
        { env },
      ),
    );
    const { name, errno, syscall } = errorOf(told as Outcome<unknown>);
    assert.deepEqual([name, errno, syscall], ["CudaError", 201, "cuMemAlloc_v2"]);
    assert.deepEqual(lines, ["cuCtxSetCurrent 0x201 other"]);
  });

  it("reject with the stack of those who wait", async () => {
    const [stack] = valuesOf(
      await evaluate(
        [
          `(async () => {
            async function programsOwn() { await cuda.promises.cuStreamSynchronize(null); await cuda.promises.cuMemAlloc(48); }
            try { await programsOwn() } catch (error) { return error.stack }
          })()`,
        ],
        { env },
      ),
    );
    assert.match(String(stack), /^CudaError: cuMemAlloc_v2: .*at async (\w+\.)?cuMemAlloc_v2 .*at async programsOwn/s);
  });

  it("do so many at a time", async () => {
    const lines = await logged(
      env,
      "cuda.cuCtxSetCurrent(0xabcn)",
      "Promise.all(Array.from({ length: 12 }, () => cuda.promises.cuStreamSynchronize(3n)))",
      "cuda.cuCtxSetCurrent(null)",
      "Promise.all(Array.from({ length: 12 }, () => cuda.promises.cuStreamSynchronize(4n)))",
    );
    assert.deepEqual(
      lines.filter((line) => line.startsWith("cuStreamSynchronize")),
      [
        ...Array(12).fill("cuStreamSynchronize 0x3 context 0xabc other"),
        ...Array(12).fill("cuStreamSynchronize 0x4 context (nil) other"),
      ],
    );
  });

  it("take the context of the moment of the call", async () => {
    const lines = await logged(
      env,
      `(() => {
        cuda.cuCtxSetCurrent(1n);
        const first = cuda.promises.cuStreamSynchronize(101n);
        cuda.cuCtxSetCurrent(2n);
        return Promise.all([first, cuda.promises.cuStreamSynchronize(102n)]);
      })()`,
    );
    assert.deepEqual(lines.filter((line) => line.startsWith("cuStreamSynchronize")).sort(), [
      "cuStreamSynchronize 0x65 context 0x1 other",
      "cuStreamSynchronize 0x66 context 0x2 other",
    ]);
  });

  it("do not block the event loop, and let calls be made meanwhile", async () => {
    const [result] = valuesOf(
      await evaluate(
        [
          `(async () => {
            const start = performance.now();
            const waits = [400n, 400n].map((stream) => cuda.promises.cuStreamSynchronize(stream));
            const called = performance.now() - start;
            const sum = [];
            for (let i = 0; i < 20; i++) {
              sum.push(cuda.cuMemAlloc(44 + (i % 2) * 4 === 44 ? 44 : 1));
              await new Promise((done) => setTimeout(done, 5));
            }
            const meanwhile = performance.now() - start;
            await Promise.all(waits);
            return { called, meanwhile, whole: performance.now() - start, distinct: [...new Set(sum)].length };
          })()`,
        ],
        { env },
      ),
    );
    const { called, meanwhile, whole, distinct } = result as Record<string, number>;
    assert.ok(Number(called) < 200, `${called} ms to start`);
    assert.ok(Number(meanwhile) < 390, `${meanwhile} ms`);
    assert.ok(Number(whole) >= 395 && Number(whole) < 790, `${whole} ms`);
    assert.equal(distinct, 2);
  });

  it("keep strings, buffers and outputs of many calls apart", async () => {
    const [sizes, lines] = valuesOf(
      await evaluate(
        [
          `Promise.all(Array.from({ length: 200 }, (_, i) => Promise.all([
            cuda.promises.cuMemAlloc(i === 100 ? 44 : i + 1000),
            cuda.promises.cuModuleGetFunction(1n, "name" + i + "x".repeat(i * 30)),
            cuda.promises.cuMemcpyHtoD(BigInt(i), new Uint8Array([i, i + 1]), 2),
          ]))).then((all) => (gc(), all.map(([address]) => address)))`,
          "log()",
        ],
        { env },
      ),
    );
    assert.equal((sizes as bigint[]).filter((address) => address === 2n ** 64n - 1n).length, 1);
    assert.equal((sizes as bigint[])[100], 2n ** 64n - 1n);
    const of = (name: string) => (lines as string[]).filter((line) => line.startsWith(name)).sort();
    assert.deepEqual(
      of("cuModuleGetFunction"),
      Array.from({ length: 200 }, (_, i) => {
        const name = `name${i}${"x".repeat(i * 30)}`;
        return `cuModuleGetFunction 0x1 ${name.length} ${name.slice(0, 60)}`;
      }).sort(),
    );
    const hex = (value: number) => (value & 255).toString(16).padStart(2, "0");
    assert.deepEqual(
      of("cuMemcpyHtoD"),
      Array.from({ length: 200 }, (_, i) => `cuMemcpyHtoD_v2 ${i.toString(16)} 2 ${hex(i)}${hex(i + 1)}`).sort(),
    );
  });

  it("reject with what calls throw, on a driver without GPU", async () => {
    const calls = [
      "cuInit(0)",
      "cuMemAlloc(4)",
      "cuDeviceGet(0)",
      "cuCtxGetCurrent()",
      "cuStreamQuery(null)",
      "cuModuleLoad('/none.cubin')",
      "cuMemAlloc(-1)",
      "cuGreenCtxDestroy(1n)",
    ];
    for (const build of await drivers()) {
      const told = await evaluate(
        [...calls.map((call) => `cuda.${call}`), ...calls.map((call) => `cuda.promises.${call}`)],
        { driver: build },
      );
      for (const [index, call] of calls.entries()) {
        const thrown = told[index];
        const rejected = told[index + calls.length];
        assert.deepEqual(rejected, thrown, `${build.cuda}: ${call}`);
        if (!call.startsWith("cuCtxGetCurrent")) assert.ok(thrown?.error, `${build.cuda}: ${call}`);
      }
      assert.equal(errorOf(told[calls.length - 1]).name, build.cuda >= 12040 ? "CudaError" : "CudaSymbolError");
    }
  });
});
