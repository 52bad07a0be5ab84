/** Renders and compiles the stand-in driver and the addon that controls it; each is in the cache by what it is made of. */
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Handlebars from "handlebars";
import type { ApiDocument } from "../../generator/api/document.ts";
import { driver } from "../../generator/libraries/driver.ts";
import { readManifest } from "../../generator/output.ts";
import { obtain, remembered } from "../../generator/pipeline.ts";
import { readHistory } from "../../generator/store.ts";
import { formatVersion } from "../../generator/versions.ts";
import { cached } from "../support/cache.ts";
import { command } from "../support/command.ts";
import { cDeclare, cType, cTypes } from "./ctext.ts";
import { type CallbackFacts, callbackFacts, type FunctionFacts, functionFacts, userDataOf } from "./facts.ts";

export interface Flavour {
  /** Which driver to pose as; default: the toolkit's. What is newer is not exported. */
  version?: number;
  /** Which look-up functions it exports at most: cuGetProcAddress_v2 and the old one, the old one, none. */
  lookup?: "v2" | "v1" | "none";
  /** With AddressSanitizer; its run-time library must then be loaded first. */
  sanitize?: boolean;
}

const NATIVE = fileURLToPath(new URL("native", import.meta.url));
const PACKAGE = fileURLToPath(new URL("../../generated", import.meta.url));
const SOURCES = ["standin.c", "callbacks.c", "meanings.c"];
const FLAGS = ["-std=c11", "-O1", "-g", "-fPIC", "-shared", "-fvisibility=hidden", "-Wall", "-Wextra", "-Werror"];

/** What the committed package was generated from: the newest toolkit known. */
export function newestDocument(): ApiDocument {
  const manifest = readManifest(PACKAGE);
  if (manifest === null) throw new Error(`${PACKAGE} has no manifest: run codegen generate`);
  const history = readHistory(driver);
  const sources = JSON.stringify(manifest.sources);
  const known = history.toolkits.find((entry) => JSON.stringify(entry.sources) === sources);
  return known
    ? remembered(known.key, history).document
    : obtain({ toolkit: formatVersion(manifest.toolkit) }, driver).document;
}

/** Compiles one flavour. @returns path of the shared library */
export async function standinLibrary(document: ApiDocument, flavour: Flavour = {}): Promise<string> {
  const { version = document.toolkit, lookup = "v2", sanitize = false } = flavour;
  const api = render(document);
  const sources = [...SOURCES, "standin.h"].map((name) => readFileSync(join(NATIVE, name), "utf8"));
  const options = [
    `-DSTANDIN_VERSION=${version}`,
    `-DSTANDIN_LOOKUP=${{ v2: 2, v1: 1, none: 0 }[lookup]}`,
    ...(sanitize ? ["-fsanitize=address", "-fno-omit-frame-pointer"] : []),
  ];
  const folder = await cached(`standin/${key([api, ...sources, ...FLAGS, ...options])}`, async (empty) => {
    const generated = join(empty, "api.c");
    writeFileSync(generated, api);
    const output = [
      "-o",
      join(empty, "libcuda.so.1"),
      generated,
      ...SOURCES.map((name) => join(NATIVE, name)),
      "-lpthread",
    ];
    await command("gcc", [...FLAGS, ...options, `-I${NATIVE}`, ...output]);
  });
  return join(folder, "libcuda.so.1");
}

/** Compiles the addon that reads the log and configures the stand-in driver. @returns its path */
export async function controlAddon(): Promise<string> {
  const source = join(NATIVE, "control.c");
  const folder = await cached(`standin/${key([readFileSync(source, "utf8"), ...FLAGS])}`, async (empty) => {
    await command("gcc", [...FLAGS, "-o", join(empty, "control.node"), source, "-ldl"]);
  });
  return join(folder, "control.node");
}

function key(parts: string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 16);
}

const MEANINGS: Record<string, string> = {
  cuDriverGetVersion: "special_driver_version",
  cuGetErrorName: "special_error_name",
  cuGetErrorString: "special_error_string",
  cuGetProcAddress: "special_lookup",
  cuGetProcAddress_v2: "special_lookup_v2",
  cuPointerGetAttributes: "special_pointer_attributes",
  cuMemRangeGetAttributes: "special_range_attributes",
  cuCtxGetCurrent: "special_get_current",
  cuCtxSetCurrent: "special_set_current",
};

/** Functions that answer by themselves, not with the pattern. */
export const WITH_MEANING: ReadonlySet<string> = new Set(
  Object.keys(MEANINGS).filter((name) => !name.startsWith("cuCtx")),
);

const LOOKUP: Record<string, number> = { cuGetProcAddress: 1, cuGetProcAddress_v2: 2 };

function render(document: ApiDocument): string {
  const template = readFileSync(join(NATIVE, "api.c.hbs"), "utf8");
  const results = document.enums.find(({ name }) => name === driver.resultType)?.members ?? [];
  return Handlebars.compile(template, { noEscape: true, strict: true })({
    toolkit: document.toolkit,
    types: cTypes(document),
    callbacks: callbackFacts(document).map(describeCallback),
    functions: functionFacts(document).map(describe),
    results: results.filter(({ value }, at) => results.findIndex((other) => other.value === value) === at),
  });
}

function describe({ index, api, params }: FunctionFacts) {
  const since = api.since ?? 0;
  const lookup = LOOKUP[api.name];
  const callback = params.findIndex((param) => param.callback !== null);
  return {
    index,
    name: api.name,
    base: api.base,
    since,
    perThread: api.streamMode === "perThread",
    result: api.result,
    callback,
    userData: callback < 0 ? -1 : userDataOf(params),
    fire: callback < 0 ? "NULL" : `fire_${params[callback]?.callback}`,
    meaning: MEANINGS[api.name] ?? "NULL",
    present: `STANDIN_VERSION >= ${since}${lookup === undefined ? "" : ` && STANDIN_LOOKUP >= ${lookup}`}`,
    prototype: params.map(({ type }, at) => cDeclare(type, `a${at}`)).join(", ") || "void",
    table: params.length === 0 ? "NULL" : `parameters_${index}`,
    given: params.map((_, at) => `&a${at}`).join(", "),
    parameters: params.map((param) => ({
      ...param,
      type: cType(param.type),
      direction: param.content === "NOTHING" || param.byValue ? 0 : { in: 1, out: 2, inout: 3 }[param.direction],
      text: param.content === "STRING" || param.content === "TEXT" ? JSON.stringify(param.text) : "NULL",
    })),
  };
}

function describeCallback({ name, result, params }: CallbackFacts) {
  return {
    name,
    result,
    given: params.map(({ kind }, at) => (kind === "userData" ? "user_data" : `a${at}`)).join(", "),
    arguments: params.flatMap(({ type, kind, seed, text }, at): string[] => {
      switch (kind) {
        case "text":
          return [`static char a${at}[] = ${JSON.stringify(text)};`];
        case "length":
          return [
            `${cDeclare(type, `a${at}`)} = ${Buffer.byteLength(params.find((p) => p.kind === "text")?.text ?? "")};`,
          ];
        case "record":
          return [
            `static uint64_t behind${at}[sizeof(*(${cType(type)})0) / 8 + 1];`,
            `${cDeclare(type, `a${at}`)} = (void *)behind${at};`,
            `standin_pattern(${seed}u, behind${at}, sizeof *a${at});`,
          ];
        case "userData":
          return [];
        default:
          return [`${cDeclare(type, `a${at}`)};`, `standin_pattern(${seed}u, &a${at}, sizeof a${at});`];
      }
    }),
  };
}
