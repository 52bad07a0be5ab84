import type { HandwrittenRow } from "./library.ts";

/** Exported name -> what the fixed runtime adds to it. */
export const driverHandwritten: Readonly<Record<string, HandwrittenRow>> = {
  cuGetProcAddress_v2: { form: "look-up", reason: "answers on drivers without it too" },
  cuLibraryLoadData: { form: "loader", reason: "packs options and keeps their buffers alive" },
  cuLibraryLoadFromFile: { form: "loader", reason: "packs options and keeps their buffers alive" },
  cuLibraryUnload: { form: "unloader", reason: "drivers crash on a handle that was unloaded before" },
};
