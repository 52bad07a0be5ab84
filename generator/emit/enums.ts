import type { ApiEnum } from "../api/document.ts";
import type { Plan } from "./planned.ts";
import { className } from "./types.ts";

interface Member {
  name: string;
  value: number;
  /** The member that has that value too; null: this is the first. */
  of: string | null;
}

/** What `templates/enums.ts.hbs` says: every enum. They are open: a newer driver may return a number that no member has. */
export function enums({ document, types }: Plan) {
  return {
    enums: document.enums.map(({ name, tag, members }) => ({
      name: className(name),
      tag: tag ?? name,
      members: aliasesFirst(members),
    })),
    aliases: document.typedefs.flatMap(({ name, type }) => {
      const meaning = types.of(type);
      return meaning.kind === "enum" ? [{ name, of: className(meaning.enum.name) }] : [];
    }),
  };
}

/**
 * TypeScript's reverse look-up gives the member that was declared last; C programmers expect the first. So another name of a
 * value stands right before the value's first name.
 */
function aliasesFirst(members: ApiEnum["members"]): Member[] {
  const byValue = new Map<number, string[]>();
  for (const { name, value } of members) byValue.set(value, [...(byValue.get(value) ?? []), name]);
  return [...byValue].flatMap(([value, [first, ...others]]) => [
    ...others.map((name) => ({ name, value, of: first as string })),
    { name: first as string, value, of: null },
  ]);
}
