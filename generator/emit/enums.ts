import type { EnumDeclarationStructure, EnumMemberStructure, OptionalKind, StatementStructures } from "ts-morph";
import type { ApiEnum } from "../api/document.ts";
import { StructureKind } from "./morph.ts";
import type { Plan } from "./planned.ts";
import { className } from "./types.ts";

/** `enums.ts`: every enum. They are open: a newer driver may return a number that no member has. */
export function enums(plan: Plan): (StatementStructures | string)[] {
  const aliases = plan.document.typedefs.flatMap(({ name, type }) => {
    const meaning = plan.types.of(type);
    return meaning.kind === "enum" ? [`export { ${className(meaning.enum.name)} as ${name} };`] : [];
  });
  return [...plan.document.enums.map(enumDeclaration), ...aliases];
}

function enumDeclaration({ name, tag, members }: ApiEnum): EnumDeclarationStructure {
  return {
    kind: StructureKind.Enum,
    isExported: true,
    name: className(name),
    docs: [`C's \`enum ${tag ?? name}\`.`],
    members: aliasesFirst(members).map(
      ({ name: member, value, of }): OptionalKind<EnumMemberStructure> => ({
        name: member,
        value,
        ...(of === null ? {} : { docs: [`Another name of ${of}.`] }),
      }),
    ),
  };
}

/**
 * TypeScript's reverse look-up gives the member that was declared last; C programmers expect the first. So another name of a
 * value stands right before the value's first name.
 */
function aliasesFirst(members: ApiEnum["members"]): { name: string; value: number; of: string | null }[] {
  const byValue = new Map<number, string[]>();
  for (const { name, value } of members) byValue.set(value, [...(byValue.get(value) ?? []), name]);
  return [...byValue].flatMap(([value, [first, ...others]]) => [
    ...others.map((name) => ({ name, value, of: first as string })),
    { name: first as string, value, of: null },
  ]);
}
