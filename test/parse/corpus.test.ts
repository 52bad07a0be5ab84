import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { driver } from "../../generator/libraries/driver.ts";
import { parseHeaders } from "../../generator/parse/parse.ts";
import { readHeaders } from "../../generator/toolkit/headers.ts";
import { corpus } from "../support/corpus.ts";

const toolkits = await corpus();

describe("headers of every toolkit", () => {
  for (const { release, directory, version } of toolkits) {
    it(`${release} is read whole, in every configuration`, () => {
      const headers = readHeaders(directory, driver);
      const lines = new Map(headers.map(({ name, text }) => [name, text.split("\n")]));
      const translations = parseHeaders(headers, driver);
      assert.deepEqual(
        translations.map(({ configuration, version }) => [configuration, version]),
        driver.configurations.map(({ name }) => [name, version]),
      );
      for (const { declarations, aliases, constants, configuration } of translations) {
        const functions = declarations.filter((declaration) => declaration.kind === "function");
        assert.ok(functions.length > 350, `${functions.length} functions in ${configuration}`);
        assert.ok(constants.length > 40);
        // At the position of every function stands its name, or a macro that means it.
        for (const { name, position } of functions) {
          const word =
            /^\w+/.exec(lines.get(position.file)?.[position.line - 1]?.slice(position.column - 1) ?? "")?.[0] ?? "";
          assert.ok(
            word === name || aliases[word] === name || name.startsWith(word),
            `${name} at ${JSON.stringify(position)}`,
          );
        }
        if (configuration === "default") {
          assert.equal(aliases.cuMemAlloc, "cuMemAlloc_v2");
          assert.ok(functions.some(({ name }) => name === "cuMemAlloc_v2"));
          // The comments are found: one function of 2007 has none.
          const bare = functions.filter(({ documentation }) => !documentation).map(({ name }) => name);
          assert.ok(bare.length < 10, bare.join());
        }
      }
    });
  }
});
