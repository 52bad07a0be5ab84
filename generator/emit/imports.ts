/** What the modules of functions import: module -> names. "*name": all of it under that name, "type name": a type. */
type Imports = Readonly<Record<string, readonly string[]>>;

const BOTH: Imports = {
  "./enums.ts": ["type *enums"],
  "./records.ts": ["*records"],
  "./attributes.ts": ["*attributes"],
  "./runtime/counts.ts": ["countOf"],
  "./runtime/kernel.ts": ["type KernelParam"],
  "./runtime/kernelParams.ts": ["type KernelParams"],
  "./runtime/kinds.ts": ["type HostAddress", "type Integer"],
  "./runtime/memory.ts": ["type HostMemory"],
  "./types.ts": ["type *types"],
};

export const ENCODER_IMPORTS: Imports = {
  ...BOTH,
  "./runtime/frame.ts": [
    ..."putCallback putCallbackOrNull putEnum putF32 putF64 putHandle putHandleOrNull putI8 putI16 putI32 putI64".split(
      " ",
    ),
    ..."putMemory putMemoryOrNull putOut putPointer putString putStringOrNull putU8 putU16 putU32 putU64 startOwning".split(
      " ",
    ),
  ],
  "./runtime/frameAttributes.ts": ["putAttribute", "putAttributeRoom"],
  "./runtime/handles.ts": ["putLiveHandle", "putLiveHandleOrNull"],
  "./runtime/kernelParams.ts": ["type KernelParams", "putKernelParams"],
  "./runtime/lists.ts": ["putList", "putListOrNull", "readArray"],
  "./runtime/struct.ts": ["type Struct"],
  "./runtime/structArguments.ts": [
    ..."putFilled putFilledOrNull putMemoryOrNumber putStruct putStructOrNull putStructValue readStruct".split(" "),
    "type StructArgument",
    "type StructsArgument",
  ],
};

const WRAPPER_IMPORTS: Imports = {
  ...BOTH,
  "./encoders.ts": ["*encoders"],
  "./hooks.ts": ["*hooks"],
  "./runtime/afterCall.ts": ["explained"],
  "./runtime/attributes.ts": ["type AttributeValue", "type AttributeValues", "type GivenValue"],
  "./runtime/code.ts": ["codeOf"],
  "./runtime/frame.ts": ["f32", "f64", "getString", "i32", "i64", "owned", "u32", "u64"],
  "./runtime/frameAttributes.ts": ["readAttribute"],
  "./runtime/handles.ts": ["born", "found", "givingBack"],
  "./runtime/lists.ts": ["enumerate", "lengthFrom", "ownedList", "rooms", "textOf"],
  "./runtime/jitOptions.ts": ["type JitOptions", "type LibraryOptions"],
  "./runtime/options.ts": ["loading", "type Options", "type OptionValues", "packOptions"],
  "./runtime/procAddress.ts": ["getProcAddress"],
  "./runtime/registered.ts": ["registering", "unregistering"],
  "./runtime/sizedAttributes.ts": ["attributeBytes", "attributeRoom", "attributeRooms"],
  "./runtime/struct.ts": ["type Struct"],
  "./runtime/structArguments.ts": ["type StructArgument", "type StructsArgument"],
  "./runtime/unions.ts": ["memberOf", "type MemberValue", "unionWith"],
  "./tables.ts": [],
  "./unions.ts": ["*unions"],
};

export const FUNCTION_IMPORTS: Imports = {
  ...WRAPPER_IMPORTS,
  "./runtime/driver.ts": ["required", "retry", "retryQuery"],
  "./runtime/hooks.ts": ["captures", "direct", "hooked", "unhooking"],
  "./runtime/native.ts": ["native"],
};

export const PROMISE_IMPORTS: Imports = {
  ...WRAPPER_IMPORTS,
  "./functions.ts": ["*functions"],
  "./runtime/driver.ts": ["callAsync", "required", "settled", "settledQuery"],
  "./runtime/hooks.ts": ["captures", "hooked", "unhooking"],
};

/** The statements that import them, in the modules' order. */
export function importLines(imports: Imports): string[] {
  return Object.entries(imports)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([module, names]) => {
      const [first] = names;
      if (first === undefined) return `import "${module}";`;
      if (first.includes("*")) return `import ${first.replace("*", "* as ")} from "${module}";`;
      const areTypes = names.every((name) => name.startsWith("type "));
      const listed = areTypes ? names.map((name) => name.slice("type ".length)) : names;
      return `import ${areTypes ? "type " : ""}{ ${listed.join(", ")} } from "${module}";`;
    });
}

/** Names that these modules have of others, beside what they declare themselves. */
export function importedNames(): string[] {
  return [ENCODER_IMPORTS, FUNCTION_IMPORTS, PROMISE_IMPORTS].flatMap((imports) =>
    Object.values(imports)
      .flat()
      .map((name) => name.replace(/^type /, "").replace("*", "")),
  );
}
