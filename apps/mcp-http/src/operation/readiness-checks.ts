import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import type { GeminiCliFinder } from '@gemini-mcp/adapters-node';
import { ensurePrivateDirectory } from '@gemini-mcp/adapters-node/internal';
import type { ReadinessOptions } from './readiness.ts';

export type ReadinessChecksOptions = {
  /** Null where calls do without the CLI. */
  readonly finder: Pick<GeminiCliFinder, 'find'> | null;
  readonly stateDirectory: string;
};

/** What calls cannot do without. */
export function readinessChecks({ finder, stateDirectory }: ReadinessChecksOptions): ReadinessOptions['checks'] {
  return {
    ...(finder !== null && {
      'gemini-cli': async (signal: AbortSignal) => (await finder.find(() => undefined, signal))?.found === true,
    }),
    'state-directory': async () => {
      await ensurePrivateDirectory(stateDirectory);
      await access(stateDirectory, constants.W_OK | constants.X_OK);
      return true;
    },
  };
}
