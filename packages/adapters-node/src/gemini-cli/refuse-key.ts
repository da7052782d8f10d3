import type { RunEvent } from '@gemini-mcp/core';
import { notStarted } from './outcome-without-run.ts';

/**
 * The outcome of a run with a key that fits into no environment or no header, and that whoever says so would show; null for
 * any other. In the place of an empty one the CLI would take a key that the user has stored.
 */
export function refuseKey(apiKey: string | null): RunEvent | null {
  const isPlain = apiKey === null || /^[\x21-\x7e]+$/.test(apiKey);
  return isPlain ? null : notStarted('spawn-failed', 'the API key holds characters that no key holds, or none');
}
