import { byName, compareText, groupBy } from "./collect.ts";
import type { ApiDocument } from "./document.ts";
import type { SymbolTable, SymbolVariant } from "./lookup.ts";
import { splitName } from "./variants.ts";

/**
 * The symbol table over all given toolkits. A variant's `since` is what any toolkit's typedefs say; where none does, the first
 * toolkit that declares it.
 */
export function buildSymbolTable(documents: readonly ApiDocument[]): SymbolTable {
  interface Row {
    name: string;
    base: string;
    perThread: boolean;
    stated: number | null;
    firstSeen: number;
  }
  const rows = new Map<string, Row>();
  for (const document of documents) {
    for (const { name, base, since, streamMode } of document.functions) {
      const row = rows.get(name);
      if (row === undefined) {
        const perThread = streamMode === "perThread";
        rows.set(name, { name, base, perThread, stated: since, firstSeen: document.toolkit });
        continue;
      }
      row.stated ??= since;
      row.firstSeen = Math.min(row.firstSeen, document.toolkit);
    }
  }
  const table: Record<string, SymbolVariant[]> = {};
  const groups = groupBy(byName(rows.values()), (row) => row.base);
  for (const base of [...groups.keys()].sort(compareText)) {
    const variants = (groups.get(base) ?? []).map((row) => ({ ...row, since: row.stated ?? row.firstSeen }));
    variants.sort(
      (a, b) =>
        Number(a.perThread) - Number(b.perThread) ||
        a.since - b.since ||
        splitName(a.name).suffix - splitName(b.name).suffix,
    );
    table[base] = variants.map(({ name, since, perThread }) => [name, since, perThread] as const);
  }
  return table;
}
