/**
 * In what way one document differs from another, without the names and numbers in which it does: mutants of one shape put the
 * same question to the printers, and one of them is enough to be compiled.
 */
export function shapeOf(before: unknown, after: unknown): string {
  const found = new Set<string>();
  compare(before, after, "", found);
  return [...found].sort().join(" ");
}

function compare(before: unknown, after: unknown, path: string, found: Set<string>): void {
  if (Array.isArray(before) && Array.isArray(after)) {
    const old = byKey(before);
    const young = byKey(after);
    if (after.length !== young.size) found.add(`${path}:twice`);
    for (const [key, item] of young) {
      if (old.has(key)) compare(old.get(key), item, `${path}[]`, found);
      else found.add(`${path}:new ${kindOf(key)} ${summary(item)}`);
    }
    for (const key of old.keys()) if (!young.has(key)) found.add(`${path}:gone`);
  } else if (isObject(before) && isObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      compare(before[key], after[key], `${path}.${key}`, found);
    }
  } else if (before !== after) {
    found.add(`${path}:${kindOf(before)}->${kindOf(after)}`);
  }
}

function byKey(items: readonly unknown[]): Map<string, unknown> {
  return new Map(
    items.map((item, index) => [isObject(item) && "name" in item ? String(item.name) : `#${index}`, item]),
  );
}

function summary(item: unknown): string {
  return isObject(item) ? Object.keys(item).join() : kindOf(item);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Names of types become T and other words w, numbers n; what is left is how a type is made. */
function kindOf(value: unknown): string {
  if (typeof value === "number") return value < 0 ? "-n" : value > 0x7fffffff ? "N" : "n";
  if (typeof value !== "string") return typeof value;
  return value
    .replace(/\b(CU|cu|Vdp|GL|EGL)\w*/g, "T")
    .replace(/\b\d+\b/g, "n")
    .replace(
      /\b(?!T\b|n\b|const\b|struct\b|union\b|enum\b|void\b|char\b|int\b|long\b|float\b|double\b|size_t\b)[a-z_$]\w*/gi,
      "w",
    );
}
