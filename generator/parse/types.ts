/** Words of C, and how they make the names of basic types. */

export const SPECIFIER_WORDS: ReadonlySet<string> = new Set([
  "void",
  "char",
  "short",
  "int",
  "long",
  "float",
  "double",
  "signed",
  "unsigned",
  "_Bool",
]);

/** Words that C keeps for itself: they name nothing, even where the grammar would take them for a name. */
export const KEYWORDS: ReadonlySet<string> = new Set([
  ...SPECIFIER_WORDS,
  ..."auto break case const continue default do else enum extern for goto if inline register restrict return".split(
    " ",
  ),
  ..."sizeof static struct switch typedef union volatile while _Alignas _Alignof _Atomic _Complex _Generic".split(" "),
  ..."_Imaginary _Noreturn _Static_assert _Thread_local".split(" "),
]);

/** All orders in which C takes the words of a basic type, sorted, and the one spelling we keep. */
const NORMAL_FORMS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    void: "void",
    char: "char",
    "char signed": "signed char",
    "char unsigned": "unsigned char",
    short: "short",
    "short signed": "short",
    "int short": "short",
    "int short signed": "short",
    "short unsigned": "unsigned short",
    "int short unsigned": "unsigned short",
    int: "int",
    signed: "int",
    "int signed": "int",
    unsigned: "unsigned int",
    "int unsigned": "unsigned int",
    long: "long",
    "long signed": "long",
    "int long": "long",
    "int long signed": "long",
    "long unsigned": "unsigned long",
    "int long unsigned": "unsigned long",
    "long long": "long long",
    "long long signed": "long long",
    "int long long": "long long",
    "int long long signed": "long long",
    "long long unsigned": "unsigned long long",
    "int long long unsigned": "unsigned long long",
    float: "float",
    double: "double",
    "double long": "long double",
    _Bool: "_Bool",
  }),
);

/** `long unsigned` -> `unsigned long`; null where the words make no type. */
export function joinSpecifiers(words: readonly string[]): string | null {
  return NORMAL_FORMS.get([...words].sort().join(" ")) ?? null;
}
