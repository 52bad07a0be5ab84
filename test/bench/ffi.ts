import { measure, type Row } from "./measure.ts";

interface Ffi {
  dlopen(
    path: string,
    functions: Record<string, { arguments: string[]; return: string }>,
  ): { functions: Record<string, (...values: unknown[]) => number> };
  getRawPointer(view: ArrayBufferView): bigint;
}

/** Through Node's own experimental node:ffi, from Node 26 on. */
export async function throughFfi(library: string, rounds: number): Promise<Row[]> {
  let ffi: Ffi;
  try {
    const name = "node:ffi";
    ffi = (await import(name)) as Ffi;
  } catch {
    console.log("node:ffi: not in this Node");
    return [];
  }
  const { functions } = ffi.dlopen(library, {
    cuInit: { arguments: ["u32"], return: "i32" },
    cuDeviceGet: { arguments: ["pointer", "i32"], return: "i32" },
    cuDevicePrimaryCtxRetain: { arguments: ["pointer", "i32"], return: "i32" },
    cuCtxSetCurrent: { arguments: ["pointer"], return: "i32" },
    cuCtxGetCurrent: { arguments: ["pointer"], return: "i32" },
    cuCtxSynchronize: { arguments: [], return: "i32" },
    cuDeviceGetAttribute: { arguments: ["pointer", "i32", "i32"], return: "i32" },
    cuPointerGetAttribute: { arguments: ["pointer", "i32", "u64"], return: "i32" },
    cuMemAlloc_v2: { arguments: ["pointer", "u64"], return: "i32" },
  });
  const call = (name: string, ...values: unknown[]) => (functions[name] as (...given: unknown[]) => number)(...values);
  const words = new BigUint64Array(1);
  const at = ffi.getRawPointer(words);
  call("cuInit", 0);
  call("cuDeviceGet", at, 0);
  call("cuDevicePrimaryCtxRetain", at, 0);
  call("cuCtxSetCurrent", words[0]);
  call("cuMemAlloc_v2", at, 4096n);
  const memory = words[0];
  const { cuCtxGetCurrent, cuDeviceGetAttribute, cuPointerGetAttribute } = functions as Record<
    string,
    (...v: unknown[]) => number
  >;
  let sink: unknown;
  const settle = () => void call("cuCtxSynchronize");
  const rows = [
    measure(
      "cuCtxGetCurrent",
      rounds / 4,
      (n) => {
        for (let i = 0; i < n; i++) {
          cuCtxGetCurrent?.(at);
          sink = words[0];
        }
      },
      settle,
    ),
    measure(
      "cuDeviceGetAttribute",
      rounds / 4,
      (n) => {
        for (let i = 0; i < n; i++) {
          cuDeviceGetAttribute?.(at, 10, 0);
          sink = words[0];
        }
      },
      settle,
    ),
    measure(
      "cuPointerGetAttribute",
      rounds / 4,
      (n) => {
        for (let i = 0; i < n; i++) {
          cuPointerGetAttribute?.(at, 2, memory);
          sink = words[0];
        }
      },
      settle,
    ),
  ];
  void sink;
  return rows;
}
