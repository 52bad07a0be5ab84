import type { Struct } from "./struct.ts";

/** How many bytes a call touches of the memory that a pointer field leads to, by the record's other fields. */
export type Needs = Readonly<Record<string, (record: Struct) => number>>;

/** CU_MEMORYTYPE_HOST */
const HOST = 1;

/**
 * Bytes from the start of host memory to the end of what a copy of rows touches there: the offsets, the size and the pitches are
 * those of CUDA_MEMCPY2D and CUDA_MEMCPY3D.
 */
export function pitchedBytes(copy: Struct, side: "src" | "dst"): number {
  const fields = copy as unknown as Readonly<Record<string, bigint | number | undefined>>;
  const field = (name: string, otherwise = 0) => Number(fields[name] ?? otherwise);
  if (field(`${side}MemoryType`) !== HOST) return 0;
  const [width, height, depth] = [field("WidthInBytes"), field("Height"), field("Depth", 1)];
  if (width === 0 || height === 0 || depth === 0) return 0;
  const [x, y, z] = [field(`${side}XInBytes`), field(`${side}Y`), field(`${side}Z`)];
  const pitch = field(`${side}Pitch`) || x + width;
  const rows = field(`${side}Height`) || y + height;
  return ((z + depth - 1) * rows + y + height - 1) * pitch + x + width;
}
