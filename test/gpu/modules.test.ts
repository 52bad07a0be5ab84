/** Modules: cubin, PTX and fatbin from files and from memory, globals, functions, JIT options, linking. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type * as Cuda from "cuda-driver";
import { child } from "./children/child.ts";
import { cuda } from "./count.ts";
import {
  blocks,
  cudaError,
  floats,
  iota,
  kernelFile,
  launch,
  poisoned,
  skip,
  usePrimaryContext,
  words,
} from "./device.ts";

const { ptr, u32, i32, f32 } = cuda.kernel;
const jit = cuda.CUjit_option;
const inputs = cuda.CUjitInputType;
const states = cuda.CUfunctionLoadingState;
const formats = ["kernels.cubin", "kernels.ptx", "old.ptx", "kernels.fatbin"];
const eager = process.env.CUDA_MODULE_LOADING === "EAGER";
usePrimaryContext();

function works(module: Cuda.CUmodule): void {
  const out = poisoned(300);
  launch(cuda.cuModuleGetFunction(module, "iota"), blocks(300), ptr(out), u32(300), u32(4));
  assert.deepEqual(words(out, 300), iota(300, 4));
  cuda.cuMemFree(out);
}

/** PTX is text: in memory it ends in a NUL. */
function image(name: string): Buffer {
  const bytes = readFileSync(kernelFile(name));
  return name.endsWith(".ptx") ? Buffer.concat([bytes, Buffer.alloc(1)]) : bytes;
}

test("the mode of loading is the one that the environment asks for", { skip }, () => {
  const modes = cuda.CUmoduleLoadingMode;
  const expected = eager ? modes.CU_MODULE_EAGER_LOADING : modes.CU_MODULE_LAZY_LOADING;
  assert.equal(cuda.cuModuleGetLoadingMode(), expected);
});

test("a program chooses the mode of loading before cuInit, not after it (case 39)", { skip }, async () => {
  const name = (wanted: string) => `CU_MODULE_${wanted}_LOADING`;
  const mode = async (before: string | null, after: string | null) =>
    (await child<object>("loadingMode.ts", [before, after])).answer;
  const own = eager ? "EAGER" : "LAZY";
  const other = eager ? "LAZY" : "EAGER";
  assert.deepEqual({ ...(await mode(other, own)) }, { before: name(other), after: name(other) });
  assert.deepEqual({ ...(await mode(null, other)) }, { before: name(own), after: name(own) });
});

for (const name of formats) {
  test(`${name}: from its file and from memory`, { skip }, () => {
    const fromFile = cuda.cuModuleLoad(kernelFile(name));
    works(fromFile);
    const fromMemory = cuda.cuModuleLoadData(image(name));
    works(fromMemory);
    const withOptions = cuda.cuModuleLoadDataEx(image(name), 1, [jit.CU_JIT_MAX_REGISTERS], BigUint64Array.of(64n));
    works(withOptions);
    for (const module of [fromFile, fromMemory, withOptions]) cuda.cuModuleUnload(module);
  });
}

test("options with names, for modules, libraries and links, and what the compiler answers", { skip }, () => {
  const ptx = readFileSync(kernelFile("kernels.ptx"), "utf8");
  const made = () => cuda.jitOptions({ maxRegisters: 64, wallTime: true, infoLog: 4096, errorLog: 4096 });
  const forModule = made();
  const module = cuda.cuModuleLoadDataEx(ptx, undefined, forModule);
  works(module);
  cuda.cuModuleUnload(module);
  assert.ok((forModule.wallTime ?? 0) > 0, `${forModule.wallTime} ms`);
  const forLibrary = made();
  const library = cuda.cuLibraryLoadData(ptx, forLibrary);
  cuda.cuLibraryGetModule(library);
  assert.ok((forLibrary.wallTime ?? 0) > 0, `${forLibrary.wallTime} ms`);
  cuda.cuLibraryUnload(library);
  const wrong = made();
  const error = cudaError("CUDA_ERROR_INVALID_PTX");
  assert.throws(() => cuda.cuModuleLoadDataEx(ptx.replace(".visible", ".nonsense"), undefined, wrong), error);
  assert.match(wrong.errorLog ?? "", /nonsense/);
});

test("a fatbin by its own function", { skip }, () => {
  const module = cuda.cuModuleLoadFatBinary(image("kernels.fatbin"));
  works(module);
  cuda.cuModuleUnload(module);
});

test("functions of a module: all of them, and when they are loaded", { skip }, () => {
  const module = cuda.cuModuleLoad(kernelFile("kernels.cubin"));
  const count = cuda.cuModuleGetFunctionCount(module);
  const functions = cuda.cuModuleEnumerateFunctions(module);
  const names = functions.map((fn) => cuda.cuFuncGetName(fn));
  assert.equal(new Set(names).size, count);
  for (const name of ["iota", "scalars", "load_box", "trap"]) assert.ok(names.includes(name), name);

  const fn = cuda.cuModuleGetFunction(module, "saxpy");
  assert.equal(cuda.cuFuncGetModule(fn), module);
  if (eager) assert.equal(cuda.cuFuncIsLoaded(fn), states.CU_FUNCTION_LOADING_STATE_LOADED);
  cuda.cuFuncLoad(fn);
  assert.equal(cuda.cuFuncIsLoaded(fn), states.CU_FUNCTION_LOADING_STATE_LOADED);
  assert.throws(() => cuda.cuModuleGetFunction(module, "not_there"), cudaError("CUDA_ERROR_NOT_FOUND"));
  cuda.cuModuleUnload(module);
});

test("globals of a module: read, written, used by kernels", { skip }, () => {
  const module = cuda.cuModuleLoad(kernelFile("kernels.cubin"));
  const out = poisoned(1);
  const [counter, size] = cuda.cuModuleGetGlobal(module, "counter");
  assert.equal(size, 4n);
  assert.equal(words(counter, 1)[0], 7, "as initialised");
  cuda.cuMemsetD32(counter, 41, 1);
  launch(cuda.cuModuleGetFunction(module, "count_up"), {}, ptr(out));
  assert.deepEqual([words(out, 1)[0], words(counter, 1)[0]], [42, 42]);

  const [coefficients, bytes] = cuda.cuModuleGetGlobal(module, "coefficients");
  assert.equal(bytes, 16n);
  const polynomial = cuda.cuModuleGetFunction(module, "polynomial");
  launch(polynomial, {}, ptr(out), f32(2));
  assert.equal(floats(out, 1)[0], 1 + 2 * 2 + 3 * 4 + 4 * 8);
  cuda.cuMemcpyHtoD(coefficients, Float32Array.of(4, 3, 2, 1), 16);
  launch(polynomial, {}, ptr(out), f32(2));
  assert.equal(floats(out, 1)[0], 4 + 3 * 2 + 2 * 4 + 8);

  assert.throws(() => cuda.cuModuleGetGlobal(module, "not_there"), cudaError("CUDA_ERROR_NOT_FOUND"));
  cuda.cuModuleUnload(module);
  cuda.cuMemFree(out);
});

test("what cannot be loaded", { skip }, () => {
  assert.throws(
    () => cuda.cuModuleLoad("/nonexistent/kernels.cubin"),
    (error) =>
      error instanceof cuda.CudaError && error.code === "CUDA_ERROR_FILE_NOT_FOUND" && error.path !== undefined,
  );
  assert.throws(() => cuda.cuModuleLoadData(Buffer.alloc(4096)), cudaError("CUDA_ERROR_INVALID_IMAGE"));
  const log = Buffer.alloc(4096);
  assert.throws(
    () =>
      cuda.cuModuleLoadDataEx(
        Buffer.from(
          ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry broken() { not_an_instruction; }\n\0",
        ),
        2,
        [jit.CU_JIT_ERROR_LOG_BUFFER, jit.CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES],
        BigUint64Array.of(cuda.addressOf(log), BigInt(log.length)),
      ),
    cudaError("CUDA_ERROR_INVALID_PTX"),
  );
  assert.match(log.toString().replace(/\0.*/s, ""), /not_an_instruction|error/i, "the compiler's log");
});

test("linking: halves as PTX, cubin and fatbin, from memory and from files", { skip }, () => {
  const combinations: [string, string][] = [
    ["link_main.ptx", "link_part.ptx"],
    ["link_main.cubin", "link_part.fatbin"],
    ["link_main.cubin", "link_part.ptx"],
  ];
  const kindOf = (name: string) =>
    name.endsWith(".ptx")
      ? inputs.CU_JIT_INPUT_PTX
      : name.endsWith(".cubin")
        ? inputs.CU_JIT_INPUT_CUBIN
        : inputs.CU_JIT_INPUT_FATBINARY;
  for (const [main, part] of combinations) {
    const log = Buffer.alloc(8192);
    const values = BigUint64Array.of(cuda.addressOf(log), BigInt(log.length), 1n);
    const options = [jit.CU_JIT_INFO_LOG_BUFFER, jit.CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, jit.CU_JIT_LOG_VERBOSE];
    const link = cuda.cuLinkCreate(3, options, values);
    const data = image(main);
    cuda.cuLinkAddData(link, kindOf(main), data, undefined, main, 0, null, null);
    cuda.cuLinkAddFile(link, kindOf(part), kernelFile(part), 0, null, null);
    const cubin = cuda.cuLinkComplete(link);
    assert.equal(Buffer.from(cubin.subarray(0, 4)).toString("latin1"), "\x7fELF");
    cuda.cuLinkDestroy(link);
    const module = cuda.cuModuleLoadData(cubin);
    const written = log.toString().replace(/\0.*/s, "");
    assert.ok(
      written.length <= Number(BigInt.asUintN(32, values[1] as bigint)),
      "the log's size came back in its slot",
    );
    const out = poisoned(1);
    launch(cuda.cuModuleGetFunction(module, "linked"), {}, ptr(out), i32(21));
    assert.equal(words(out, 1)[0], 47, `${main} + ${part}`);
    cuda.cuModuleUnload(module);
    cuda.cuMemFree(out);
  }

  const link = cuda.cuLinkCreate(0, null, null);
  const data = image("link_main.ptx");
  cuda.cuLinkAddData(link, inputs.CU_JIT_INPUT_PTX, data, data.length, "alone", 0, null, null);
  assert.throws(() => cuda.cuLinkComplete(link), cuda.CudaError, "the other half is missing");
  cuda.cuLinkDestroy(link);
});
