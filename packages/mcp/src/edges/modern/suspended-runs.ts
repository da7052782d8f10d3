import { createHash, randomUUID } from 'node:crypto';
import type { Clock, JobReport } from '@gemini-mcp/core';
import type { Caller } from '../../handlers/create-handlers.ts';
import { invalidParams, isJsonObject, RpcError } from '../../input/request-params.ts';
import type { JsonObject } from '../../input/tool-input.ts';
import type { Elicitor } from '../../questions/call-questions.ts';
import type { ToolOutcome } from '../../surface/tool.ts';
import type { ModernCaller } from './create-modern-server.ts';
import { type OpenQuestions, openMs } from './open-questions.ts';
import { type KnownAnswer, type RequestState, readState, type StateBinding, signState } from './request-state.ts';
import type { AskingRun } from './tasks/tasks.ts';

/** Runs wait for an answer in memory, so their number is bounded. Beyond it a call runs, and cannot ask. */
const maxRuns = 500;
const maxRunsOfOwner = 50;

/** How long an ended run keeps its result for a client that has yet to come back. */
const keptMs = 600_000;

/** One request, whose work may ask its client. */
export type AskingRequest = Pick<ModernCaller, 'from' | 'notify' | 'elicitor' | 'envelope'> & {
  readonly params: unknown;
  /** Makes the result of a call that goes on as a job, and takes over its run; null if the client knows no tasks. */
  readonly createTask: ((job: JobReport<ToolOutcome>, run: AskingRun) => Promise<JsonObject>) | null;
  /** Does the work with this way of asking. Its signal outlives the request, and aborts when the client cancels it. */
  readonly work: (asking: Pick<Caller, 'from' | 'notify' | 'elicitor' | 'asTask'>) => Promise<JsonObject>;
};

/**
 * Lets a request ask its client in the middle of its work. The revision has no requests from server to client: the result of the
 * request is the question, and the client sends the request again with the answer. Meanwhile the run waits here. If this process has
 * not the run, because the server was restarted, the work begins again, and finds the answers that the user has given.
 */
export class SuspendedRuns {
  readonly #clock: Clock;
  readonly #questions: OpenQuestions;
  readonly #runs = new Map<string, Run>();
  #isClosed = false;

  constructor(options: { readonly clock: Clock; readonly questions: OpenQuestions }) {
    this.#clock = options.clock;
    this.#questions = options.questions;
  }

  /** Resolves to the result of the work or to a question. Rejects as the work does, and with an `RpcError` for a state that is not valid. */
  async answer(request: AskingRequest): Promise<JsonObject> {
    if (this.#isClosed) {
      throw closedError();
    }
    const { requestState, inputResponses } = isJsonObject(request.params) ? request.params : {};
    if (requestState === undefined) {
      return this.#follow(this.#begin(request, []), request);
    }
    const binding = bindingOf(request);
    const key = await this.#questions.key();
    const state = readState(requestState, binding, { key, nowMs: this.#clock.now() });
    if (state === null) {
      throw invalidParams('Invalid or expired requestState. Send the call again without it.');
    }
    const response = isJsonObject(inputResponses) ? inputResponses[state.questionId] : undefined;
    return this.#goOn(request, state, response);
  }

  /** Resolves when every run has ended that does not wait for its user, including aborted ones. Never rejects. */
  async runsEnded(): Promise<void> {
    const running = [...this.#runs.values()].filter((run) => !run.isSuspended);
    await Promise.allSettled(running.map(({ outcome }) => outcome));
  }

  /** Aborts the runs, and refuses later requests. */
  close(): void {
    this.#isClosed = true;
    for (const run of this.#runs.values()) {
      run.abort();
    }
  }

  async #goOn(request: AskingRequest, state: RequestState, response: unknown): Promise<JsonObject> {
    const run = this.#runs.get(state.runId);
    if (response === undefined) {
      if (run === undefined) {
        throw goneState();
      }
      return this.#follow(run, request);
    }
    if (run?.mayHaveNews(state.questionId) === true) {
      // The question ended without an answer while no request waited: the client gets what has come of it.
      return this.#follow(run, request);
    }
    if (!(await this.#questions.take(request.from.owner, state.questionId))) {
      throw goneState();
    }
    if (run !== undefined) {
      run.reply(state.questionId, response);
      return this.#follow(run, request);
    }
    const [digest = ''] = state.answers.at(-1) ?? [];
    return this.#follow(this.#begin(request, [...state.answers.slice(0, -1), [digest, response]]), request);
  }

  #begin(request: AskingRequest, answers: readonly KnownAnswer[]): Run {
    this.#dropOld();
    const cannotAsk =
      request.elicitor.cannotAsk ?? (this.#hasRoomFor(request.from.owner) ? null : 'too-many-questions');
    const run = new Run({ request, cannotAsk, answers, take: (id) => this.#questions.take(request.from.owner, id) });
    this.#runs.set(run.id, run);
    return run;
  }

  /** Waits with a client for the result of a run or for its next question. */
  async #follow(run: Run, request: AskingRequest): Promise<JsonObject> {
    const { signal } = request.from;
    const abort = (): void => run.abort(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    if (signal.aborted) {
      abort();
    }
    try {
      const question = await run.next(request);
      if (question !== null && !signal.aborted) {
        return await this.#ask(run, question, request);
      }
      this.#runs.delete(run.id);
      return await run.outcome;
    } finally {
      signal.removeEventListener('abort', abort);
    }
  }

  async #ask(run: Run, question: OpenQuestion, request: AskingRequest): Promise<JsonObject> {
    const { id, digest } = question;
    const expiresAtMs = this.#clock.now() + openMs;
    await this.#questions.add(request.from.owner, id);
    const answers: readonly KnownAnswer[] = [...run.answers, [digest, null]];
    const state = { runId: run.id, questionId: id, expiresAtMs, answers };
    return {
      resultType: 'input_required',
      inputRequests: inputRequestsOf(question),
      requestState: signState(state, bindingOf(request), await this.#questions.key()),
    };
  }

  #hasRoomFor(owner: string): boolean {
    const ofOwner = [...this.#runs.values()].filter((run) => run.owner === owner);
    return this.#runs.size < maxRuns && ofOwner.length < maxRunsOfOwner;
  }

  #dropOld(): void {
    const nowMs = this.#clock.now();
    for (const [id, run] of this.#runs) {
      run.endedAtMs ??= run.hasEnded ? nowMs : null;
      if (run.endedAtMs !== null && nowMs - run.endedAtMs > keptMs) {
        this.#runs.delete(id);
      }
    }
  }
}

/** The code is of the range that the protocol leaves to implementations. */
export function closedError(): RpcError {
  return new RpcError(-32_000, 'The server is shutting down');
}

function goneState(): RpcError {
  return invalidParams(
    'This requestState was used already, or its run has ended. Send the call again without requestState.',
  );
}

/** The digest names method, tool and arguments, so that an approved call cannot be exchanged for another. */
function bindingOf({ params, from }: AskingRequest): StateBinding {
  const { _meta, requestState, inputResponses, ...call } = isJsonObject(params) ? params : {};
  return { owner: from.owner, call: digestOf(call) };
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value, sortKeys)).digest('base64url');
}

/** Clients may write the members of an object in another order the second time. */
function sortKeys(_key: string, value: unknown): unknown {
  return isJsonObject(value) ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))) : value;
}

type Form = Parameters<Elicitor['elicit']>[0];

type OpenQuestion = { readonly id: string; readonly form: Form; readonly digest: string };

function inputRequestsOf({ id, form }: OpenQuestion): JsonObject {
  return { [id]: { method: 'elicitation/create', params: { mode: 'form', ...form } } };
}

type RunOptions = {
  readonly request: AskingRequest;
  readonly cannotAsk: Elicitor['cannotAsk'];
  readonly answers: readonly KnownAnswer[];
  /** Resolves to false if another process has taken the question. */
  readonly take: (questionId: string) => Promise<boolean>;
};

/** The work of one call, over all requests that it takes; and over the job as which it may go on. */
class Run implements AskingRun {
  readonly id = randomUUID();
  readonly owner: string;
  /** Settles with the work. */
  readonly outcome: Promise<JsonObject>;
  hasEnded = false;
  /** When a later request found that the run had ended. */
  endedAtMs: number | null = null;
  /** The question on the user's screen. */
  question: OpenQuestion | null = null;
  /** The answers so far, in order. */
  readonly answers: KnownAnswer[] = [];
  onQuestion: () => void = () => undefined;

  readonly #replied = new Set<string>();
  readonly #known: KnownAnswer[];
  readonly #take: RunOptions['take'];
  readonly #controller = new AbortController();
  #notify: ModernCaller['notify'] = null;
  #createTask: AskingRequest['createTask'] = null;
  #isTask = false;
  #isFollowed = false;
  #tell: () => void = () => undefined;
  #resolve: (answer: unknown) => void = () => undefined;

  constructor({ request, cannotAsk, answers, take }: RunOptions) {
    this.#known = [...answers];
    this.#take = take;
    const { from, notify, createTask, work } = request;
    this.owner = from.owner;
    this.outcome = work({
      from: { ...from, signal: this.#controller.signal },
      notify: notify === null ? null : async (progress) => this.#notify?.(progress),
      elicitor: { cannotAsk, elicit: this.#elicit, suspendsCall: true },
      ...(createTask !== null && { asTask: this.#asTask }),
    }).finally(() => {
      this.hasEnded = true;
      this.#tell();
    });
    this.outcome.catch(() => undefined);
  }

  get inputRequests(): JsonObject | null {
    return this.question === null ? null : inputRequestsOf(this.question);
  }

  /** Whether the work waits for its user. */
  get isSuspended(): boolean {
    return this.question !== null && !this.#controller.signal.aborted;
  }

  /** Whether a question ended without an answer while no request waited for the run. */
  mayHaveNews(questionId: string): boolean {
    return !this.#isFollowed && this.question?.id !== questionId && !this.#replied.has(questionId);
  }

  /** `cause` becomes the reason of the signal of the work. */
  abort(cause?: unknown): void {
    this.#controller.abort(cause);
  }

  /** Resolves to the open question, or to null once the work has ended. Meanwhile progress, and the task of a call that goes on as a job, go to the request. */
  async next({ notify, createTask }: AskingRequest): Promise<OpenQuestion | null> {
    if (this.#isFollowed) {
      throw goneState();
    }
    this.#isFollowed = true;
    this.#notify = notify;
    this.#createTask = createTask;
    while (!this.hasEnded && this.question === null) {
      await new Promise<void>((resolve) => {
        this.#tell = resolve;
      });
    }
    this.#isFollowed = false;
    this.#notify = null;
    this.#createTask = null;
    return this.hasEnded ? null : this.question;
  }

  /** Hands the user's answer to the work. */
  reply(questionId: string, answer: unknown): void {
    if (this.question?.id === questionId) {
      this.#replied.add(questionId);
      this.question = null;
      this.onQuestion();
      this.#resolve(answer);
    }
  }

  /** Null if no request waits whose client knows tasks. */
  readonly #asTask: NonNullable<Caller['asTask']> = async (job) => {
    const task = (await this.#createTask?.(job, this)) ?? null;
    this.#isTask = task !== null;
    return task;
  };

  readonly #elicit: Elicitor['elicit'] = async (form, signal) => {
    const digest = digestOf(form);
    const known = this.#known.findIndex(([asked]) => asked === digest);
    const answer =
      known === -1 ? await this.#waitForAnswer(form, digest, signal) : this.#known.splice(known, 1)[0]?.[1];
    this.answers.push([digest, answer]);
    return answer;
  };

  async #waitForAnswer(form: Form, digest: string, signal: AbortSignal): Promise<unknown> {
    const question = { id: randomUUID(), form, digest };
    return await new Promise((resolve, reject) => {
      this.#resolve = resolve;
      signal.addEventListener('abort', () => void this.#withdraw(question, reject), { once: true });
      this.question = question;
      this.onQuestion();
      this.#tell();
    });
  }

  /**
   * If another process has taken the question meanwhile, the run goes on there, and ends here. When this process ends, the question
   * stays open for the next one.
   */
  async #withdraw(question: OpenQuestion, reject: (error: Error) => void): Promise<void> {
    this.question = this.question === question ? null : this.question;
    this.onQuestion();
    if (!(this.#isTask || this.#controller.signal.aborted || (await this.#take(question.id).catch(() => true)))) {
      this.abort();
    }
    reject(new Error('The question was withdrawn'));
  }
}
