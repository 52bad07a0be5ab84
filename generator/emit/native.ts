import type { ApiType } from "../api/ctype.ts";
import { parseType } from "../api/ctype.ts";
import type { ApiRecord } from "../api/document.ts";
import { FRAME_SIZE } from "./frameLayout.ts";
import type { Hook, Plan } from "./planned.ts";
import type { Lowered } from "./roles.ts";
import { className, type Meaning } from "./types.ts";

/** What `templates/shim.c.hbs` says, in C. */
export function shim(plan: Plan) {
  return {
    package: plan.library.package,
    frameSize: FRAME_SIZE,
    structs: structs(plan),
    signatures: plan.signatures.map((lowered, index) => ({
      name: `call_${index}`,
      prototype: lowered.map(cType).join(", ") || "void",
      arguments: lowered.map(argument).join(", "),
    })),
    hooks: plan.hooks.map((hook) => ({
      index: hook.index,
      name: hook.name,
      direct: hook.kind === "direct",
      result: hook.kind === "direct" ? "size_t" : "void",
      count: hook.params.length,
      parameters: hook.params.map(({ slot }, index) => `${cType(slot)} a${index}`).join(", "),
      assigns: hook.params.map(({ slot }, index) => `values[${index}].${slot} = a${index};`),
      data: `a${hook.data}`,
      ...hookCopy(hook),
    })),
    functions: plan.functions.map(({ index, api, signature }) => ({ index, name: api.name, signature })),
  };
}

/** What of the driver's memory a queued hook copies. */
function hookCopy({ params }: Hook): { copy: string; copied: string } {
  const index = params.findIndex(({ copy }) => copy !== null);
  const copy = params[index]?.copy;
  if (copy === undefined || copy === null) return { copy: "NULL", copied: "0" };
  return { copy: `a${index}`, copied: `a${index} ? ${copy.kind === "record" ? copy.size : `a${copy.length}`} : 0` };
}

function cType(lowered: Lowered): string {
  if (typeof lowered === "object") return `struct ${structName(lowered.record)}`;
  switch (lowered) {
    case "f32":
      return "float";
    case "f64":
      return "double";
    case "pointer":
    case "out":
    case "frame":
      return "void *";
    default:
      return `${lowered.startsWith("u") ? "uint" : "int"}${lowered.slice(1)}_t`;
  }
}

function argument(lowered: Lowered, position: number): string {
  const slot = position + 1;
  if (typeof lowered === "object") return `*(struct ${structName(lowered.record)} *)frame[${slot}].pointer`;
  if (lowered === "out") return `out(frame, ${slot})`;
  if (lowered === "frame") return `pointer(frame, ${slot})`;
  return `frame[${slot}].${lowered}`;
}

function structName(record: string): string {
  return `by_value_${className(record)}`;
}

/** C definitions of the records that are passed by value, those they contain first. */
function structs(plan: Plan): string[] {
  const definitions = new Map<string, string>();

  function define(record: ApiRecord): string {
    const name = structName(record.name);
    if (!definitions.has(name)) {
      const fields = record.fields.map(({ type }, index) => `  ${field(parseType(type), `field${index}`)};`);
      definitions.set(name, `${record.kind} ${name} {\n${fields.join("\n")}\n};\n`);
      const type = `${record.kind} ${name}`;
      const facts = [
        [`sizeof(${type})`, record.size, "size"],
        [`_Alignof(${type})`, record.align, "alignment"],
        ...record.fields.map(({ offset }, index) => [`offsetof(${type}, field${index})`, offset, `field ${index}`]),
      ];
      definitions.set(
        `${name} layout`,
        facts.map(([is, must, what]) => `_Static_assert(${is} == ${must}, "${what} of ${record.name}");\n`).join(""),
      );
    }
    return `${record.kind} ${name}`;
  }

  function field(type: ApiType, name: string): string {
    const meaning = plan.types.meaning(type);
    if (meaning.kind === "array") return field(meaning.of, `${name}[${meaning.length}]`);
    return `${fieldType(meaning)} ${name}`;
  }

  function fieldType(meaning: Meaning): string {
    switch (meaning.kind) {
      case "integer":
        return `${meaning.signed ? "int" : "uint"}${meaning.bits}_t`;
      case "float":
        return meaning.bits === 32 ? "float" : "double";
      case "enum":
        return "int32_t";
      case "record":
        return define(meaning.record);
      default:
        return "void *";
    }
  }

  const passed = new Set(
    plan.signatures.flat().flatMap((lowered) => (typeof lowered === "object" ? [lowered.record] : [])),
  );
  for (const record of plan.document.records) if (passed.has(record.name)) define(record);
  return [...definitions.values()];
}
