import type { StatementStructures } from "ts-morph";
import { pythonNames } from "../api/pythonName.ts";
import { attributes } from "./attributes.ts";
import type { Plan } from "./planned.ts";
import { unions } from "./unions.ts";

type Statement = StatementStructures | string;

/** `index.ts`: everything under the exported names and the plain spellings. */
export function index(plan: Plan): Statement[] {
  const plain = [...plan.plain].filter(([name, target]) => name !== target);
  return [
    'export * from "./constants.ts";',
    'export * from "./enums.ts";',
    'export * from "./functions.ts";',
    'export * as promises from "./promises.ts";',
    'export { type DriverFor, driverFor, getProc, type Proc, procInfo } from "./procs.ts";',
    'export * from "./records.ts";',
    ...hostFunction(plan),
    ...(plan.hooks.length === 0
      ? []
      : [`export type { ${plan.hooks.map(({ name }) => `${name}Function`).join(", ")} } from "./hooks.ts";`]),
    'export { type DriverInfo, driverInfo, openDriver, type PassedOver } from "./runtime/driver.ts";',
    'export { CudaDriverNotFoundError, CudaError, CudaSymbolError } from "./runtime/errors.ts";',
    'export { copyFrom, copyTo, HostView, hostView } from "./runtime/hostView.ts";',
    'export { JitOptions, type JitOptionFields, jitOptions, type LibraryOptionFields, libraryOptions, type PackedOptions } from "./runtime/jitOptions.ts";',
    'export type { Options, OptionValue, OptionValues } from "./runtime/options.ts";',
    'export { lookup, type LookupAnswer, type LookupQuestion, type SymbolTable, type SymbolVariant } from "./runtime/lookup.ts";',
    'export * as kernel from "./runtime/kernelParams.ts";',
    'export { KernelParam, KernelParams, kernelParams } from "./runtime/kernelParams.ts";',
    'export { addressOf, type HostMemory } from "./runtime/memory.ts";',
    'export type { ProcVariant } from "./runtime/proc.ts";',
    'export { cudaDriverEntryPointQueryResult, cudaEnableDefault, cudaEnableLegacyStream, cudaEnablePerThreadDefaultStream, cudaGetDriverEntryPoint, cudaGetDriverEntryPointByVersion } from "./runtime/procAddress.ts";',
    'export { chooseStreamMode, type StreamMode, streamMode } from "./runtime/streamMode.ts";',
    ...attributeExports(plan),
    'export type { AttributeValue, AttributeValues, GivenValue } from "./runtime/attributes.ts";',
    'export type { MemberValue } from "./runtime/unions.ts";',
    'export { Struct, type StructClass } from "./runtime/struct.ts";',
    'export { recordArray, type StructArgument, type StructsArgument } from "./runtime/structArguments.ts";',
    'export { symbols, toolkit } from "./tables.ts";',
    ...unionExports(plan),
    'export type * from "./types.ts";',
    `export {\n${plain.map(([name, target]) => `  ${target} as ${name},`).join("\n")}\n} from "./functions.ts";`,
  ];
}

/** The types that signatures name: a program's own functions may have to name them too. */
function attributeExports(plan: Plan): Statement[] {
  const names = attributes(plan).tables.map(({ name }) => `${name}Types`);
  return names.length === 0 ? [] : [`export type { ${names.join(", ")} } from "./attributes.ts";`];
}

function unionExports(plan: Plan): Statement[] {
  const names = unions(plan).unions.flatMap(({ name, maker }) => [
    ...(maker === null ? [] : [maker.name]),
    `type ${name}Given`,
    `type ${name}Members`,
  ]);
  return names.length === 0 ? [] : [`export { ${names.join(", ")} } from "./unions.ts";`];
}

/** Toolkits before 10.0 know no host functions. */
function hostFunction({ hooks, library }: Plan): Statement[] {
  if (!hooks.some(({ name }) => name === library.hostFunction)) return [];
  return [
    'import { CUhostFn } from "./hooks.ts";',
    'import { type HostFunction, hostFunctionOf } from "./runtime/hooks.ts";',
    "export type { HostFunction };",
    `/**
 * A host function for a record's fn and userData, such as those of CUDA_HOST_NODE_PARAMS. It runs on this thread whenever the
 * driver has called it, and never blocks the driver.
 */
export const hostFunction = (callback: () => void): HostFunction => hostFunctionOf(CUhostFn, callback);`,
  ];
}

/** `v2/driver.ts`: the functions of the legacy stream mode under the names of cuda-python's `cuda.bindings._v2.driver`. */
export function pythonModule(plan: Plan): Statement[] {
  const identifiers = new Map(plan.functions.map(({ api, identifier }) => [api.name, identifier]));
  const rows = [...pythonNames(plan.document, plan.library)].map(
    ([name, exported]) => `  ${identifiers.get(exported) ?? exported} as ${name},`,
  );
  return [`export {\n${rows.join("\n")}\n} from "../index.ts";`];
}
