import { nearestName } from '@gemini-mcp/core/internal';
import type { Program } from '../program/program.ts';
import type { ConfigurationWarning } from './configuration.ts';
import type { Environment } from './environment.ts';

/** Names that can only be meant for this server. The CLI has variables of its own that begin with `GEMINI_CLI_`. */
const ourNames = /^(?:GEMINI_MCP_|GEMINI_CLI_(?:CHAT|SEARCH|TIMEOUT|WORKING))/;

/** Set by the server itself for what it starts, which may be another server. */
const runIdVariable = 'GEMINI_MCP_RUN_ID';

/** Variables that were meant for a program and that it does not know, most likely for a slip of the pen. */
export function findUnknownVariables(
  environment: Environment,
  { settings, otherVariables }: Pick<Program, 'settings' | 'otherVariables'>,
): readonly ConfigurationWarning[] {
  const known = settings.map(({ variable }) => variable);
  const expected = new Set([...known, ...otherVariables, runIdVariable]);
  return Object.keys(environment)
    .filter((name) => ourNames.test(name) && !expected.has(name))
    .map((variable) => {
      const nearest = nearestName(variable, known);
      const meant = nearest === null ? '' : ` Did you mean ${nearest}?`;
      return { variable, message: `There is no such setting.${meant}` };
    });
}
