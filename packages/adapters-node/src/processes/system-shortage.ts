import { describeShortage } from '@gemini-mcp/core/internal';

export { describeShortage };

/** For a catch that treats a failure as an absence. Rethrows a shortage, which proves nothing about the sought object. */
export function absentUnlessShort(error: unknown): null {
  if (isShortage(error)) {
    throw error;
  }
  return null;
}

/** Whether an error means that the system is out of some resource, which proves nothing about the requested object. */
export function isShortage(error: unknown): boolean {
  return describeShortage(error) !== null;
}
