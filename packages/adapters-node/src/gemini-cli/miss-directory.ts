import type { RunEvent, RunSettings } from '@gemini-mcp/core';
import { failRun } from './fail-run.ts';

/** What is told where a directory cannot be given: the end, or a word about it where the run goes on without. */
export function missDirectory(
  detail: string,
  { directoryIsOptional }: Pick<RunSettings, 'directoryIsOptional'>,
): Extract<RunEvent, { readonly type: 'notice' | 'failure' }> {
  return directoryIsOptional
    ? { type: 'notice', text: `Gemini could not look into the working directory: ${detail}.` }
    : failRun({ kind: 'directory-refused', detail });
}
