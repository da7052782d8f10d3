import type { Clock } from '@gemini-mcp/core';
import { describeRetirement } from '@gemini-mcp/core/internal';
import type { Log } from './log.ts';

/** Warns at the start about models of the chain that Google shuts down, or has shut down. */
export function warnOfRetiredModels(modelChain: readonly string[], clock: Pick<Clock, 'now'>, log: Log): void {
  for (const model of modelChain) {
    const message = describeRetirement(model, clock.now());
    if (message !== null) {
      log.warn('model-retired', { model, message });
    }
  }
}
