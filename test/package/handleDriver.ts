/** The driver of fixtures/handles.c, for a whole test file. */
import { join } from "node:path";
import { before, beforeEach } from "node:test";
import * as cuda from "cuda-driver";
import { addon, scratchFolder } from "./fakes.ts";

/** What the driver was asked since the last time. */
export function told(): string[] {
  return cuda
    .cuDeviceGetName(1 << 16, 0)
    .split("\n")
    .slice(0, -1);
}

/** Makes it the driver of this process, with nothing told when a test begins. */
export function useHandleDriver(): void {
  before(async () => {
    process.env.CUDA_DRIVER_LIBRARY = await addon(join(await scratchFolder(), "libcuda.so.1"), "handles.c");
  });
  beforeEach(() => {
    told();
  });
}
