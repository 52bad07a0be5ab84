import assert from "node:assert/strict";
import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { before, describe, it } from "node:test";
import { fileURLToPath } from "node:url";
import { plainSpellings } from "../../generator/api/spellings.ts";
import { driver } from "../../generator/libraries/driver.ts";
import { generate, obtain } from "../../generator/pipeline.ts";
import { attempt, command } from "../support/command.ts";
import { type CorpusToolkit, corpusOf } from "../support/corpus.ts";
import { nodeHeaders } from "../support/nodeHeaders.ts";
import { scratchFolder } from "./fakes.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TSC = join(ROOT, "node_modules", "typescript", "bin", "tsc");
const VERSIONS = ["11.8", "12.0", "12.4", "12.9", "13.0", "newest"];

/** Packages of six toolkits, as the command line writes them. */
describe("generated packages", () => {
  let scratch: string;
  const toolkits = new Map<string, CorpusToolkit>();

  before(async () => {
    scratch = await scratchFolder();
    await symlink(join(ROOT, "node_modules"), join(scratch, "node_modules"));
    for (const version of VERSIONS) {
      const found = (await corpusOf(version === "newest" ? [] : [version])).at(-1);
      assert.ok(found);
      toolkits.set(version, found);
    }
  });

  /** Path -> text of a generated folder. */
  async function filesOf(folder: string): Promise<Map<string, string>> {
    const files = new Map<string, string>();
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) files.set(path.slice(folder.length + 1), await readFile(path, "utf8"));
    }
    return files;
  }

  function assertSame(got: ReadonlyMap<string, string>, wanted: ReadonlyMap<string, string>, title: string): void {
    assert.deepEqual([...got.keys()].sort(), [...wanted.keys()].sort(), title);
    for (const [path, text] of wanted) assert.ok(got.get(path) === text, `${title}: ${path} differs`);
  }

  for (const version of VERSIONS) {
    describe(`of CUDA ${version}`, () => {
      let folder: string;
      let toolkit: CorpusToolkit;
      let files: Map<string, string>;

      before(async () => {
        toolkit = toolkits.get(version) ?? assert.fail();
        folder = join(scratch, version);
        const request = version === "newest" ? toolkit.release.replace(/\.\d+$/, "") : version;
        const cli = join(ROOT, "generator", "cli.ts");
        await command(process.execPath, ["--import", "tsx", cli, "generate", "--toolkit", request, "--out", folder], {
          cwd: ROOT,
        });
        files = await filesOf(folder);
      });

      it("type-checks", async (t) => {
        const start = performance.now();
        const { code, stdout } = await attempt(process.execPath, [TSC, "-p", folder, "--strict", "--noEmit"]);
        t.diagnostic(`${((performance.now() - start) / 1000).toFixed(2)} s`);
        assert.equal(stdout.slice(0, 3000), "");
        assert.equal(code, 0);
      });

      it("has an addon that compiles without a warning, and links", async () => {
        const out = join(folder, "..", `${version}.node`);
        await command("gcc", [
          ...["-std=c11", "-O0", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-I", nodeHeaders()],
          ...["-o", out, join(folder, "native", "shim.c"), "-ldl"],
        ]);
        assert.doesNotMatch(await command("nm", ["-D", out]), / cu[A-Z]/);
      });

      it("is of that toolkit, and says so", async () => {
        const [major, minor] = [Math.trunc(toolkit.version / 1000), (toolkit.version % 1000) / 10];
        for (const [path, text] of files) {
          if (/\.(ts|c)$/.test(path) && !path.includes("runtime/")) {
            assert.match(text.slice(0, 300), new RegExp(`CUDA ${major}\\.${minor}\\b`), path);
            assert.match(text.slice(0, 2000), /sha256 [0-9a-f]{64}/, path);
          }
          if (/\.(ts|c)$/.test(path)) assert.match(text.slice(0, 300), /Do not edit/, path);
        }
        assert.match(files.get("src/tables.ts") ?? "", new RegExp(`toolkit = ${toolkit.version};`));
      });

      it("is ASCII with LF line ends, a newline at each end, and no date or absolute path", () => {
        for (const [path, text] of files) {
          const foreign = /[^\x20-\x7e\n]/.exec(text);
          assert.equal(
            foreign,
            null,
            `${path}: ${JSON.stringify(text.slice((foreign?.index ?? 0) - 40).slice(0, 80))}`,
          );
          assert.ok(text.endsWith("\n"), path);
          assert.doesNotMatch(text, /\b20\d\d-\d\d-\d\d\b/, path);
          assert.ok(!text.includes(toolkit.directory) && !text.includes(ROOT) && !text.includes(scratch), path);
        }
      });

      it("is the same from the include folder, and a second time", async () => {
        const again = await generate({ toolkit: toolkit.directory }, driver);
        assertSame(again.files, files, "by path");
        assert.equal(again.toolkit?.directory, toolkit.directory);
      });

      it("is the same from a copy with CRLF line ends and a byte order mark", async () => {
        const copy = join(scratch, `${version}-crlf`);
        await mkdir(copy);
        await cp(toolkit.directory, copy, { recursive: true });
        for (const name of await readdir(copy)) {
          if (!/\.h$/.test(name)) continue;
          const text = await readFile(join(copy, name), "latin1");
          const mark = name === "cuda.h" ? "\u00ef\u00bb\u00bf" : "";
          await writeFile(join(copy, name), mark + text.replace(/\r?\n/g, "\r\n"), "latin1");
        }
        assertSame((await generate({ toolkit: copy }, driver)).files, files, "from CRLF");
      });
    });
  }

  it("have every function of their headers under every name", async () => {
    for (const version of VERSIONS) {
      const toolkit = toolkits.get(version) ?? assert.fail();
      const { document } = obtain({ toolkit: toolkit.directory }, driver);
      const text = async (name: string) => readFile(join(scratch, version, "src", name), "utf8");
      const names = (source: string, pattern: RegExp) => Array.from(source.matchAll(pattern), ([, name]) => name);
      const plain = names(await text("index.ts"), /\bas (\w+),/g);
      for (const module of ["functions.ts", "promises.ts"]) {
        const exported = new Set([...names(await text(module), /^export (?:async )?function (\w+)/gm), ...plain]);
        const missing = document.functions.map(({ name }) => name).filter((name) => !exported.has(name));
        assert.deepEqual(missing, [], `${version}: ${module}`);
        for (const name of [...plainSpellings(document).keys()]) assert.ok(exported.has(name), `${version}: ${name}`);
      }
      assert.ok(document.functions.length > 400 && plain.includes("cuMemAlloc"));
    }
  });

  it("all offer get_proc_address_v2 and library_load_from_file, whether the toolkit knows them or not", async () => {
    for (const version of VERSIONS) {
      const python = await readFile(join(scratch, version, "src", "v2", "driver.ts"), "utf8");
      assert.match(python, /\bas get_proc_address_v2\b/, version);
      assert.match(python, /\bas library_load_from_file\b/, version);
    }
  });
});
