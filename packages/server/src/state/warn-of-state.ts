import type { Log } from '../log/log.ts';
import type { Configuration } from '../settings/configuration.ts';
import { findStateProblem } from './find-state-problem.ts';

/** Logs once, at the start, that nothing can be kept: each call alone tells its caller what it could not keep, and not where. */
export async function warnOfState({ stateDirectory }: Pick<Configuration, 'stateDirectory'>, log: Log): Promise<void> {
  const problem = await findStateProblem(stateDirectory);
  if (problem !== null) {
    log.warn('state-not-kept', {
      path: stateDirectory,
      problem,
      message:
        'Conversations, long answers and the journals by which runs are undone cannot be kept. Make the directory writable for this user and closed to others (mode 0700), or name another one (GEMINI_MCP_STATE_DIR).',
    });
  }
}
