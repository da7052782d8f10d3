import { stat } from 'node:fs/promises';
import { errorCode, isMissing } from './error-code.ts';
import { describeShortage } from './system-shortage.ts';

/** Why a process could not be started. */
export type StartProblem = {
  /** Whether the system is out of some resource: the same start may succeed a moment later. */
  readonly isShortage: boolean;
  /** In our words, with the system's error code if there is one. */
  readonly detail: string;
};

/** Explains why no process could be started in a directory. Never rejects. */
export async function describeStartError(error: unknown, cwd: string): Promise<StartProblem> {
  const shortage = describeShortage(error);
  if (shortage !== null) {
    return { isShortage: true, detail: shortage };
  }
  return { isShortage: false, detail: (await describeCause(error, cwd)) ?? wordsOf(error) };
}

async function describeCause(error: unknown, cwd: string): Promise<string | null> {
  // The system reports the same error for a missing program and for a missing directory.
  if (isMissing(error) && !(await isThere(cwd))) {
    return `The directory to start it in, ${cwd}, no longer exists (ENOENT).`;
  }
  return errorCode(error) === 'E2BIG'
    ? 'Its environment variables and arguments are larger than the system allows (E2BIG).'
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
