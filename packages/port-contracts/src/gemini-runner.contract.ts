import { afterEach, describe, expect } from 'vitest';
import { describeGeminiRunnerAnswerEndings } from './gemini-runner-answer-endings.contract.ts';
import { describeGeminiRunnerCrash } from './gemini-runner-crash.contract.ts';
import { describeGeminiRunnerDirectories } from './gemini-runner-directories.contract.ts';
import { describeGeminiRunnerEndings } from './gemini-runner-endings.contract.ts';
import { describeGeminiRunnerFailures } from './gemini-runner-failures.contract.ts';
import { describeGeminiRunnerFeatures } from './gemini-runner-features.contract.ts';
import type { GeminiRunnerHarness, OpenGeminiRunner } from './gemini-runner-harness.ts';
import { describeGeminiRunnerIsolation } from './gemini-runner-isolation.contract.ts';
import { describeGeminiRunnerLiteral, type GeminiRunnerLiteralOptions } from './gemini-runner-literal.contract.ts';
import { describeGeminiRunnerStreaming } from './gemini-runner-streaming.contract.ts';

export type GeminiRunnerContractOptions = GeminiRunnerLiteralOptions & {
  readonly name: string;
  readonly create: () => Promise<GeminiRunnerHarness>;
};

/** What every `GeminiRunner` owes. */
export function describeGeminiRunnerContract({ name, create, ...literal }: GeminiRunnerContractOptions): void {
  describe(`GeminiRunner contract: ${name}`, () => {
    const harnesses: GeminiRunnerHarness[] = [];
    const open: OpenGeminiRunner = async (situation) => {
      const harness = await create();
      harnesses.push(harness);
      harness.arrange(() => situation);
      return harness;
    };
    afterEach(async () => {
      for (const harness of harnesses.splice(0)) {
        await harness.dispose();
        expect((await harness.remains?.()) ?? []).toEqual([]);
      }
    });

    describeGeminiRunnerLiteral(open, literal);
    describeGeminiRunnerStreaming(open);
    describeGeminiRunnerEndings(open);
    describeGeminiRunnerAnswerEndings(open);
    describeGeminiRunnerCrash(open);
    describeGeminiRunnerFailures(open);
    describeGeminiRunnerIsolation(open);
    describeGeminiRunnerFeatures(open);
    describeGeminiRunnerDirectories(open);
  });
}
