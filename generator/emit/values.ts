import type { Meaning } from "./types.ts";

/** TypeScript type of a value that is passed (`given`) or returned, in a module that imports `enums`, `records` and `types`. */
export function valueType(meaning: Meaning, given: boolean): string {
  switch (meaning.kind) {
    case "integer":
      if (meaning.name !== null) return `types.${meaning.name}`;
      return meaning.bits < 64 ? "number" : given ? "number | bigint" : "bigint";
    case "float":
      return "number";
    case "enum":
      return `enums.${meaning.name}`;
    case "handle":
    case "callback":
      return `types.${meaning.name}`;
    case "record":
      return `records.${meaning.name}`;
    default:
      return "bigint";
  }
}
