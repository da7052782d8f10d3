import { SystemClock } from '@gemini-mcp/adapters-node';
import { escapeControls } from '@gemini-mcp/core/internal';
import type { Invocation, OperableProgram } from '../command-line/program.ts';
import type { ReviewMode } from '../command-line/read-review-words.ts';
import type { CommandResult } from '../command-line/run-command.ts';
import { ConfigurationError } from '../settings/setting.ts';
import { GitHubApi } from './github/github-api.ts';
import { readPullRequestRun } from './github/read-pull-request-run.ts';
import { reviewPullRequest } from './github/review-pull-request.ts';
import { readBaseline } from './read-baseline.ts';
import { notReviewedExitCode, presentReview, runReview } from './run-review.ts';

type ReviewHereOptions = Invocation & {
  readonly program: OperableProgram;
  readonly mode: ReviewMode;
  readonly version: string;
};

/** Reviews a change for the user at this terminal, or for a workflow. Rejects with a `ConfigurationError` before anything is read. */
export async function runReviewHere(options: ReviewHereOptions, signal: AbortSignal): Promise<CommandResult> {
  const { program, mode, environment, version } = options;
  if (program.startReviews === null) {
    throw new ConfigurationError('review: this program serves several users. Run gemini-mcp-server review instead.');
  }
  const known = mode.baselineFile === null ? new Set<string>() : await readBaseline(mode.baselineFile);
  const run = mode.posts ? await readPullRequestRun(environment) : null;
  if (run !== null && 'skipped' in run) {
    return { output: '', note: `${run.skipped}\n`, exitCode: 0 };
  }
  const reviews = await program.startReviews(options);
  const tell = (line: string): void => void process.stderr.write(`${escapeControls(line)}\n`);
  try {
    const review = { mode, reviews, known, version, tell };
    if (run === null) {
      return presentReview(await runReview(review, signal), review);
    }
    const api = new GitHubApi({ ...run.access, clock: new SystemClock() });
    return await reviewPullRequest({ ...review, run, api }, signal);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unexpected error';
    return { output: '', note: `Not reviewed: ${escapeControls(reason)}\n`, exitCode: notReviewedExitCode };
  } finally {
    await reviews.close();
  }
}
