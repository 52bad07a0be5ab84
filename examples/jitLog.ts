/**
 * What the driver's compiler says when it makes a GPU's code of PTX: npx tsx examples/jitLog.ts
 * One library is compiled twice, without and with optimisation; a third has an error in it, and the log says where.
 */
import { readFileSync } from "node:fs";
import * as cuda from "cuda-driver";

const registers = cuda.CUfunction_attribute.CU_FUNC_ATTRIBUTE_NUM_REGS;
const ptx = readFileSync(new URL("kernels/life.ptx", import.meta.url), "utf8");

/* The driver keeps what it has compiled, and says nothing when it finds it again. It reads this in cuInit. */
process.env.CUDA_CACHE_DISABLE = "1";
cuda.cuInit(0);
const device = cuda.cuDeviceGet(0);
cuda.cuCtxSetCurrent(cuda.cuDevicePrimaryCtxRetain(device));

interface Report {
  log: string;
  /** What the compiler took, in milliseconds. */
  wallTime: number;
  /** Registers a thread. */
  registers: number;
}

/** Compiles at a level of optimisation, from 0 to 4. */
function compile(optimizationLevel: number): Report {
  const jit = cuda.jitOptions({ wallTime: true, infoLog: 16_384, logVerbose: true, optimizationLevel });
  const library = cuda.cuLibraryLoadData(ptx, jit);
  /* Unless CUDA_MODULE_LOADING says EAGER, the driver compiles now, when the library is first used, and answers then. */
  const life = cuda.cuKernelGetFunction(cuda.cuLibraryGetKernel(library, "life"));
  const report = {
    log: jit.infoLog?.trim() ?? "",
    wallTime: jit.wallTime ?? 0,
    registers: cuda.cuFuncGetAttribute(registers, life),
  };
  cuda.cuLibraryUnload(library);
  return report;
}

/** Compiles text that is no PTX. @returns the driver's error and its log, or null where it found nothing wrong */
function complaint(source: string): { code: string; log: string } | null {
  const jit = cuda.jitOptions({ errorLog: 16_384 });
  let library: cuda.CUlibrary | null = null;
  try {
    library = cuda.cuLibraryLoadData(source, jit);
    cuda.cuLibraryGetModule(library);
    return null;
  } catch (error) {
    if (!(error instanceof cuda.CudaError)) throw error;
    return { code: error.code, log: jit.errorLog?.trim() ?? "" };
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
