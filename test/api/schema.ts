interface Schema {
  $ref?: string;
  anyOf?: Schema[];
  const?: unknown;
  enum?: unknown[];
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean;
  items?: Schema;
  minItems?: number;
  minimum?: number;
  minLength?: number;
  pattern?: string;
  $defs?: Record<string, Schema>;
}

const KNOWN = new Set(
  "$ref anyOf const enum type properties required additionalProperties items minItems minimum minLength pattern $defs $schema title description".split(
    " ",
  ),
);

/** What in `value` the JSON schema does not allow, as paths with reasons. Knows the keywords that our schema uses, no others. */
export function violations(schema: Schema, value: unknown, root: Schema = schema, path = "$"): string[] {
  for (const keyword of Object.keys(schema)) {
    if (!KNOWN.has(keyword)) throw new Error(`the schema uses "${keyword}", which this check does not know`);
  }
  if (schema.$ref !== undefined) {
    const target = root.$defs?.[schema.$ref.replace("#/$defs/", "")];
    if (target === undefined) throw new Error(`the schema has no ${schema.$ref}`);
    return violations(target, value, root, path);
  }
  if (schema.anyOf !== undefined) {
    const fits = schema.anyOf.some((choice) => violations(choice, value, root, path).length === 0);
    return fits ? [] : [`${path}: fits no choice`];
  }
  const found: string[] = [];
  const wrong = (why: string) => found.push(`${path}: ${why}`);
  if (schema.const !== undefined && value !== schema.const) wrong(`is not ${schema.const}`);
  if (schema.enum !== undefined && !schema.enum.includes(value)) wrong(`is none of ${schema.enum}`);
  if (schema.type !== undefined && ![schema.type].flat().some((type) => isType(value, type))) {
    wrong(`is no ${schema.type}`);
  }
  if (typeof value === "number" && schema.minimum !== undefined && value < schema.minimum) wrong("is too small");
  if (typeof value === "string") {
    if (schema.minLength !== undefined && value.length < schema.minLength) wrong("is too short");
    if (schema.pattern !== undefined && !new RegExp(schema.pattern).test(value)) wrong(`"${value}" does not match`);
  }
  if (Array.isArray(value)) {
    if (schema.minItems !== undefined && value.length < schema.minItems) wrong("has too few items");
    const { items } = schema;
    if (items !== undefined) {
      value.forEach((item, index) => {
        found.push(...violations(items, item, root, `${path}[${index}]`));
      });
    }
  } else if (typeof value === "object" && value !== null) {
    for (const name of schema.required ?? []) if (!(name in value)) wrong(`lacks ${name}`);
    for (const [name, inner] of Object.entries(value)) {
      const own = schema.properties?.[name];
      if (own !== undefined) found.push(...violations(own, inner, root, `${path}.${name}`));
      else if (schema.additionalProperties === false) wrong(`has an unknown ${name}`);
    }
  }
  return found;
}

function isType(value: unknown, type: string): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "null":
      return value === null;
    case "array":
      return Array.isArray(value);
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}
