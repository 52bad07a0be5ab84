import { byName } from "./collect.ts";
import { parseType, typeNames } from "./ctype.ts";
import type { ApiDocument } from "./document.ts";

/**
 * The document with functions that every package must have, whatever its toolkit: those of `names` that it lacks are taken,
 * with the types that they mention, from the donor (a newer toolkit), which is asked for only then. Nothing that the document
 * has is changed.
 */
export function supplement(document: ApiDocument, askDonor: () => ApiDocument, names: readonly string[]): ApiDocument {
  const present = new Set(document.functions.map(({ name }) => name));
  const missing = new Set(names.filter((name) => !present.has(name)));
  if (missing.size === 0) return document;
  const donor = askDonor();
  const bases = new Set(document.functions.map(({ base }) => base));
  const functions = donor.functions
    .filter(({ name }) => missing.has(name))
    /* Where the toolkit has a plain spelling, that keeps its meaning. */
    .map((fn) => (bases.has(fn.base) ? { ...fn, default: false } : fn));

  const wanted = missingTypes(
    document,
    donor,
    functions.flatMap(({ params, result }) => [result, ...params.map(({ type }) => type)]),
  );
  const taken = <T extends { name: string }>(ours: T[], theirs: T[]): T[] =>
    byName([...ours, ...theirs.filter(({ name }) => wanted.has(name))]);
  return {
    ...document,
    functions: byName([...document.functions, ...functions]),
    enums: taken(document.enums, donor.enums),
    records: taken(document.records, donor.records),
    handles: taken(document.handles, donor.handles),
    typedefs: taken(document.typedefs, donor.typedefs),
    callbacks: taken(document.callbacks, donor.callbacks),
  };
}

/** Names of the donor's types that these spellings need and the document does not have. */
function missingTypes(document: ApiDocument, donor: ApiDocument, spellings: readonly string[]): Set<string> {
  const known = new Set(namedTypes(document).map(({ name }) => name));
  const offered = new Map(namedTypes(donor).map((type) => [type.name, type]));
  const wanted = new Set<string>();
  const visit = (spelling: string): void => {
    for (const name of typeNames(parseType(spelling))) {
      const type = offered.get(name);
      if (type === undefined || known.has(name) || wanted.has(name)) continue;
      wanted.add(name);
      for (const inner of type.mentions) visit(inner);
    }
  };
  for (const spelling of spellings) visit(spelling);
  return wanted;
}

function namedTypes(document: ApiDocument): { name: string; mentions: string[] }[] {
  const types = (params: readonly { type: string }[]) => params.map(({ type }) => type);
  return [
    ...document.enums.map(({ name }) => ({ name, mentions: [] })),
    ...document.records.map(({ name, fields }) => ({ name, mentions: types(fields) })),
    ...document.handles.map(({ name }) => ({ name, mentions: [] })),
    ...document.typedefs.map(({ name, type }) => ({ name, mentions: [type] })),
    ...document.callbacks.map(({ name, result, params }) => ({ name, mentions: [result, ...types(params)] })),
  ];
}
