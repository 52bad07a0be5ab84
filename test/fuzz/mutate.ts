/** One change to a header's text: tokens and lines are deleted, doubled, swapped, replaced, inserted, or the rest cut off. */
import { DIRECTIVES, NAMES, TOKENS } from "./nasty.ts";
import type { Random } from "./random.ts";
import { isBlank, isComment, isWord, tokenize } from "./tokens.ts";

/** @returns the new text, and in a few words what was done to it */
export type Mutation = (text: string, random: Random) => { text: string; what: string };

/** The more often a mutation stands here the more often it is made. */
export const MUTATIONS: readonly Mutation[] = [
  ...Array<Mutation>(3).fill(deleteTokens),
  ...Array<Mutation>(2).fill(doubleToken),
  ...Array<Mutation>(3).fill(swapTokens),
  ...Array<Mutation>(4).fill(replaceToken),
  ...Array<Mutation>(4).fill(insertToken),
  repeatToken,
  ...Array<Mutation>(2).fill(rename),
  ...Array<Mutation>(2).fill(changeNumber),
  ...Array<Mutation>(2).fill(deleteLines),
  doubleLines,
  ...Array<Mutation>(2).fill(swapLines),
  ...Array<Mutation>(2).fill(insertLine),
  truncate,
  changeCharacter,
];

function deleteTokens(text: string, random: Random) {
  return onTokens(text, random, (tokens, at) => {
    const count = random.chance(0.8) ? 1 : 1 + random.below(8);
    return `delete ${show(tokens.splice(at, count).join(""))}`;
  });
}

function doubleToken(text: string, random: Random) {
  return onTokens(text, random, (tokens, at) => {
    tokens.splice(at, 0, tokens[at] as string, " ");
    return `double ${show(tokens[at])}`;
  });
}

function swapTokens(text: string, random: Random) {
  return onTokens(text, random, (tokens, at) => {
    const far = random.chance(0.3);
    const other = far ? anyCode(tokens, random) : nextCode(tokens, at + 1);
    [tokens[at], tokens[other]] = [tokens[other] as string, tokens[at] as string];
    return `swap ${show(tokens[other])} and ${show(tokens[at])}`;
  });
}

function replaceToken(text: string, random: Random) {
  return onTokens(text, random, (tokens, at) => {
    const before = tokens[at];
    tokens[at] = random.chance(0.5) ? (tokens[anyCode(tokens, random)] as string) : random.pick(TOKENS);
    return `replace ${show(before)} by ${show(tokens[at])}`;
  });
}

function insertToken(text: string, random: Random) {
  return onTokens(text, random, (tokens, at) => {
    const token = random.chance(0.4) ? (tokens[anyCode(tokens, random)] as string) : random.pick(TOKENS);
    tokens.splice(at, 0, " ", token, " ");
    return `insert ${show(token)}`;
  });
}

/** Depth and length without end must not be a way to a stack overflow. */
function repeatToken(text: string, random: Random) {
  return onTokens(text, random, (tokens, at) => {
    const token = random.pick([
      "(",
      "{",
      "*",
      "[",
      "-",
      "!",
      "~",
      "?",
      "struct { ",
      "sizeof(",
      "const ",
      tokens[at] ?? "",
    ]);
    const count = random.pick([3, 30, 300, 3000, 30000]);
    tokens.splice(at, 0, token.repeat(count));
    return `insert ${show(token)} ${count} times`;
  });
}

/** Everywhere, so that the header stays right: only the name is unusual. */
function rename(text: string, random: Random) {
  return onTokens(text, random, (tokens, at) => {
    let from = at;
    for (let tries = 0; tries < 20 && !isWord(tokens[from] as string); tries++) from = anyCode(tokens, random);
    const name = tokens[from] as string;
    const to = random.chance(0.7) ? random.pick(NAMES) : (tokens[anyCode(tokens, random)] as string);
    if (!isWord(name)) return `leave ${show(name)}`;
    for (let index = 0; index < tokens.length; index++) if (tokens[index] === name) tokens[index] = to;
    return `rename ${show(name)} to ${show(to)}`;
  });
}

function changeNumber(text: string, random: Random) {
  return onTokens(text, random, (tokens, at) => {
    let number = at;
    for (let tries = 0; tries < 200 && !/^\d/.test(tokens[number] as string); tries++) number = anyCode(tokens, random);
    const before = tokens[number];
    tokens[number] = random.pick([
      ..."0 -1 (-1) 1 2 0x7fffffff 0x80000000 0xffffffff 0xffffffffu 4294967296 0xffffffffffffffff 1e3 08 0b101 1ull".split(
        " ",
      ),
      ..."(1<<31) (1<<32) (1/0) (1%0) 'a' '\\0' '\\xff' sizeof(int) (int)3 (char)300 (~0) (!1) (1?2:3) 99999999999999999999".split(
        " ",
      ),
    ]);
    return `change ${show(before)} to ${show(tokens[number])}`;
  });
}

function deleteLines(text: string, random: Random) {
  return onLines(text, random, (lines, at) => {
    const count = random.chance(0.7) ? 1 : 1 + random.below(20);
    return `delete lines ${show(lines.splice(at, count).join("\n"))}`;
  });
}

function doubleLines(text: string, random: Random) {
  return onLines(text, random, (lines, at) => {
    const copy = lines.slice(at, at + 1 + random.below(random.chance(0.7) ? 1 : 30));
    lines.splice(random.chance(0.5) ? at : random.below(lines.length), 0, ...copy);
    return `double lines ${show(copy.join("\n"))}`;
  });
}

function swapLines(text: string, random: Random) {
  return onLines(text, random, (lines, at) => {
    const other = random.chance(0.5) ? Math.min(at + 1, lines.length - 1) : random.below(lines.length);
    [lines[at], lines[other]] = [lines[other] as string, lines[at] as string];
    return `swap lines ${show(lines[at])} and ${show(lines[other])}`;
  });
}

function insertLine(text: string, random: Random) {
  return onLines(text, random, (lines, at) => {
    const line = random.pick(DIRECTIVES);
    lines.splice(at, 0, line);
    return `insert line ${show(line)}`;
  });
}

function truncate(text: string, random: Random) {
  const at = random.below(text.length);
  return { text: text.slice(0, at), what: `truncate at ${at}` };
}

function changeCharacter(text: string, random: Random) {
  const at = random.below(text.length);
  const character = random.pick([..."\0\u0001\u007f\u00a0\u2028\u201c\ufeff\\\"'`$@#\r\t\v"]);
  return { text: text.slice(0, at) + character + text.slice(at + 1), what: `character ${show(character)} at ${at}` };
}

function onTokens(text: string, random: Random, change: (tokens: string[], at: number) => string) {
  const tokens = tokenize(text);
  const what = change(tokens, random.chance(0.9) ? anyCode(tokens, random) : random.below(tokens.length));
  return { text: tokens.join(""), what };
}

function onLines(text: string, random: Random, change: (lines: string[], at: number) => string) {
  const lines = text.split("\n");
  const what = change(lines, random.below(lines.length));
  return { text: lines.join("\n"), what };
}

/** A place that is neither white space nor comment. */
function anyCode(tokens: readonly string[], random: Random): number {
  return nextCode(tokens, random.below(tokens.length));
}

function nextCode(tokens: readonly string[], from: number): number {
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at] as string;
    if (!isBlank(token) && !isComment(token)) return at;
  }
  return Math.max(0, tokens.length - 1);
}

function show(text: string | undefined): string {
  const shown = JSON.stringify(text ?? "");
  return shown.length > 100 ? `${shown.slice(0, 100)}..."` : shown;
}
