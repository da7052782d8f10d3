import { randomBytes } from 'node:crypto';
import { realpath, stat } from 'node:fs/promises';
import { describeShortage } from '@gemini-mcp/adapters-node/internal';
import { LentDirectories, type LentDirectoriesOptions } from '@gemini-mcp/core';
import { lendProject } from './lend-project.ts';
import { runBudget } from './run-budget.ts';

export type LentDirectoryParts = Pick<LentDirectoriesOptions, 'clock' | 'runner' | 'executor'>;

/** Lets Gemini look into directories of conversations, within the limits of a run of gemini_agent. */
export function createLentDirectories({ clock, runner, executor }: LentDirectoryParts): LentDirectories {
  return new LentDirectories({
    clock,
    runner,
    executor,
    createRunId: () => randomBytes(8).toString('hex'),
    identify,
    lendProject: (project) => lendProject(project, clock),
    shortageOf: describeShortage,
    budget: runBudget,
  });
}

/** A directory by its real path and its number in the file system. */
async function identify(directory: string): Promise<string | null> {
  try {
    const real = await realpath(directory);
    const { dev, ino } = await stat(real, { bigint: true });
    return `${dev} ${ino} ${real}`;
  } catch {
    return null;
  }
}
