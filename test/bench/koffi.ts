import { measure, type Row } from "./measure.ts";

/** Through koffi, where it is installed: its usual way, a declaration for each function. */
export async function throughKoffi(library: string, rounds: number): Promise<Row[]> {
  let koffi: typeof import("koffi");
  try {
    koffi = (await import("koffi")).default as unknown as typeof import("koffi");
  } catch {
    console.log("koffi: not installed here");
    return [];
  }
  const lib = koffi.load(library);
  const init = lib.func("int cuInit(unsigned int)");
  const deviceGet = lib.func("int cuDeviceGet(_Out_ int *, int)");
  const retain = lib.func("int cuDevicePrimaryCtxRetain(_Out_ void **, int)");
  const setCurrent = lib.func("int cuCtxSetCurrent(void *)");
  const getCurrent = lib.func("int cuCtxGetCurrent(_Out_ void **)");
  const attribute = lib.func("int cuDeviceGetAttribute(_Out_ int *, int, int)");
  const pointerAttribute = lib.func("int cuPointerGetAttribute(_Out_ int *, int, uint64_t)");
  const alloc = lib.func("int cuMemAlloc_v2(_Out_ uint64_t *, size_t)");
  const streamCreate = lib.func("int cuStreamCreate(_Out_ void **, unsigned int)");
  const streamQuery = lib.func("int cuStreamQuery(void *)");
  const synchronize = lib.func("int cuCtxSynchronize()");
  const out: unknown[] = [null];
  init(0);
  deviceGet(out, 0);
  const device = out[0];
  retain(out, device);
  setCurrent(out[0]);
  alloc(out, 4096);
  const memory = out[0];
  streamCreate(out, 0);
  const stream = out[0];
  const settle = () => void synchronize();
  return [
    measure(
      "cuCtxGetCurrent",
      rounds / 4,
      (n) => {
        for (let i = 0; i < n; i++) getCurrent(out);
      },
      settle,
    ),
    measure(
      "cuDeviceGetAttribute",
      rounds / 4,
      (n) => {
        for (let i = 0; i < n; i++) attribute(out, 10, device);
      },
      settle,
    ),
    measure(
      "cuPointerGetAttribute",
      rounds / 4,
      (n) => {
        for (let i = 0; i < n; i++) pointerAttribute(out, 2, memory);
      },
      settle,
    ),
    measure(
      "cuStreamQuery",
      rounds / 4,
      (n) => {
        for (let i = 0; i < n; i++) streamQuery(stream);
      },
      settle,
    ),
  ];
}
