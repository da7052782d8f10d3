import { secretValues } from '@gemini-mcp/adapters-node/startup';
import type { Environment } from '../settings/environment.ts';
import type { Program } from './program.ts';

/** The values of an environment that nothing of a program may show: the keys of the CLI, and settings that are secret. */
export function secretsOf({ settings }: Pick<Program, 'settings'>, environment: Environment): readonly string[] {
  const own = settings.filter(({ flag }) => flag === null).flatMap(({ variable }) => environment[variable] ?? []);
  return [...secretValues(environment), ...own];
}
