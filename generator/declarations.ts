import { Node, Project, type SourceFile, type Statement } from "ts-morph";

/** What two versions of one TypeScript file declare differently, by name, in the file's order. */
export interface DeclarationChanges {
  added: string[];
  removed: string[];
  /** Declared otherwise. What is in a function's body, and comments, are no declaration. */
  changed: string[];
}

/** Compares the exported declarations of two versions of a TypeScript file. */
export function compareDeclarations(present: string, wanted: string): DeclarationChanges {
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  const before = exportsOf(project.createSourceFile("present.ts", present));
  const after = exportsOf(project.createSourceFile("wanted.ts", wanted));
  return {
    added: [...after.keys()].filter((name) => !before.has(name)),
    removed: [...before.keys()].filter((name) => !after.has(name)),
    changed: [...after].flatMap(([name, text]) => (before.has(name) && before.get(name) !== text ? [name] : [])),
  };
}

/** Exported name -> how it is declared. */
function exportsOf(file: SourceFile): Map<string, string> {
  const found = new Map<string, string>();
  for (const statement of file.getStatements())
    for (const [name, text] of declared(statement)) found.set(name, [found.get(name), text].filter(Boolean).join("\n"));
  return found;
}

function declared(statement: Statement): [name: string, text: string][] {
  if (Node.isExportDeclaration(statement)) {
    const from = statement.getModuleSpecifierValue() ?? "this file";
    const named = statement.getNamedExports();
    if (named.length === 0) return [[`* from ${from}`, statement.getText()]];
    return named.map((each) => [each.getAliasNode()?.getText() ?? each.getName(), `${each.getText()} from ${from}`]);
  }
  if (!Node.isExportable(statement) || !statement.isExported()) return [];
  if (Node.isVariableStatement(statement))
    return statement.getDeclarations().map((each) => [each.getName(), each.getText()]);
  const name = (Node.hasName(statement) ? statement.getName() : undefined) ?? "default";
  if (
    Node.isClassDeclaration(statement) ||
    Node.isInterfaceDeclaration(statement) ||
    Node.isEnumDeclaration(statement)
  ) {
    const text = statement.getText();
    return [[name, [text.slice(0, text.indexOf("{")), ...statement.getMembers().map(head)].join("\n")]];
  }
  return [[name, head(statement)]];
}

/** A declaration as it is written, up to its body. */
function head(node: Node): string {
  const body = Node.isBodyable(node) ? node.getBody() : undefined;
  return body === undefined ? node.getText() : node.getText().slice(0, body.getStart() - node.getStart());
}
