import { missingHooks } from '../runner-places/missing-hooks.ts';
import type { GeminiRunnerSubject } from './gemini-runner-harness.ts';

export type GeminiRunnerHooksOptions = {
  /**
   * The name of another run of this suite, with the same runner and a harness that has the hooks which this one lacks. Without
   * it a missing hook fails where the runner declares what only that hook can show.
   */
  readonly seenElsewhere?: string;
};

/** What a harness owes, so that no capability is declared and left untested. */
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
