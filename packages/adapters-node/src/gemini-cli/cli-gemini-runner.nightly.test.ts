import { describeGeminiRunnerContract } from '@gemini-mcp/port-contracts';
import { CliGeminiRunner } from './cli-gemini-runner.ts';
import { framedLayout } from './testing/carried-context.ts';
import { createRunnerHarness } from './testing/runner-harness.ts';

// Each test starts the real CLI. `npm test` has the contract over the scripted CLI, and over the real one that stays.
describeGeminiRunnerContract({
  name: 'CliGeminiRunner, real CLI',
  deadlineMs: 60_000,
  create: () => createRunnerHarness({ create: (options) => new CliGeminiRunner(options), layout: framedLayout }),
  literalSizes: [4_000, 4_000_000],
  ownLines: framedLayout.ownLines,
});
