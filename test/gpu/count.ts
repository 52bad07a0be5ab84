/**
 * The package as the suite calls it: every driver function is wrapped so that calls which returned are counted, by exported
 * name. At the end of each thread of each process one line of JSON goes to the file that GPU_REPORT names.
 */
import { appendFileSync } from "node:fs";
import { basename } from "node:path";
import { threadId } from "node:worker_threads";
import * as raw from "cuda-driver";

/** Exported names, of the plain functions and of their promise versions, that were called and returned. */
const called = new Set<string>();
const promised = new Set<string>();

type Callable = (...args: unknown[]) => unknown;

/** The package's functions have the exported name; those that the runtime half makes are known by their key. */
function exportedName(key: string, value: Callable): string {
  if (key === "cuGetProcAddress") return "cuGetProcAddress_v2";
  return /^cu[A-Z]/.test(value.name) ? value.name : key;
}

function counted(key: string, value: Callable, names: Set<string>): Callable {
  const name = exportedName(key, value);
  return (...args) => {
    const result = value(...args);
    if (!(result instanceof Promise)) {
      names.add(name);
      return result;
    }
    return result.then((settled) => {
      names.add(name);
      return settled;
    });
  };
}

function countedModule<Module extends object>(module: Module, names: Set<string>): Module {
  const copy: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(module)) {
    const counts = typeof value === "function" && /^(cu[A-Z]|cudaGet)/.test(key);
    copy[key] = counts ? counted(key, value as Callable, names) : value;
  }
  return copy as Module;
}

const promises = countedModule(raw.promises, promised);

/** `cuda-driver`, counted. */
export const cuda: typeof raw = { ...countedModule(raw, called), promises };

process.on("exit", () => {
  const report = process.env.GPU_REPORT;
  if (!report || called.size + promised.size === 0) return;
  const script = basename(process.argv[1] ?? "");
  const line = { script, thread: threadId, called: [...called].sort(), promised: [...promised].sort() };
  appendFileSync(report, `${JSON.stringify(line)}\n`);
});
