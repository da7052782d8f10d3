/** A store cannot be read. The message is for a user: what happened, why, and what to do. */
export class UnreadableStoreError extends Error {
  override readonly name = 'UnreadableStoreError';
}

/** Compares names: in a bundle, code that is loaded late has its own copy of the class. */
export function isUnreadableStore(error: unknown): error is UnreadableStoreError {
  return error instanceof Error && error.name === 'UnreadableStoreError';
}
