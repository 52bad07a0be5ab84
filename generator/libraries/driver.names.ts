import type { NameRow } from "./library.ts";

/** Names of cuda-python's `cuda.bindings._v2.driver` that no rule gives. */
export const driverNames: readonly NameRow[] = [
  {
    function: "cuMemcpy",
    name: "cu_memcpy",
    reason: "cuda-python's list keeps the prefix: without it the name is the C library's",
  },
  { function: "cuMemcpy", name: "memcpy", reason: "cuda-python 13.5 as it is published calls it so" },
  {
    function: "cuTexRefSetAddress2D_v3",
    name: "tex_ref_set_address2d_v3",
    reason: "cuda-python writes address2d as one word, unlike memcpy_2d",
  },
];
