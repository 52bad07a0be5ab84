/** One function of a module, as `templates/functions.ts.hbs` writes it. */
export interface FunctionText {
  docs: string[];
  async: boolean;
  exported: boolean;
  name: string;
  /** Type parameters with their brackets, or "". */
  generics: string;
  parameters: string;
  returns: string;
  body: string[];
}

/** A module of functions. */
export interface FunctionModule {
  imports: string[];
  functions: FunctionText[];
  aliases: string[];
}

/** What a function of the package is, but for its name and documentation. */
export type Plain = Omit<FunctionText, "docs" | "exported" | "name">;
