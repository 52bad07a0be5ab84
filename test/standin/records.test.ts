import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import * as cuda from "cuda-driver";
import type { ApiRecord } from "../../generator/api/document.ts";
import { driver } from "../../generator/libraries/driver.ts";
import { cached } from "../support/cache.ts";
import { includes, STAND_INS } from "../support/castxml.ts";
import { command } from "../support/command.ts";
import { corpusOf } from "../support/corpus.ts";
import { decode } from "./facts.ts";
import { cPath, type Leaf, leavesOf, ownRecords } from "./leaves.ts";
import { newestDocument } from "./library.ts";
import { random, seedOfRun } from "./random.ts";
import { numberBytes, randomScalar, rawOf } from "./scalars.ts";

// biome-ignore lint/suspicious/noExplicitAny: classes by name
const classes = cuda as Record<string, any>;
/** Names of bytes that no program sees, except in a record that has nothing else. */
const RESERVED = /^(_|cuda_?reserved|reserved|rsvd|pad(ding)?\d*$)/i;
const document = newestDocument();

/** The class of a record and one of its fields, or where an array of text is set at once. */
function reach(record: cuda.Struct, path: Leaf["path"]) {
  // biome-ignore lint/suspicious/noExplicitAny: fields by name
  let at: any = record;
  for (const step of path.slice(0, -1)) at = at[step];
  return { holder: at, last: path.at(-1) as string | number };
}

/** A record, or one in it that a way leads to. */
function place({ record }: Leaf, way: Leaf["path"]): string {
  return `${record.name} ${way.join(".")}`;
}

/** Of all leaves: where on their way the first name is that no program sees; -1: nowhere. */
function hiding(leaves: readonly Leaf[]): (leaf: Leaf) => number {
  const isReserved = (step: string | number) => typeof step === "string" && RESERVED.test(step);
  const withMore = new Set(
    leaves.flatMap((leaf) =>
      leaf.path.flatMap((step, at) => (isReserved(step) ? [] : [place(leaf, leaf.path.slice(0, at))])),
    ),
  );
  return (leaf) =>
    leaf.path.findIndex((step, at) => isReserved(step) && withMore.has(place(leaf, leaf.path.slice(0, at))));
}

/**
 * Every field against C: a program compiled with NVIDIA's own header reads the bytes that TypeScript wrote, and writes bytes
 * that TypeScript reads. One field at a time, over random bytes, so that the members of unions do not cover each other.
 */
describe("records against the real header", () => {
  let program = "";
  const records = ownRecords(document).map((record) => ({ record, leaves: leavesOf(document, record) }));
  const leaves = records.flatMap((each) => each.leaves);
  const hiddenAt = hiding(leaves);
  const visible = leaves.filter((leaf) => hiddenAt(leaf) < 0);

  before(async () => {
    const [toolkit] = await corpusOf([release(document.toolkit)]);
    assert.ok(toolkit);
    program = await compile(toolkit.directory, visible);
  });

  it("has a class for each, of its size and alignment", () => {
    const wrong = document.records.filter(({ name, size, align }) => {
      const type = classes[name.replaceAll(".", "_")];
      return type?.size !== size || type.align !== align || new type().$bytes.length !== size;
    });
    assert.deepEqual(
      wrong.map(({ name }) => name),
      [],
    );
    assert.ok(records.length > 100, `${records.length} records`);
    assert.ok(visible.length > 1000, `${visible.length} fields`);
  });

  it("C reads what TypeScript wrote", async () => {
    const rng = random(seedOfRun());
    const wanted: bigint[] = [];
    const sent: Uint8Array[] = [];
    for (const leaf of visible) {
      const record = new classes[leaf.record.name]();
      const background = rng.bytes(leaf.record.size);
      record.$bytes.set(background);
      const value = randomScalar(leaf.scalar, rng);
      write(record, leaf, value);
      const others = record.$bytes.every(
        (byte: number, at: number) => (at >= leaf.offset && at < leaf.offset + leaf.size) || byte === background[at],
      );
      assert.ok(others, `${leaf.record.name}: setting ${cPath(leaf)} touches its neighbours`);
      sent.push(new Uint8Array(record.$bytes));
      wanted.push(rawOf(leaf.scalar, value));
    }
    const said = (await command(program, ["read"], { input: hex(sent) }))
      .trim()
      .split("\n")
      .map((line) => BigInt(`0x${line}`));
    assert.equal(said.length, visible.length);
    const wrong = visible.filter((leaf, at) => !same(leaf, said[at] as bigint, wanted[at] as bigint));
    assert.deepEqual(
      wrong.map((leaf) => `${leaf.record.name} ${cPath(leaf)}`),
      [],
    );
  });

  it("TypeScript reads what C wrote", async () => {
    const rng = random(seedOfRun() + 1);
    const values = visible.map((leaf) => randomScalar(leaf.scalar, rng));
    const input = visible.map((leaf, at) => rawOf(leaf.scalar, values[at] as number | bigint).toString(16)).join("\n");
    const lines = (await command(program, ["write"], { input: `${input}\n` })).trim().split("\n");
    assert.equal(lines.length, visible.length);
    const wrong = visible.filter((leaf, at) => {
      const record = new classes[leaf.record.name]();
      record.$bytes.set(Buffer.from(lines[at] as string, "hex"));
      return !same(leaf, rawOf(leaf.scalar, read(record, leaf)), rawOf(leaf.scalar, values[at] as number | bigint));
    });
    assert.deepEqual(
      wrong.map((leaf) => `${leaf.record.name} ${cPath(leaf)}`),
      [],
    );
  });

  it("hides reserved bytes, and nothing else", () => {
    const shown = leaves.filter((leaf) => {
      const at = hiddenAt(leaf);
      if (at < 0) return false;
      const { holder, last } = reach(new classes[leaf.record.name](), leaf.path.slice(0, at + 1));
      return last in holder;
    });
    assert.deepEqual(
      shown.map((leaf) => `${leaf.record.name} ${cPath(leaf)}`),
      [],
    );
  });
});

/** NaN has many bit patterns, of which JavaScript knows one. */
function same({ scalar, size }: Leaf, a: bigint, b: bigint): boolean {
  const of = (bits: bigint) => decode(scalar, numberBytes(bits, size));
  return a === b || (scalar.kind === "float" && Number.isNaN(of(a)) && Number.isNaN(of(b)));
}

/** Elements of text are bytes to JavaScript. */
function isCharacter(leaf: Leaf): boolean {
  return leaf.scalar.bits === 8 && leaf.scalar.signed;
}

function write(record: cuda.Struct, leaf: Leaf, value: number | bigint): void {
  const { holder, last } = reach(record, leaf.path);
  if (typeof holder === "string") throw new Error(`${leaf.record.name}: ${cPath(leaf)} is text`);
  if (!(last in holder)) throw new Error(`${leaf.record.name} has no ${cPath(leaf)}`);
  holder[last] = isCharacter(leaf) && typeof last === "number" ? Number(value) & 0xff : value;
}

function read(record: cuda.Struct, leaf: Leaf): number | bigint {
  const { holder, last } = reach(record, leaf.path);
  return holder[last];
}

function hex(parts: readonly Uint8Array[]): string {
  return `${parts.map((part) => Buffer.from(part).toString("hex")).join("\n")}\n`;
}

function release(version: number): string {
  return `${Math.trunc(version / 1000)}.${Math.trunc((version % 1000) / 10)}`;
}

/** How the header calls a record. */
function cName({ kind, tag, name }: ApiRecord): string {
  return tag === null ? name : `${kind} ${tag}`;
}

async function compile(directory: string, leaves: readonly Leaf[]): Promise<string> {
  const declaring = driver.headers.filter(({ typedefs }) => !typedefs).map(({ name }) => name);
  const headers = declaring.filter((name) => existsSync(join(directory, name)));
  const lines = leaves.map((leaf) => `  FIELD(${cName(leaf.record)}, ${cPath(leaf)})`);
  const text = `#define __CUDA_API_VERSION_INTERNAL 1
#include <stdint.h>
#include <stdio.h>
#include <string.h>
${includes(headers)}
static int reading;
static void get(unsigned char *bytes, size_t size) {
  unsigned digits;
  for (size_t i = 0; i < size && scanf("%2x", &digits) == 1; i++) bytes[i] = (unsigned char)digits;
}
static void put(const unsigned char *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) printf("%02x", bytes[i]);
  printf("\\n");
}
#define FIELD(type, field) { \\
    type r; \\
    uint64_t value = 0; \\
    memset(&r, 0, sizeof r); \\
    if (reading) { \\
      get((unsigned char *)&r, sizeof r); \\
      memcpy(&value, &field, sizeof field); \\
      printf("%llx\\n", (unsigned long long)value); \\
    } else { \\
      unsigned long long wide = 0; \\
      if (scanf("%llx", &wide) != 1) return 1; \\
      value = wide; \\
      memcpy(&field, &value, sizeof field); \\
      put((unsigned char *)&r, sizeof r); \\
    } \\
  }
${chunked(lines)}
int main(int count, char **arguments) {
  reading = count > 1 && strcmp(arguments[1], "read") == 0;
  return all();
}
`;
  const key = createHash("sha256").update(text).digest("hex").slice(0, 16);
  const folder = await cached(`standin/records-${key}`, async (empty) => {
    writeFileSync(join(empty, "records.c"), text);
    const include = ["-isystem", directory, "-isystem", STAND_INS];
    await command("gcc", ["-std=c11", "-O0", "-w", ...include, "-o", join(empty, "records"), join(empty, "records.c")]);
  });
  return join(folder, "records");
}

/** One function of thousands of blocks would have a stack of thousands of records. */
function chunked(lines: readonly string[]): string {
  const parts: string[] = [];
  for (let at = 0; at < lines.length; at += 200) {
    parts.push(`static int part_${parts.length}(void) {\n${lines.slice(at, at + 200).join("\n")}\n  return 0;\n}`);
  }
  const calls = parts.map((_, at) => `part_${at}()`).join(" || ");
  return `${parts.join("\n")}\nstatic int all(void) { return ${calls}; }`;
}
