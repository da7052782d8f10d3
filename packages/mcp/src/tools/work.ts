import type { AskProgress, JobBoard } from '@gemini-mcp/core';
import type { ToolContext, ToolOutcome, ToolProgress } from '../tool.ts';
import { describeProgress } from './describe-progress.ts';

/**
 * What a tool does for a caller, whether the caller waits for it or not. An abort of `signal` asks it to end soon; it has an
 * outcome then as well.
 */
export type Work = (onProgress: (progress: AskProgress) => void, signal: AbortSignal) => Promise<ToolOutcome>;

export type BackgroundOptions = {
  readonly jobs: JobBoard<ToolOutcome>;
  /** What is being done, on one line. */
  readonly title: string;
  readonly work: Work;
};

/** Does the work while the caller waits, and tells of it. */
export function workInForeground(work: Work, { progress, signal }: ToolContext): Promise<ToolOutcome> {
  return work((news) => tell(progress, news), signal);
}

/** Starts the work as a job that outlives the call, and says by which handle it is asked for. */
export function workInBackground({ jobs, title, work }: BackgroundOptions, { owner }: ToolContext): ToolOutcome {
  const job = jobs.start({
    owner,
    title,
    task: async (news, signal) => {
      const report = (progress: AskProgress): void => {
        if (progress.type === 'asking') {
          news.restart();
        }
        tell((told) => (told.type === 'text' ? news.text(told.text) : news.status(told.message)), progress);
      };
      const outcome = await work(report, signal);
      return { result: outcome, state: stateOf(outcome, signal) };
    },
  });
  if (job === null) {
    const text = 'Not started: too many of your jobs are running. Wait for one with gemini_job, or cancel it.';
    return { text, isError: true };
  }
  const text =
    `Started in the background as job ${job.handle}. Go on with other work, then call gemini_job with handle ` +
    `"${job.handle}": action "wait" waits for it, "status" looks at it, "cancel" ends it.`;
  return { text, isError: false, meta: { jobHandle: job.handle } };
}

function tell(say: (progress: ToolProgress) => void, news: AskProgress): void {
  const told = describeProgress(news);
  if (told !== null) {
    say(told);
  }
}

function stateOf({ isError }: ToolOutcome, { aborted }: AbortSignal): 'succeeded' | 'failed' | 'cancelled' {
  if (!isError) {
    return 'succeeded';
  }
  return aborted ? 'cancelled' : 'failed';
}
