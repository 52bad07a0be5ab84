// Written by cuda-codegen 0.1.0 into every package, whatever its toolkit. Do not edit: run codegen generate.
import { types } from "node:util";
import { CudaError, CudaSymbolError } from "./errors.ts";

/**
 * Makes a call, at once or (it gives a promise then) on a pool thread, and gives what it gives. Once it has ended, `done` gets
 * what it gave; where it throws or rejects, `failed` (if there is anything to do) is called first.
 */
export function afterCall<Outcome>(
  call: () => Outcome,
  done: (given: Awaited<Outcome>) => void,
  failed: (error: unknown) => void = () => {},
): Outcome {
  const fail = (error: unknown): never => {
    failed(error);
    throw error;
  };
  const succeed = (given: Awaited<Outcome>): Awaited<Outcome> => {
    done(given);
    return given;
  };
  let outcome: Outcome;
  try {
    outcome = call();
  } catch (error) {
    return fail(error);
  }
  return (
    types.isPromise(outcome)
      ? outcome.then(succeed as (given: unknown) => never, fail)
      : succeed(outcome as Awaited<Outcome>)
  ) as Outcome;
}

/**
 * A call, made at once or on a pool thread, whose outputs say why it failed: the error has them then.
 * @param errno on which CUresult they do; null: on any
 */
export function explained<Outcome>(
  errno: number | null,
  outputs: () => Readonly<Record<string, unknown>>,
  call: () => Outcome,
): Outcome {
  const explain = (error: unknown) => {
    /* What there is no function for was never called. */
    if (!(error instanceof CudaError) || error instanceof CudaSymbolError) return;
    if (errno === null || error.errno === errno) Object.assign(error, { outputs: { ...error.outputs, ...outputs() } });
  };
  return afterCall(call, () => {}, explain);
}
