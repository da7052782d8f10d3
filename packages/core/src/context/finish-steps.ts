/** Runs work that offers to pause to its end without a pause, and returns what it comes to. For work that is known to be small. */
export function finishSteps<Result>(steps: Generator<undefined, Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) {
      return step.value;
    }
  }
}
