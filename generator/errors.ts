import type { Position } from "./parse/ast.ts";

/** Something the user can put right: bad usage or bad input. The command line prints its one line and exits with 2. */
export class UserError extends Error {
  override name = "UserError";
}

/** A header that cannot be read, with the place. */
export class HeaderError extends UserError {
  override name = "HeaderError";
  readonly position: Position;
  constructor(position: Position, message: string) {
    super(`${position.file}:${position.line}:${position.column}: ${message}`);
    this.position = position;
  }
}

/** `13000` as people write it: `13.0`. */
export function formatVersion(version: number): string {
  return `${Math.trunc(version / 1000)}.${Math.trunc((version % 1000) / 10)}`;
}
