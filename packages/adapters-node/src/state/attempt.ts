/** What cannot be done is told by `fallback`, so that only an abort rejects. */
export async function attempt<Result>(
  signal: AbortSignal,
  fallback: Result,
  act: () => Promise<Result>,
): Promise<Result> {
  signal.throwIfAborted();
  try {
    const result = await act();
    signal.throwIfAborted();
    return result;
  } catch {
    signal.throwIfAborted();
    return fallback;
  }
}
