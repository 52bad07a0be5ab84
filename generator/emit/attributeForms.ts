import type { ApiFunction } from "../api/document.ts";
import { UserError } from "../errors.ts";
import type { AttributeListRow, AttributeRow } from "../libraries/library.ts";
import type { Plain } from "./moduleText.ts";
import { argumentType, declare, elementType, parameterList, plainCall } from "./parameters.ts";
import type { Plan, PlannedFunction } from "./planned.ts";
import { isArgument, isResult, type PlannedParameter } from "./roles.ts";
import { className } from "./types.ts";

/** Over the plain form: the values of attributes have the types that the attributes decide. null: nothing of the kind. */
export function attributeForm(fn: PlannedFunction, plan: Plan, async: boolean): Plain | null {
  const member = unionMember(fn, plan);
  if (member !== null)
    return isArgument(member.value) ? memberSetter(fn, member, async) : memberGetter(fn, member, async);
  const list = listRow(fn, plan);
  if (list !== null) return several(fn, list, async);
  const row = sizedRow(fn, plan);
  if (row === null) return null;
  return find(fn, row.value).api.direction === "in" ? setter(fn, row, async) : getter(fn, row, async);
}

function find(fn: PlannedFunction, name: string | undefined): PlannedParameter {
  const found = fn.params.find(({ api }) => api.name === name);
  if (found === undefined) throw new Error(`${fn.api.name} has no parameter ${name}`);
  return found;
}

/** One value, whose size C wants told. A size that the caller may say is the type's where it is left out. */
function getter(fn: PlannedFunction, row: AttributeRow, async: boolean): Plain {
  const [value, attribute, size] = [find(fn, row.value), find(fn, row.attribute), find(fn, row.size)];
  const told = size.role.kind === "value";
  const type = `AttributeValue<attributes.${fn.api.base}Types, Attribute, Uint8Array>`;
  const declared = fn.params
    .filter((param) => isArgument(param) && param !== value && (told || param !== size))
    .map((param) => ({
      ...declare(param, fn),
      ...(param === attribute ? { type: "Attribute" } : {}),
      optional: param === size,
    }));
  const call = plainCall(
    fn,
    new Map([
      [value, "$room.memory"],
      [size, "$room.size"],
    ]),
  );
  const given = `${attribute.name}, ${told ? size.name : "undefined"}, "${fn.api.name}", "${attribute.api.name}", ${told ? `"${size.api.name}"` : null}`;
  const written = fn.params.some(isResult);
  return {
    async,
    generics: `<Attribute extends ${argumentType(attribute)}>`,
    parameters: parameterList(declared),
    returns: async ? `Promise<${type}>` : type,
    body: [
      `const $room = attributeRoom(attributes.${fn.api.base}, ${given});`,
      `${written ? "const $written = " : ""}${async ? "await " : ""}${call};`,
      `return $room.read(${written ? "$written" : ""}) as ${type};`,
    ],
  };
}

function setter(fn: PlannedFunction, row: AttributeRow, async: boolean): Plain {
  const [value, attribute, size] = [find(fn, row.value), find(fn, row.attribute), find(fn, row.size)];
  const declared = fn.params
    .filter((param) => isArgument(param) && param !== size)
    .map((param) => {
      if (param === attribute) return { ...declare(param, fn), type: "Attribute" };
      const type = `GivenValue<attributes.${fn.api.base}Types, Attribute, HostMemory>`;
      return param === value ? { ...declare(param, fn), type } : declare(param, fn);
    });
  const given = `${attribute.name}, ${value.name}, "${fn.api.name}", "${attribute.api.name}", "${value.api.name}"`;
  const call = plainCall(
    fn,
    new Map([
      [value, "$bytes"],
      [size, "$bytes.byteLength"],
    ]),
  );
  return {
    async,
    generics: `<Attribute extends ${argumentType(attribute)}>`,
    parameters: parameterList(declared),
    returns: async ? "Promise<void>" : "void",
    body: [`const $bytes = attributeBytes(attributes.${fn.api.base}, ${given});`, `return ${call};`],
  };
}

/** A list of values for a list of attributes. */
function several(fn: PlannedFunction, row: AttributeListRow, async: boolean): Plain {
  const [values, list, count] = [find(fn, row.values), find(fn, row.attributes), find(fn, row.count)];
  const sizes = row.sizes === undefined ? null : find(fn, row.sizes);
  if (list.role.kind !== "list") throw new UserError(`${fn.api.name}: ${row.attributes} is no list`);
  const element = elementType(list.role.of);
  const type = `AttributeValues<attributes.${row.one}Types, Attributes${sizes === null ? "" : ", Uint8Array"}>`;
  const declared = fn.params
    .filter((param) => isArgument(param) && param !== values && param !== count)
    .map((param) => {
      if (param === list) return { name: param.name, type: "Attributes", optional: false };
      if (param !== sizes) return declare(param, fn);
      return { name: param.name, type: "readonly (number | bigint | undefined)[] | null", optional: true };
    });
  const call = plainCall(
    fn,
    new Map([
      [values, "$rooms.pointers"],
      [list, "$rooms.attributes"],
      [count, "$rooms.count"],
      ...(sizes === null ? [] : [[sizes, "$rooms.sizes"] as const]),
    ]),
  );
  const given = `${list.name}, ${sizes === null ? "undefined" : sizes.name}, "${fn.api.name}", "${list.api.name}", ${sizes === null ? null : `"${sizes.api.name}"`}`;
  return {
    async,
    generics: `<const Attributes extends readonly ${element}[]>`,
    parameters: parameterList(declared),
    returns: async ? `Promise<${type}>` : type,
    body: [
      `const $rooms = attributeRooms(attributes.${row.one}, ${given});`,
      `${async ? "await " : ""}${call};`,
      `return $rooms.read() as ${type};`,
    ],
  };
}

/** A union whose member in use an attribute selects. */
interface UnionMember {
  value: PlannedParameter;
  attribute: PlannedParameter;
  /** The union's class, and its table in `unions.ts`. */
  union: string;
}

/** null: the function takes or gives no such union. */
export function unionMember({ params }: PlannedFunction, { library, types }: Plan): UnionMember | null {
  for (const value of params) {
    const meaning =
      value.type.kind === "pointer" && value.type.to.kind === "name" ? types.meaning(value.type.to) : null;
    if (meaning?.kind !== "record") continue;
    const row = library.unions.find(({ union, field }) => union === meaning.record.name && field === null);
    const attribute = params.find(({ role }) => {
      return role.kind === "value" && role.meaning.kind === "enum" && role.meaning.enum.name === row?.by;
    });
    if (attribute !== undefined) return { value, attribute, union: className(meaning.record.name) };
  }
  return null;
}

function memberGetter(fn: PlannedFunction, { attribute, union }: UnionMember, async: boolean): Plain {
  const type = `MemberValue<unions.${union}Members, Attribute, records.${union}>`;
  const declared = fn.params.filter(isArgument).map((param) => {
    return param === attribute ? { ...declare(param, fn), type: "Attribute" } : declare(param, fn);
  });
  const call = plainCall(fn, new Map());
  return {
    async,
    generics: `<Attribute extends ${argumentType(attribute)}>`,
    parameters: parameterList(declared),
    returns: async ? `Promise<${type}>` : type,
    body: [`return memberOf(unions.${union}, ${attribute.name}, ${async ? "await " : ""}${call}) as ${type};`],
  };
}

function memberSetter(fn: PlannedFunction, { value, attribute, union }: UnionMember, async: boolean): Plain {
  const type = `GivenValue<unions.${union}Given, Attribute, records.${union}Fields> | records.${union}`;
  const declared = fn.params.filter(isArgument).map((param) => {
    if (param === attribute) return { ...declare(param, fn), type: "Attribute" };
    return param === value ? { ...declare(param, fn), type } : declare(param, fn);
  });
  const given = `${attribute.name}, ${value.name}, "${fn.api.name}", "${value.api.name}"`;
  return {
    async,
    generics: `<Attribute extends ${argumentType(attribute)}>`,
    parameters: parameterList(declared),
    returns: async ? "Promise<void>" : "void",
    body: [
      `const $union = unionWith(unions.${union}, records.${union}, ${given});`,
      `return ${plainCall(fn, new Map([[value, "$union"]]))};`,
    ],
  };
}

/** What these forms do otherwise than the plain one, in words: of a parameter, or (null) of what is returned. */
export function describeByAttributes(fn: PlannedFunction, param: PlannedParameter | null, plan: Plan): string | null {
  const member = unionMember(fn, plan);
  if (member !== null) {
    const selected = `the member of ${member.union} that ${member.attribute.api.name} selects`;
    if (param === null) return isArgument(member.value) ? null : selected;
    return param === member.value && isArgument(param)
      ? `${selected}, or a whole ${member.union}, into which the driver writes where it has something to say`
      : null;
  }
  const list = listRow(fn, plan);
  if (list !== null) {
    if (param === null)
      return `the values, in the order of ${list.attributes}, each of the type that its attribute decides`;
    if (param.api.name === list.attributes) return "an array of attributes";
    return param.api.name === list.sizes
      ? "the sizes of the values in bytes; null, or undefined for one: those of the types"
      : null;
  }
  const row = sizedRow(fn, plan);
  if (row === null) return null;
  if (find(fn, row.value).api.direction === "in") {
    const value = `a value of the type that ${row.attribute} decides; of an attribute that is not known here, memory`;
    return param?.api.name === row.value ? value : null;
  }
  if (param === null)
    return `the value, of the type that ${row.attribute} decides; of an attribute that is not known here, its bytes`;
  return param.api.name === row.size ? "bytes of the value; undefined: those of its type" : null;
}

/** The row of a function for several attributes, where the headers have all that it names. */
function listRow({ api }: PlannedFunction, { library, functions }: Plan): AttributeListRow | null {
  const row = library.attributeLists.find((each) => each.function === api.base);
  if (row === undefined || !functions.some((one) => one.api.base === row.one)) return null;
  return hasAll(api, [row.values, row.attributes, row.count, row.sizes]) ? row : null;
}

/** The row of a function whose value has a size that is told, where the headers have all that it names. */
function sizedRow({ api }: PlannedFunction, { library }: Plan): AttributeRow | null {
  const row = library.attributes.find((each) => each.function === api.base && each.size !== undefined);
  return row !== undefined && hasAll(api, [row.value, row.attribute, row.size]) ? row : null;
}

function hasAll({ params }: ApiFunction, names: readonly (string | undefined)[]): boolean {
  return names.every((name) => name === undefined || params.some((param) => param.name === name));
}

/** Parameters that these forms have no argument for. */
export function notPassedByAttributes(fn: PlannedFunction, plan: Plan): PlannedParameter[] {
  const list = listRow(fn, plan);
  if (list !== null) return [find(fn, list.values), find(fn, list.count)];
  const row = sizedRow(fn, plan);
  if (row === null) return [];
  const [value, size] = [find(fn, row.value), find(fn, row.size)];
  if (value.api.direction === "in") return [size];
  return size.role.kind === "value" ? [value] : [value, size];
}
