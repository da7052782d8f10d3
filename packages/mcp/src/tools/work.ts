import type { FailureWords, JobNews, Jobs, WorkProgress } from '@gemini-mcp/core';
import { EscapedControls } from '@gemini-mcp/core/internal';
import type { ToolContext, ToolOutcome, ToolProgress } from '../tool.ts';
import { describeProgress } from './describe-progress.ts';

/**
 * What a tool does for a caller, whether the caller waits for it or not. An abort of `signal` asks it to end soon; it has an
 * outcome then as well.
 */
export type Work = (onProgress: (progress: WorkProgress) => void, signal: AbortSignal) => Promise<ToolOutcome>;

export type BackgroundOptions = {
  readonly jobs: Jobs<ToolOutcome>;
  /** What is being done, on one line. */
  readonly title: string;
  readonly work: Work;
} & ShowOptions;

type ShowOptions = {
  /** Words on why an attempt failed, in the place of the core's. */
  readonly failureWords?: FailureWords | undefined;
};

/** Does the work while the caller waits, and tells of it. */
export function workInForeground(
  work: Work,
  { progress, signal }: ToolContext,
  options: ShowOptions = {},
): Promise<ToolOutcome> {
  const teller = createTeller(progress, options);
  return work(teller.tell, signal).finally(teller.end);
}

/** Starts the work as a job that outlives the call, and says by which handle it is asked for. */
export async function workInBackground(
  { jobs, title, work, ...options }: BackgroundOptions,
  { owner }: ToolContext,
): Promise<ToolOutcome> {
  const job = await jobs.start({
    owner,
    title,
    task: async (news, signal) => {
      const teller = createTeller((told) => pass(told, news), options);
      const outcome = await work(teller.tell, signal).finally(teller.end);
      return { result: outcome, state: stateOf(outcome, signal) };
    },
  });
  if (job === null) {
    const text = 'Not started: too many of your jobs are running. Wait for one with gemini_job, or cancel it.';
    return { text, isError: true, detail: { type: 'refused', reason: 'too-many-jobs' } };
  }
  const text =
    `Started in the background as job ${job.handle}. Go on with other work, then call gemini_job with handle ` +
    `"${job.handle}": action "wait" waits for it, "status" looks at it, "cancel" ends it.`;
  return { text, isError: false, meta: { jobHandle: job.handle }, detail: { type: 'job', job } };
}

type Teller = {
  readonly tell: (news: WorkProgress) => void;
  /** Tells what was held back. */
  readonly end: () => void;
};

/** Tells the news of one call. Its text is shown as the whole answer will be: a character that cannot be judged yet comes with the next piece. */
function createTeller(say: (progress: ToolProgress) => void, { failureWords }: ShowOptions): Teller {
  let escaped = new EscapedControls();
  const sayText = (text: string): void => {
    if (text !== '') {
      say({ type: 'text', text });
    }
  };
  const tell = (news: WorkProgress): void => {
    const told = describeProgress(news, failureWords);
    if (told?.type === 'text') {
      sayText(escaped.push(told.text));
      return;
    }
    if (told?.startsOver === true) {
      escaped = new EscapedControls();
    }
    if (told !== null) {
      say(told);
    }
  };
  return { tell, end: () => sayText(escaped.end()) };
}

function pass(told: ToolProgress, news: JobNews): void {
  if (told.type === 'text') {
    news.text(told.text);
    return;
  }
  if (told.startsOver === true) {
    news.restart();
  }
  news.status(told.message);
}

function stateOf({ isError }: ToolOutcome, { aborted }: AbortSignal): 'succeeded' | 'failed' | 'cancelled' {
  if (!isError) {
    return 'succeeded';
  }
  return aborted ? 'cancelled' : 'failed';
}
