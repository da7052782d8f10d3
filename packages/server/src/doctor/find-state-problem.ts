import { constants } from 'node:fs';
import { access, lstat, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ensurePrivateDirectory } from '@gemini-mcp/adapters-node/internal';
import { findExposure } from '@gemini-mcp/adapters-node/internal/startup';
import type { Log } from '../log/log.ts';
import type { Configuration } from '../settings/read-configuration.ts';

/** Resolves to the reason why the state directory cannot be created, kept private or written to, or to null if it can. Creates nothing and never rejects. */
export async function findStateProblem(directory: string): Promise<string | null> {
  try {
    await inspect(directory);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Files in it must be private, as the server creates them. The directories around it are up to the user. */
async function inspect(directory: string): Promise<void> {
  const exposure = findExposure(directory);
  if (exposure !== null) {
    throw new Error(exposure);
  }
  const runs = join(directory, 'runs');
  const existing = await nearestExisting(runs);
  if (existing === runs) {
    await ensurePrivateDirectory(runs);
  }
  const parent = existing === runs ? directory : existing;
  if (!(await stat(parent)).isDirectory()) {
    throw new Error(`${parent} is not a directory`);
  }
  await access(parent, constants.W_OK | constants.X_OK);
}

async function nearestExisting(path: string): Promise<string> {
  const parent = dirname(path);
  const isThere = await lstat(path).then(
    () => true,
    (error: unknown) => {
      if (isMissing(error)) {
        return false;
      }
      throw error;
    },
  );
  return isThere || parent === path ? path : nearestExisting(parent);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

/** Logs once, at the start, that the state directory is unusable: a call reports only what it could not save, not where. */
export async function warnOfState({ stateDirectory }: Pick<Configuration, 'stateDirectory'>, log: Log): Promise<void> {
  const problem = await findStateProblem(stateDirectory);
  if (problem !== null) {
    log.warn('state-not-kept', {
      path: stateDirectory,
      problem,
      message:
        'Conversations, long answers and undo journals cannot be saved. Make the directory writable for this user and closed to others (mode 0700), or set GEMINI_MCP_STATE_DIR to another directory.',
    });
  }
}
