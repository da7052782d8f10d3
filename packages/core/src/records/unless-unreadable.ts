/** Resolves to `fallback` if `read` rejects for anything but an abort. */
export async function unlessUnreadable<Value>(
  fallback: Value,
  signal: AbortSignal,
  read: () => Promise<Value>,
): Promise<Value> {
  try {
    return await read();
  } catch {
    signal.throwIfAborted();
    return fallback;
  }
}
