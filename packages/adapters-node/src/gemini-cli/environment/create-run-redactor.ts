import { dirname } from 'node:path';
import { createRedactor } from '@gemini-mcp/core/internal';
import { type Environment, secretValues } from './child-environment.ts';
import { hideDirectories } from './hide-directories.ts';

export type RunRedactorOptions = {
  /** The private directory of the run. */
  readonly root: string;
  /** The user's own `.gemini` directory. */
  readonly userDirectory: string;
  readonly environment: Environment;
};

/** For what the CLI says: without secrets, and without where things lie on this machine. */
export function createRunRedactor({ root, userDirectory, environment }: RunRedactorOptions): (text: string) => string {
  const hide = hideDirectories([
    { path: root, shownAs: '(run)' },
    { path: dirname(userDirectory), shownAs: '~' },
  ]);
  const redactSecrets = createRedactor(secretValues(environment));
  return (text) => hide(redactSecrets(text));
}
