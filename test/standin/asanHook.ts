/** Loaded first by `asan.ts`: the addon that STANDIN_ADDON names takes the place of the package's own. */
const own = process.dlopen;
process.dlopen = (module: object, file: string, flags?: number) => {
  const addon = process.env.STANDIN_ADDON;
  const path = addon !== undefined && file.endsWith("cuda_driver.node") ? addon : file;
  return flags === undefined ? own(module, path) : own(module, path, flags);
};
