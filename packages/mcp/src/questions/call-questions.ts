import type { Clock } from '@gemini-mcp/core';
import { waitAtMost } from '@gemini-mcp/core/internal';
import { ErrorCode } from '@modelcontextprotocol/sdk/types.js';
import { isJsonObject } from '../request-params.ts';
import { cannotAsk } from './cannot-ask.ts';
import { elicitationOf } from './elicitation-of.ts';
import type { Elicitor } from './elicitor.ts';
import { fieldsOf } from './fields-of.ts';
import { type LinkedAborts, linkedAborts } from './linked-aborts.ts';
import type { Question, QuestionField, QuestionOutcome } from './question.ts';
import { readAnswer } from './read-answer.ts';

/** People click through floods of questions. */
const maxQuestions = 20;

const usualTimeoutMs = 300_000;
const longestTimeoutMs = 3_600_000;

export type CallQuestionsOptions = {
  readonly clock: Clock;
  readonly elicitor: Elicitor;
  /** Called when the client is about to be asked. */
  readonly onAsk: () => void;
};

/** The questions of one call to its client, which sees one at a time. */
export class CallQuestions {
  readonly #options: CallQuestionsOptions;
  readonly #signal: AbortSignal;
  readonly #outcomes = new Map<string, Promise<QuestionOutcome>>();
  /** Settles when the question that the user sees is over. */
  #turn: Promise<unknown> = Promise.resolve();
  #isOver = false;

  /** `signal` is that of the call: its abort ends the questions, and takes them back at the client. */
  constructor(options: CallQuestionsOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  readonly ask = (question: Question, signal: AbortSignal = this.#signal): Promise<QuestionOutcome> => {
    const known = this.#outcomes.get(question.handle);
    if (known !== undefined) {
      return known;
    }
    const outcome = this.#askOnce(question, signal);
    if (this.#outcomes.size < maxQuestions) {
      this.#outcomes.set(question.handle, outcome);
    }
    return outcome;
  };

  /** To be called when the call has ended: nothing can be asked after that. */
  end(): void {
    this.#isOver = true;
  }

  async #askOnce(question: Question, signal: AbortSignal): Promise<QuestionOutcome> {
    const { elicitor } = this.#options;
    const fields = fieldsOf(question);
    if (fields === null) {
      return cannotAsk('invalid-question');
    }
    if (elicitor.cannotAsk !== null) {
      return cannotAsk(elicitor.cannotAsk);
    }
    if (this.#outcomes.size >= maxQuestions) {
      return cannotAsk('too-many-questions');
    }
    const before = this.#turn;
    const outcome = this.#askInTurn({ question, fields, before }, signal);
    // Those after it wait for those before it as well, also where it has ended while it waited.
    this.#turn = before.then(() => outcome);
    return outcome;
  }

  /** A question that waits ends by its own deadline and its own abort, as one that the user sees. */
  async #askInTurn({ question, fields, before }: Waiting, signal: AbortSignal): Promise<QuestionOutcome> {
    const { clock } = this.#options;
    const durationMs = Math.min(longestTimeoutMs, timeLeft(question, clock));
    // No listener each on the signal of the call: Node warns where there are many.
    const ending = AbortSignal.any([this.#signal, signal]);
    const end = await waitAtMost({ event: before, durationMs, clock }, ending);
    if (this.#isOver || this.#signal.aborted) {
      return cannotAsk('call-over');
    }
    if (signal.aborted) {
      return cancelled;
    }
    return end === 'timed-out' || timeLeft(question, clock) <= 0 ? timedOut : this.#elicit(question, fields, signal);
  }

  async #elicit(question: Question, fields: readonly QuestionField[], signal: AbortSignal): Promise<QuestionOutcome> {
    this.#options.onAsk();
    // In the very moment of the abort: a moment later the stream of the call has ended, and the client would go on showing the question.
    const takingBack = linkedAborts([this.#signal, signal]);
    const outcome = await this.#await(question, fields, takingBack);
    takingBack.release();
    return this.#signal.aborted || signal.aborted ? cancelled : outcome;
  }

  async #await(
    question: Question,
    fields: readonly QuestionField[],
    takingBack: LinkedAborts,
  ): Promise<QuestionOutcome> {
    let outcome: QuestionOutcome = { type: 'unanswered', reason: 'client-failed' };
    const params = elicitationOf(question.message, fields);
    const event = this.#options.elicitor.elicit(params, takingBack.signal).then(
      (answer) => {
        outcome = readAnswer(question, fields, answer);
      },
      (error: unknown) => {
        outcome = readError(error);
      },
    );
    const { clock } = this.#options;
    const durationMs = Math.min(question.timeoutMs ?? usualTimeoutMs, longestTimeoutMs, timeLeft(question, clock));
    const end = await waitAtMost({ event, durationMs, clock }, takingBack.signal);
    if (end === 'timed-out') {
      takingBack.abort('The question was not answered in time');
      return timedOut;
    }
    return outcome;
  }
}

type Waiting = {
  readonly question: Question;
  readonly fields: readonly QuestionField[];
  /** Settles when those before it are over. */
  readonly before: Promise<unknown>;
};

const cancelled: QuestionOutcome = { type: 'unanswered', reason: 'cancelled' };
const timedOut: QuestionOutcome = { type: 'unanswered', reason: 'timed-out' };

function timeLeft({ deadlineAtMs = Number.MAX_SAFE_INTEGER }: Question, clock: Clock): number {
  return deadlineAtMs - clock.now();
}

function readError(error: unknown): QuestionOutcome {
  const isUnknownMethod = error instanceof Error && isJsonObject(error) && error['code'] === ErrorCode.MethodNotFound;
  return isUnknownMethod ? cannotAsk('client-cannot') : { type: 'unanswered', reason: 'client-failed' };
}
