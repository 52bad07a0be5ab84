import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findNodeHeaders } from "../support/nodeHeaders.ts";
import { measure, type Row } from "./measure.ts";

interface Plain {
  open(path: string): void;
  getCurrent(): bigint;
  attribute(attribute: number, device: number): number;
  pointerAttribute(attribute: number, pointer: bigint): number;
  eventQuery(event: bigint): boolean;
  launch(...values: (bigint | number)[]): void;
}

/**
 * Through an addon as most are written: a napi_get_value for each parameter. Over the libcuda that does nothing, since it
 * is the calling that differs; BENCH_PLAIN names an addon built elsewhere, where this machine lacks Node's headers.
 */
export function throughPlainAddon(library: string, work: string, rounds: number): Row[] {
  let file = process.env.BENCH_PLAIN;
  if (file === undefined) {
    const source = fileURLToPath(new URL("plain.c", import.meta.url));
    file = join(work, "plain.node");
    const headers = findNodeHeaders();
    if (headers === undefined) {
      console.log("plain Node-API: Node's headers are not here");
      return [];
    }
    execFileSync("cc", ["-O2", "-shared", "-fPIC", `-I${headers}`, "-o", file, source]);
  }
  const plain = createRequire(import.meta.url)(file) as Plain;
  plain.open(library);
  const handle = 0x7f0000001234n;
  let sink: unknown;
  const settle = () => {};
  const rows = [
    measure(
      "cuCtxGetCurrent",
      rounds,
      (n) => {
        for (let i = 0; i < n; i++) sink = plain.getCurrent();
      },
      settle,
    ),
    measure(
      "cuDeviceGetAttribute",
      rounds,
      (n) => {
        for (let i = 0; i < n; i++) sink = plain.attribute(10, 0);
      },
      settle,
    ),
    measure(
      "cuPointerGetAttribute",
      rounds,
      (n) => {
        for (let i = 0; i < n; i++) sink = plain.pointerAttribute(2, handle);
      },
      settle,
    ),
    measure(
      "cuEventQuery",
      rounds,
      (n) => {
        for (let i = 0; i < n; i++) sink = plain.eventQuery(handle);
      },
      settle,
    ),
    measure(
      "launch 0 arguments",
      rounds,
      (n) => {
        for (let i = 0; i < n; i++) plain.launch(handle, 1, 1, 1, 1, 1, 1, 0, handle, 0n, 0n);
      },
      settle,
    ),
  ];
  void sink;
  return rows;
}
