import type { HandwrittenRow } from "./library.ts";

const loads = "packs options, ends text in a NUL, keeps what the driver still has alive";
const links = "packs options and keeps their buffers alive: the log of a link grows until it is destroyed";
const crashes = "drivers crash on a handle that was given back before";

/** What the fixed runtime adds to functions. */
export const driverHandwritten: Readonly<Record<string, HandwrittenRow>> = {
  cuArrayDestroy: { form: "unloader", reason: crashes },
  cuEventDestroy: { form: "unloader", reason: crashes },
  cuGetProcAddress_v2: { form: "look-up", everywhere: true, reason: "answers on drivers without it too" },
  cuLibraryLoadData: { form: "loader", code: "code", everywhere: true, reason: loads },
  cuLibraryLoadFromFile: { form: "loader", everywhere: true, reason: loads },
  cuLibraryUnload: { form: "unloader", lasting: true, everywhere: true, reason: crashes },
  cuLinkAddData: { form: "loader", code: "data", reason: links },
  cuLinkAddFile: { form: "loader", reason: links },
  cuLinkCreate: { form: "loader", reason: links },
  cuLinkDestroy: { form: "unloader", lasting: true, reason: crashes },
  cuMipmappedArrayDestroy: { form: "unloader", reason: crashes },
  cuModuleLoadData: { form: "loader", code: "image", reason: loads },
  cuModuleLoadDataEx: { form: "loader", code: "image", reason: loads },
  cuModuleLoadFatBinary: { form: "loader", code: "fatCubin", reason: loads },
  cuModuleUnload: { form: "unloader", lasting: true, reason: "as libraries, whose modules they may be" },
  cuStreamDestroy: { form: "unloader", reason: crashes },
  cuTexRefDestroy: { form: "unloader", reason: crashes },
};
