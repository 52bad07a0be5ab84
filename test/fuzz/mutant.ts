import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { driver } from "../../generator/libraries/driver.ts";
import { normaliseHeader } from "../../generator/toolkit/headers.ts";
import type { HeaderText } from "../../generator/toolkit/toolkit.ts";
import { type CorpusToolkit, corpus } from "../support/corpus.ts";
import { type CutHeader, cut, piecesOf } from "./cut.ts";
import { MUTATIONS } from "./mutate.ts";
import { type Random, random } from "./random.ts";

/** A set of headers that were real once. */
export interface Mutant {
  release: string;
  /** What was left before the mutations: everything; some functions and all types; some functions and what they need. */
  size: "whole" | "roomy" | "small";
  /** What was done, in order; the name of the header first. */
  mutations: string[];
  headers: HeaderText[];
}

/** Makes mutants by number: the same number of the same seed is the same mutant, whoever makes it. */
export interface Breeder {
  /** The headers before the mutations. */
  parent(index: number): Mutant;
  mutant(index: number): Mutant;
}

/** Whole headers are about twenty times as expensive to read as small ones, and five times as roomy ones. */
const WHOLE = 0.06;
const ROOMY = 0.25;

export async function breeder(seed: number): Promise<Breeder> {
  const toolkits = await corpus();
  const known = new Map<string, CutHeader[]>();
  const texts = new Map(await Promise.all(toolkits.map(async (one) => [one.release, await readTexts(one)] as const)));

  function piecesOfRelease(release: string, headers: readonly HeaderText[]): CutHeader[] {
    const pieces = known.get(release) ?? headers.map(({ name, text }) => ({ name, pieces: piecesOf(text) }));
    known.set(release, pieces);
    return pieces;
  }

  function begin(index: number): { parent: Mutant; own: Random } {
    const own = random(seed, index);
    const { release } = own.pick(toolkits);
    const all = texts.get(release) ?? [];
    const size = own.chance(WHOLE) ? "whole" : own.chance(ROOMY) ? "roomy" : "small";
    const headers =
      size === "whole" ? all : cut(piecesOfRelease(release, all), own.pick([3, 10, 20, 40]), size === "roomy", own);
    return { parent: { release, size, mutations: [], headers }, own };
  }

  return {
    parent: (index) => begin(index).parent,
    mutant(index) {
      const { parent, own } = begin(index);
      const headers = parent.headers.map((header) => ({ ...header }));
      const mutations: string[] = [];
      for (let count = own.pick([1, 1, 1, 1, 1, 2, 4]); count > 0; count--) {
        const header = pickByLength(headers, own);
        const { text, what } = own.pick(MUTATIONS)(header.text, own);
        header.text = text;
        mutations.push(`${header.name}: ${what}`);
      }
      // What a disk gives back: what is no Unicode text was replaced, line ends are LF.
      for (const header of headers) header.text = normaliseHeader(Buffer.from(header.text, "utf8"));
      return { ...parent, mutations, headers };
    },
  };
}

function pickByLength(headers: readonly HeaderText[], random: Random): HeaderText {
  let at = random.below(headers.reduce((sum, { text }) => sum + text.length, 0));
  const found = headers.find(({ text }) => {
    at -= text.length;
    return at < 0;
  });
  return found ?? (headers[0] as HeaderText);
}

async function readTexts({ directory }: CorpusToolkit): Promise<HeaderText[]> {
  const headers: HeaderText[] = [];
  for (const { name } of driver.headers) {
    const bytes = await readFile(join(directory, name)).catch(() => null);
    if (bytes !== null) headers.push({ name, path: name, text: normaliseHeader(bytes), sha256: "" });
  }
  return headers;
}
