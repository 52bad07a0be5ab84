/** An element of castxml's answer; attributes that it lacks are "" (or false, or none). */
export interface Element {
  kind: string;
  id: string;
  name: string;
  type: string;
  returns: string;
  file: string;
  /** Bits. */
  size: string;
  align: string;
  offset: string;
  /** Width of a bit-field. */
  bits: string;
  /** Last index of an array. */
  max: string;
  /** Value of an enum member. */
  init: string;
  members: string[];
  attributes: string[];
  incomplete: boolean;
  inline: boolean;
  children: Element[];
}

const ENTITIES: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&amp;": "&" };

/** Reads the one shape that castxml writes: a tag a line, at most two levels deep below the root. */
export function readXml(text: string): Element[] {
  const top: Element[] = [];
  let open: Element | undefined;
  for (const line of text.split("\n")) {
    const match = /^( *)<(\w+)(.*?)(\/?)>$/.exec(line);
    if (!match) {
      if (line.startsWith("  </")) open = undefined;
      continue;
    }
    const [, indent = "", kind = "", rest = "", closed = ""] = match;
    if (indent.length < 2) continue; // the root
    const element = toElement(kind, rest);
    if (open) open.children.push(element);
    else {
      top.push(element);
      if (!closed) open = element;
    }
  }
  return top;
}

export function children(element: Element, kind: string): Element[] {
  return element.children.filter((child) => child.kind === kind);
}

function toElement(kind: string, rest: string): Element {
  const attributes = new Map<string, string>();
  for (const [, name = "", value = ""] of rest.matchAll(/([\w:]+)="([^"]*)"/g)) {
    attributes.set(
      name,
      value.replace(/&\w+;/g, (entity) => ENTITIES[entity] ?? entity),
    );
  }
  const get = (name: string) => attributes.get(name) ?? "";
  return {
    kind,
    id: get("id"),
    name: get("name"),
    type: get("type"),
    returns: get("returns"),
    file: get("file"),
    size: get("size"),
    align: get("align"),
    offset: get("offset"),
    bits: get("bits"),
    max: get("max"),
    init: get("init"),
    members: get("members").split(" ").filter(Boolean),
    attributes: get("attributes").split(" ").filter(Boolean),
    incomplete: get("incomplete") === "1",
    inline: get("inline") === "1",
    children: [],
  };
}
