import {
  type AskAnswer,
  type AskResult,
  type Attempt,
  type ContextReport,
  failBeforeRun,
} from '../answers/ask-result.ts';
import type { BoundaryOf } from '../context/boundary.ts';
import type { GeminiFailure } from '../failure/gemini-failure.ts';
import { chainFor, chainWindowTokens, selectModelChain, type WindowOf } from '../fallback/model-chain.ts';
import { afterStep, type NextStep, nextStep, startOfChain } from '../fallback/next-step.ts';
import { ModelRest } from '../models/model-rest.ts';
import { describeRetirement } from '../models/retired-models.ts';
import type { Clock } from '../ports/clock.ts';
import type { ContextResolver } from '../ports/context-resolver.ts';
import type { GeminiRunner } from '../ports/gemini-runner/gemini-runner.ts';
import type { Grounding, NamedPage, WebPage } from '../ports/gemini-runner/grounding.ts';
import type { RunEnd } from '../ports/gemini-runner/run-event.ts';
import type { RunRequest } from '../ports/gemini-runner/run-request.ts';
import type { ModelChain } from '../ports/gemini-runner/runner-capabilities.ts';
import type { ModelUsage } from '../ports/gemini-runner/token-usage.ts';
import type { CallQueue } from '../waiting/call-queue.ts';
import { runInTurn, type Turn } from '../waiting/run-in-turn.ts';
import { sleepUnlessAborted } from '../waiting/sleep-unless-aborted.ts';
import { addUsage } from './add-usage.ts';
import type { AskRequest, OnProgress } from './ask-request.ts';
import { attachTools, type RequestWithTools, type ToolAttacher } from './attach-tools.ts';
import { messageCounter } from './message-counter.ts';
import { prepareMessage } from './prepare-message.ts';
import { capabilitiesFor, runRequestOf } from './run-request-of.ts';

export type AskGeminiOptions = {
  readonly clock: Clock;
  readonly resolver: ContextResolver;
  readonly runner: GeminiRunner;
  /** Models for callers that name none; null for those that suit the runner. */
  readonly modelChain: ModelChain | null;
  /** The input window of each model; derived from its name if missing. */
  readonly windowOf?: WindowOf;
  /** Uniformly distributed in [0, 1): spreads retries. */
  readonly random: () => number;
  /** Creates the word in the tags around files. */
  readonly boundaryOf: BoundaryOf;
  /** The queue in which calls wait for each other; if missing, all run at once. A call has its slot before its files are read. */
  readonly queue?: CallQueue;
  /** Add tools to requests that name a directory or servers, in this order. A directory goes to the runner if none of them adds tools for it. */
  readonly toolAttachers?: readonly ToolAttacher[];
  /** Called as soon as each run has ended. */
  readonly onAttempt?: (attempt: Attempt) => void;
  /** Called for each call that ends, including those that were refused or had nothing to send. */
  readonly onEnd?: (end: AskEnd) => void;
};

/** How a call ended. */
export type AskEnd = Pick<AskRequest, 'origin'> & {
  /** Empty for a call without one. */
  readonly owner: string;
  readonly result: AskResult;
  /** Since its arrival. */
  readonly durationMs: number;
  /** The part of the duration before it got its slot, or stopped waiting for one. */
  readonly waitedMs: number;
};

/** A call as it came. */
type Arrival = {
  readonly request: AskRequest;
  readonly arrivedAtMs: number;
  readonly onProgress: OnProgress;
};

/** A call that has its tools. */
type Asked = Pick<RequestWithTools, 'request' | 'signal'> & {
  readonly deadlineAtMs: number;
  readonly onProgress: OnProgress;
};

type Call = {
  readonly request: AskRequest;
  /** Best first, before resting models move to the end. */
  readonly chain: ModelChain;
  /** The runner whose login is used; null if the request brings its own key, about which nothing is remembered. */
  readonly runnerName: string | null;
  /** The request of every attempt: only the model differs. */
  readonly run: Omit<RunRequest, 'model'>;
  readonly context: ContextReport | null;
  readonly attempts: Attempt[];
  readonly onProgress: OnProgress;
  readonly signal: AbortSignal;
};

/** Asks Gemini about a caller's files: reads them, sends them with the prompt, retries and falls back within one deadline. */
export class AskGemini {
  readonly #options: AskGeminiOptions;
  readonly #rest: ModelRest;

  constructor(options: AskGeminiOptions) {
    this.#options = options;
    this.#rest = new ModelRest(options);
  }

  /**
   * Resolves to an answer, or to the failure with an account of the attempts; never rejects because of Gemini, the CLI or a file. With a queue, it
   * waits for its slot within its deadline, and ends as `busy` at once if the queue is full. An abort of `signal` ends the call at any point and
   * resolves to a `cancelled` failure.
   */
  async ask(request: AskRequest, onProgress: OnProgress, signal: AbortSignal): Promise<AskResult> {
    const { clock, queue, toolAttachers = [] } = this.#options;
    const arrival = { request, arrivedAtMs: clock.now(), onProgress };
    const namesTools = request.directory !== undefined || request.servers !== undefined;
    const attached = namesTools ? await attachTools(toolAttachers, arrival, signal) : null;
    if (attached !== null && 'kind' in attached) {
      return this.#end(arrival, { failure: attached, waitedMs: clock.now() - arrival.arrivedAtMs });
    }
    const asked = {
      ...(attached ?? { request, signal }),
      onProgress,
      deadlineAtMs: arrival.arrivedAtMs + request.timeoutMs,
    };
    try {
      const place = { ...asked, queue, clock, owner: request.owner ?? '' };
      const onQueued = (ahead: number): void => onProgress({ type: 'queued', ahead });
      const turn = await runInTurn({ ...place, onQueued }, () => this.#askInPlace(asked), asked.signal);
      return this.#end(arrival, turn, attached?.tell);
    } finally {
      await attached?.release();
    }
  }

  #end(
    { request, arrivedAtMs }: Arrival,
    turn: Turn<AskResult>,
    tell: RequestWithTools['tell'] = (it) => it,
  ): AskResult {
    const { clock, onEnd } = this.#options;
    const result = tell(
      turn.failure === null ? turn.result : { ok: false, failed: failBeforeRun(request, turn.failure) },
    );
    const { owner = '', origin } = request;
    onEnd?.({ owner, origin, result, durationMs: clock.now() - arrivedAtMs, waitedMs: turn.waitedMs });
    return result;
  }

  async #askInPlace(asked: Asked): Promise<AskResult> {
    const { request, deadlineAtMs, onProgress, signal } = asked;
    const { clock, resolver, runner, modelChain, windowOf, boundaryOf } = this.#options;
    const capabilities = capabilitiesFor(runner, request);
    const chain = selectModelChain(request.model, chainFor(modelChain, capabilities));
    const windowTokens = chainWindowTokens(chain, windowOf);
    const count = messageCounter({ runner, clock, request, chain, deadlineAtMs }, signal);
    const prepared = await prepareMessage(
      { ...asked, windowTokens, resolver, capabilities, boundaryOf, count },
      signal,
    );
    if (prepared.failure !== null) {
      return { ok: false, failed: failBeforeRun(request, prepared.failure, prepared.context) };
    }
    const { context } = prepared;
    const run = runRequestOf(request, { ...prepared, deadlineAtMs });
    const runnerName = (request.settings?.apiKey ?? null) === null ? capabilities.name : null;
    return await this.#askChain({ request, chain, runnerName, run, context, attempts: [], onProgress, signal });
  }

  async #askChain(call: Call): Promise<AskResult> {
    const { clock, random } = this.#options;
    let state = startOfChain(this.#rest.order({ ...call, opinion: call.request.opinion }), call.run.deadlineAtMs);
    let partialText = '';
    let usage: readonly ModelUsage[] = [];
    for (;;) {
      const run = await this.#attempt(call, state.model);
      usage = addUsage([...usage, ...run.usage]);
      if (run.end.type === 'answer') {
        const { attempts, context } = call;
        const notices = [...run.notices, ...this.#rest.describe(call)];
        const account = told({ ...run, usage, notices }, run.end, {
          model: state.model,
          nowMs: clock.now(),
          urls: call.request.urls ?? [],
        });
        return { ok: true, answer: { model: state.model, attempts, context, ...account } };
      }
      const { failure } = run.end;
      partialText = run.text.trim() === '' ? partialText : run.text;
      const step = nextStep(state, failure, { nowMs: clock.now(), random: random() });
      const end = await this.#follow(step, call, state.model, failure);
      if (end !== null) {
        const { request, attempts, context } = call;
        const { timeoutMs } = request;
        return {
          ok: false,
          failed: { failure: end, attempts, partialText, context, timeoutMs, ...(usage.length > 0 && { usage }) },
        };
      }
      state = afterStep(state, step);
    }
  }

  async #attempt(call: Call, model: string): Promise<RunSummary> {
    const { clock, runner, onAttempt } = this.#options;
    const startedAtMs = clock.now();
    call.onProgress({ type: 'asking', model, attempt: call.attempts.length + 1 });
    const runRequest = { model, ...call.run, input: inputOf(call) };
    const run = await runOnce({ runner, runRequest, onProgress: call.onProgress }, call.signal);
    const failure = run.end.type === 'failure' ? run.end.failure : null;
    const { handledBy } = run.end;
    const durationMs = clock.now() - startedAtMs;
    const attempt = { model, durationMs, failure, ...(handledBy !== undefined && { handledBy }) };
    call.attempts.push(attempt);
    this.#rest.record(attempt, call.runnerName);
    onAttempt?.(attempt);
    return run;
  }

  /** Reports the next step and waits for it. Resolves to the failure that ends the call, or to null if it continues. */
  async #follow(step: NextStep, call: Call, model: string, failure: GeminiFailure): Promise<GeminiFailure | null> {
    switch (step.type) {
      case 'give-up':
        return failure;
      case 'next-model':
        call.onProgress({ type: 'falling-back', from: model, to: step.model, failure });
        return null;
      case 'retry': {
        const { delayMs } = step;
        call.onProgress({ type: 'waiting', model, delayMs, failure });
        return (await sleepUnlessAborted(this.#options.clock, delayMs, call.signal)) ? null : { kind: 'cancelled' };
      }
    }
  }
}

/** A new attempt does not know the earlier ones: their lasting effects must be in its message. */
function inputOf({ request, run, attempts }: Call): string {
  const done = attempts.length === 0 ? '' : (request.doneBefore?.() ?? '');
  return done === '' ? run.input : `${run.input}\n\n${done}`;
}

/** The metadata of the run that answered, and the usage of all runs. */
function told(
  { text, usage, notices, grounding, pages }: RunSummary,
  { ending, modelVersion, handledBy }: Extract<RunEnd, { readonly type: 'answer' }>,
  { model, nowMs, urls }: { readonly model: string; readonly nowMs: number; readonly urls: readonly string[] },
): Omit<AskAnswer, 'model' | 'attempts' | 'context'> {
  const named = namedPages(urls, pages);
  const retirement = describeRetirement(model, nowMs);
  const all = retirement === null ? notices : [...notices, retirement];
  return {
    text,
    usage,
    ...(ending !== null && { ending }),
    ...(modelVersion !== undefined && { modelVersion }),
    ...(handledBy !== undefined && { handledBy }),
    ...(grounding !== null && { grounding }),
    ...(named.length > 0 && { pages: named }),
    ...(all.length > 0 && { notices: all }),
  };
}

/** The outcome of each page that a request named, and of other pages whose addresses the prompt contains. */
export function namedPages(urls: readonly string[], told: readonly WebPage[]): readonly NamedPage[] {
  const tried = new Set(told.map(({ url }) => url));
  const untold = [...new Set(urls)].filter((url) => !tried.has(url));
  return [...told, ...untold.map((url) => ({ url, outcome: 'untold' }) as const)];
}

type RunOnceOptions = {
  readonly runner: GeminiRunner;
  readonly runRequest: RunRequest;
  readonly onProgress: OnProgress;
};

type RunSummary = {
  readonly text: string;
  readonly usage: readonly ModelUsage[];
  readonly notices: readonly string[];
  readonly grounding: Grounding | null;
  readonly pages: readonly WebPage[];
  readonly end: RunEnd;
};

/** Runs one request to its end and collects its events. */
export async function runOnce(
  { runner, runRequest, onProgress }: RunOnceOptions,
  signal: AbortSignal,
): Promise<RunSummary> {
  let text = '';
  let usage: readonly ModelUsage[] = [];
  const notices: string[] = [];
  let grounding: Grounding | null = null;
  let pages: readonly WebPage[] = [];
  for await (const event of runner.run(runRequest, signal)) {
    switch (event.type) {
      case 'text':
        text += event.text;
        onProgress(event);
        break;
      case 'tool':
      case 'status':
        onProgress(event);
        break;
      case 'notice':
        notices.push(event.text);
        break;
      case 'usage':
        usage = event.models;
        break;
      case 'grounding':
        ({ grounding } = event);
        break;
      case 'pages':
        ({ pages } = event);
        break;
      case 'answer':
      case 'failure':
        return { text, usage, notices, grounding, pages, end: event };
    }
  }
  throw new Error(
    `The ${runner.capabilities.name} runner ended without an answer or a failure, which its port forbids.`,
  );
}
