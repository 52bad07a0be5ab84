import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { pythonName, pythonNames, snakeCase } from "../../generator/api/pythonName.ts";
import { driver } from "../../generator/libraries/driver.ts";
import { readRelease } from "./read.ts";

test("names in Python's manner", () => {
  const name = (exported: string) => pythonName(exported, driver.prefix, driver.pythonNames);
  assert.equal(name("cuMemcpyHtoD_v2"), "memcpy_htod_v2");
  assert.equal(name("cuMemcpyDtoDAsync_v2"), "memcpy_dtod_async_v2");
  assert.equal(name("cuMemcpy2D_v2"), "memcpy_2d_v2");
  assert.equal(name("cuArray3DCreate_v2"), "array_3d_create_v2");
  assert.equal(name("cuMemsetD2D8Async"), "memset_d2d8_async");
  assert.equal(name("cuDeviceGetP2PAttribute"), "device_get_p2p_attribute");
  assert.equal(name("cuCtxResetPersistingL2Cache"), "ctx_reset_persisting_l2cache");
  assert.equal(name("cuOccupancyAvailableDynamicSMemPerBlock"), "occupancy_available_dynamic_smem_per_block");
  assert.equal(name("cuDeviceGetPCIBusId"), "device_get_pci_bus_id");
  assert.equal(name("cuMemcpy"), "cu_memcpy");
  assert.equal(name("cuTexRefSetAddress2D_v3"), "tex_ref_set_address2d_v3");
  assert.equal(snakeCase("hStream"), "h_stream");
  assert.equal(snakeCase("numDependencies_out"), "num_dependencies_out");
});

test("every name of cuda-python's driver module is there", async () => {
  const text = await readFile(join(import.meta.dirname, "fixtures", "driver_v2_names.txt"), "utf8");
  const wanted = text.trim().split("\n");
  const names = pythonNames((await readRelease("13.5.37")).document, driver);
  assert.deepEqual(
    wanted.filter((name) => !names.has(name)),
    [],
  );
  assert.equal(names.get("graph_instantiate"), "cuGraphInstantiateWithFlags");
  assert.equal(new Set(names.keys()).size, names.size);
});

test("every exception names a function", async () => {
  const { functions } = (await readRelease("13.5.37")).document;
  for (const row of driver.pythonNames ?? []) {
    assert.ok(
      functions.some(({ name }) => name === row.function),
      row.function,
    );
  }
});
