/** Memory that the driver uses after the call that named it. */
import assert from "node:assert/strict";
import { before, describe, it } from "node:test";
import { openStandin, type Standin } from "../standin/control.ts";
import { openPackage } from "../standin/package.ts";
import { collect } from "./collect.ts";

// biome-ignore lint/suspicious/noExplicitAny: the package over the stand-in driver
type Any = any;

describe("registered memory", () => {
  let standin: Standin;
  let cuda: Any;
  before(async () => {
    standin = await openStandin();
    ({ cuda } = await openPackage());
  });

  /** Registers memory that nobody else has. */
  function register(call: Any): { gone: WeakRef<Uint8Array>; address: bigint } {
    const memory = new Uint8Array(1 << 16);
    const made = { gone: new WeakRef(memory), address: cuda.addressOf(memory) };
    call(memory, undefined, 0);
    return made;
  }

  it("lives until it is unregistered, by its address or by itself", async () => {
    for (const [on, off] of [
      [cuda.cuMemHostRegister, cuda.cuMemHostUnregister],
      [cuda.promises.cuMemHostRegister, cuda.promises.cuMemHostUnregister],
    ]) {
      for (const byItself of [false, true]) {
        const { gone, address } = register(on);
        await collect();
        assert.ok(gone.deref() !== undefined, "collected while the driver uses it");
        await off(byItself ? gone.deref() : address);
        await collect();
        assert.equal(gone.deref(), undefined, "kept after it was unregistered");
      }
    }
  });

  it("is not kept where registering failed, and is kept where unregistering failed", async () => {
    standin.fail("cuMemHostRegister_v2", 1);
    const lost: WeakRef<Uint8Array>[] = [];
    const failing = (memory: Uint8Array) => {
      lost.push(new WeakRef(memory));
      assert.throws(() => cuda.cuMemHostRegister(memory, undefined, 0), { name: "CudaError", errno: 1 });
    };
    failing(new Uint8Array(1 << 16));
    await collect();
    assert.equal(lost[0]?.deref(), undefined);

    const { gone, address } = register(cuda.cuMemHostRegister);
    standin.fail("cuMemHostUnregister", 700);
    assert.throws(() => cuda.cuMemHostUnregister(address), { name: "CudaError", errno: 700 });
    await collect();
    assert.ok(gone.deref() !== undefined);
    cuda.cuMemHostUnregister(address);
  });

  it("cannot be transferred, and must not be resizable or gone", () => {
    const memory = new Uint8Array(64);
    cuda.cuMemHostRegister(memory, undefined, 0);
    /* Whether that throws or copies is Node's own business. */
    try {
      structuredClone(memory, { transfer: [memory.buffer] });
    } catch {}
    assert.equal(memory.byteLength, 64);
    cuda.cuMemHostUnregister(memory);
    const resizable = new (ArrayBuffer as Any)(64, { maxByteLength: 128 });
    const refused = {
      name: "TypeError",
      message: /^cuMemHostRegister_v2: p must not lie in a buffer that can be resized/,
    };
    assert.throws(() => cuda.cuMemHostRegister(resizable, undefined, 0), refused);
    const gone = new Uint8Array(64);
    structuredClone(gone, { transfer: [gone.buffer] });
    for (const call of [() => cuda.cuMemHostRegister(gone, 64, 0), () => cuda.cuMemHostUnregister(gone)])
      assert.throws(call, { name: "TypeError", message: /: p points to memory that was transferred/ });
  });

  it("is checked as in C where it is no memory", () => {
    for (const wrong of [null, undefined, 5, "x", {}, -1n])
      assert.throws(() => cuda.cuMemHostRegister(wrong, 64, 0), { message: /^cuMemHostRegister_v2: p must be / });
  });
});
