/** Stands for a value that an abort prevented. */
export const aborted: unique symbol = Symbol('aborted');

/** The value of a port's promise, or `aborted` if it rejected because of the abort. */
export async function unlessAborted<Value>(
  value: Promise<Value>,
  signal: AbortSignal,
): Promise<Value | typeof aborted> {
  try {
    return await value;
  } catch (error) {
    if (signal.aborted) {
      return aborted;
    }
    throw error;
  }
}
