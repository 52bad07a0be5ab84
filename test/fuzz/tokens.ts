/**
 * A header cut into words for the fuzzer. It is cruder than the generator's own scanner and shares nothing with it: what a
 * mistake there hides must not be hidden here too.
 */
const TOKEN =
  /\/\*[\s\S]*?\*\/|\/\/.*|\\\n|\n|[^\S\n]+|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[A-Za-z_$][\w$]*|\.?\d[\w.]*|##|[\s\S]/g;

/** All of the text: joined they are it again. */
export function tokenize(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

export function isBlank(token: string): boolean {
  return /^\s*$/.test(token) || token === "\\\n";
}

export function isComment(token: string): boolean {
  return token.startsWith("/*") || token.startsWith("//");
}

export function isWord(token: string): boolean {
  return /^[A-Za-z_$]/.test(token);
}
