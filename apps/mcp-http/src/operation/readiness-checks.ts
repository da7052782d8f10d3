import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { GeminiCliFinder } from '@gemini-mcp/adapters-node';
import { ensurePrivateDirectory } from '@gemini-mcp/adapters-node/internal';
import type { ReadinessOptions } from './readiness.ts';

export type ReadinessChecksOptions = {
  /** Whether the Gemini API has a login: plain calls then need no CLI. */
  readonly hasApiLogin: boolean;
  /** Finds the CLI and its login; null if no call may use it. */
  readonly finder: Pick<GeminiCliFinder, 'find' | 'hasLogin'> | null;
  readonly stateDirectory: string;
};

/** What calls cannot do without. */
export function readinessChecks(options: ReadinessChecksOptions): ReadinessOptions['checks'] {
  const { finder, hasApiLogin, stateDirectory } = options;
  return {
    login: async () => hasApiLogin || (await finder?.hasLogin()) === true,
    ...(finder !== null && !hasApiLogin && { 'gemini-cli': (signal) => isThere(finder, signal) }),
    'state-directory': async () => {
      await ensurePrivateDirectory(stateDirectory);
      await access(stateDirectory, constants.W_OK | constants.X_OK);
      return true;
    },
  };
}

/** A CLI that is not fetched for want of a login is not what is wrong. */
async function isThere(finder: Pick<GeminiCliFinder, 'find'>, signal: AbortSignal): Promise<boolean> {
  const location = await finder.find(() => undefined, signal);
  return location !== null && (location.found || location.lacksLogin === true);
}
