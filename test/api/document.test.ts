import assert from "node:assert/strict";
import { test } from "node:test";
import { formatType, parseType } from "../../generator/api/ctype.ts";
import schema from "../../generator/api/document.schema.json" with { type: "json" };
import { serialize } from "../../generator/api/serialize.ts";
import { type Read, read, readRelease } from "./read.ts";
import { violations } from "./schema.ts";

const small = read(`
  typedef struct T_st { int n; long l; struct { char c; } in; } T;
  typedef void (*cb)(void *userData);
  #define K 3
  CUresult cuFoo(T *t, cb f, void *userData);`);

function checkTypes({ document }: Read): void {
  const types = [
    ...document.functions.flatMap(({ result, params }) => [result, ...params.map(({ type }) => type)]),
    ...document.callbacks.flatMap(({ result, params }) => [result, ...params.map(({ type }) => type)]),
    ...document.records.flatMap(({ fields }) => fields.map(({ type }) => type)),
    ...document.typedefs.map(({ type }) => type),
    ...document.constants.map(({ type }) => type),
  ];
  for (const type of types) assert.equal(formatType(parseType(type)), type);
}

test("documents hold to the schema", async () => {
  assert.deepEqual(violations(schema, small.document), []);
  for (const release of ["11.8.89", "13.5.37"]) {
    const made = await readRelease(release);
    assert.deepEqual(violations(schema, JSON.parse(serialize(made.document))), []);
    checkTypes(made);
  }
});

test("the schema refuses what it does not know", () => {
  assert.notDeepEqual(violations(schema, { ...small.document, extra: 1 }), []);
  assert.notDeepEqual(violations(schema, { ...small.document, toolkit: "13000" }), []);
  const [first, ...rest] = small.document.functions;
  assert.notDeepEqual(violations(schema, { ...small.document, functions: [{ ...first, base: "" }, ...rest] }), []);
});

test("one text for one document", () => {
  const text = serialize(small.document);
  assert.deepEqual(JSON.parse(text), small.document);
  assert.match(text, /^[\x20-\x7e\n]*\n$/);
  const shuffled = JSON.parse(JSON.stringify(small.document), (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).reverse())
      : value,
  );
  assert.equal(serialize(shuffled), text);
});

test("lists are sorted by name", async () => {
  const { document } = await readRelease("13.5.37");
  for (const list of [document.functions, document.enums, document.records, document.typedefs, document.constants]) {
    const names = list.map(({ name }) => name);
    assert.deepEqual(names, [...names].sort());
    assert.equal(new Set(names).size, names.length);
  }
});

test("case 30: line ends, a byte order mark and curly quotes change nothing", () => {
  // The toolkit room takes CRLF and the mark away before anything reads the text; quotes stand in comments.
  const plain = 'typedef enum E_enum { A = 1, /**< a "quoted" word */ B } E;';
  const curly = "typedef enum E_enum { A = 1, /**< a \u201cquoted\u201d word */ B } E;";
  assert.deepEqual(read(curly).document.enums, read(plain).document.enums);
});

test("nothing is dropped silently: newest toolkit", async () => {
  const { omissions } = await readRelease("13.5.37");
  assert.deepEqual(
    omissions.map(({ name }) => name),
    ["cuGetProcAddress_v2_ptsz"],
  );
});
