import type { Clock, StepRefusal, StepResult } from '@gemini-mcp/core';
import { isNoDirectory, isNoFile, notFound, outsideRoots, refusal } from '@gemini-mcp/core/internal';
import type { Refusal } from '../../disk/refusal.ts';
import { describeSystemError } from '../journal/describe-system-error.ts';
import { showName } from './run-reach.ts';

/** What a path that cannot be opened or read means for a step. */
export function refuseTarget(name: string, { reason, detail = '' }: Refusal): StepRefusal {
  const path = showName(name);
  switch (reason) {
    case 'outside-roots':
      return outsideRoots(path);
    case 'not-found':
      return notFound(path);
    case 'is-a-directory':
      return isNoFile(path, 'a directory');
    case 'not-a-file':
      return isNoFile(path, 'a pipe, socket or device');
    case 'not-a-directory':
      return isNoDirectory(path);
    case 'name-too-long':
      return refusal('invalid-arguments', `${path} is longer than names of files can be.`, 'Use a shorter name.');
    default:
      return { ...refusal('failed', `${path} cannot be read: ${detail || reason}.`), retriable: isTransient(detail) };
  }
}

/** What an error of the system means for a step that was to do something to a path. */
export function refuseFault(name: string, error: unknown): StepRefusal {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const message = `${showName(name)} cannot be changed: ${describeSystemError(error)}.`;
  return { ...refusal('failed', message), retriable: isTransient(code) };
}

/** What passes by itself: too little of something, a file that is run or written at this moment. */
const transient: ReadonlySet<string> = new Set([
  'EAGAIN',
  'EMFILE',
  'ENFILE',
  'ETXTBSY',
  'EINTR',
  'its size changed while it was being read',
  'moved while it was being opened',
]);

/** Whether what the system said, a code mostly, passes by itself. */
function isTransient(detail: string): boolean {
  return transient.has(detail);
}

/** Longer waits are for the model to decide. */
const waitsMs = [20, 80, 320];

/** Takes a step again, thrice at most, as long as it is refused for what passes by itself. */
export async function retryTransient<Value>(
  clock: Clock,
  step: () => Promise<StepResult<Value>>,
  signal: AbortSignal,
): Promise<StepResult<Value>> {
  let result = await step();
  for (const waitMs of waitsMs) {
    if (result.ok || !result.refusal.retriable || signal.aborted) {
      return result;
    }
    await clock.sleep(waitMs, signal).catch(() => undefined);
    result = signal.aborted ? result : await step();
  }
  return result;
}
