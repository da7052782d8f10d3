import { missingHooks } from '../runner-places/missing-hooks.ts';
import type { GeminiRunnerSubject } from './gemini-runner-harness.ts';

export type GeminiRunnerHooksOptions = {
  /**
   * The name of another run of this suite, with the same runner and a harness with the hooks that this one lacks. Without
   * it, a missing hook fails if the runner declares what only that hook can show.
   */
  readonly seenElsewhere?: string;
};

/** The promises of a harness, so that no declared capability goes untested. */
export function describeGeminiRunnerHooks(
  { proof, open }: GeminiRunnerSubject,
  { seenElsewhere }: GeminiRunnerHooksOptions,
): void {
  proof.promise('declares nothing that its harness cannot show', async () => {
    const missing = missingHooks(await open({ type: 'empty' }));
    if (missing.length > 0 && seenElsewhere !== undefined) {
      return proof.skip(`${seenElsewhere} shows it`);
    }
    if (missing.length > 0) {
      throw new Error(missing.join(' '));
    }
  });
}
