/** A set of headers of one toolkit, found on this machine or fetched. */
export interface Toolkit {
  /** CUDA_VERSION as the first header says it. */
  version: number;
  /** The include folder. */
  directory: string;
  /** `12.4.127`, where it is known. */
  release: string | null;
  /** How it was found: `--toolkit`, `CUDA_HOME`, `nvcc on PATH`, `wheel`, ... */
  origin: string;
  headers: HeaderText[];
}

/** One header, normalised: no byte order mark, LF line ends. Everything later reads this text. */
export interface HeaderText {
  /** `cuda.h` */
  name: string;
  path: string;
  text: string;
  /** Of `text`, hex. */
  sha256: string;
}
