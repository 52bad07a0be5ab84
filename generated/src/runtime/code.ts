// Written by cuda-codegen 0.1.0 into every package, whatever its toolkit. Do not edit: run codegen generate.
import { checkText, refuse, refuseGone } from "./frame.ts";
import { heldAddress } from "./heldMemory.ts";
import { bytesOf, type HostMemory, isGone, isHostMemory } from "./memory.ts";

const encoder = new TextEncoder();

const ELF = 0x464c457f;
/** Bytes that every ELF file begins with: they say of which class it is, and in which byte order. */
const ELF_IDENT = 16;
const [EI_CLASS, EI_DATA] = [4, 5];
const [ELFCLASS64, LITTLE_ENDIAN] = [2, 1];
/** Offsets in the header of a 64-bit ELF file. A table's number of entries follows their size. */
const ELF_HEADER = 64;
const [E_PHOFF, E_PHENTSIZE] = [32, 54];
const [E_SHOFF, E_SHENTSIZE] = [40, 58];
const FATBIN = 0xba55ed50;
const FATBIN_HEADER = 16;

/** Bytes that a binary has by its own header; 0: not a binary of a kind that says so. */
function sizeByHeader(view: DataView): number {
  const magic = view.byteLength < 4 ? 0 : view.getUint32(0, true);
  if (magic === FATBIN) {
    return view.byteLength < FATBIN_HEADER ? FATBIN_HEADER : FATBIN_HEADER + Number(view.getBigUint64(8, true));
  }
  if (magic !== ELF) return 0;
  if (view.byteLength < ELF_IDENT) return ELF_IDENT;
  if (view.getUint8(EI_CLASS) !== ELFCLASS64 || view.getUint8(EI_DATA) !== LITTLE_ENDIAN) return 0;
  if (view.byteLength < ELF_HEADER) return ELF_HEADER;
  /* The tables of segments and of sections stand at the end. */
  const end = (at: number, size: number) =>
    Number(view.getBigUint64(at, true)) + view.getUint16(size, true) * view.getUint16(size + 2, true);
  return Math.max(end(E_PHOFF, E_PHENTSIZE), end(E_SHOFF, E_SHENTSIZE));
}

/**
 * Code as the driver reads it, which is told no length. Text ends in a NUL: a string gets one, and so does memory that has no
 * NUL at all; binaries all have some. `held`: the driver may use it where it lies after the call.
 * @throws RangeError for a binary that is cut short: real drivers crash on it
 */
export function codeOf(
  code: string | HostMemory | bigint,
  name: string,
  parameter: string,
  held: boolean,
): HostMemory | bigint {
  if (typeof code === "string") {
    checkText(code, name, parameter);
    return encoder.encode(`${code}\0`);
  }
  if (typeof code === "bigint") return code;
  if (!isHostMemory(code))
    refuse(name, parameter, "text as a string, memory that holds code, or a bigint address", code);
  if (isGone(code)) refuseGone(name, parameter);
  const bytes = bytesOf(code);
  const size = sizeByHeader(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  if (size > bytes.length) {
    throw new RangeError(
      `${name}: ${parameter} is cut short: it holds ${bytes.length} bytes, its header speaks of ${size}`,
    );
  }
  if (bytes.includes(0)) {
    if (held) heldAddress(code, name, parameter);
    return code;
  }
  const ended = new Uint8Array(bytes.length + 1);
  ended.set(bytes);
  return ended;
}
