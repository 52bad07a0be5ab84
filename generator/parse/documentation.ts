import type { DocumentationFacts, ParameterFacts, Translation } from "./ast.ts";

/** What stands behind `\param`: the direction in brackets, and the name or names. */
const HEAD = /^\s*(?:\[([a-z,\s]+)\])?\s+(\w+(?:\s*,\s*\w+)*)[\s\-\u2013:]*/;

/** A paragraph ends at an empty line or at a command that begins another. */
const END = /\n\s*\n|[\\@](?:return|retval|result|note|sa|see|brief|deprecated|ingroup)\b/;

const RETURNED = new RegExp(
  [
    "^(?:the )?returned\\b|^returns?\\b|^output\\b|^on (?:success|return)\\b|\\b(?:object|reference) to create$",
    "\\bpointer (?:to|for) (?:the |a )?(?:returned|output)\\b",
    "\\b(?:to|in which to|where to) (?:store|return|receive|hold|be filled|write|place|populate|retrieve|contain)\\b",
    "\\b(?:will be|is|are|gets?) (?:returned|written|stored|filled|populated|placed|set to)\\b",
    "\\breturns? (?:here|in this|via this)\\b|\\breturn (?:value|parameter|location)\\b",
  ].join("|"),
);

const GIVEN = /\b(?:to set|to copy from|requested|desired|to query|to destroy|to free)\b/;

const OPTIONAL = new RegExp(
  [
    "\\boptional(?:ly)?\\b|\\b(?:may|can|could|might) (?:also )?be (?:set to )?(?:a )?null\\b",
    "\\bif (?:\\w+ )?(?:is )?(?:not |non-)?null\\b|\\bor null\\b|\\b(?:pass|passing|specify) null\\b",
    "\\bnull (?:if|to|means|for|indicates)\\b",
  ].join("|"),
);

/** Reads what a documentation comment says of a function's parameters, as facts. */
export function readDocumentation(comment: string): DocumentationFacts {
  const params: Record<string, ParameterFacts> = {};
  const [before = "", ...paragraphs] = comment.split(/[\\@]param\b/);
  for (const paragraph of paragraphs) {
    // The frame of the comment, and Doxygen's marks before names, say nothing.
    const text = paragraph.replace(/\n[ \t]*\*\/?/g, "\n").replace(/::/g, "");
    const head = HEAD.exec(text);
    if (!head) continue;
    const [all, direction = "", names = ""] = head;
    const said = text.slice(all.length);
    const words = said.slice(0, END.exec(said)?.index).replace(/\s+/g, " ").toLowerCase();
    const facts: ParameterFacts = {
      returned: direction ? direction.includes("out") : RETURNED.test(words),
      given: direction ? /\bin\b/.test(direction) : GIVEN.test(words),
      optional: OPTIONAL.test(words),
    };
    for (const name of names.split(/\s*,\s*/)) params[name] = facts;
  }
  const deprecated = DEPRECATED.test(before) || paragraphs.some((paragraph) => DEPRECATED.test(paragraph));
  return { params, deprecated };
}

const DEPRECATED = /[\\@]deprecated\b/;

/** Exported name -> the text of its documentation comment, without the frame; a function without one is absent. */
export function copyComments(translations: readonly Translation[]): Map<string, string> {
  const texts = new Map<string, string>();
  for (const declaration of translations.flatMap(({ declarations }) => declarations)) {
    if (declaration.kind !== "function" || declaration.comment === null || texts.has(declaration.name)) continue;
    const text = withoutFrame(declaration.comment);
    if (text !== "") texts.set(declaration.name, text);
  }
  return texts;
}

function withoutFrame(comment: string): string {
  const lines = comment
    .replace(/^\/\*[*!]+<?/, "")
    .replace(/\*+\/$/, "")
    .split("\n");
  return lines
    .map((line) => line.replace(/^[ \t]*\*?[ \t]?/, "").trimEnd())
    .join("\n")
    .replace(/^\n+|\n+$/g, "");
}
