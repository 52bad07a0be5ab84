// Written by cuda-codegen 0.1.0 into every package, whatever its toolkit. Do not edit: run codegen generate.
/** `next` of what a call gives: at once, or where it is made on a pool thread once its promise is kept. */
export function then<Given, Result>(
  given: Given | Promise<Given>,
  next: (given: Given) => Result,
): Result | Promise<Awaited<Result>> {
  return given instanceof Promise ? (given.then(next) as Promise<Awaited<Result>>) : next(given);
}

/**
 * Makes a call, at once or (it gives a promise then) on a pool thread, and gives what it gives. When it has ended, `done` gets
 * what it gave; where it throws or rejects, `failed` is called first.
 */
export function afterCall<Outcome>(
  call: () => Outcome,
  done: (given: Awaited<Outcome>) => void,
  failed: () => void,
): Outcome {
  const fail = (error: unknown): never => {
    failed();
    throw error;
  };
  let outcome: Outcome;
  try {
    outcome = call();
  } catch (error) {
    return fail(error);
  }
  const ended = then(outcome as Awaited<Outcome> | Promise<Awaited<Outcome>>, (given) => {
    done(given);
    return given;
  });
  return (ended instanceof Promise ? ended.catch(fail) : ended) as Outcome;
}
