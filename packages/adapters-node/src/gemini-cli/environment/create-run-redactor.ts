import { dirname } from 'node:path';
import { createRedactor } from '@gemini-mcp/core/internal';
import { type Environment, secretValues } from './child-environment.ts';

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

/** A directory, and what is shown in its place. */
type HiddenDirectory = {
  readonly path: string;
  readonly shownAs: string;
};

/**
 * Makes a function that takes directories of this machine out of a text: what the CLI says of its own places is read by a
 * client's model, which has no business with them. Longer paths first, so that a home does not hide what lies in it.
 */
export function hideDirectories(directories: readonly HiddenDirectory[]): (text: string) => string {
  const longestFirst = directories
    .filter(({ path }) => path.length > 1)
    .sort((one, other) => other.path.length - one.path.length);
  return (text) => longestFirst.reduce((rest, { path, shownAs }) => rest.replaceAll(path, shownAs), text);
}
