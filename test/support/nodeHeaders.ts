import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";

/** Folder of node_api.h: where npm is told that it is, beside this node, or where node-gyp has put what it fetched. */
export function findNodeHeaders(): string | undefined {
  const prefixes = [
    process.env.npm_config_nodedir,
    dirname(dirname(process.execPath)),
    join(process.env.npm_config_devdir ?? join(homedir(), ".cache", "node-gyp"), process.versions.node),
  ];
  const folders = prefixes.flatMap((prefix) => (prefix ? [join(prefix, "include", "node")] : []));
  return folders.find((folder) => existsSync(join(folder, "node_api.h")));
}

export function nodeHeaders(): string {
  const found = findNodeHeaders();
  if (found === undefined) throw new Error("node_api.h is not beside this node: set npm_config_nodedir");
  return found;
}
