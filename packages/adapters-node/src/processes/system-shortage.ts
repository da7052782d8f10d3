import { describeShortage } from '@gemini-mcp/core/internal';

export { describeShortage };

/** For a catch that takes a failure for an absence: a shortage says nothing about what was looked for, and is thrown on. */
export function absentUnlessShort(error: unknown): null {
  if (isShortage(error)) {
    throw error;
  }
  return null;
}

/** Whether an error says that the system has run out of something, and nothing about what was asked for. */
export function isShortage(error: unknown): boolean {
  return describeShortage(error) !== null;
}
