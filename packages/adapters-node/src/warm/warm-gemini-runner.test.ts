import { describeGeminiRunnerContract } from '@gemini-mcp/port-contracts';
import type { MessageLayout } from '../gemini-cli/testing/carried-context.ts';
import { createRunnerHarness } from '../gemini-cli/testing/runner-harness.ts';
import { messageHeader } from './prompt-parts.ts';
import { WarmGeminiRunner } from './warm-gemini-runner.ts';

const layout: MessageLayout = {
  isHeader: (text) => text.endsWith(messageHeader),
  messageIn: (text) => text,
  ownLines: [messageHeader],
};

/** What processes that stay keep there; the files of a session are none of that. */
function leftoversIn({ files }: { readonly files: readonly string[] }): readonly string[] {
  return files.filter((name) => /directories.|client-error/.test(name));
}

describeGeminiRunnerContract({
  name: 'WarmGeminiRunner, real CLI',
  create: () =>
    createRunnerHarness({
      create: (options) => new WarmGeminiRunner(options),
      close: (runner) => runner.close(),
      layout,
      leftoversIn,
    }),
  literalSizes: [4_000, 4_000_000],
  ownLines: layout.ownLines,
});
