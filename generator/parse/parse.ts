import { HeaderError } from "../errors.ts";
import type { ConfigurationRow, Library } from "../libraries/library.ts";
import type { HeaderText } from "../toolkit/toolkit.ts";
import type { ConstantMacro, Declaration, Translation } from "./ast.ts";
import { type Chunk, shareChunks } from "./chunks.ts";
import { prelude } from "./configuration.ts";
import { readAliases, readConstants } from "./constants.ts";
import { readDeclarations } from "./declarations.ts";
import { type Preprocessed, preprocess } from "./preprocess.ts";
import { type ScannedHeader, scan } from "./scan.ts";
import { readSyntax } from "./syntax.ts";

/**
 * Reads a set of headers in every configuration of the library.
 * @param headers in the order of `library.headers`.
 * @returns one translation for each configuration, in their order.
 * @throws HeaderError for the first place that is not understood; nothing is guessed and nothing left out.
 */
export function parseHeaders(headers: HeaderText[], library: Library): Translation[] {
  const scanned = headers.map(scan);
  const runs = library.configurations.map((configuration) => ({
    configuration,
    ...preprocess(scan(prelude(configuration)), scanned, library),
  }));

  const chunksOfRuns = shareChunks(runs.map(({ pieces }) => pieces));
  const chunks = [...new Set(chunksOfRuns.flat())];
  const types = new Set(library.externalTypes.map(({ name }) => name));
  const read = new Map<Chunk, Declaration[]>();
  for (const [chunk, nodes] of readSyntax(chunks)) read.set(chunk, readDeclarations(chunk, nodes, types));

  return runs.map((run, index) => {
    const declarations = (chunksOfRuns[index] ?? []).flatMap((chunk) => read.get(chunk) ?? []);
    return translate(run, declarations, types, scanned, library);
  });
}

function translate(
  { configuration, defined, macros }: Preprocessed & { configuration: ConfigurationRow },
  all: Declaration[],
  types: ReadonlySet<string>,
  headers: ScannedHeader[],
  library: Library,
): Translation {
  const { declarations, members } = settle(all);
  const constants = readConstants(defined, macros, (name) => types.has(name), members);
  return {
    configuration: configuration.name,
    declarations,
    constants,
    aliases: readAliases(defined, macros),
    version: versionOf(constants, headers, library),
  };
}

/**
 * Keeps of every record either its definition or one mere mention, and checks what C demands of the whole.
 * @throws HeaderError for a tag or an enum member that is defined twice.
 */
function settle(all: Declaration[]): { declarations: Declaration[]; members: Set<string> } {
  const members = new Set<string>();
  const tags = new Map<string, Declaration>();
  for (const declaration of all) {
    if (declaration.kind !== "record" && declaration.kind !== "enum") continue;
    const { tag, position } = declaration;
    const known = tags.get(tag);
    const kind = (of: Declaration) => (of.kind === "record" ? of.record : of.kind);
    if (known && kind(known) !== kind(declaration)) {
      throw new HeaderError(position, `${kind(declaration)} ${tag} is a ${kind(known)} elsewhere`);
    }
    const isDefinition = declaration.kind === "enum" || declaration.fields !== null;
    if (!isDefinition && known) continue;
    if (known && (known.kind === "enum" || (known.kind === "record" && known.fields !== null))) {
      throw new HeaderError(position, `${kind(declaration)} ${tag} is defined twice`);
    }
    tags.set(tag, declaration);
    if (declaration.kind !== "enum") continue;
    for (const member of declaration.members) {
      if (members.has(member.name))
        throw new HeaderError(member.position, `enum member ${member.name} is defined twice`);
      members.add(member.name);
    }
  }
  const declarations = all.filter(
    (declaration) => declaration.kind !== "record" || tags.get(declaration.tag) === declaration,
  );
  return { declarations, members };
}

function versionOf(constants: ConstantMacro[], headers: ScannedHeader[], { versionMacro }: Library): number {
  const version = constants.find(({ name }) => name === versionMacro);
  const value = version?.value.kind === "integer" ? version.value.value : 0n;
  if (value >= 1000n && value < 1000000n) return Number(value);
  const position = version?.position ?? { file: headers[0]?.name ?? "", line: 1, column: 1 };
  throw new HeaderError(
    position,
    `${versionMacro} is not defined as a version such as 12040; this is no complete header of a toolkit`,
  );
}
