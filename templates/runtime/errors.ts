/** The name stands on the prototype, as those of Node's own errors do. */
function named(type: { prototype: Error }, name: string): void {
  Object.defineProperty(type.prototype, "name", { value: name, writable: true, configurable: true });
}

/** A CUresult that is not CUDA_SUCCESS, in Node's manner. */
export class CudaError extends Error {
  static {
    named(CudaError, "CudaError");
  }
  /** Name of the result: "CUDA_ERROR_FILE_NOT_FOUND"; "CUDA_ERROR_<number>" for one that no header and no driver names. */
  readonly code: string;
  /** The CUresult as a number. */
  readonly errno: number;
  /** Exported name of the function that answered so. */
  readonly syscall: string;
  /** The file that the call named, where it named one. */
  declare readonly path?: string;
  /** What the driver wrote of why, under C's names: cuGraphExecUpdate's `resultInfo`, cuMemBatchDecompressAsync's `errorIndex`. */
  declare readonly outputs?: Readonly<Record<string, unknown>>;

  constructor(syscall: string, errno: number, code: string, description: string, path?: string) {
    super(
      `${syscall}: ${code} (${errno})${description ? `, ${description}` : ""}${path === undefined ? "" : `, '${path}'`}`,
    );
    this.syscall = syscall;
    this.errno = errno;
    this.code = code;
    if (path !== undefined) this.path = path;
  }
}

/** "12.4" for 12040. */
export function versionText(value: number): string {
  return `${Math.trunc(value / 1000)}.${Math.trunc((value % 1000) / 10)}`;
}

/** CUDA_ERROR_NOT_FOUND */
export const NOT_FOUND = 500;

/** There is no such function: in this driver (thrown when it is called, not before), or at the version that was asked for. */
export class CudaSymbolError extends CudaError {
  static {
    named(CudaSymbolError, "CudaSymbolError");
  }
  /** CUDA version that the function needs: 1000*major + 10*minor. */
  readonly needed: number;
  /** CUDA version of the driver. */
  readonly present: number;

  constructor(syscall: string, needed: number, present: number, reason: string) {
    super(syscall, NOT_FOUND, "CUDA_ERROR_NOT_FOUND", reason);
    this.needed = needed;
    this.present = present;
  }
}

/** What was tried, those together that failed for the same reason. */
function listed(tried: readonly { path: string; reason: string }[]): string {
  const reasons = [...new Set(tried.map(({ reason }) => reason))];
  return reasons
    .map((reason) => {
      const paths = tried.filter((each) => each.reason === reason).map(({ path }) => path);
      return `${paths.join(", ")}: ${reason}`;
    })
    .join("; ");
}

/** No driver could be opened; `tried` lists every candidate with the reason. */
export class CudaDriverNotFoundError extends Error {
  static {
    named(CudaDriverNotFoundError, "CudaDriverNotFoundError");
  }
  readonly code = "ERR_CUDA_DRIVER_NOT_FOUND";
  declare readonly tried: readonly { path: string; reason: string }[];

  constructor(tried: readonly { path: string; reason: string }[]) {
    super(
      `no CUDA driver found; install NVIDIA's driver, or name its library in CUDA_DRIVER_LIBRARY (tried ${listed(tried)})`,
    );
    /* The message has it all: Node would show it a second time. */
    Object.defineProperty(this, "tried", { value: tried });
  }
}
