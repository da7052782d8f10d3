import {
  type AnswerStore,
  type AskGemini,
  type AskRequest,
  type CallPurpose,
  type FailureWords,
  failureReason,
  type JobNews,
  type Jobs,
  type JobTask,
  type WorkProgress,
} from '@gemini-mcp/core';
import { countOf, EscapedControls, escapeName, stepText } from '@gemini-mcp/core/internal';
import type { ResultLayout } from '../content/result-layout.ts';
import { ClientTimedOut, type ToolContext, type ToolOutcome, type ToolProgress } from '../surface/tool.ts';
import { describeHandover } from './describe-job.ts';
import { presentAnswer } from './present-answer.ts';
import { presentFailure } from './present-failure.ts';

/**
 * What a tool does for a caller, whether the caller waits or not. An abort of `signal` asks it to end soon; it then still returns
 * an outcome.
 */
export type Work = (onProgress: (progress: WorkProgress) => void, signal: AbortSignal) => Promise<ToolOutcome>;

export type WorkOptions = {
  readonly jobs: Jobs<ToolOutcome>;
  /** The current work on one line. */
  readonly title: string;
  readonly work: Work;
  /**
   * Whether the work has to end when its client has gone, or runs out of time before it hears of a job: it may change something that the user works
   * on. False if missing.
   */
  readonly endsWithClient?: boolean;
} & ShowOptions;

type ShowOptions = {
  /** Failure texts in place of the core's. */
  readonly failureWords?: FailureWords | undefined;
};

/**
 * Does the work while the caller waits, and reports its progress. When the patience of the client nears its end, the same work goes on as a job, and
 * its handle is the result. If the owner has too many jobs, the caller keeps waiting. A cancelled call ends its work, but a client that only ran out of
 * time leaves it as a job.
 */
export async function workInForeground(options: WorkOptions, context: ToolContext): Promise<ToolOutcome> {
  const work = new OngoingWork(options, context.progress);
  const handover = new Handover(work, options, context);
  return Promise.race([work.ended, handover.done]).finally(() => handover.release());
}

/** Ends the work of a call, or makes a job of it, when the call is cancelled or its client is about to give up. */
class Handover {
  /** Resolves to the handle when the work goes on as a job; otherwise it never settles. Rejects if the jobs cannot start one. */
  readonly done: Promise<ToolOutcome>;
  readonly #work: OngoingWork;
  readonly #options: WorkOptions;
  readonly #context: ToolContext;
  #resolve: (outcome: ToolOutcome) => void = () => undefined;
  #reject: (error: unknown) => void = () => undefined;

  constructor(work: OngoingWork, options: WorkOptions, context: ToolContext) {
    this.#work = work;
    this.#options = options;
    this.#context = context;
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    for (const moment of this.#moments) {
      moment.addEventListener('abort', this.#react, { once: true });
    }
    if (this.#moments.some(({ aborted }) => aborted)) {
      this.#react();
    }
  }

  release(): void {
    for (const moment of this.#moments) {
      moment.removeEventListener('abort', this.#react);
    }
  }

  get #moments(): readonly AbortSignal[] {
    const { patience, signal } = this.#context;
    return patience === undefined ? [signal] : [patience.nearsEnd, signal];
  }

  /** Cancels at once, so that a slot is free as soon as its call was cancelled. */
  readonly #react = (): void => {
    if (this.#isUnwanted) {
      this.#work.cancel();
    } else {
      this.#startJob().catch(this.#reject);
    }
  };

  async #startJob(): Promise<void> {
    const { jobs, title, endsWithClient } = this.#options;
    const { owner, patience, signal } = this.#context;
    const task = this.#work.asTask;
    const job = await jobs.start({ owner, title, task, endsWithClient, startedAtMs: patience?.startedAtMs });
    if (job !== null) {
      this.#resolve(describeHandover(job));
    } else if (signal.aborted) {
      this.#work.cancel();
    }
  }

  /** Whether the call was cancelled, and its work is not to go on as a job. */
  get #isUnwanted(): boolean {
    const { patience, signal } = this.#context;
    const mayGoOn =
      patience !== undefined && this.#options.endsWithClient !== true && signal.reason instanceof ClientTimedOut;
    return signal.aborted && !mayGoOn;
  }
}

/** Work that has begun. Its progress goes to the caller, until a job takes it over. */
class OngoingWork {
  /** Rejects if the work does, which is a bug. */
  readonly ended: Promise<ToolOutcome>;
  readonly #ending = new AbortController();
  #say: ToolContext['progress'];
  #lastStatus: Extract<ToolProgress, { type: 'status' }> | null = null;
  #text = '';

  readonly #tell = (told: ToolProgress): void => {
    if (told.type === 'text') {
      this.#text += told.text;
    } else {
      this.#text = told.startsOver === true ? '' : this.#text;
      this.#lastStatus = told;
    }
    this.#say(told);
  };

  constructor({ work, ...options }: WorkOptions, progress: ToolContext['progress']) {
    this.#say = progress;
    const teller = createTeller(this.#tell, options);
    this.ended = work(teller.tell, this.#ending.signal).finally(teller.end);
  }

  /** Asks the work to end soon. */
  cancel(): void {
    this.#ending.abort();
  }

  /** Continues the work as a job, which begins with its progress so far. */
  readonly asTask: JobTask<ToolOutcome> = async (news, signal) => {
    if (this.#lastStatus !== null) {
      pass(this.#lastStatus, news);
    }
    news.text(this.#text);
    this.#say = (told) => pass(told, news);
    signal.addEventListener('abort', () => this.cancel(), { once: true });
    const result = await this.ended;
    return { result, state: stateOf(result, signal) };
  };
}

/** Starts the work as a job that outlives the call, and returns its handle. */
export async function workInBackground(
  { jobs, title, work, endsWithClient, ...options }: WorkOptions,
  { owner }: ToolContext,
): Promise<ToolOutcome> {
  const job = await jobs.start({
    ...{ owner, title, endsWithClient },
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
  return { text, isError: false, meta: { jobHandle: job.handle }, detail: { type: 'job', job, goesOn: true } };
}

type Teller = {
  readonly tell: (news: WorkProgress) => void;
  /** Reports the text held back. */
  readonly end: () => void;
};

/** Reports the progress of one call. Escapes text as in the whole answer: an incomplete character waits for the next piece. */
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

function stateOf({ isError }: ToolOutcome, signal: AbortSignal): 'succeeded' | 'failed' | 'cancelled' {
  if (!isError) {
    return 'succeeded';
  }
  return signal.aborted ? 'cancelled' : 'failed';
}

/** The current step of a call to Gemini, as text for a client's screen. Null for steps not worth showing. */
export function describeProgress(progress: WorkProgress, words?: FailureWords): ToolProgress | null {
  if (progress.type === 'text') {
    return progress;
  }
  const message = describeStep(progress, words);
  return message === null ? null : { type: 'status', message, ...weightOf(progress) };
}

function weightOf(step: WorkProgress): Omit<Extract<ToolProgress, { type: 'status' }>, 'type' | 'message'> {
  switch (step.type) {
    case 'asking':
      return { model: step.model, ...(step.attempt > 1 && { startsOver: true }) };
    case 'queued':
    case 'status':
    case 'waiting':
    case 'falling-back':
    case 'step':
    case 'asking-user':
      return { isNotable: true };
    default:
      return {};
  }
}

function describeStep(step: Exclude<WorkProgress, { type: 'text' }>, words?: FailureWords): string | null {
  switch (step.type) {
    case 'queued':
      return step.ahead === 0 ? 'Waiting for a slot' : `Waiting for a slot behind ${countOf(step.ahead, 'call')}`;
    case 'status':
      return escapeName(step.text);
    case 'reading-context':
      return 'Reading files';
    case 'context-ready':
      return `Read ${countOf(step.files, 'file')}, ${countOf(step.bytes, 'byte')}`;
    case 'asking':
      return `Asking ${step.model}, attempt ${step.attempt}`;
    case 'tool':
      return step.phase === 'started' ? `Gemini uses its tool ${escapeName(step.name)}` : null;
    case 'asking-user':
      return `Asking the user about: ${step.about}`;
    case 'step':
      return stepText(step.step);
    case 'waiting':
      return `${step.model}: ${failureReason(step.failure, words)}. Trying again in ${countOf(Math.ceil(step.delayMs / 1_000), 'second')}`;
    case 'falling-back':
      return `${step.from}: ${failureReason(step.failure, words)}. Falling back to ${step.to}`;
  }
}

export type AskWorkOptions = {
  readonly askGemini: Pick<AskGemini, 'ask'>;
  readonly answers: AnswerStore;
  readonly request: AskRequest;
  readonly owner: string;
  /** The question on one line. */
  readonly title: string;
  readonly purpose: CallPurpose;
  readonly failureWords?: FailureWords | undefined;
  readonly layout: ResultLayout;
};

/** The work of asking Gemini: returns its answer, or the failure. */
export function createAskWork({ askGemini, request, purpose, ...longTexts }: AskWorkOptions): Work {
  return async (onProgress, signal) => {
    const result = await askGemini.ask(request, onProgress, signal);
    if (!result.ok) {
      return presentFailure(result.failed, { ...longTexts, purpose });
    }
    return presentAnswer(result.answer, longTexts);
  };
}
