import assert from "node:assert/strict";
import { test } from "node:test";
import { ts } from "ts-morph";
import { buildSymbolTable, symbolsOf } from "../../generator/api/symbols.ts";
import { copiedLines } from "../../generator/emit/copied.ts";
import { emitPackage } from "../../generator/emit/package.ts";
import { driver } from "../../generator/libraries/driver.ts";
import { copyComments } from "../../generator/parse/documentation.ts";
import { parseHeaders } from "../../generator/parse/parse.ts";
import { read } from "../api/read.ts";

const header = `
  #define CUDA_VERSION 13000
  #ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
  #define cuWait cuWait_ptsz
  #endif
  typedef int CUresult;
  /**
   * \\brief Does a thing
   *
   *   indented
   */
  CUresult cuThing(int a);
  /** Waits. */
  CUresult cuWait(int a);
  /* no documentation */
  CUresult cuPlain(int a);
  /**
   */
  CUresult cuEmpty(int a);
`;

test("every exported name has the text of its comment, without the frame", () => {
  const translations = parseHeaders([{ name: "cuda.h", path: "cuda.h", text: header, sha256: "" }], driver);
  assert.deepEqual(
    [...copyComments(translations)],
    [
      ["cuThing", "\\brief Does a thing\n\n  indented"],
      ["cuWait", "Waits."],
      ["cuWait_ptsz", "Waits."],
    ],
  );
});

test("Doxygen becomes Markdown in ASCII", () => {
  const text = [
    "\\brief Does \\p this and ::that",
    "\\notefnerr",
    "",
    "\\param[in] a - it\u2019s \u201cfirst\u201d \u00b5\u0007",
    "\\return",
    "::CUDA_SUCCESS, N::M",
    "\\latexonly \\begin{x}",
    "\\endlatexonly",
    "@see mail@example.org",
  ];
  assert.deepEqual(copiedLines(text.join("\n")), [
    "Does this and that",
    "",
    '- a - it\'s "first" &#181;',
    "Returns:",
    "CUDA_SUCCESS, N::M",
    "",
    "See also: mail\\@example.org",
  ]);
});

test("case 33: no comment finds a way into the code", async () => {
  const { document } = read("CUresult cuThing(int a);\nCUresult cuOther(int b);");
  const nasty = [
    "ends */ here, **/ and *\\p/ and *\\/ and * /",
    "/ at the start",
    "*/",
    "/* opens, // too, <!-- and \u2028 \u2029 \r lines",
    "`ticks` $" + "{process.exit(1)} \\u002a/ &#42;/",
    "@param {import('fs')} a @returns {never} {@link x}",
    "@deprecated @ts-ignore @ts-expect-error #!shebang",
  ].join("\n");
  const files = (comments?: Map<string, string>) =>
    emitPackage(document, buildSymbolTable(symbolsOf(document)), driver, comments);
  const plain = await files();
  const documented = await files(new Map(document.functions.map(({ name }) => [name, nasty])));
  assert.deepEqual([...documented.keys()], [...plain.keys()]);
  for (const [name, text] of documented) {
    assert.match(text, /^[\n\x20-\x7e]*$/, name);
    if (!name.endsWith(".ts")) assert.equal(text, plain.get(name), name);
    else assert.equal(codeOf(text), codeOf(plain.get(name) ?? ""), name);
  }
  const functions = documented.get("src/functions.ts") ?? "";
  assert.notEqual(functions, plain.get("src/functions.ts"));
  assert.deepEqual(tagsOf(functions), tagsOf(plain.get("src/functions.ts") ?? ""));
});

/** What is left of a source without its comments. */
function codeOf(text: string): string {
  const { outputText, diagnostics } = ts.transpileModule(text, {
    reportDiagnostics: true,
    compilerOptions: { removeComments: true, target: ts.ScriptTarget.ESNext },
  });
  assert.deepEqual(diagnostics, []);
  return outputText;
}

/** The tags of all JSDoc comments, function by function. */
function tagsOf(text: string): string[] {
  const source = ts.createSourceFile("x.ts", text, ts.ScriptTarget.ESNext, true);
  return source.statements
    .filter(ts.isFunctionDeclaration)
    .map((fn) => `${fn.name?.text}: ${ts.getJSDocTags(fn).map((tag) => tag.getText().split("\n")[0])}`);
}
