import { findExposure } from '@gemini-mcp/adapters-node/internal/startup';
import type { Configuration } from './configuration.ts';
import { ConfigurationError } from './configuration-error.ts';

/**
 * Throws a `ConfigurationError` where the state directory is another user's, or others could put something in its place: what
 * lies in it is believed, and holds what was said in conversations.
 */
export function refuseStateDirectory({ stateDirectory }: Pick<Configuration, 'stateDirectory'>): void {
  const problem = findExposure(stateDirectory);
  if (problem !== null) {
    throw new ConfigurationError(
      `The state directory (GEMINI_MCP_STATE_DIR, --state-dir) is not safe: ${problem}. Name another one, or put that right.`,
    );
  }
}
