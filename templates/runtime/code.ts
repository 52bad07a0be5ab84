import { checkText } from "./frame.ts";
import { bytesOf, type HostMemory, isHostMemory } from "./memory.ts";

const encoder = new TextEncoder();

const ELF = 0x464c457f;
const ELF_HEADER = 64;
const FATBIN = 0xba55ed50;
const FATBIN_HEADER = 16;

/** Bytes that a binary has by its own header; 0: not a binary of a kind that says so. */
function sizeByHeader(view: DataView): number {
  const magic = view.byteLength < 4 ? 0 : view.getUint32(0, true);
  if (magic === FATBIN) {
    return view.byteLength < FATBIN_HEADER ? FATBIN_HEADER : FATBIN_HEADER + Number(view.getBigUint64(8, true));
  }
  if (magic !== ELF) return 0;
  if (view.byteLength < ELF_HEADER) return ELF_HEADER;
  /* The tables of sections and of segments stand at the end: where each begins, the size of an entry, their number. */
  const end = (at: number, size: number) =>
    Number(view.getBigUint64(at, true)) + view.getUint16(size, true) * view.getUint16(size + 2, true);
  return Math.max(end(40, 58), end(32, 54));
}

/**
 * Code as the driver reads it, which is told no length. Text ends in a NUL: a string gets one, and so does memory that has no
 * NUL at all; binaries all have some.
 * @throws RangeError for a binary that is cut short: real drivers crash on it
 */
export function codeOf(code: string | HostMemory | bigint, name: string, parameter: string): HostMemory | bigint {
  if (typeof code === "string") {
    checkText(code, name, parameter);
    return encoder.encode(`${code}\0`);
  }
  if (!isHostMemory(code)) return code;
  const bytes = bytesOf(code);
  const size = sizeByHeader(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (size > bytes.length) {
    throw new RangeError(
      `${name}: ${parameter} is cut short: it holds ${bytes.length} bytes, its header speaks of ${size}`,
    );
  }
  if (bytes.includes(0)) return code;
  const ended = new Uint8Array(bytes.length + 1);
  ended.set(bytes);
  return ended;
}
