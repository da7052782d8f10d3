import { stat } from 'node:fs/promises';
import { errorCode, isMissing } from './error-code.ts';
import { describeShortage } from './system-shortage.ts';

/** Why a process could not be started. */
export type StartProblem = {
  /** Whether the system has run out of something: the same may be started in a moment. */
  readonly isShortage: boolean;
  /** In our words, with the system's code where there is one. */
  readonly detail: string;
};

/** Says why no process could be started in a directory. Never rejects. */
export async function describeStartError(error: unknown, cwd: string): Promise<StartProblem> {
  const shortage = describeShortage(error);
  if (shortage !== null) {
    return { isShortage: true, detail: shortage };
  }
  return { isShortage: false, detail: (await describeCause(error, cwd)) ?? wordsOf(error) };
}

async function describeCause(error: unknown, cwd: string): Promise<string | null> {
  // The system says the same of a program that is not there and of a directory that is not.
  if (isMissing(error) && !(await isThere(cwd))) {
    return `The directory in which it was to be started, ${cwd}, does not exist any more (ENOENT).`;
  }
  return errorCode(error) === 'E2BIG'
    ? 'The variables and arguments that it was to be started with are larger than the system allows (E2BIG).'
    : null;
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
