import type { FailureKind } from '../failure/gemini-failure.ts';
import type { RunEnd } from '../ports/gemini-runner.ts';

export type EndedRun = {
  readonly end: RunEnd;
  /** Whether anything of it had been yielded but notices. */
  readonly wasSeen: boolean;
};

const endsThatTellNothing: ReadonlySet<FailureKind> = new Set([
  'cancelled',
  'timeout',
  'unsupported',
  'context-too-large',
  'directory-refused',
  'cli-missing',
  'sandbox-missing',
  'configuration',
  'resources-exhausted',
]);

/** Whether a run ended before its runner was needed, or by its caller: it does not tell whether the runner could have been had. */
export function tellsNothing({ end, wasSeen }: EndedRun): boolean {
  return end.type === 'failure' && !wasSeen && endsThatTellNothing.has(end.failure.kind);
}
