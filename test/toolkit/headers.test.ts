import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { driver } from "../../generator/libraries/driver.ts";
import { normaliseHeader, readHeaders, sha256 } from "../../generator/toolkit/headers.ts";
import { compareReleases, parseVersionRequest } from "../../generator/versions.ts";
import { fakeHeader, fakeTypedefs, tree } from "./fake.ts";

test("case 30: byte order mark, CRLF and a lone CR make no difference", (t) => {
  const plain = fakeHeader(12040).replace("int *value", "int *value /* \u201cquoted\u201d */");
  const copies = [
    plain,
    `\ufeff${plain}`,
    plain.replaceAll("\n", "\r\n"),
    plain.replaceAll("\n", "\r"),
    `\ufeff${plain.replaceAll("\n", "\r\n")}`,
  ];
  const read = copies.map((copy) => readHeaders(tree(t, { "cuda.h": copy }), driver)[0]);
  for (const header of read) assert.deepEqual([header?.text, header?.sha256], [plain, sha256(plain)]);
});

test("bytes that are not UTF-8 are kept, one character each", (t) => {
  const folder = tree(t);
  writeFileSync(join(folder, "cuda.h"), Buffer.from(`/* \u0093q\u0094 \u00fc */\n${fakeHeader(12040)}`, "latin1"));
  assert.ok(readHeaders(folder, driver)[0]?.text.startsWith("/* \u0093q\u0094 \u00fc */\n"));
  assert.equal(normaliseHeader(Buffer.from([0xef, 0xbb, 0xbf, 0xff, 0x0d, 0x0a])), "\u00ff\n");
});

test("headers come in the library's order, with those that are there", (t) => {
  const folder = tree(t, {
    "cudaTypedefs.h": fakeTypedefs(12040),
    "cudaGL.h": "",
    "cuda.h": fakeHeader(12040),
    "other.h": "",
  });
  assert.deepEqual(
    readHeaders(folder, driver).map((header) => header.name),
    ["cuda.h", "cudaGL.h", "cudaTypedefs.h"],
  );
});

test("versions as people write them", () => {
  assert.deepEqual(parseVersionRequest("12.4"), { text: "12.4", version: 12040, release: null });
  assert.deepEqual(parseVersionRequest("12040"), { text: "12040", version: 12040, release: null });
  assert.deepEqual(parseVersionRequest("v12.4.127"), { text: "v12.4.127", version: 12040, release: "12.4.127" });
  assert.equal(parseVersionRequest("./12.4"), null);
  assert.equal(parseVersionRequest("/usr/local/cuda"), null);
  assert.throws(() => parseVersionRequest("13"), /write it as/);
  assert.deepEqual(["12.4.127", "12.10.1", "12.4.99", "9.2.0"].sort(compareReleases), [
    "9.2.0",
    "12.4.99",
    "12.4.127",
    "12.10.1",
  ]);
});
