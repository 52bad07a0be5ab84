import assert from "node:assert/strict";
import { cpSync, mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { before, describe, test } from "node:test";
import { tree } from "../toolkit/fake.ts";
import { codegen, contents, fails, history, learn, out, succeeds, work } from "./program.ts";

let include = "";

/** A copy of the real headers with the first of them changed; it never leaves the temporary folder. */
function changedHeaders(name: string, change: (text: string) => string): string {
  const folder = join(work, name);
  cpSync(include, folder, { recursive: true });
  writeFileSync(join(folder, "cuda.h"), change(readFileSync(join(folder, "cuda.h"), "utf8")));
  return folder;
}

before(async () => {
  include = await learn();
  await succeeds(["generate", "--toolkit", "12.4", "--out", out]);
});

describe("generate", () => {
  test("says what it read, from where, and what it wrote", async () => {
    const fresh = join(work, "fresh");
    const said = await succeeds(["generate", "--toolkit", "12.4", "--out", fresh]);
    assert.match(
      said,
      /^read the headers of CUDA 12\.4 from .*include \(wheel 12\.4\.\d+\)\n {2}[0-9a-f]{16} {2}cuda\.h\n/,
    );
    assert.match(said, /\n\d+ functions, \d+ enums, \d+ records, \d+ constants\n/);
    assert.match(said, new RegExp(`\\nwrote \\d+ files to ${fresh} \\(0 unchanged, 0 removed\\)\\n`));
    assert.match(await succeeds(["generate", "--toolkit", "12.4", "--out", fresh]), /wrote 0 files/);
    const facts = JSON.parse(await succeeds(["generate", "--toolkit", "12.4", "--out", fresh, "--json"]));
    assert.deepEqual([facts.toolkit, facts.directory, facts.written], [12040, include, []]);
    assert.deepEqual(facts.sources.map((source: { name: string }) => source.name).slice(0, 2), ["cuda.h", "cudaEGL.h"]);
  });

  test("the same bytes by folder, by version, from the history and from a CRLF copy", async () => {
    const crlf = changedHeaders("crlf", (text) => `\ufeff${text.replaceAll("\n", "\r\n")}`);
    const empty = { CODEGEN_CACHE: join(work, "empty-cache") };
    const ways: [string, string[], Record<string, string>][] = [
      ["by-folder", ["--toolkit", include], {}],
      ["from-history", ["--toolkit", "12.4"], empty],
      ["from-crlf", ["--toolkit", crlf], {}],
    ];
    for (const [name, args, env] of ways) {
      await succeeds(["generate", ...args, "--out", join(work, name)], { env });
      assert.deepEqual(contents(join(work, name)), contents(out), name);
    }
  });

  test("--docs copies the comments of the headers; check knows, and the history has none", async () => {
    const documented = join(work, "documented");
    await succeeds(["generate", "--toolkit", "12.4", "--docs", "--out", documented]);
    const functions = readFileSync(join(documented, "src/functions.ts"), "utf8");
    assert.ok(functions.split("\n * From cuda.h:\n").length > 400);
    assert.ok(!readFileSync(join(out, "src/functions.ts"), "utf8").includes("From cuda.h"));
    assert.equal(JSON.parse(readFileSync(join(documented, "codegen.json"), "utf8")).docs, true);
    assert.match(await succeeds(["check", "--out", documented]), /is what CUDA 12\.4 gives/);
    assert.match(await succeeds(["check", "--out", documented, "--toolkit", include]), /is what CUDA 12\.4 gives/);
    const empty = { env: { CODEGEN_CACHE: join(work, "empty-cache") } };
    const message = /comments are copied out of headers, and none of CUDA 12\.4 are here: run codegen fetch 12\.4/;
    await fails(["check", "--out", documented], message, empty);
    await fails(["generate", "--toolkit", "12.4", "--docs", "--out", documented], message, empty);
    await succeeds(["generate", "--toolkit", "12.4", "--out", documented]);
    assert.deepEqual(contents(documented), contents(out));
  });

  test("a release: exactly that one, else another of its version with a warning", async () => {
    const empty = { env: { CODEGEN_CACHE: join(work, "empty-cache") } };
    const known = await codegen(["inspect", "--toolkit", "12.4.127"], empty);
    assert.deepEqual([known.code, known.stderr], [0, ""]);
    const other = await codegen(["inspect", "--toolkit", "12.4.1"], empty);
    assert.equal(other.stdout, known.stdout);
    assert.match(other.stderr, /^codegen: CUDA 12\.4\.1 is neither here nor in the history: another release is taken/);
    assert.match(
      (await codegen(["inspect", "--toolkit", "12.4.1"])).stderr,
      /another release is taken, from .*12\.4\.127/,
    );
  });

  test("alone, it takes what is installed, or the newest of the history and says so", async () => {
    const said = await succeeds(["--out", join(work, "alone")]);
    assert.match(
      said,
      /^(read the headers of CUDA|no toolkit is installed here: read CUDA 12\.4 from the history, the newest it has\n)/,
    );
  });
});

describe("one clear error each, exit code 2, and the output as it was", () => {
  const cases: [string, () => string[], RegExp][] = [
    [
      "an unknown macro",
      () => [
        "--toolkit",
        changedHeaders("macro", (text) =>
          text.replace("CUresult CUDAAPI cuInit(", "CUresult CUDAAPI UNKNOWN_MACRO cuInit("),
        ),
      ],
      /cuda\.h:\d+:\d+: .*UNKNOWN_MACRO/,
    ],
    [
      "a truncated header",
      () => ["--toolkit", changedHeaders("truncated", (text) => text.slice(0, 600_000))],
      /cuda\.h:\d+:\d+: /,
    ],
    [
      "a folder without the header",
      () => ["--toolkit", history],
      /--toolkit names .*history, but there is no cuda\.h in it/,
    ],
    ["a folder that is not there", () => ["--toolkit", "./nowhere"], /--toolkit names .*nowhere, which does not exist/],
    [
      "a version nobody knows",
      () => ["--toolkit", "77.7"],
      /CUDA 77\.7 is not installed, not fetched and not in the history \(the history has 11\.8, 12\.4\): /,
    ],
    ["what is no version", () => ["--toolkit", "12"], /"12" is no CUDA version: write it as 12\.4/],
  ];
  for (const [what, args, message] of cases) {
    test(what, async () => {
      const untouched = contents(out);
      await fails(["generate", ...args(), "--out", out], message);
      assert.deepEqual(contents(out), untouched);
    });
  }

  test("an output folder that cannot be written", async () => {
    writeFileSync(join(work, "file"), "");
    await fails(
      ["generate", "--toolkit", "12.4", "--out", join(work, "file/out")],
      /cannot write to .*file\/out \(ENOTDIR\), nothing was changed/,
    );
    await fails(["generate", "--toolkit", "12.4", "--out", join(work, "file")], /cannot write to .*file \(EEXIST\)/);
  });

  test("a history that is none", async () => {
    const folder = join(work, "damaged");
    mkdirSync(folder);
    const file = join(folder, "driver.json");
    for (const [text, what] of [
      ["{", "is not JSON"],
      ["null", "is no history of this format"],
    ] as const) {
      writeFileSync(file, text);
      await fails(["toolkits"], new RegExp(`damaged/driver\\.json ${what}; take the file from version control`), {
        env: { CODEGEN_HISTORY: folder },
      });
    }
    await fails(["toolkits"], /cannot read the history .*CODEGEN_HISTORY names the folder/, {
      env: { CODEGEN_HISTORY: file },
    });
  });

  test("a variable that names no toolkit", async () => {
    await fails(["generate", "--out", out], /CUDA_HOME names .*nowhere, which does not exist/, {
      env: { CUDA_HOME: join(work, "nowhere") },
    });
  });
});

describe("the folder of a package", () => {
  test("is named as a shell and npm take it", async () => {
    for (const [folder, named] of [
      ["plain", "./plain"],
      ["a/b", "./a/b"],
      ["./a c", "'./a c'"],
      ["it's", "'./it'\\''s'"],
    ] as const) {
      const stdout = await succeeds(["generate", "--toolkit", "12.4", "--out", folder]);
      assert.ok(stdout.endsWith(`to use it: npm install ${named}\n`), stdout.slice(-200));
    }
  });

  test("is built before it is installed where it lies elsewhere, as npm would not", async (t) => {
    const elsewhere = tree(t, { "other/.gitkeep": "" });
    for (const folder of [
      join(elsewhere, "whole"),
      relative(realpathSync(work), realpathSync(join(elsewhere, "other"))),
    ]) {
      const stdout = await succeeds(["generate", "--toolkit", "12.4", "--out", folder]);
      const named = /[^\w./-]/.test(folder) ? `'${folder}'` : folder;
      assert.ok(stdout.endsWith(`to use it: npm --prefix ${named} install && npm install ${named}\n`), stdout);
    }
  });

  test("holds nothing else: codegen puts nothing among what is not its own", async () => {
    const folder = join(work, "home");
    mkdirSync(folder);
    for (const name of ["notes.txt", "README.md", "src"]) {
      const file = join(folder, name);
      if (name === "src") mkdirSync(join(file, "mine"), { recursive: true });
      else writeFileSync(file, "mine");
      const refused = new RegExp(`${name} is there already and is not codegen's`);
      await fails(["generate", "--toolkit", "12.4", "--out", folder], refused);
      assert.deepEqual(readdirSync(folder), [name]);
      rmSync(file, { recursive: true });
    }
    writeFileSync(join(folder, ".gitkeep"), "");
    await succeeds(["generate", "--toolkit", "12.4", "--out", folder]);
  });
});

describe("check", () => {
  test("a clean folder is 0; one changed byte is 1, with the difference; without the file too", async () => {
    assert.match(await succeeds(["check", "--out", out]), /is what CUDA 12\.4 gives/);
    for (const name of [...contents(out).keys()]) {
      if (!/^(codegen\.json|native\/shim\.c)$/.test(name)) continue;
      const file = join(out, name);
      const text = readFileSync(file, "utf8");
      writeFileSync(file, text.replace("12", "13"));
      const ran = await codegen(["check", "--out", out]);
      assert.equal(ran.code, 1, name + ran.stderr);
      assert.match(ran.stdout, new RegExp(`--- ${name}`));
      assert.match(ran.stdout, /\n-.*13.*\n(-.*\n)*\+.*12/);
      rmSync(file);
      const without = JSON.parse((await codegen(["check", "--out", out, "--json"])).stdout);
      assert.equal(without.drift, true);
      assert.deepEqual(without.files, [{ path: name, change: "missing", declarations: null }]);
      writeFileSync(file, text);
    }
    assert.match(await succeeds(["check", "--out", out]), /is what CUDA 12\.4 gives/);
  });

  test("another toolkit than the one it was made from", async () => {
    const { code, stdout } = await codegen(["check", "--out", out, "--toolkit", "11.8"]);
    assert.equal(code, 1);
    assert.match(stdout, /differ from what CUDA 11\.8 gives: run codegen generate\n$/);
    assert.ok(stdout.split("\n").length < 500);
    assert.match(
      stdout,
      /\nsrc\/functions\.ts would declare \d+ more \(.*\), \d+ fewer \(\w+, \w+, \w+, \w+, \.\.\.\)/,
    );
  });

  test("a declaration that was changed by hand is named; what is within a function is none", async () => {
    const file = join(out, "src", "functions.ts");
    const text = readFileSync(file, "utf8");
    writeFileSync(
      file,
      text.replace("function cuInit(", "function cuBegin(").replace("cuCtxGetCurrent(): ", "cuCtxGetCurrent(a: 1): "),
    );
    const { stdout } = await codegen(["check", "--out", out]);
    assert.match(
      stdout,
      /\nsrc\/functions\.ts would declare 1 more \(cuInit\), 1 fewer \(cuBegin\), 1 otherwise \(cuCtxGetCurrent\)\n/,
    );
    writeFileSync(file, text.replace(/\breturn\b/, "/* here */ return"));
    const ran = await codegen(["check", "--out", out, "--json"]);
    const declarations = { added: [], removed: [], changed: [] };
    assert.deepEqual(JSON.parse(ran.stdout).files, [{ path: "src/functions.ts", change: "changed", declarations }]);
    writeFileSync(file, text);
  });

  test("a folder that is not there", () =>
    fails(["check", "--out", join(work, "nowhere")], /there is no folder .*nowhere to check/));
});

describe("the other commands", () => {
  test("inspect prints the document, also from the history", async () => {
    const fromHeaders = await succeeds(["inspect", "--toolkit", include]);
    const document = JSON.parse(fromHeaders);
    assert.equal(document.toolkit, 12040);
    assert.ok(document.functions.length > 400);
    assert.equal(
      await succeeds(["inspect", "--toolkit", "12.4"], { env: { CODEGEN_CACHE: join(work, "empty-cache") } }),
      fromHeaders,
    );
    const listed = await succeeds(["inspect", "--toolkit", include, "--text"]);
    assert.match(listed, /^CUDA 12\.4 \(12040\), library driver\n/);
    assert.ok(listed.includes(`\nfunctions (${document.functions.length})\n`));
    assert.match(
      listed,
      /\n {2}CUresult cuMemAlloc_v2\(CUdeviceptr \*dptr, size_t bytesize\) {2}since 3\.2, what cuMemAlloc means, /,
    );
    assert.match(listed, /\n {2}struct CUDA_MEMCPY3D_v2: 200 bytes, alignment 8\n {7}0 {2}size_t srcXInBytes\n/);
    for (const { name } of [...document.functions, ...document.enums, ...document.records, ...document.constants])
      assert.ok(listed.includes(name), name);
    for (const { name, reason } of JSON.parse(await succeeds(["inspect", "--toolkit", include, "--omissions"])))
      assert.ok(name && reason);
  });

  test("inspect into a reader that stops early is no error", async () => {
    const { code, stderr } = await codegen(["inspect", "--toolkit", include], { closeEarly: true });
    assert.deepEqual([code, stderr], [0, ""]);
  });

  test("diff lists what changed; nothing for the same toolkit", async () => {
    assert.equal(await succeeds(["diff", "12.4", include]), "");
    assert.match(await succeeds(["diff", "11.8", "12.4"]), /^from 11\.8 to 12\.4\n\nbreaking \(\d+\)\n/);
    const changes = JSON.parse(await succeeds(["diff", "11.8", "12.4", "--json"]));
    assert.deepEqual([changes.from, changes.to], [11080, 12040]);
    assert.ok(changes.additive.some((change: { name: string }) => change.name === "cuLibraryLoadFromFile"));
  });

  test("toolkits lists what is fetched and what is known", async () => {
    const listed = JSON.parse(await succeeds(["toolkits", "--json"]));
    assert.deepEqual(
      listed.history.map((entry: { version: number; release: string | null }) => [entry.version, entry.release]),
      [
        [11080, "11.8.89"],
        [12040, "12.4.127"],
      ],
    );
    assert.ok(listed.fetched.some((entry: { directory: string }) => entry.directory === include));
    assert.match(await succeeds(["toolkits"]), /in the history\n {2}11\.8 {2}11\.8\.89 +11080-/);
  });

  test("learn: twice changes nothing; without headers it says what to do", async () => {
    const file = readFileSync(join(history, "driver.json"), "utf8");
    assert.match(
      await succeeds(["learn", "--toolkit", "12.4"]),
      /was known already, nothing changed\n {2}\d+ functions/,
    );
    assert.equal(readFileSync(join(history, "driver.json"), "utf8"), file);
    const elsewhere = { env: { CODEGEN_HISTORY: join(work, "other-history") } };
    await succeeds(["learn", "--toolkit", "11.8"], elsewhere);
    assert.match(await succeeds(["learn", "--toolkit", "12.4"], elsewhere), /\n {2}new functions: cu.* and \d+ more\n/);
    const learned = JSON.parse(await succeeds(["learn", "--toolkit", include, "--json"], elsewhere));
    assert.deepEqual([learned.toolkit, learned.release, learned.changed], [12040, "12.4.127", false]);
    const anew = { env: { CODEGEN_HISTORY: join(work, "new-history") } };
    const all = JSON.parse(await succeeds(["learn", "--toolkit", "12.4", "--json"], anew)).new;
    assert.ok(all.functions.length > 400 && all.functions.includes("cuLibraryLoadFromFile"));
    await fails(["learn", "--toolkit", "10.0"], /no headers here to learn from: .*codegen fetch 10\.0/);
  });

  test("fetch says where the headers are, and refuses a version that was never a wheel", async () => {
    assert.match(
      await succeeds(["fetch", "12.4"]),
      new RegExp(`release 12\\.4\\.\\d+: in the cache already\\n(.*\\n)+${include}\\n$`),
    );
    await fails(["fetch", "8.0"], /NVIDIA's wheels hold no CUDA 8\.0: name one of 11\.7, /);
    await fails(["fetch", "latest"], /"latest" is no CUDA version/);
  });

  test("doctor lists findings, and its exit code is 1 only for problems", async () => {
    const { code, stdout } = await codegen(["doctor", "--json"]);
    const { problems, findings } = JSON.parse(stdout);
    assert.equal(code, problems === 0 ? 0 : 1);
    assert.ok(
      findings.some(
        (finding: { about: string; level: string }) => finding.about === "history" && finding.level === "ok",
      ),
    );
    const lost = await codegen(["doctor"], { env: { CUDA_HOME: join(work, "nowhere") } });
    assert.equal(lost.code, 1);
    assert.match(lost.stdout, /PROBLEM {2}toolkit +CUDA_HOME names .*nowhere/);
  });
});

describe("usage", () => {
  test("help and version are 0; what is unknown is 2, in one line", async () => {
    assert.match(await succeeds(["--help"]), /Commands:\n {2}generate \[options\]/);
    assert.match(await succeeds(["--version"]), /^\d+\.\d+\.\d+\n$/);
    await fails(["genrate"], /unknown command "genrate": it is one of generate, check, /);
    await fails(["help", "genrate"], /unknown command "genrate": it is one of generate, check, /);
    assert.match(await succeeds(["help", "lookup"]), /^Usage: codegen lookup \[options\] <symbol>/);
    assert.equal(await succeeds(["help"]), await succeeds(["--help"]));
    await fails(["check", "--out", join(out, "codegen.json", "x")], /there is no folder .* to check/);
    await fails(["diff", "12.4", work], /the argument names .*, which holds no toolkit|the argument names/);
    await fails(
      ["toolkits", "x"],
      /too many arguments for 'toolkits'\. Expected 0 arguments but got 1: see codegen help toolkits/,
    );
    await fails(["generate", "--ou", "x"], /unknown option '--ou' .*see codegen --help/);
    await fails(["generate", "extra"], /generate takes options only, not "extra"/);
    await fails(["lookup", "a", "--toolkt", "x"], /unknown option '--toolkt'.*see codegen help lookup/);
    await fails(["--nonsense"], /unknown option '--nonsense'/);
    await fails(["generate", "--out", ""], /--out is empty: give it a value, or leave it out/);
    await fails(["lookup", "cuInit", "--cuda", "12"], /write it as 12\.0 or 12000/);
    await fails(["diff", "12.4"], /missing required argument 'b'/);
    await fails(["lookup", "a", "b"], /too many arguments/);
    await fails(["generate", "--toolkit"], /argument missing/);
  });
});
