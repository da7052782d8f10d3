import type { Clock, StepRefusal, StepResult } from '@gemini-mcp/core';
import { isNoDirectory, isNoFile, notFound, outsideRoots, refusal } from '@gemini-mcp/core/internal';
import type { Refusal } from '../../disk/refusal.ts';
import { describeSystemError } from '../journal/describe-system-error.ts';
import { showName } from './run-reach.ts';

/** Translates a failure to open or read a path into a step's refusal. */
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
      return refusal('invalid-arguments', `${path} is longer than file names can be.`, 'Use a shorter name.');
    default:
      return { ...refusal('failed', `${path} cannot be read: ${detail || reason}.`), retriable: isTransient(detail) };
  }
}

/** Translates a system error in changing a path into a step's refusal. */
export function refuseFault(name: string, error: unknown): StepRefusal {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const message = `${showName(name)} cannot be changed: ${describeSystemError(error)}.`;
  return { ...refusal('failed', message), retriable: isTransient(code) };
}

/** Conditions that pass by themselves: a resource shortage, a file that is being run or written at this moment. */
const transient: ReadonlySet<string> = new Set([
  'EAGAIN',
  'EMFILE',
  'ENFILE',
  'ETXTBSY',
  'EINTR',
  'its size changed while it was being read',
  'moved while it was being opened',
]);

/** Whether the condition, mostly given as a system error code, passes by itself. */
function isTransient(detail: string): boolean {
  return transient.has(detail);
}

/** Longer waits are the model's decision. */
const waitsMs = [20, 80, 320];

/** Retries a step up to three times while it is refused for a transient condition. */
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
