import assert from "node:assert/strict";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import * as cuda from "cuda-driver";
import * as driver from "cuda-driver/v2/driver";
import { collect } from "./collect.ts";
import { addon, scratchFolder } from "./fakes.ts";

const PTX = new Uint8Array([1, 0]);
const { jitOptions, libraryOptions } = cuda;

before(async () => {
  process.env.CUDA_DRIVER_LIBRARY = await addon(join(await scratchFolder(), "libcuda.so.1"), "jit.c");
});

/** A member of an enum of C's as the builder spells it. */
const camel = (member: string) => member.toLowerCase().replace(/_./g, (pair) => (pair[1] ?? "").toUpperCase());

/** A value for each option; those of lists and logs are tested by themselves. */
const SOME: Record<string, unknown> = {
  ...{ wallTime: true, targetFromCucontext: true, infoLog: 4096, errorLog: 64 },
  ...{ globalSymbolNames: ["a"], globalSymbolAddresses: [1n], referencedKernelNames: [], referencedVariableNames: [] },
};
const NUMBERS = [
  ...["maxRegisters", "threadsPerBlock", "optimizationLevel", "target", "fallbackStrategy", "cacheMode", "minCtaPerSm"],
  ...["maxThreadsPerBlock", "splitCompile", "binaryLoaderThreadCount"],
];

describe("jitOptions", () => {
  it("has every option of the newest toolkit, by NVIDIA's name and number", () => {
    const members = Object.entries(cuda.CUjit_option).filter(([name]) => name.startsWith("CU_JIT_"));
    const named = members.map(([name, value]) => [camel(name.slice("CU_JIT_".length)), value] as [string, number]);
    const numbers = new Map(named);
    numbers.delete("numOptions");
    for (const [short, long] of [
      ["infoLog", "infoLogBuffer"],
      ["errorLog", "errorLogBuffer"],
    ] as const) {
      numbers.set(short, numbers.get(long) ?? -1);
      numbers.delete(long);
    }
    const follows: Record<string, string> = {
      ...{ infoLog: "infoLogBufferSizeBytes", errorLog: "errorLogBufferSizeBytes" },
      ...{ globalSymbolNames: "globalSymbolCount", referencedKernelNames: "referencedKernelCount" },
      referencedVariableNames: "referencedVariableCount",
    };
    const left = new Set(numbers.keys());
    for (const [name, number] of numbers) {
      if (Object.values(follows).includes(name)) continue;
      const value = SOME[name] ?? (NUMBERS.includes(name) ? 5 : false);
      const both = name === "globalSymbolNames" || name === "globalSymbolAddresses";
      const fields = both ? { globalSymbolNames: ["a"], globalSymbolAddresses: [1n] } : { [name]: value };
      const made = [...jitOptions(fields).names];
      const wanted = both
        ? [numbers.get("globalSymbolNames"), numbers.get("globalSymbolCount"), numbers.get("globalSymbolAddresses")]
        : [number, ...(follows[name] === undefined ? [] : [numbers.get(follows[name])])];
      assert.deepEqual(made, wanted, name);
      left.delete(name);
      if (follows[name] !== undefined) left.delete(follows[name]);
    }
    assert.deepEqual([...left], [], "options that the builder lacks");
    const libraries = Object.entries(cuda.CUlibraryOption).filter(([name]) => name.startsWith("CU_LIBRARY_"));
    const known = { hostUniversalFunctionAndDataTable: 1n, binaryIsPreserved: true };
    for (const [name, number] of libraries) {
      const short = camel(name.slice("CU_LIBRARY_".length)) as keyof typeof known;
      if (short !== ("numOptions" as string)) {
        assert.deepEqual([...libraryOptions({ [short]: known[short] }).names], [number], short);
      }
    }
  });

  it("passes what was asked for, and reads logs and times (case 36)", () => {
    const jit = jitOptions({
      ...{ maxRegisters: 40, threadsPerBlock: 128, wallTime: true, infoLog: 4096, errorLog: 64 },
      ...{ optimizationLevel: 4, generateDebugInfo: true, logVerbose: false, generateLineInfo: undefined },
      ...{ globalSymbolNames: ["größe", "b"], globalSymbolAddresses: [0xabcn, 2n ** 64n - 1n] },
      ...{ referencedKernelNames: ["k"], referencedVariableNames: ["v", "w"], splitCompile: -1, target: 90 },
    });
    assert.deepEqual([jit.infoLog, jit.errorLog, jit.wallTime, jit.threadsPerBlock], ["", "", 0, 128]);
    const library = cuda.cuLibraryLoadData(PTX, jit.names, jit.values);
    assert.equal(
      jit.infoLog,
      "0=40 1=128 2=0 3=log 4=4096 5=log 6=64 7=4 11=1 12=0 17=größe,b, 19=2 18=abc,ffffffffffffffff, " +
        "25=k, 26=1 27=v,w, 28=2 34=-1 9=90 ",
    );
    assert.deepEqual([jit.errorLog, jit.wallTime, jit.threadsPerBlock], ["grüße", 12.75, 256]);
    cuda.cuLibraryGetKernel(library, "f");
    assert.equal(jit.infoLog, "used ", "what the driver writes later is seen too");
    cuda.cuLibraryUnload(library);
  });

  it("goes as one argument in the place of the names, with the values that it has", () => {
    const jit = jitOptions({ maxRegisters: 40, infoLog: 64 });
    const table = new BigUint64Array(4);
    const made = libraryOptions({ hostUniversalFunctionAndDataTable: table });
    for (const library of [
      cuda.cuLibraryLoadData(PTX, jit),
      cuda.cuLibraryLoadData(PTX, jit, null, undefined, made),
      driver.library_load_from_file("a.ptx", jit, null, undefined, made),
    ]) {
      assert.match(jit.infoLog ?? "", /^0=40 3=log 4=64/);
      cuda.cuLibraryUnload(library);
    }
    assert.equal(table[0], 77n, "the driver wrote where the option points to");
    const values = { name: "TypeError", message: /jitOptionsValues must be left out, jitOptions has them/ };
    assert.throws(() => cuda.cuLibraryLoadData(PTX, jit, jit.values), values);
    const count = { name: "RangeError", message: /numJitOptions is 1, but there are 3 jitOptions/ };
    assert.throws(() => cuda.cuLibraryLoadData(PTX, jit, null, 1), count);
  });

  it("cuts a log at its room, and has none that was not asked for", () => {
    const jit = jitOptions({ infoLog: 8, maxRegisters: 123 });
    const library = cuda.cuLibraryLoadData(PTX, jit.names, jit.values);
    assert.equal(jit.infoLog, "3=log 4");
    assert.deepEqual([jit.errorLog, jit.wallTime, jit.threadsPerBlock], [null, null, null]);
    cuda.cuLibraryUnload(library);
    assert.equal(jitOptions({}).count, 0);
    assert.equal(jitOptions({ wallTime: false }).count, 0);
  });

  it("believes no size beyond the room", () => {
    const jit = jitOptions({ infoLog: 8 });
    jit.values[1] = 2n ** 64n - 1n;
    cuda.copyTo(jit.values[0] ?? 0n, new TextEncoder().encode("12345678"));
    assert.equal(jit.infoLog, "12345678");
  });

  it("has the error log of a load that failed", () => {
    const jit = jitOptions({ maxRegisters: 666, errorLog: 64 });
    const load = () => cuda.cuLibraryLoadFromFile("a.ptx", jit.names, jit.values);
    assert.throws(load, { name: "CudaError", code: "CUDA_ERROR_INVALID_PTX" });
    assert.equal(jit.errorLog, "grüße");
  });

  it("is used again as it was made", async () => {
    const jit = jitOptions({ infoLog: 100, errorLog: 64, threadsPerBlock: 128, wallTime: true, maxRegisters: 40 });
    const asked = "3=log 4=100 5=log 6=64 1=128 2=0 0=40 ";
    for (const load of [cuda.cuLibraryLoadData, cuda.promises.cuLibraryLoadData]) {
      for (let time = 0; time < 2; time++) {
        const library = await load(PTX, jit.names, jit.values);
        assert.deepEqual([jit.infoLog, jit.errorLog, jit.wallTime, jit.threadsPerBlock], [asked, "grüße", 12.75, 256]);
        cuda.cuLibraryGetKernel(library, "f");
        assert.equal(jit.infoLog, "used ");
        cuda.cuLibraryUnload(library);
      }
    }
    /* What the caller changed himself stays, and so do the answers where a call is refused. */
    jit.values[6] = 41n;
    assert.throws(() => cuda.cuLibraryLoadData(PTX, jit.names, jit.values, 5), { name: "RangeError" });
    assert.equal(jit.infoLog, "used ");
    cuda.cuLibraryUnload(cuda.cuLibraryLoadData(PTX, jit.names, jit.values));
    assert.equal(jit.infoLog, asked.replace("40", "41"));
  });

  it("has no log of an earlier call where the driver writes none", () => {
    const jit = jitOptions({ infoLog: 64 });
    cuda.cuLibraryUnload(cuda.cuLibraryLoadData(PTX, jit.names, jit.values));
    assert.notEqual(jit.infoLog, "");
    /* This driver lacks the function. */
    const add = () => cuda.cuLinkAddFile(8n as cuda.CUlinkState, 1, "f", jit.count, jit.names, jit.values);
    assert.throws(add, cuda.CudaSymbolError);
    assert.equal(jit.infoLog, "");
  });

  it("counts lists as they were read", () => {
    let times = 0;
    const fields = {
      globalSymbolAddresses: [1n],
      get globalSymbolNames() {
        return times++ === 0 ? ["a"] : ["a", "b", "c"];
      },
    };
    assert.equal(jitOptions(fields).values[2], 1n);
    class Own extends Array<string> {
      static override get [Symbol.species](): ArrayConstructor {
        return assert.fail("user code ran");
      }
    }
    const names = new Own();
    names[0] = "a";
    assert.equal(jitOptions({ referencedKernelNames: names }).values[1], 1n);
  });

  it("goes where modules and links take options", async () => {
    const jit = jitOptions({ infoLog: 64, wallTime: true });
    cuda.cuModuleLoadDataEx(PTX, jit.count, jit.names, jit.values);
    assert.deepEqual([jit.infoLog, jit.wallTime], ["3=log 4=64 2=0 ", 12.75]);

    const linking = jitOptions({ infoLog: 64 });
    const state = cuda.cuLinkCreate(linking.count, linking.names, linking.values);
    await collect();
    cuda.cuLinkComplete(state);
    assert.equal(linking.infoLog, "used ");
    cuda.cuLinkDestroy(state);

    const later = jitOptions({ infoLog: 64 });
    cuda.cuLibraryUnload(
      await cuda.promises.cuLibraryLoadData(PTX, later.names, later.values, later.count, null, null, 0),
    );
    assert.equal(later.infoLog, "3=log 4=64 ");
  });

  it("lives until the library is unloaded, and not longer (case 36)", async () => {
    function load(): [WeakRef<object>, ReturnType<typeof cuda.cuLibraryLoadData>] {
      const jit = jitOptions({ infoLog: 64 });
      return [new WeakRef(jit.values), cuda.cuLibraryLoadData(PTX, jit.names, jit.values)];
    }
    const [slots, library] = load();
    await collect();
    assert.ok(slots.deref() !== undefined, "the slots were collected while the library was loaded");
    cuda.cuLibraryGetKernel(library, "f");
    const log = (slots.deref() as BigUint64Array)[0] ?? 0n;
    assert.deepEqual(cuda.copyFrom(log, 5), new TextEncoder().encode("used "));
    cuda.cuLibraryUnload(library);
    await collect();
    assert.equal(slots.deref(), undefined, "the slots outlive the library");
  });

  it("keeps the log with the slots alone", async () => {
    const slots = jitOptions({ infoLog: 1 << 20 }).values;
    await collect();
    const garbage = Array.from({ length: 64 }, () => new Uint8Array(1 << 20).fill(0xee));
    assert.ok(cuda.copyFrom(slots[0] ?? 0n, 1 << 20).every((byte) => byte === 0));
    assert.equal(garbage.length, 64);
  });

  it("refuses what the driver would misread", () => {
    const wrong: [Record<string, unknown>, "TypeError" | "RangeError"][] = [
      [{ maxregisters: 1 }, "TypeError"],
      [{ CU_JIT_MAX_REGISTERS: 1 }, "TypeError"],
      [{ toString: 1 }, "TypeError"],
      [{ maxRegisters: "40" }, "TypeError"],
      [{ maxRegisters: 40n }, "TypeError"],
      [{ maxRegisters: null }, "TypeError"],
      [{ maxRegisters: -1 }, "RangeError"],
      [{ maxRegisters: 1.5 }, "RangeError"],
      [{ maxRegisters: Number.NaN }, "RangeError"],
      [{ maxRegisters: 2 ** 32 }, "RangeError"],
      [{ splitCompile: 2 ** 31 }, "RangeError"],
      [{ generateDebugInfo: 1 }, "TypeError"],
      [{ wallTime: 0 }, "TypeError"],
      [{ infoLog: 0 }, "RangeError"],
      [{ infoLog: true }, "TypeError"],
      [{ errorLog: 2 ** 31 }, "RangeError"],
      [{ errorLog: new Uint8Array(64) }, "TypeError"],
      [{ referencedKernelNames: "k" }, "TypeError"],
      [{ referencedKernelNames: ["a\0b"] }, "TypeError"],
      [{ referencedKernelNames: [1] }, "TypeError"],
      [{ globalSymbolNames: ["a"] }, "RangeError"],
      [{ globalSymbolNames: ["a"], globalSymbolAddresses: [] }, "RangeError"],
      [{ globalSymbolAddresses: [1n] }, "RangeError"],
      [{ globalSymbolNames: ["a"], globalSymbolAddresses: [1] }, "TypeError"],
      [{ globalSymbolNames: ["a"], globalSymbolAddresses: [-1n] }, "RangeError"],
    ];
    for (const [fields, name] of wrong) {
      assert.throws(() => jitOptions(fields), { name, message: /^jitOptions: / }, String(Object.entries(fields)));
    }
    for (const none of [null, undefined, 5, "x", []]) {
      assert.throws(() => jitOptions(none as never), { name: "TypeError", message: /^jitOptions: / });
    }
  });

  it("cannot be taken away from the driver", () => {
    const { buffer } = jitOptions({ infoLog: 64 }).values;
    try {
      /* An error from Node 21 on. */
      structuredClone(buffer, { transfer: [buffer] });
    } catch {}
    assert.equal(buffer.byteLength, 16);
  });
});

describe("libraryOptions", () => {
  it("passes a table and a mark", () => {
    const table = new BigUint64Array(4);
    const { names, values } = libraryOptions({ hostUniversalFunctionAndDataTable: table });
    cuda.cuLibraryUnload(cuda.cuLibraryLoadData(PTX, null, null, 0, names, values));
    assert.equal(table[0], 77n);
    const record = new cuda.CUlibraryHostUniversalFunctionAndDataTable();
    assert.equal(libraryOptions({ hostUniversalFunctionAndDataTable: record }).values[0], record.$address);
    const mark = libraryOptions({ binaryIsPreserved: true });
    assert.deepEqual([...mark.names, ...mark.values], [1, 0n]);
  });

  it("refuses NULL for the table, on which real drivers crash", () => {
    for (const table of [null, 0n, -1n, {}, 5, "x"]) {
      assert.throws(
        () => libraryOptions({ hostUniversalFunctionAndDataTable: table as never }),
        /^(Type|Range)Error: lib/,
      );
    }
    assert.throws(() => libraryOptions({ binaryispreserved: true } as never), { name: "TypeError" });
  });
});
