/** Names in the text of a TypeScript parameter list, without the generator's escapes. */
export function parameterNames(text: string): string[] {
  let depth = 0;
  let flat = "";
  for (const character of text.replaceAll("=>", "")) {
    if ("<([{".includes(character)) depth++;
    else if (">)]}".includes(character)) depth--;
    else if (depth === 0) flat += character;
  }
  return flat.split(",").flatMap((one) => /^\s*(\w+?)_?\??\s*:/.exec(one)?.[1] ?? []);
}
