import type { GeminiFailure, RunEnd } from '@gemini-mcp/core';
import { describeShortage } from '../processes/system-shortage.ts';

type FailureEnd = Extract<RunEnd, { readonly type: 'failure' }>;

/** The end of a run that failed. */
export function failRun(failure: GeminiFailure): FailureEnd {
  return { type: 'failure', failure };
}

/** The end of a run that failed because the system or the file system lacked a resource. */
export function failRunFor(error: unknown): FailureEnd {
  const shortage = describeShortage(error);
  return shortage === null
    ? failRun({ kind: 'configuration', excerpt: wordsOf(error) })
    : failRun({ kind: 'resources-exhausted', detail: shortage });
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
