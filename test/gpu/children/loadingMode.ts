/** A process that sets CUDA_MODULE_LOADING itself, before cuInit or after it. Answers {before, after}: the mode then. */
import * as cuda from "cuda-driver";
import { answer, argument } from "./child.ts";

const [before, after] = argument<[string | null, string | null]>();

function set(mode: string | null): void {
  if (mode !== null) process.env.CUDA_MODULE_LOADING = mode;
}

function mode(): string | undefined {
  return cuda.CUmoduleLoadingMode[cuda.cuModuleGetLoadingMode()];
}

cuda.cuDriverGetVersion();
set(before);
cuda.cuInit(0);
const first = mode();
set(after);
cuda.cuInit(0);
answer({ before: first, after: mode() });
