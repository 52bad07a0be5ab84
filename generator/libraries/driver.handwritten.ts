import type { HandwrittenRow } from "./library.ts";

const loads = "packs options, ends text in a NUL, keeps what the driver still has alive";
const links = "packs options and keeps their buffers alive: the log of a link grows until it is destroyed";
const crashes = "drivers crash on a handle that was destroyed before";
const ends = "the JavaScript function is let go; drivers crash on a handle that was unregistered before";

/** What the fixed runtime adds to functions. */
export const driverHandwritten: Readonly<Record<string, HandwrittenRow>> = {
  cuArrayDestroy: { form: "destroy", reason: crashes },
  cuCoredumpDeregisterCompleteCallback: { form: "destroy", callback: true, reason: ends },
  cuCoredumpDeregisterStartCallback: { form: "destroy", callback: true, reason: ends },
  cuDeviceUnregisterAsyncNotification: { form: "destroy", handle: "callback", callback: true, reason: ends },
  cuEventDestroy: { form: "destroy", reason: crashes },
  cuGetProcAddress_v2: { form: "look-up", everywhere: true, reason: "answers on drivers without it too" },
  cuLibraryLoadData: { form: "loader", code: "code", everywhere: true, reason: loads },
  cuLibraryLoadFromFile: { form: "loader", everywhere: true, reason: loads },
  cuLibraryUnload: { form: "destroy", refusedOnUse: true, everywhere: true, reason: crashes },
  cuLinkAddData: { form: "loader", code: "data", reason: links },
  cuLinkAddFile: { form: "loader", reason: links },
  cuLinkCreate: { form: "loader", reason: links },
  cuLinkDestroy: { form: "destroy", refusedOnUse: true, reason: crashes },
  cuLogsUnregisterCallback: { form: "destroy", callback: true, reason: ends },
  cuMemHostRegister: {
    form: "register",
    memory: "p",
    reason: "the device reads and writes it until it is unregistered",
  },
  cuMemHostUnregister: { form: "unregister", memory: "p", reason: "the device is done with it" },
  cuMipmappedArrayDestroy: { form: "destroy", reason: crashes },
  cuModuleLoadData: { form: "loader", code: "image", reason: loads },
  cuModuleLoadDataEx: { form: "loader", code: "image", reason: loads },
  cuModuleLoadFatBinary: { form: "loader", code: "fatCubin", reason: loads },
  cuModuleUnload: { form: "destroy", refusedOnUse: true, reason: "as libraries, whose modules they may be" },
  cuStreamDestroy: { form: "destroy", reason: crashes },
  cuTexRefDestroy: { form: "destroy", reason: crashes },
};
