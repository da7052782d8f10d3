import { describeGeminiRunnerContract } from '@gemini-mcp/port-contracts';
import { afterAll, expect } from 'vitest';
import { SystemClock } from '../../processes/system-clock.ts';
import type { MessageLayout } from '../testing/carried-context.ts';
import { shareRunnerHarness } from '../testing/runner-harness.ts';
import { messageHeader } from './prompt/prompt-run.ts';
import { WarmGeminiRunner } from './warm-gemini-runner.ts';

const layout: MessageLayout = {
  isHeader: (text) => text.endsWith(messageHeader),
  messageIn: (text) => text,
  ownLines: [messageHeader],
};

/** The files of processes that stay, without the files of a session. */
function leftoversIn({ files }: { readonly files: readonly string[] }): readonly string[] {
  return files.filter((name) => /directories.|client-error/.test(name));
}

/** One runner: what a test leaves in its processes is there in the next one, and they start in a second or two. */
const shared = shareRunnerHarness({
  // A leap to a run's deadline does not affect the processes, which have their own time to answer.
  create: (options) => new WarmGeminiRunner({ ...options, processClock: new SystemClock() }),
  close: (runner) => runner.close(),
  layout,
  leftoversIn,
});

afterAll(async () => expect(await shared.close()).toEqual([]));

describeGeminiRunnerContract({
  name: 'WarmGeminiRunner, real CLI',
  deadlineMs: 60_000,
  create: shared.create,
  literalSizes: [4_000, 4_000_000],
  ownLines: layout.ownLines,
});
