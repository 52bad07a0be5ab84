import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import type { ApiDocument } from "../../generator/api/document.ts";
import {
  complete,
  emptyHistory,
  extract,
  find,
  type History,
  type Lesson,
  learn,
  loadHistory,
  newestFunctions,
  saveHistory,
  toolkitKey,
} from "../../generator/api/history.ts";
import { mergeItems, takeItems } from "../../generator/api/merge.ts";
import { serialize } from "../../generator/api/serialize.ts";
import { buildSymbolTable, symbolsLearned, symbolsOf } from "../../generator/api/symbols.ts";
import { HeaderError, UserError } from "../../generator/errors.ts";
import { corpusLessons, HISTORY, learnCorpus } from "./corpus-history.ts";
import { read } from "./read.ts";

/** A document of ours that poses as another version. */
function version(toolkit: number, header: string, typedefs = ""): ApiDocument {
  return { ...read(header, typedefs).document, toolkit };
}

/** Learned one by one. */
function learnAll(documents: readonly ApiDocument[]): History {
  return documents.reduce((history, document) => learn(history, { document }), emptyHistory("driver"));
}

function learnAtOnce(lessons: readonly Lesson[]): History {
  return learn(emptyHistory("driver"), ...lessons);
}

/** A document of ours that poses as another build. */
function build(document: ApiDocument, hash: string): ApiDocument {
  return { ...document, sources: [{ name: "cuda.h", sha256: hash.repeat(64) }] };
}

function lines(text: string): Set<string> {
  return new Set(text.split("\n"));
}

const first = version(
  12000,
  "typedef enum E_enum { A, C, D } E; typedef struct T_st { int a; int b; } T; CUresult cuFoo(T *t);",
);
const second = version(
  12010,
  "typedef enum E_enum { A, B, C, X = 9 } E; typedef struct T_st { int a; long b; int c; } T; CUresult cuFoo(T *t); CUresult cuBar(int a);",
);
const third = version(13000, "typedef enum E_enum { X = 9, A = 0, B, C } E; CUresult cuBar(long a);");

test("every toolkit comes out as it went in", () => {
  const history = loadHistory(saveHistory(learnAll([first, second, third])));
  for (const document of [first, second, third]) {
    assert.equal(serialize(extract(history, toolkitKey(document))), serialize(document));
    assert.equal(serialize(extract(history, document.toolkit)), serialize(document));
  }
});

test("the order of learning does not matter, and learning twice changes nothing", () => {
  const text = saveHistory(learnAll([first, second, third]));
  assert.equal(saveHistory(learnAll([third, first, second, first])), text);
  assert.equal(saveHistory(loadHistory(text)), text);
  assert.equal(saveHistory(learn(loadHistory(text), { document: second })), text);
  const early = loadHistory(saveHistory(learnAll([third])));
  assert.equal(saveHistory(learn(early, { document: second }, { document: first })), text);
});

test("a newer toolkit changes only the lines of what changed", () => {
  const before = saveHistory(learnAll([first, second]));
  const same = lines(saveHistory(learnAll([first, second, { ...second, toolkit: 12020 }])));
  for (const line of lines(before)) assert.ok(same.has(line), line);
  const more = version(12020, "typedef enum E_enum { A, B, C, X = 9, Y } E; CUresult cuFoo(int t);");
  const grown = lines(saveHistory(learnAll([first, second, more])));
  for (const line of lines(before)) {
    if (/"name":"[ABCX]"|"name":"CUresult"|"key":/.test(line)) assert.ok(grown.has(line), line);
  }
});

test("two builds of one version are both kept", () => {
  const history = learnAll([second, build(second, "0")]);
  const keys = history.toolkits.map(({ key }) => key);
  assert.equal(keys.length, 2);
  assert.deepEqual(extract(history, 12010), extract(history, keys[1] ?? ""));
});

test("of several builds of one version the newest release counts, and what has none comes first; in any order", () => {
  const [a, b, c] = [build(second, "a"), build(second, "b"), build(second, "c")];
  const releases: Lesson[] = [
    { document: a, release: "12.1.105" },
    { document: b, release: "12.1.55" },
    { document: c, release: null },
  ];
  const history = learnAtOnce(releases);
  assert.deepEqual(
    history.toolkits.map(({ release }) => release),
    [undefined, "12.1.55", "12.1.105"],
  );
  assert.deepEqual(extract(history, 12010).sources, a.sources);
  assert.deepEqual(extract(history, "12.1.55").sources, b.sources);
  const text = saveHistory(history);
  assert.equal(saveHistory(releases.reverse().reduce((known, lesson) => learn(known, lesson), learnAll([]))), text);
  assert.equal(saveHistory(learn(loadHistory(text), { document: a }, { document: b })), text);
});

test("a toolkit is known by the newest release that has its headers", () => {
  const once = learnAtOnce([
    { document: first, release: "12.0.146" },
    { document: first, release: "12.0.107" },
  ]);
  assert.deepEqual(
    once.toolkits.map(({ release }) => release),
    ["12.0.146"],
  );
  assert.equal(saveHistory(learn(learnAll([first]), { document: first, release: "12.0.146" })), saveHistory(once));
  assert.equal(find(once, "12.0.107"), null);
});

test("every function is known as its newest toolkit declares it", () => {
  const functions = newestFunctions(learnAll([first, second, third]));
  assert.deepEqual(
    functions.get("cuFoo")?.(),
    second.functions.find(({ name }) => name === "cuFoo"),
  );
  assert.deepEqual(functions.get("cuBar")?.(), third.functions[0]);
});

test("the symbol table of the history is that of its documents", async () => {
  const history = loadHistory(await readFile(HISTORY, "utf8"));
  const rows = history.toolkits.flatMap(({ key }) => symbolsOf(extract(history, key)));
  assert.deepEqual(buildSymbolTable(symbolsLearned(history)), buildSymbolTable(rows));
});

test("a middle toolkit that lacks what its neighbours have splits the interval", () => {
  const item = { name: "A", value: 1 };
  const merged = mergeItems(["1-a", "2-b", "3-c"], [[item], [], [item]]);
  assert.deepEqual(merged, [{ name: "A", in: [["1-a", "2-b"], ["3-c"]], value: 1 }]);
  assert.deepEqual(takeItems(merged, ["1-a", "2-b", "3-c"], 1), []);
});

test("values that come, go and are null", () => {
  const keys = ["1-a", "2-b", "3-c"];
  const lists = [[{ name: "A", since: null }], [{ name: "A", since: 3, count: "n" }], [{ name: "A", since: 3 }]];
  const merged = mergeItems(keys, lists);
  for (const [index, list] of lists.entries()) assert.deepEqual(takeItems(merged, keys, index), list);
});

test("unknown toolkits and broken files are said so", () => {
  const history = learnAll([first]);
  assert.throws(() => extract(history, 9000), /no toolkit 9000; it knows 12000-/);
  assert.throws(() => loadHistory("{"), UserError);
  assert.throws(() => loadHistory("{}"), UserError);
  assert.throws(
    () => learn(history, { document: { ...first, library: "nvrtc" } }),
    /"driver" cannot learn headers of "nvrtc"/,
  );
  assert.ok(!(new UserError("x") instanceof HeaderError));
});

test("complete takes since from the history, and else from the toolkit", () => {
  const plain = version(11020, "CUresult cuFoo(int a); CUresult cuBar(int a); CUresult cuBaz(int a);");
  const dated = version(
    12000,
    "typedef int CUdevice; CUresult cuFoo(CUdevice a); CUresult cuBar(long a); CUresult cuBaz(int a);",
    "typedef CUresult (*PFN_cuFoo_v2000)(int a); typedef CUresult (*PFN_cuBar_v3000)(long a);",
  );
  const older = version(11000, "CUresult cuBaz(int a);");
  const history = learnAll([older, plain, dated]);
  const since = (document: ApiDocument) =>
    Object.fromEntries(complete(document, history).functions.map((variant) => [variant.name, variant.since]));
  assert.deepEqual(since(plain), { cuFoo: 2000, cuBar: 11020, cuBaz: 11000 });
  assert.deepEqual(since(dated), { cuFoo: 2000, cuBar: 3000, cuBaz: 11000 });
  const mode = "typedef enum E_enum { A } E; CUresult cuFoo(E e);";
  const modeless = version(
    12000,
    "typedef unsigned int E; CUresult cuFoo(E e);",
    "typedef CUresult (*PFN_cuFoo_v4000)(E e);",
  );
  assert.equal(complete(version(11020, mode), learnAll([modeless])).functions[0]?.since, 4000);
  const alone = complete(plain, emptyHistory("driver"));
  assert.ok(alone.functions.every((variant) => variant.since === 11020));
});

test("headers/ holds what the wheels say", async () => {
  const text = saveHistory(await learnCorpus());
  const committed = await readFile(HISTORY, "utf8");
  assert.ok(text === committed, `${HISTORY} differs from the headers: run npx tsx test/api/update-history.ts`);
});

test("the history of all toolkits is exact and small", async (t) => {
  const lessons = await corpusLessons();
  const text = saveHistory(learnAtOnce(lessons));
  assert.equal(saveHistory(learnAtOnce([...lessons].reverse())), text);
  const history = loadHistory(text);
  for (const { document, release } of lessons) {
    const alike = serialize(document);
    assert.equal(serialize(extract(history, toolkitKey(document))), alike);
    assert.equal(serialize(extract(history, release)), alike);
    // By version, the history and a look into the cache choose the same build: the newest release.
    const newest = lessons.findLast((lesson) => lesson.document.toolkit === document.toolkit);
    assert.equal(find(history, document.toolkit)?.release, newest?.release);
  }
  assert.ok(text.length < 5_000_000);

  const newest = lessons.at(-1)?.document as ApiDocument;
  const before = saveHistory(learnAtOnce(lessons.slice(0, -1)));
  const kept = lines(text);
  const changed = [...lines(before)].filter((line) => !kept.has(line));
  const added = [...kept].length - [...lines(before)].length + changed.length;
  // What did not change costs one line: that of the toolkit.
  const unchanged = build({ ...newest, toolkit: newest.toolkit + 10 }, "0");
  const twin = lines(saveHistory(learn(history, { document: unchanged })));
  assert.ok([...kept].every((line) => twin.has(line)));
  assert.equal(twin.size, kept.size + 1);

  t.diagnostic(
    `${lessons.length} toolkits, ${text.length} bytes; learning ${newest.toolkit} changed ${changed.length} lines and added ${added}`,
  );
});
