import { splitName } from "../names.ts";
import { byName, compareText, groupBy } from "./collect.ts";
import type { ApiDocument } from "./document.ts";
import type { History } from "./history.ts";
import type { SymbolTable, SymbolVariant } from "./lookup.ts";
import { firstKey, valuesOf } from "./merge.ts";

/** What some toolkits know of one exported function. */
interface SymbolRow {
  name: string;
  base: string;
  perThread: boolean;
  /** `since` as typedefs state it. */
  stated: number | null;
  /** The first toolkit that declares it. */
  firstSeen: number;
}

/** The functions of one toolkit. */
export function symbolsOf({ functions, toolkit }: Pick<ApiDocument, "functions" | "toolkit">): SymbolRow[] {
  return functions.map(({ name, base, since, streamMode }) => ({
    name,
    base,
    perThread: streamMode === "perThread",
    stated: since,
    firstSeen: toolkit,
  }));
}

/** The functions of all toolkits learned, without taking out a single document. */
export function symbolsLearned({ lists, toolkits }: History): SymbolRow[] {
  const versions = new Map(toolkits.map(({ key, toolkit }) => [key, toolkit]));
  const first = toolkits[0]?.toolkit ?? 0;
  return lists.functions.map((item) => ({
    name: item.name as string,
    base: valuesOf(item, "base")[0] as string,
    perThread: valuesOf(item, "streamMode")[0] === "perThread",
    stated: (valuesOf(item, "since") as (number | null)[]).find((since) => since !== null) ?? null,
    firstSeen: versions.get(firstKey(item)) ?? first,
  }));
}

/**
 * The symbol table over all rows given. A variant's `since` is what any toolkit's typedefs say; where none does, the first
 * toolkit that declares it.
 */
export function buildSymbolTable(symbols: readonly SymbolRow[]): SymbolTable {
  const rows = new Map<string, SymbolRow>();
  for (const symbol of symbols) {
    const known = rows.get(symbol.name) ?? symbol;
    const stated = known.stated ?? symbol.stated;
    rows.set(symbol.name, { ...known, stated, firstSeen: Math.min(known.firstSeen, symbol.firstSeen) });
  }
  const table: Record<string, SymbolVariant[]> = {};
  const groups = groupBy(byName(rows.values()), (row) => row.base);
  for (const base of [...groups.keys()].sort(compareText)) {
    const variants = (groups.get(base) ?? []).map((row) => ({ ...row, since: row.stated ?? row.firstSeen }));
    variants.sort(
      (a, b) =>
        Number(a.perThread) - Number(b.perThread) ||
        a.since - b.since ||
        (splitName(a.name).version ?? 1) - (splitName(b.name).version ?? 1),
    );
    table[base] = variants.map(({ name, since, perThread }) => [name, since, perThread] as const);
  }
  return table;
}
