import { dirname } from 'node:path';
import { createRedactor } from '@gemini-mcp/core/internal';
import { type Environment, secretValues } from '../../processes/programs/child-environment.ts';

export type RunRedactorOptions = {
  readonly root: string;
  /** The user's own `.gemini` directory. */
  readonly userDirectory: string;
  readonly environment: Environment;
};

/** Redacts the CLI's output, which a client's model reads: removes secrets, the run's directory and the user's home. */
export function createRunRedactor({ root, userDirectory, environment }: RunRedactorOptions): (text: string) => string {
  const home = dirname(userDirectory);
  const redactSecrets = createRedactor(secretValues(environment));
  return (text) => {
    // The run's directory may be inside the home.
    const redacted = redactSecrets(text).replaceAll(root, '(run)');
    return home.length > 1 ? redacted.replaceAll(home, '~') : redacted;
  };
}
