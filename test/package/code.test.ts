/** Code of modules, libraries and links: strings, text without an end, binaries. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import * as cuda from "cuda-driver";
import * as driver from "cuda-driver/v2/driver";
import { collect } from "./collect.ts";
import { told, useHandleDriver } from "./handleDriver.ts";

const { promises } = cuda;
const PTX = cuda.CUjitInputType.CU_JIT_INPUT_PTX;

useHandleDriver();

describe("code", () => {
  const text = ".version 7.0 // gr\u00fc\u00dfe";
  const bytes = Buffer.from(text);
  const ended = Buffer.from(`${text}\0`);
  const loads: [string, (code: string | cuda.HostMemory | bigint) => Promise<bigint> | bigint][] = [
    ["cuModuleLoadData", (code) => cuda.cuModuleLoadData(code)],
    ["cuModuleLoadDataEx", (code) => cuda.cuModuleLoadDataEx(code)],
    ["cuModuleLoadDataEx", (code) => promises.cuModuleLoadDataEx(code)],
    ["cuLibraryLoadData", (code) => cuda.cuLibraryLoadData(code)],
    ["cuLibraryLoadData", (code) => promises.cuLibraryLoadData(code)],
    ["cuModuleLoadData", (code) => driver.module_load_data(code)],
  ];

  it("is a string or memory, and text that does not end is ended for the driver (case 37)", async () => {
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);
    /* Whatever follows in the buffer is not part of it. */
    const within = new Uint8Array([...bytes, 33, 33]).subarray(0, bytes.length);
    const view = new DataView(within.buffer, 0, bytes.length);
    for (const [name, load] of loads) {
      for (const code of [text, bytes, ended, shared, shared.buffer, within, view, cuda.addressOf(ended)]) {
        const handle = await load(code);
        assert.deepEqual(told(), [`${name} ${text} 0 NULL NULL`]);
        (name === "cuLibraryLoadData" ? cuda.cuLibraryUnload : cuda.cuModuleUnload)(handle as never);
        told();
      }
      for (const [code, seen] of [
        ["", ""],
        [new Uint8Array(0), ""],
        [Buffer.from("abc\0def"), "abc"],
        [new Uint8Array(64), ""],
      ] as const) {
        const handle = await load(code);
        assert.deepEqual(told(), [`${name} ${seen} 0 NULL NULL`]);
        (name === "cuLibraryLoadData" ? cuda.cuLibraryUnload : cuda.cuModuleUnload)(handle as never);
        told();
      }
    }
  });

  it("of a link may be counted with or without its NUL", () => {
    const state = cuda.cuLinkCreate();
    told();
    cuda.cuLinkAddData(state, PTX, bytes, bytes.length, null);
    cuda.cuLinkAddData(state, PTX, bytes, bytes.length + 1, null);
    cuda.cuLinkAddData(state, PTX, text, Buffer.byteLength(text), "name");
    const seen = told().map((line) => line.replace(/^.*type/, "type"));
    assert.deepEqual(
      seen,
      [0, 1, 0].map((more) => `type 1 ${text} size ${bytes.length + more} 0 NULL NULL`),
    );
    assert.throws(() => cuda.cuLinkAddData(state, PTX, bytes, bytes.length + 2, null), { name: "RangeError" });
    cuda.cuLinkDestroy(state);
  });

  it("lives for as long as the library, which may use it where it is", async () => {
    const load = (): [cuda.CUlibrary, WeakRef<object>] => {
      const code = new Uint8Array(4096);
      return [cuda.cuLibraryLoadData(code), new WeakRef(code)];
    };
    const [library, ref] = load();
    await collect();
    assert.ok(ref.deref() !== undefined, "it was collected while the driver had it");
    cuda.cuLibraryUnload(library);
    await collect();
    assert.equal(ref.deref(), undefined);
  });

  it("is refused where a binary is cut short, which real drivers read beyond its end", async () => {
    const elf = new Uint8Array(400);
    elf.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
    const header = new DataView(elf.buffer);
    /* Four sections of 64 bytes from byte 80 on, one segment of 56 behind them. */
    header.setBigUint64(40, 80n, true);
    header.setUint16(58, 64, true);
    header.setUint16(60, 4, true);
    header.setBigUint64(32, 336n, true);
    header.setUint16(54, 56, true);
    header.setUint16(56, 1, true);
    const fatbin = new Uint8Array(100);
    const head = new DataView(fatbin.buffer);
    head.setUint32(0, 0xba55ed50, true);
    head.setBigUint64(8, 84n, true);
    const loads = [cuda.cuModuleLoadData, cuda.cuModuleLoadDataEx, cuda.cuModuleLoadFatBinary, cuda.cuLibraryLoadData];
    for (const [binary, whole] of [
      [elf, 392],
      [fatbin, 100],
    ] as const) {
      for (const load of loads) {
        assert.equal(typeof load(binary.slice(0, whole)), "bigint");
        for (const length of [4, 15, 20, 63, whole - 1]) {
          told();
          assert.throws(() => load(binary.slice(0, length)), {
            name: "RangeError",
            message: new RegExp(
              `^${load.name}: \\w+ is cut short: it holds ${length} bytes, its header speaks of \\d+$`,
            ),
          });
          assert.deepEqual(told(), []);
        }
      }
    }
    const state = cuda.cuLinkCreate();
    const cubin = cuda.CUjitInputType.CU_JIT_INPUT_CUBIN;
    assert.throws(() => cuda.cuLinkAddData(state, cubin, elf.slice(0, 100), undefined, null), { name: "RangeError" });
    cuda.cuLinkDestroy(state);
  });

  it("is the driver's to judge where it is an ELF file of another class or byte order", () => {
    /* A whole 32-bit one: its header is shorter, and has other fields where a 64-bit one tells of its tables. */
    const elf32 = new Uint8Array(52 + 32 + 40);
    elf32.set([0x7f, 0x45, 0x4c, 0x46, 1, 1, 1]);
    const header = new DataView(elf32.buffer);
    header.setUint32(28, 52, true);
    header.setUint32(32, 84, true);
    for (const [at, value] of [52, 32, 1, 40, 1].entries()) header.setUint16(40 + 2 * at, value, true);
    const bigEndian = new Uint8Array(64);
    bigEndian.set([0x7f, 0x45, 0x4c, 0x46, 2, 2, 1]);
    new DataView(bigEndian.buffer).setBigUint64(40, 64n);
    for (const binary of [elf32, elf32.slice(0, 60), bigEndian]) {
      cuda.cuModuleUnload(cuda.cuModuleLoadData(binary));
      cuda.cuLibraryUnload(cuda.cuLibraryLoadData(binary));
      assert.equal(told().filter((line) => line.includes("LoadData")).length, 2);
    }
  });

  it("is refused where C cannot have it", async () => {
    const refused = new Map<unknown, string>([
      ...["a\0b", "\ud800", 5, null, undefined, {}, [1]].map((code) => [code, "TypeError"] as const),
      [-1n, "RangeError"],
    ]);
    for (const [name, load] of loads) {
      for (const [code, error] of refused) {
        await assert.rejects(async () => load(code as never), {
          name: error,
          message: new RegExp(`^${name}: (image|code) `),
        });
        if (typeof code === "string" || error === "RangeError") continue;
        await assert.rejects(
          async () => load(code as never),
          /must be text as a string, memory .* or a bigint address/,
        );
      }
    }
    assert.deepEqual(told(), []);
  });
});
