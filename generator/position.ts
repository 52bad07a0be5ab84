/** A place in the header as the user has it on disk; line and column count from 1, columns in UTF-16 units. */
export interface Position {
  file: string;
  line: number;
  column: number;
}
