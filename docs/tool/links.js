/**
 * TypeDoc plugin: `index.cuInit` in a comment of the package's means what its index exports, which is the page's first module.
 *
 * @param {import("typedoc").Application} app
 */
export function load(app) {
  app.converter.addUnknownSymbolResolver((reference, from) => {
    const path = reference.symbolReference?.path?.map((part) => part.path) ?? [];
    if (path[0] !== "index") return undefined;
    return from.project.getChildByName(["cuda-driver", ...path.slice(1)]);
  });
}
