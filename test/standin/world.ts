import type { World } from "./context.ts";
import { openStandin } from "./control.ts";
import { newestDocument } from "./library.ts";
import { openPackage } from "./package.ts";

/** The package made of the newest toolkit, and the stand-in driver under it. */
export async function openWorld(flavour?: Parameters<typeof openStandin>[0]): Promise<World> {
  const standin = await openStandin(flavour);
  return { standin, package: await openPackage(), document: newestDocument() };
}
