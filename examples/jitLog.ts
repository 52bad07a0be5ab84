/**
 * What the driver's compiler says when it makes a GPU's code of PTX: node examples/jitLog.ts
 * One library is compiled twice, without and with optimisation; a third has an error in it, and the log says where.
 */
import { readFileSync } from "node:fs";
import * as cuda from "cuda-driver";

const jit = cuda.CUjit_option;
const registers = cuda.CUfunction_attribute.CU_FUNC_ATTRIBUTE_NUM_REGS;
const ptx = readFileSync(new URL("kernels/life.ptx", import.meta.url), "utf8");

/* The driver keeps what it has compiled, and says nothing when it finds it again. It reads this in cuInit. */
process.env.CUDA_CACHE_DISABLE = "1";
cuda.cuInit(0);
const device = cuda.cuDeviceGet(0);
cuda.cuCtxSetCurrent(cuda.cuDevicePrimaryCtxRetain(device));

/** Text in C's manner, up to its NUL. */
function text(log: Uint8Array): string {
  const end = log.indexOf(0);
  return Buffer.from(log.subarray(0, end < 0 ? log.length : end))
    .toString()
    .trim();
}

interface Report {
  log: string;
  /** What the compiler took, in milliseconds. */
  wallTime: number;
  /** Registers a thread. */
  registers: number;
}

/** Compiles at a level of optimisation, from 0 to 4. */
function compile(level: number): Report {
  const log = new Uint8Array(16_384);
  const options = [
    jit.CU_JIT_WALL_TIME,
    jit.CU_JIT_INFO_LOG_BUFFER,
    jit.CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES,
    jit.CU_JIT_LOG_VERBOSE,
    jit.CU_JIT_OPTIMIZATION_LEVEL,
  ];
  /*
   * One eight-byte slot for each option, some for the driver to write. It compiles when the library is first used, unless
   * CUDA_MODULE_LOADING says EAGER, and writes then: hence a typed array, which is handed over as it is.
   */
  const values = BigUint64Array.of(0n, cuda.addressOf(log), BigInt(log.length), 1n, BigInt(level));
  const library = cuda.cuLibraryLoadData(ptx, options, values);
  const life = cuda.cuKernelGetFunction(cuda.cuLibraryGetKernel(library, "life"));
  const report = {
    log: text(log),
    wallTime: new Float32Array(values.buffer)[0] as number, // a float, in the first half of its slot
    registers: cuda.cuFuncGetAttribute(registers, life),
  };
  cuda.cuLibraryUnload(library);
  return report;
}

/** Compiles text that is no PTX. @returns the driver's error and its log, or null where it found nothing wrong */
function complaint(source: string): { code: string; log: string } | null {
  const log = new Uint8Array(16_384);
  let library: cuda.CUlibrary | null = null;
  try {
    library = cuda.cuLibraryLoadData(
      source,
      [jit.CU_JIT_ERROR_LOG_BUFFER, jit.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES],
      [log, log.length],
    );
    cuda.cuLibraryGetModule(library);
    return null;
  } catch (error) {
    if (!(error instanceof cuda.CudaError)) throw error;
    return { code: error.code, log: text(log) };
  } finally {
    if (library !== null) cuda.cuLibraryUnload(library);
  }
}

const reports = [0, 4].map((level) => ({ level, ...compile(level) }));
for (const { level, log, wallTime, registers } of reports) {
  console.log(`level ${level}: ${registers} registers, compiled in ${wallTime.toFixed(3)} ms`);
  console.log(log.replace(/^/gm, "  | "));
}

const broken = complaint(ptx.replace("mov.u32", "move.u32"));
console.log(broken === null ? "no error was found" : `${broken.code}\n${broken.log.replace(/^/gm, "  | ")}`);

cuda.cuDevicePrimaryCtxRelease(device);
const told = reports.every(({ log, wallTime, registers }) => log.includes("life") && wallTime > 0 && registers > 0);
if (!told || !broken?.log.includes("move")) {
  console.log("wrong result: the driver did not say what it should");
  process.exitCode = 1;
}
