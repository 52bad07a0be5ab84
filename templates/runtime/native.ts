import { createRequire } from "node:module";
import type { TypedArray } from "./memory.ts";

/** The addon's door; `native/shim.c` says what each one does. */
interface Native {
  readonly frame: ArrayBuffer;
  /** "" when the process has a driver now, else why this library was not taken. */
  open(path: string, held: boolean): string;
  info(): [path: string, version: number, lookUpPath: 0 | 1 | 2] | null;
  symbol(name: string): bigint;
  lookUp(...kept: unknown[]): void;
  streamMode(wanted: 0 | 1 | 2): 0 | 1 | 2;
  bind(index: number, address: bigint): void;
  errorText(result: number): [name: string, description: string];
  address(view: TypedArray): number;
  string(address: bigint): string;
  /** null: the platform allows no such buffers. */
  view(address: bigint, length: number): ArrayBuffer | null;
  detach(buffer: ArrayBuffer): void;
  copy(view: Uint8Array, address: bigint, there: boolean): void;
  /** Notes that a handle is being destroyed or unloaded now, for all threads; false: it was noted before. */
  claim(handle: bigint): boolean;
  /** Notes that it has been. */
  ended(handle: bigint): void;
  /** Takes that back: the driver refused to, or has given the value out anew; `ending`: also where it has not ended yet. */
  restore(handle: bigint, ending: boolean): void;
  /** Whether it is noted. */
  gone(handle: bigint): boolean;
  hook(index: number, run: (memory: ArrayBuffer) => void, once: boolean): [code: bigint, data: bigint];
  unhook(data: bigint): void;
  /** What the first call that waits was made with, which is no longer delivered; null: none waits. */
  waiting(data: bigint): ArrayBuffer | null;
  enter(index: number, run: (memory: ArrayBuffer) => bigint): bigint;
  leave(): void;
  call(...kept: unknown[]): void;
  callAsync<T>(decode: () => T, kept: unknown): Promise<T>;
}

function load(): Native {
  const path = "../../build/Release/cuda_driver.node";
  try {
    return createRequire(import.meta.url)(path) as Native;
  } catch (error) {
    const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    const isForbidden = (error as NodeJS.ErrnoException | null)?.code === "ERR_DLOPEN_DISABLED";
    const advice = isForbidden ? "run node with --allow-addons" : 'build it with "npm rebuild cuda-driver"';
    throw new Error(`cuda-driver: its addon cannot be loaded; ${advice} (${reason})`, { cause: error });
  }
}

export const native: Native = load();
