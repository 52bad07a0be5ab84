/** Which stream a function works on where it is given the null stream: the legacy default stream, or the thread's own. */
export type StreamMode = "legacy" | "perThread";

/** What an exported name, or that of a typedef of its function, says. */
interface NameParts {
  /** `cuMemcpyHtoD` of `cuMemcpyHtoD_v2_ptds`. */
  base: string;
  /** The number in `_v2`; null: there is none. */
  version: number | null;
  /** The name without its stream mode: `cuMemcpyHtoD_v2`. */
  stem: string;
  /** How the name says its stream mode: `_ptds` or `_ptsz`, "" for the legacy one. */
  mode: string;
  streamMode: StreamMode;
}

/** Takes a name apart. */
export function splitName(name: string): NameParts {
  const [, base = "", version, mode = ""] = /^(.+?)(?:_v(\d+))?(_ptds|_ptsz)?$/.exec(name) ?? [];
  return {
    base,
    version: version === undefined ? null : Number(version),
    stem: name.slice(0, name.length - mode.length),
    mode,
    streamMode: mode === "" ? "legacy" : "perThread",
  };
}
