import type { RunEnd } from '@gemini-mcp/core';
import { failRun } from './fail-run.ts';

/**
 * The end of a run with a key that fits into no environment or no header, and that its error would show; null for
 * any other. In the place of an empty one the CLI would take a key that the user has stored.
 */
export function refuseKey(apiKey: string | null): RunEnd | null {
  const isPlain = apiKey === null || /^[\x21-\x7e]+$/.test(apiKey);
  const excerpt = 'the API key holds characters that no key holds, or none';
  return isPlain ? null : failRun({ kind: 'crashed', detail: 'was not started', excerpt });
}
