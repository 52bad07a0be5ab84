import { formatDeclaration, prototype } from "../api/ctype.ts";
import type { ApiDocument, ApiFunction, ApiRecord } from "../api/document.ts";
import { describeVersion, formatVersion } from "../versions.ts";

/** The whole API document as lines for a person. */
export function listDocument(document: ApiDocument): string {
  const { aliases, handles, typedefs, callbacks, constants } = document;
  return [
    `CUDA ${describeVersion(document.toolkit)}, library ${document.library}`,
    section(
      "headers",
      document.sources.map(({ name, sha256 }) => `${name}  ${sha256}`),
    ),
    section("functions", document.functions.map(describeFunction)),
    section(
      "plain spellings of another base name",
      aliases.map(({ name, target }) => `${name} means ${target}`),
    ),
    section(
      "enums",
      document.enums.flatMap(({ name, members }) => [
        name,
        ...members.map((member) => `  ${member.name} = ${member.value}`),
      ]),
      document.enums.length,
    ),
    section("records", document.records.flatMap(describeRecord), document.records.length),
    section(
      "handles",
      handles.map(({ name, tag }) => `${name}: struct ${tag} *`),
    ),
    section(
      "typedefs",
      typedefs.map(({ name, type }) => `${name}: ${type}`),
    ),
    section(
      "callbacks",
      callbacks.map((callback) => `${callback.name}: ${prototype(callback)}`),
    ),
    section(
      "constants",
      constants.map(({ name, value, type }) => `${name} = ${value} (${type})`),
    ),
  ].join("\n");
}

function section(title: string, lines: readonly string[], count = lines.length): string {
  return `\n${title} (${count})\n${lines.map((line) => `  ${line}\n`).join("")}`.trimEnd();
}

function describeFunction(variant: ApiFunction): string {
  const { name, base, since, streamMode, deprecated, retired } = variant;
  const facts = [
    since === null ? "since unknown" : `since ${formatVersion(since)}`,
    ...(variant.default && name !== base ? [`what ${base} means`] : []),
    ...(streamMode === "perThread" ? ["per-thread streams"] : []),
    ...(retired ? ["retired"] : []),
    ...(deprecated ? ["deprecated"] : []),
  ];
  const outputs = variant.params.filter(({ direction }) => direction !== "in");
  const writes = outputs.map((param) => `${param.name} ${param.direction}`);
  return `${prototype(variant, name)}  ${[...facts, ...writes].join(", ")}`;
}

function describeRecord({ kind, name, size, align, fields, llp64 }: ApiRecord): string[] {
  const windows = llp64 ? `; on 64-bit Windows ${llp64.size} bytes, alignment ${llp64.align}` : "";
  return [
    `${kind} ${name}: ${size} bytes, alignment ${align}${windows}`,
    ...fields.map(
      ({ offset, type, name }) =>
        `  ${String(offset).padStart(4)}  ${name === "" ? type : formatDeclaration(type, name)}`,
    ),
  ];
}
