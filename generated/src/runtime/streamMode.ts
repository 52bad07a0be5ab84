// Written by cuda-codegen 0.1.0 into every package, whatever its toolkit. Do not edit: run codegen generate.
import { refuse } from "./frame.ts";
import { native } from "./native.ts";

/** Which default stream the program's functions work on: the legacy one, or each thread's own. */
export type StreamMode = "legacy" | "perThread";

/** Name of NVIDIA's macro for the same choice in C. */
const VARIABLE = "CUDA_API_PER_THREAD_DEFAULT_STREAM";
const ON = ["1", "on", "true", "yes"];
const OFF = ["", "0", "off", "false", "no"];

/** @throws TypeError for a value that says neither yes nor no. */
function chosenByEnvironment(): StreamMode {
  const value = process.env[VARIABLE] ?? "";
  const word = value.trim().toLowerCase();
  if (ON.includes(word)) return "perThread";
  if (OFF.includes(word)) return "legacy";
  throw new TypeError(
    `${VARIABLE} must be one of ${[...ON, ...OFF.slice(1)].join(", ")}, or empty; it is ${JSON.stringify(value)}`,
  );
}

function modeOf(code: 0 | 1 | 2): StreamMode {
  return code === 2 ? "perThread" : "legacy";
}

/**
 * The default stream of this program: as chosen by `chooseStreamMode`, else by the environment variable
 * CUDA_API_PER_THREAD_DEFAULT_STREAM (1, on, true, yes; 0, off, false, no or empty). The first question decides it for the
 * whole process.
 */
export function streamMode(): StreamMode {
  const decided = native.streamMode(0);
  if (decided !== 0) return modeOf(decided);
  return modeOf(native.streamMode(chosenByEnvironment() === "perThread" ? 2 : 1));
}

/**
 * Chooses the default stream for the whole process, before the first call of a driver function: with "perThread" every
 * function that has a per-thread variant means that one.
 * @throws Error once it was decided otherwise
 */
export function chooseStreamMode(mode: StreamMode): void {
  if (mode !== "legacy" && mode !== "perThread") {
    refuse("chooseStreamMode", "mode", '"legacy" or "perThread"', mode);
  }
  const decided = modeOf(native.streamMode(mode === "perThread" ? 2 : 1));
  if (decided !== mode) {
    throw new Error(
      `chooseStreamMode: this process works on the ${decided} default stream already; choose before the first call`,
    );
  }
}
