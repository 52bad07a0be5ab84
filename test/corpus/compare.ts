/** Differences between an API document and what castxml says of the same headers. */
import { formatType, parseType } from "../../generator/api/ctype.ts";
import type { ApiDocument, ApiFunction, Omission } from "../../generator/api/document.ts";
import { driver } from "../../generator/libraries/driver.ts";
import type { JudgedEnum, JudgedFunction, JudgedRecord, JudgedTypedef } from "../support/castxml.ts";
import type { Judgements } from "./judges.ts";

export interface Comparison {
  counts: Counts;
  /** One line each; none when the two agree. */
  differences: string[];
  /** What the document says about headers that no compiler can read here, and what it leaves out with a reason. */
  notes: string[];
}

export interface Counts {
  functions: number;
  enums: number;
  members: number;
  records: number;
  fields: number;
  typedefs: number;
  procs: number;
}

export function compare(document: ApiDocument, omissions: readonly Omission[], judged: Judgements): Comparison {
  const differences: string[] = [];
  const notes: string[] = [];
  const omitted = new Map(omissions.map(({ name, reason }) => [name, reason]));
  const unread = new Set(
    document.functions.map(({ header }) => header).filter((name) => !judged.headers.includes(name)),
  );

  /** The same lists of plain lines by name; what is missing may have been left out with a reason. */
  function same(what: string, ours: ReadonlyMap<string, string>, theirs: ReadonlyMap<string, string>): void {
    for (const [name, text] of theirs) {
      const own = ours.get(name);
      const reason = omitted.get(name);
      if (own === undefined && reason !== undefined) notes.push(`${what} ${name} is left out: ${reason}`);
      else if (own === undefined) differences.push(`${what} ${name} is missing: ${text}`);
      else if (own !== text) differences.push(`${what} ${name}: document "${own}", castxml "${text}"`);
    }
    for (const name of ours.keys()) {
      if (!theirs.has(name)) differences.push(`${what} ${name} is in the document only: ${ours.get(name)}`);
    }
  }

  const { default: plain, perThread, internal } = judged;
  const functions = firstByName([plain, perThread, internal].flatMap((one) => one.functions));
  const visible = new Set([plain, perThread].flatMap((one) => one.functions).map(({ name }) => name));
  for (const { name } of document.functions.filter(({ header }) => unread.has(header))) {
    notes.push(`function ${name} comes from a header whose includes are not there: not judged`);
  }
  const read = document.functions.filter(({ header }) => !unread.has(header));
  same("function", lines(read, prototype), lines(functions.values(), prototype));
  for (const ours of read) {
    const theirs = functions.get(ours.name);
    if (!theirs) continue;
    if (theirs.inline) differences.push(`function ${ours.name} has a body in the header: it is no export`);
    if (theirs.header !== ours.header) {
      differences.push(`function ${ours.name}: document "${ours.header}", castxml "${theirs.header}"`);
    }
    if (theirs.deprecated && !ours.deprecated) differences.push(`function ${ours.name} is deprecated`);
    if (ours.retired === visible.has(ours.name)) {
      differences.push(`function ${ours.name}: retired is ${ours.retired}, but programs can see it: ${!ours.retired}`);
    }
  }

  const enums = firstByName([plain, perThread, internal].flatMap((one) => one.enums));
  // castxml calls an enum without a tag by its typedef; the compilers are asked for tags (program.ts).
  const tagged = ({ name, tag, members }: JudgedEnum) => enumeration({ name, tag: tag ?? name, members });
  same("enum", lines(document.enums, tagged), lines(enums.values(), tagged));

  const records = firstByName([plain, perThread, internal].flatMap((one) => one.records));
  same("record", lines(document.records, record), lines(records.values(), record));
  const windows = new Map(judged.llp64.records.map((one) => [one.name, one]));
  for (const ours of document.records) {
    const theirs = windows.get(ours.name);
    if (!theirs) continue; // declared for the library's own build only: judged for LP64 alone
    const layout = ours.llp64 ?? ours;
    const own = layoutOf(ours, layout.size, layout.align, layout.fields);
    const other = layoutOf(ours, theirs.size, theirs.align, theirs.fields);
    if (own !== other) differences.push(`record ${ours.name} on LLP64: document "${own}", castxml "${other}"`);
  }

  const typedefs = firstByName([plain, perThread, internal].flatMap((one) => one.typedefs));
  const prefix = driver.procTypedefPrefix;
  const named = [...typedefs.values()].filter(
    ({ name, kind }) => !name.startsWith(prefix) && !/^(record|enum)$/.test(kind),
  );
  same("typedef", typedefsOf(document), lines(named, typedef));

  // A look-up's typedef carries the version that `since` is read from.
  const procs = [...typedefs.keys()].filter((name) => new RegExp(`^${prefix}.+_v\\d+(_ptds|_ptsz)?$`).test(name));
  const dated = document.functions.filter(({ since, header }) => since !== null && !unread.has(header)).map(procName);
  same("typedef", new Map(dated.map((name) => [name, name])), new Map(procs.map((name) => [name, name])));

  return {
    counts: {
      functions: read.length,
      enums: document.enums.length,
      members: sum(document.enums, ({ members }) => members.length),
      records: document.records.length,
      fields: sum(document.records, ({ fields }) => fields.length),
      typedefs: named.length,
      procs: dated.length,
    },
    differences,
    notes,
  };
}

/** `PFN_cuMemcpyHtoD_v7000_ptds`: the typedef that gave a function its version. */
export function procName({ name, base, since }: ApiFunction): string {
  return `${driver.procTypedefPrefix}${base}_v${since}${/_pt[ds]s?z?$/.exec(name)?.[0] ?? ""}`;
}

function firstByName<T extends { name: string }>(items: readonly T[]): Map<string, T> {
  const found = new Map<string, T>();
  for (const item of items) if (!found.has(item.name)) found.set(item.name, item);
  return found;
}

function lines<T extends { name: string }>(items: Iterable<T>, line: (item: T) => string): Map<string, string> {
  return new Map(Array.from(items, (item) => [item.name, line(item)]));
}

function prototype({ result, params }: Pick<JudgedFunction, "result" | "params">): string {
  return `${result} (${params.map(({ name, type }) => `${type} : ${name}`).join(", ")})`;
}

function enumeration({ tag, members }: JudgedEnum): string {
  return `${tag} {${members.map(({ name, value }) => `${name}=${value}`).join(" ")}}`;
}

function record({ kind, tag, size, align, fields }: JudgedRecord): string {
  const parts = fields.map((field) => `${field.name}: ${field.type} @${field.offset}+${field.size}`);
  return `${kind} ${tag} ${size}/${align} {${parts.join("; ")}}`;
}

function layoutOf(
  { fields: names }: JudgedRecord,
  size: number,
  align: number,
  fields: readonly { offset: number; size: number }[],
): string {
  return `${size}/${align} {${fields.map((field, i) => `${names[i]?.name}@${field.offset}+${field.size}`).join(" ")}}`;
}

function typedef({ kind, type }: JudgedTypedef): string {
  return `${kind} ${type}`;
}

/** The document keeps typedefs in three lists; types from outside the toolkit are nobody's typedef here. */
function typedefsOf(document: ApiDocument): Map<string, string> {
  const external = new Set(driver.externalTypes.map(({ name }) => name));
  return new Map([
    ...document.handles.map(({ name, tag }): [string, string] => [name, `handle struct ${tag} *`]),
    ...document.callbacks.map(({ name, result, params }): [string, string] => [
      name,
      `callback ${formatType({
        kind: "pointer",
        to: {
          kind: "function",
          result: parseType(result),
          params: params.map(({ type }) => parseType(type)),
          variadic: false,
        },
        const: false,
      })}`,
    ]),
    ...document.typedefs
      .filter(({ name }) => !external.has(name))
      .map(({ name, type }): [string, string] => [name, `other ${type}`]),
  ]);
}

function sum<T>(items: readonly T[], count: (item: T) => number): number {
  return items.reduce((total, item) => total + count(item), 0);
}
