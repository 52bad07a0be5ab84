import assert from "node:assert/strict";
import { before, it } from "node:test";
import { openStandin, type Standin } from "./control.ts";
import { openPackage, type Package } from "./package.ts";
import { numberBytes } from "./scalars.ts";

let standin: Standin;
let cuda: Package["cuda"];
before(async () => {
  standin = await openStandin();
  ({ cuda } = await openPackage());
});

/** As driver 580 does, whose coredump names end a byte beyond the room; under AddressSanitizer a smaller room is seen. */
it("a driver that ends a text beyond its room does no harm", async () => {
  const { CU_COREDUMP_FILE, CU_COREDUMP_PIPE } = cuda.CUcoredumpSettings;
  for (const name of ["cuCoredumpGetAttribute", "cuCoredumpGetAttributeGlobal"] as const) {
    for (const setting of [CU_COREDUMP_FILE, CU_COREDUMP_PIPE] as const) {
      standin.output(name, "value", new TextEncoder().encode(`${"x".repeat(1024)}\0`));
      standin.output(name, "size", numberBytes(1025, 8));
      for (const get of [cuda[name], cuda.promises[name]]) assert.match(await get(setting), /^x{1024}$/);
    }
  }
});

/** As driver 580 does where the size is too little for a message; under AddressSanitizer a smaller room would be seen too. */
it("a driver that writes more of its log than it was told does no harm, and nothing is lost", async () => {
  const text = "[error] out of memory: ".padEnd(294, "x");
  standin.output("cuLogsDumpToMemory", "buffer", new TextEncoder().encode(`${text}\0`));
  for (const dump of [cuda.cuLogsDumpToMemory, cuda.promises.cuLogsDumpToMemory]) {
    standin.take();
    const [, got] = await dump(null, 200, 0);
    assert.equal(got, text);
    const call = standin.take().find(({ name }) => name === "cuLogsDumpToMemory");
    assert.equal(new DataView(call?.arguments[2]?.bytes?.buffer as ArrayBuffer).getUint32(0, true), 200);
  }
});
