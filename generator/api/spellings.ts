import type { ApiDocument } from "./document.ts";

/** What the plain spellings mean in the legacy mode: exported names by base name. */
export function plainSpellings(document: ApiDocument): Map<string, string> {
  const plain = new Map<string, string>();
  for (const { name, base, default: isDefault, streamMode } of document.functions) {
    if (isDefault && streamMode === "legacy") plain.set(base, name);
  }
  for (const { name, target, streamMode } of document.aliases) if (streamMode === "legacy") plain.set(name, target);
  return plain;
}
