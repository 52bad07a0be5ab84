/** What Doxygen's commands say, in Markdown; a command that is not here is dropped and what follows it stays. */
const COMMANDS: Readonly<Record<string, string>> = {
  code: "```",
  deprecated: "Deprecated:",
  endcode: "```",
  note: "Note:",
  param: "-",
  retval: "-",
  return: "Returns:",
  returns: "Returns:",
  sa: "See also:",
  see: "See also:",
  since: "Since:",
  warning: "Warning:",
};

/** Characters beyond ASCII that headers use for looks. */
const PLAIN: Readonly<Record<string, string>> = {
  "\u2013": "-",
  "\u2014": "-",
  "\u2018": "'",
  "\u2019": "'",
  "\u201c": '"',
  "\u201d": '"',
};

/**
 * The text of a header's comment as lines for a JSDoc comment: Markdown, ASCII, with no way out of the comment and no tag of
 * its own.
 */
export function copiedLines(text: string): string[] {
  return text
    .replace(/\\latexonly[\s\S]*?\\endlatexonly/g, "")
    .replace(/(?<![\w\\@])[\\@]([a-z]\w*)(?:\[[\w, ]*\])?( ?)/g, (_, command: string, space: string) => {
      const said = Object.hasOwn(COMMANDS, command) ? COMMANDS[command] : undefined;
      return said === undefined ? "" : said + space;
    })
    .replace(/(?<![\w:])::(?=\w)/g, "")
    .replace(/[^\n\x20-\x7e]/g, (character) => PLAIN[character] ?? entity(character))
    .replaceAll("@", "\\@")
    .replaceAll("*/", "*\\/")
    .replace(/ +$/gm, "")
    .replace(/\n{3,}/g, "\n\n")
    .split("\n");
}

/** Control characters say nothing. */
function entity(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0xa0 ? " " : `&#${code};`;
}
