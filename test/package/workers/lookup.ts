/** Asks get_proc_address_v2 what it is told to: [symbol, CUDA version, flags] each. */
import { CudaError, driverInfo } from "cuda-driver";
import { get_proc_address_v2 } from "cuda-driver/v2/driver";
import { native } from "../../../generated/dist/runtime/native.js";
import { answer, question } from "../child.ts";

export type LookupQuestion = [symbol: string, cudaVersion: number, flags: bigint];

export interface LookupAnswers {
  info: { path: string; version: number; lookUp: string };
  /** Where the library says that cuInit lies. */
  cuInit: bigint;
  /** [address, status] or the CUresult that was thrown. */
  answers: ([bigint, number] | number)[];
}

const questions = await question<LookupQuestion[]>();
const info = driverInfo();
const answers = questions.map(([symbol, cudaVersion, flags]) => {
  try {
    return get_proc_address_v2(symbol, cudaVersion, flags);
  } catch (error) {
    if (!(error instanceof CudaError)) throw error;
    return error.errno;
  }
});
answer({ info, cuInit: native.symbol("cuInit"), answers } satisfies LookupAnswers);
