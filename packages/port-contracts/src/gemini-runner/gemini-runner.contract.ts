import { afterEach, describe, expect } from 'vitest';
import { Proof } from '../proof.ts';
import { describeGeminiRunnerAnswerEndings } from './gemini-runner-answer-endings.contract.ts';
import { describeGeminiRunnerAnswerForm } from './gemini-runner-answer-form.contract.ts';
import { describeGeminiRunnerCounting } from './gemini-runner-counting.contract.ts';
import { describeGeminiRunnerCrash } from './gemini-runner-crash.contract.ts';
import { describeGeminiRunnerDirectories } from './gemini-runner-directories.contract.ts';
import { describeGeminiRunnerEndings } from './gemini-runner-endings.contract.ts';
import { describeGeminiRunnerFailures } from './gemini-runner-failures.contract.ts';
import { describeGeminiRunnerFeatures } from './gemini-runner-features.contract.ts';
import type { GeminiRunnerHarness, GeminiRunnerSubject } from './gemini-runner-harness.ts';
import { describeGeminiRunnerHooks, type GeminiRunnerHooksOptions } from './gemini-runner-hooks.contract.ts';
import { describeGeminiRunnerIsolation } from './gemini-runner-isolation.contract.ts';
import { describeGeminiRunnerLiteral, type GeminiRunnerLiteralOptions } from './gemini-runner-literal.contract.ts';
import { describeGeminiRunnerRequest } from './gemini-runner-request.contract.ts';
import { describeGeminiRunnerSizes } from './gemini-runner-sizes.contract.ts';
import { describeGeminiRunnerStreaming } from './gemini-runner-streaming.contract.ts';
import { describeGeminiRunnerToolSession } from './gemini-runner-tool-session.contract.ts';
import { describeGeminiRunnerTools } from './gemini-runner-tools.contract.ts';
import { describeGeminiRunnerWeb } from './gemini-runner-web.contract.ts';

export type GeminiRunnerContractOptions = GeminiRunnerLiteralOptions &
  GeminiRunnerHooksOptions & {
    readonly name: string;
    readonly create: () => Promise<GeminiRunnerHarness>;
    /**
     * As in `ProofOptions`: more for a runner that starts a program for each run. Tests of many runs may take five times as
     * long.
     */
    readonly deadlineMs?: number;
  };

/** The promises of every `GeminiRunner`. */
export function describeGeminiRunnerContract(options: GeminiRunnerContractOptions): void {
  const { name, create, deadlineMs } = options;
  describe(`GeminiRunner contract: ${name}`, () => {
    const proof = new Proof({ subject: `GeminiRunner ${JSON.stringify(name)}`, deadlineMs });
    const harnesses: GeminiRunnerHarness[] = [];
    const open: GeminiRunnerSubject['open'] = async (situation) => {
      const harness = await create();
      harnesses.push(harness);
      harness.arrange(() => situation);
      return { ...harness, runner: proof.watch(harness.runner) };
    };
    afterEach(async () => {
      for (const harness of harnesses.splice(0)) {
        await proof.check('leaves nothing when it is closed', async () => {
          await harness.dispose();
          expect((await harness.remains?.()) ?? []).toEqual([]);
        });
      }
    });

    const subject = { proof, open };
    describeGeminiRunnerHooks(subject, options);
    describeGeminiRunnerLiteral(subject, options);
    describeGeminiRunnerRequest(subject);
    describeGeminiRunnerSizes(subject);
    describeGeminiRunnerStreaming(subject);
    describeGeminiRunnerEndings(subject);
    describeGeminiRunnerAnswerEndings(subject);
    describeGeminiRunnerCrash(subject);
    describeGeminiRunnerFailures(subject);
    describeGeminiRunnerIsolation(subject);
    describeGeminiRunnerFeatures(subject);
    describeGeminiRunnerCounting(subject);
    describeGeminiRunnerTools(subject);
    describeGeminiRunnerToolSession(subject);
    describeGeminiRunnerDirectories(subject);
    describeGeminiRunnerWeb(subject);
    describeGeminiRunnerAnswerForm(subject);
  });
}
