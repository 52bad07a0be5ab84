import type { Position } from "./position.ts";

/** Something the user can put right: bad usage or bad input. The command line prints its one line and exits with 2. */
export class UserError extends Error {
  override name = "UserError";
}

/** A header that cannot be read, with the place. */
export class HeaderError extends UserError {
  override name = "HeaderError";
  readonly position: Position;
  constructor(position: Position, message: string) {
    super(`${position.file}:${position.line}:${position.column}: ${oneLine(message)}`);
    this.position = position;
  }
}

/** What a header says may be long, and may hold characters that no terminal should be given. */
function oneLine(message: string): string {
  const line = message.replace(UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}...` : line;
}

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const LONGEST = 300;
