/** Modules, libraries and link states that are gone: what takes threads, pool threads or a driver that reuses its values. */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { join } from "node:path";
import { describe, it } from "node:test";
import { Worker } from "node:worker_threads";
import * as cuda from "cuda-driver";
import type { native } from "../../generated/dist/runtime/native.js";
import { addon, scratchFolder } from "./fakes.ts";
import { told, useHandleDriver } from "./handleDriver.ts";

const { promises } = cuda;
const GONE = {
  name: "CudaError",
  code: "CUDA_ERROR_INVALID_HANDLE",
  errno: 400,
  message: /was destroyed, unloaded or unregistered before$/,
};

useHandleDriver();

describe("a handle that is gone (case 38)", () => {
  type Kind = [
    make: () => bigint,
    end: (handle: never) => void,
    endLater: (handle: never) => Promise<void>,
    verb: string,
  ];
  const kinds: Kind[] = [
    [() => cuda.cuModuleLoadData("a"), cuda.cuModuleUnload, promises.cuModuleUnload, "cuModuleUnload"],
    [() => cuda.cuLibraryLoadData("a"), cuda.cuLibraryUnload, promises.cuLibraryUnload, "cuLibraryUnload"],
    [() => cuda.cuLinkCreate(), cuda.cuLinkDestroy, promises.cuLinkDestroy, "cuLinkDestroy"],
  ];

  it("cannot be destroyed or unloaded again, here or on a pool thread", async () => {
    for (const [make, end, endLater, verb] of kinds) {
      const [one, other] = [make(), make()] as never[];
      end(one as never);
      assert.throws(() => end(one as never), { ...GONE, syscall: verb });
      await assert.rejects(endLater(one as never), { ...GONE, syscall: verb });
      /* From the call on, not from its end. */
      const ending = endLater(other as never);
      assert.throws(() => end(other as never), GONE);
      await ending;
      assert.throws(() => end(other as never), GONE);
      assert.equal(told().filter((line) => line.startsWith(verb)).length, 2, "the driver was asked again");
    }
  });

  it("is known on every thread", async () => {
    for (const [make, end, , verb] of kinds) {
      const handle = make();
      const code = `import("cuda-driver").then((cuda) => cuda.${verb}(${handle}n))`;
      const exit = await new Promise((done) => new Worker(code, { eval: true }).on("exit", done));
      assert.equal(exit, 0);
      assert.throws(() => end(handle as never), GONE);
    }
  });

  it("is good again where the driver gives its value out anew", async () => {
    type Anew = [make: () => bigint | Promise<bigint>, use: (handle: never) => unknown, end: (handle: never) => void];
    const module = (make: Anew[0]): Anew => [make, (m) => cuda.cuModuleGetFunction(m, "f"), cuda.cuModuleUnload];
    const library = (make: Anew[0]): Anew => [make, (l) => cuda.cuLibraryGetKernel(l, "f"), cuda.cuLibraryUnload];
    const link = (make: Anew[0]): Anew => [make, (s) => cuda.cuLinkComplete(s), cuda.cuLinkDestroy];
    const anew: Anew[] = [
      module(() => cuda.cuModuleLoad("f")),
      module(() => cuda.cuModuleLoadData("a")),
      module(() => cuda.cuModuleLoadDataEx("a")),
      module(() => cuda.cuModuleLoadFatBinary(new Uint8Array(8))),
      module(() => cuda.cuLibraryGetModule(0n as cuda.CUlibrary)),
      module(() => promises.cuModuleLoad("f")),
      module(() => promises.cuModuleLoadDataEx("a")),
      library(() => cuda.cuLibraryLoadData("a")),
      library(() => promises.cuLibraryLoadData("a")),
      link(() => cuda.cuLinkCreate()),
      link(() => cuda.cuLinkCreate_v1()),
    ];
    for (const [make, use, end] of anew) {
      const first = (await make()) as never;
      end(first);
      const second = (await make()) as never;
      assert.equal(second, first, "the driver reuses its values");
      use(second);
      end(second);
      assert.throws(() => use(second), GONE);
    }
    /* A function says which module it is of. */
    const loaded = cuda.cuModuleLoad("f");
    const fn = cuda.cuModuleGetFunction(loaded, "f");
    cuda.cuModuleUnload(loaded);
    assert.equal(cuda.cuFuncGetModule(fn), loaded);
    cuda.cuModuleGetFunction(loaded, "f");
    cuda.cuModuleUnload(loaded);
  });

  it("is not brought back by a look-up while a call that ends it is in flight, only by one that makes it", async () => {
    const module = cuda.cuModuleLoad("f");
    const fn = cuda.cuModuleGetFunction(module, "f");
    const ending = promises.cuModuleUnload(module);
    assert.equal(cuda.cuFuncGetModule(fn), module);
    assert.throws(() => cuda.cuModuleUnload(module), GONE);
    assert.throws(() => cuda.cuModuleGetFunction(module, "f"), GONE);
    await ending;
    assert.throws(() => cuda.cuModuleUnload(module), GONE);
    assert.equal(told().filter((line) => line.startsWith("cuModuleUnload")).length, 1, "the driver was asked again");

    /* Where the driver refuses, it has it still. */
    const stuck = cuda.cuModuleLoadData("stuck");
    const refused = promises.cuModuleUnload(stuck);
    assert.throws(() => cuda.cuModuleUnload(stuck), GONE);
    await assert.rejects(refused, { errno: 709 });

    /* The pool thread is done long before its promise is. */
    const unloading = promises.cuModuleUnload(stuck);
    const until = Date.now() + 50;
    while (Date.now() < until);
    assert.equal(cuda.cuModuleLoadData("a"), stuck, "the driver reuses its values");
    cuda.cuModuleGetFunction(stuck, "f");
    await unloading;
    cuda.cuModuleGetFunction(stuck, "f");
    cuda.cuModuleUnload(stuck);
  });

  it("leaves NULL and what never was one to the driver, and refuses no handles", () => {
    for (const none of [0n, 1n, 0x1000n]) {
      for (let time = 0; time < 2; time++) {
        assert.throws(() => cuda.cuModuleGetFunction(none as cuda.CUmodule, "f"), {
          errno: 400,
          message: /^(?!.*before)/,
        });
        assert.throws(() => cuda.cuModuleUnload(none as cuda.CUmodule), { errno: 400, message: /^(?!.*before)/ });
      }
    }
    assert.equal(told().length, 12);
    for (const [none, name] of [
      ...([null, 5, "x", {}, undefined] as const).map((value) => [value, "TypeError"] as const),
      ...([-1n, 2n ** 64n] as const).map((value) => [value, "RangeError"] as const),
    ]) {
      assert.throws(() => cuda.cuModuleUnload(none as never), { name, message: /^cuModuleUnload: hmod / });
      assert.throws(() => cuda.cuLinkComplete(none as never), { name, message: /^cuLinkComplete: state / });
    }
    assert.deepEqual(told(), []);
  });

  it("is remembered with many others, in a table that is no larger than they need", async () => {
    const path = await addon(join(await scratchFolder(), "places.node"), "places.c");
    const { claim, ended, restore, gone, places } = createRequire(import.meta.url)(path) as typeof native & {
      places(): [all: number, used: number];
    };
    const handle = (index: number) => 0x7000_0000_0000n + 16n * BigInt(index);

    /* However many come and go, one at a time: emptied places do not pile up. */
    for (let time = 0; time < 20_000; time++) {
      assert.ok(claim(handle(time)));
      restore(handle(time), true);
    }
    const [size, used] = places();
    assert.equal(size, 64);
    assert.ok(used <= 32, `${used} places of 64 are not empty`);

    const all = Array.from({ length: 20_000 }, (_, index) => handle(index));
    assert.ok(all.every((each) => claim(each)));
    assert.ok(all.every((each) => gone(each) && !claim(each)));
    assert.equal(places()[0], 65536);
    /* A look-up brings back what is gone, and nothing that is ending. */
    for (const each of all.filter((_, index) => index % 2 === 0)) ended(each);
    for (const each of all) restore(each, false);
    assert.ok(all.every((each, index) => gone(each) === (index % 2 === 1)));
    for (const each of all) restore(each, true);
    assert.ok(!all.some((each) => gone(each)));
    /* What was made alive meanwhile does not end. */
    ended(handle(0));
    assert.ok(!gone(handle(0)) && claim(handle(0)));
  });
});
