// Written by cuda-codegen 0.1.0 into every package, whatever its toolkit. Do not edit: run codegen generate.
import { types } from "node:util";

/**
 * Makes a call, at once or (it gives a promise then) on a pool thread, and gives what it gives. Once it has ended, `done` gets
 * what it gave; where it throws or rejects, `failed` (if there is anything to do) is called first.
 */
export function afterCall<Outcome>(
  call: () => Outcome,
  done: (given: Awaited<Outcome>) => void,
  failed: () => void = () => {},
): Outcome {
  const fail = (error: unknown): never => {
    failed();
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
