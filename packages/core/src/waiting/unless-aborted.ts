/** Stands for what an abort kept from coming. */
export const aborted: unique symbol = Symbol('aborted');

/** What a port resolves to, or `aborted` where it rejected because of the abort. */
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
