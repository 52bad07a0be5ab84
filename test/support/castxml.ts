/**
 * The judge of what a header says: castxml (a whole C compiler's front end) reads the same headers, and its answer is put into
 * the words of the API document, so that the two can be compared as plain data.
 */
import { randomUUID } from "node:crypto";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { ApiType } from "../../generator/api/ctype.ts";
import { formatType } from "../../generator/api/ctype.ts";
import { downloadWheel, unpackWheel } from "../../generator/toolkit/pip.ts";
import { cached } from "./cache.ts";
import { command } from "./command.ts";
import { children, type Element, readXml } from "./xml.ts";

const WHEEL = {
  name: "castxml",
  version: "0.4.5",
  file: "castxml-0.4.5-py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64.whl",
  sha256: "8d058867eb96f63fcd873f3ad4348ef72bda28a35319a2fcfb8e4c0295878de4",
};

/** Headers of ours that stand in for those of GL, EGL and VDPAU. */
export const STAND_INS = fileURLToPath(new URL("include", import.meta.url));

export interface Question {
  /** The include folder. */
  directory: string;
  /** Names of headers in it, in the order in which they are included. */
  headers: readonly string[];
  define?: Readonly<Record<string, string>>;
  /** LLP64 reads as 64-bit Windows lays records out. */
  model?: "lp64" | "llp64";
}

/** What the headers declare, system headers left out. Types are in the API document's normal form. */
export interface Judgement {
  functions: JudgedFunction[];
  enums: JudgedEnum[];
  /** Defined ones only; nested unnamed ones are called after their place, as in the API document. */
  records: JudgedRecord[];
  typedefs: JudgedTypedef[];
}

export interface JudgedFunction {
  name: string;
  /** Has a body. */
  inline: boolean;
  /** Carries the compiler's attribute. */
  deprecated: boolean;
  header: string;
  result: string;
  params: { name: string; type: string }[];
}

export interface JudgedEnum {
  name: string;
  /** Of an enum without a tag castxml says the typedef here. */
  tag: string | null;
  members: { name: string; value: number }[];
}

export interface JudgedRecord {
  name: string;
  tag: string | null;
  kind: "struct" | "union";
  /** Bytes, as all of these. */
  size: number;
  align: number;
  fields: { name: string; type: string; offset: number; size: number }[];
}

export interface JudgedTypedef {
  name: string;
  type: string;
  /** `record` and `enum`: the first typedef of one, which gives it its name. */
  kind: "record" | "enum" | "handle" | "callback" | "other";
}

export async function castxml(question: Question): Promise<Judgement> {
  const paths = question.headers.map((header) => join(question.directory, header));
  const judgement = translate(await run(question, "c"), paths);
  // castxml leaves out what is in a record with a tag that is defined inside another, unless it reads the text as C++.
  const bare = new Set(judgement.records.filter(({ fields }) => fields.length === 0).map(({ name }) => name));
  if (bare.size === 0) return judgement;
  const { records } = translate(await run(question, "c++"), paths);
  const whole = records.filter(({ name }) => bare.has(name.split(".")[0] ?? ""));
  return { ...judgement, records: [...judgement.records.filter(({ name }) => !bare.has(name)), ...whole] };
}

/** The compiler's binary, in the cache. */
export async function castxmlProgram(): Promise<string> {
  const folder = await cached(`castxml-${WHEEL.version}`, async (empty) => {
    const download = await mkdtemp(join(tmpdir(), "codegen-castxml-"));
    try {
      await downloadWheel(WHEEL, download);
      await unpackWheel(join(download, WHEEL.file), empty);
      await chmod(join(empty, "castxml/data/bin/castxml"), 0o755);
    } finally {
      await rm(download, { recursive: true, force: true });
    }
  });
  return join(folder, "castxml/data/bin/castxml");
}

/** What to give a compiler so that it reads the headers; cudaVDPAU.h wants vdpau.h but leaves including it to others. */
export function includes(headers: readonly string[]): string {
  return ["vdpau/vdpau.h", ...headers].map((header) => `#include <${header}>\n`).join("");
}

async function run(
  { directory, headers, define = {}, model = "lp64" }: Question,
  language: "c" | "c++",
): Promise<Element[]> {
  const scratch = join(tmpdir(), `codegen-castxml-${randomUUID()}`);
  const source = `${scratch}.c`;
  const target =
    model === "lp64"
      ? language === "c"
        ? ["--castxml-cc-gnu-c", "gcc"]
        : ["--castxml-cc-gnu", "g++"]
      : ["-target", "x86_64-w64-mingw32", "-ffreestanding", "-isystem", join(STAND_INS, "freestanding")];
  const macros = Object.entries(define).map(([name, value]) => `-D${name}=${value}`);
  try {
    await writeFile(source, includes(headers));
    await command(await castxmlProgram(), [
      ...["--castxml-output=1", ...target, "-x", language, language === "c" ? "-std=c11" : "-std=c++17"],
      ...["-I", directory, "-isystem", STAND_INS],
      ...macros,
      ...[source, "-o", `${scratch}.xml`],
    ]);
    return readXml(await readFile(`${scratch}.xml`, "utf8"));
  } finally {
    await rm(source, { force: true });
    await rm(`${scratch}.xml`, { force: true });
  }
}

function translate(elements: readonly Element[], paths: readonly string[]): Judgement {
  const byId = new Map(elements.map((element) => [element.id, element]));
  const own = new Set(elements.filter((e) => e.kind === "File" && paths.includes(e.name)).map((e) => e.id));
  const declared = elements.filter((element) => own.has(element.file));
  const get = (id: string): Element => {
    const found = byId.get(id);
    if (!found) throw new Error(`castxml's answer refers to ${id}, which is not there`);
    return found;
  };
  /** Through spellings such as `struct T`, which castxml wraps. */
  const bare = (id: string): Element => {
    const element = get(id);
    return element.kind === "ElaboratedType" ? bare(element.type) : element;
  };

  /** Record or enum -> the typedef that it is called after. */
  const named = new Map<string, string>();
  for (const typedef of declared) {
    if (typedef.kind !== "Typedef") continue;
    const target = bare(typedef.type);
    if (isRecord(target) || target.kind === "Enumeration") {
      if (!named.has(target.id)) named.set(target.id, typedef.name);
    }
  }
  /** Nested unnamed record -> where it stands. */
  const places = new Map<string, { parent: Element; place: string }>();
  for (const parent of declared) {
    if (!isRecord(parent)) continue;
    fieldsOf(parent).forEach((field, index) => {
      let type = bare(field.type);
      while (type.kind === "ArrayType" || type.kind === "CvQualifiedType") type = bare(type.type);
      if ((isRecord(type) || type.kind === "Enumeration") && type.name === "") {
        places.set(type.id, { parent, place: field.name || String(index) });
      }
    });
  }

  function fieldsOf(record: Element): Element[] {
    return record.members.map(get).filter((member) => member.kind === "Field");
  }

  function nameOf(element: Element): string {
    const typedef = named.get(element.id);
    if (typedef !== undefined) return typedef;
    if (element.name !== "") return element.name;
    const place = places.get(element.id);
    return place ? `${nameOf(place.parent)}.${place.place}` : "";
  }

  function type(id: string): ApiType {
    const element = get(id);
    switch (element.kind) {
      case "FundamentalType":
        return { kind: "name", name: fundamental(element.name), const: false };
      case "Typedef":
        return { kind: "name", name: element.name, const: false };
      case "ElaboratedType":
        return type(element.type);
      case "PointerType":
        return { kind: "pointer", to: type(element.type), const: false };
      case "CvQualifiedType":
        return constant(type(element.type));
      case "ArrayType":
        return { kind: "array", of: type(element.type), length: element.max === "" ? null : Number(element.max) + 1 };
      case "FunctionType":
        return {
          kind: "function",
          result: type(element.returns),
          params: children(element, "Argument").map((argument) => parameter(argument.type)),
          variadic: children(element, "Ellipsis").length > 0,
        };
      case "Struct":
      case "Union":
      case "Enumeration": {
        const word = element.kind === "Enumeration" ? "enum" : element.kind.toLowerCase();
        return { kind: "name", name: element.name === "" ? nameOf(element) : `${word} ${element.name}`, const: false };
      }
      default:
        throw new Error(`castxml's answer has a type of kind ${element.kind}, which this judge does not know`);
    }
  }

  /** Arrays and functions as parameters are pointers. */
  function parameter(id: string): ApiType {
    const made = type(id);
    if (made.kind === "array") return { kind: "pointer", to: made.of, const: false };
    return made.kind === "function" ? { kind: "pointer", to: made, const: false } : made;
  }

  function sizeOf(id: string): number {
    const element = get(id);
    switch (element.kind) {
      case "Typedef":
      case "ElaboratedType":
      case "CvQualifiedType":
        return sizeOf(element.type);
      case "ArrayType":
        return element.max === "" ? 0 : (Number(element.max) + 1) * sizeOf(element.type);
      default:
        return Number(element.size) / 8;
    }
  }

  function kindOf(typedef: Element): JudgedTypedef["kind"] {
    const target = bare(typedef.type);
    if (named.get(target.id) === typedef.name && !target.incomplete) {
      return target.kind === "Enumeration" ? "enum" : "record";
    }
    if (target.kind !== "PointerType") return "other";
    let pointee = bare(target.type);
    if (pointee.kind === "FunctionType") return "callback";
    while (pointee.kind === "Typedef") pointee = bare(pointee.type);
    return pointee.kind === "Struct" && pointee.incomplete ? "handle" : "other";
  }

  return {
    functions: declared
      .filter((element) => element.kind === "Function")
      .map((element) => ({
        name: element.name,
        inline: element.inline,
        deprecated: element.attributes.includes("deprecated"),
        header: get(element.file).name.replace(/^.*\//, ""),
        result: formatType(type(element.returns)),
        params: children(element, "Argument").map((argument) => ({
          name: argument.name,
          type: formatType(parameter(argument.type)),
        })),
      })),
    enums: declared
      .filter((element) => element.kind === "Enumeration")
      .map((element) => ({
        name: nameOf(element),
        tag: element.name || null,
        members: children(element, "EnumValue").map((member) => ({ name: member.name, value: Number(member.init) })),
      })),
    records: declared
      .filter((element) => isRecord(element) && !element.incomplete)
      .map((element) => ({
        name: nameOf(element),
        tag: element.name || null,
        kind: element.kind === "Struct" ? ("struct" as const) : ("union" as const),
        size: Number(element.size) / 8,
        align: Number(element.align) / 8,
        fields: fieldsOf(element).map((field) => {
          if (field.bits !== "")
            throw new Error(`${nameOf(element)}.${field.name} is a bit-field: this judge knows none`);
          const { name, offset } = field;
          return { name, type: formatType(type(field.type)), offset: Number(offset) / 8, size: sizeOf(field.type) };
        }),
      })),
    typedefs: declared
      .filter((element) => element.kind === "Typedef")
      .map((element) => ({ name: element.name, type: formatType(type(element.type)), kind: kindOf(element) })),
  };
}

function isRecord(element: Element): boolean {
  return element.kind === "Struct" || element.kind === "Union";
}

function constant(type: ApiType): ApiType {
  switch (type.kind) {
    case "name":
    case "pointer":
      return { ...type, const: true };
    case "array":
      return { ...type, of: constant(type.of) };
    case "function":
      return type;
  }
}

/** castxml says `long unsigned int` where the normal form says `unsigned long`. */
function fundamental(name: string): string {
  const words = name.split(" ");
  const count = (word: string) => words.filter((other) => other === word).length;
  if (count("char")) return name;
  if (count("long") === 0 && count("short") === 0) return name === "bool" ? "_Bool" : name;
  const size = count("long") === 2 ? "long long" : count("long") === 1 ? "long" : "short";
  return `${count("unsigned") ? "unsigned " : ""}${size}${count("double") ? " double" : ""}`;
}
