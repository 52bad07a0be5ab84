/**
 * TypeDoc plugin: `index.cuInit` in a comment of the package's means what its index exports, which is the page's first module.
 *
 * @param {import("typedoc").Application} app
 */
export function load(app) {
  app.converter.addUnknownSymbolResolver((reference, from) => {
    const [module, ...names] = (reference.symbolReference?.path ?? []).map((part) => part.path);
    if (module !== "index") return undefined;
    const target = from.project.getChildByName(["cuda-driver", ...names]);
    return target && { target, caption: target.name };
  });
}
