import type { Clock } from '@gemini-mcp/core';
import { escapeControls, raceTimeout } from '@gemini-mcp/core/internal';
import { isJsonObject } from '../input/request-params.ts';
import type { JsonObject } from '../input/tool-input.ts';
import type {
  CannotAskReason,
  Question,
  QuestionChoice,
  QuestionField,
  QuestionOutcome,
  QuestionValue,
} from './question.ts';

/** A form in the shape of MCP's elicitation. */
type ElicitationForm = { readonly message: string; readonly requestedSchema: JsonObject };

/** Sends forms to the client of one request by MCP's elicitation. */
export type Elicitor = {
  /** Why the client cannot be asked; null if it can. */
  readonly cannotAsk: CannotAskReason | null;
  /** Resolves to the client's unchecked answer. An abort withdraws the question at the client, and rejects. */
  readonly elicit: (form: ElicitationForm, signal: AbortSignal) => Promise<unknown>;
  /** Whether a question ends the request, and a further request brings the answer; false if missing. */
  readonly suspendsCall?: boolean;
};

/** People click through floods of questions. */
const maxQuestions = 20;

const usualTimeoutMs = 300_000;
const longestTimeoutMs = 3_600_000;

export type CallQuestionsOptions = {
  readonly clock: Clock;
  readonly elicitor: Elicitor;
  /** Called before the client is asked. */
  readonly onAsk: () => void;
  /** Called when a question that the client was asked is over. */
  readonly onAnswer: () => void;
};

/** Without a reason, each call would make an error with a stack. */
const callOver = 'call-over';

/** The questions of one call to its client, shown one at a time. */
export class CallQuestions {
  readonly #options: CallQuestionsOptions;
  readonly #signal: AbortSignal;
  readonly #outcomes = new Map<string, Promise<QuestionOutcome>>();
  /** Aborted when the call has ended. */
  readonly #over = new AbortController();
  /** Settles when the question on screen is over. */
  #turn: Promise<unknown> = Promise.resolve();

  /** `signal` belongs to the call: its abort ends the questions and withdraws them at the client. */
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

  /** Call when the call has ended: an open question is withdrawn at the client, and it and later ones are refused. Its work may go on as a job. */
  end(): void {
    this.#over.abort(callOver);
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
    // Later questions wait for all earlier ones, even if this one ends while it waits.
    this.#turn = before.then(() => outcome);
    return outcome;
  }

  /** A waiting question ends by its own deadline and abort, like a visible one. */
  async #askInTurn({ question, fields, before }: Waiting, signal: AbortSignal): Promise<QuestionOutcome> {
    const { clock } = this.#options;
    const durationMs = Math.min(longestTimeoutMs, timeLeft(question, clock));
    // One shared listener on the signal of the call: Node warns about many.
    const ending = AbortSignal.any([this.#signal, this.#over.signal, signal]);
    const end = await raceTimeout({ event: before, durationMs, clock }, ending);
    if (this.#over.signal.aborted || this.#signal.aborted) {
      return cannotAsk('call-over');
    }
    if (signal.aborted) {
      return cancelled;
    }
    return end === 'timed-out' || timeLeft(question, clock) <= 0 ? timedOut : this.#elicit(question, fields, signal);
  }

  async #elicit(question: Question, fields: readonly QuestionField[], signal: AbortSignal): Promise<QuestionOutcome> {
    this.#options.onAsk();
    // Withdraw synchronously on abort: afterwards the stream of the call has ended, and the client would keep showing the question.
    const takingBack = linkedAborts([this.#signal, this.#over.signal, signal]);
    const outcome = await this.#await(question, fields, takingBack);
    takingBack.release();
    this.#options.onAnswer();
    if (this.#over.signal.aborted) {
      return cannotAsk('call-over');
    }
    return this.#signal.aborted || signal.aborted ? cancelled : outcome;
  }

  async #await(
    question: Question,
    fields: readonly QuestionField[],
    takingBack: LinkedAborts,
  ): Promise<QuestionOutcome> {
    let outcome: QuestionOutcome = { type: 'unanswered', reason: 'client-failed' };
    const params = elicitationOf(question.message, fields);
    const { clock } = this.#options;
    const askedAtMs = clock.now();
    const event = this.#options.elicitor.elicit(params, takingBack.signal).then(
      (answer) => {
        outcome = markAutomatic(readAnswer(question, fields, answer), clock.now() - askedAtMs);
      },
      (error: unknown) => {
        outcome = readError(error);
      },
    );
    const durationMs = Math.min(question.timeoutMs ?? usualTimeoutMs, longestTimeoutMs, timeLeft(question, clock));
    const end = await raceTimeout({ event, durationMs, clock }, takingBack.signal);
    if (end === 'timed-out') {
      takingBack.abort('The question was not answered in time');
      return timedOut;
    }
    return outcome;
  }
}

/** Codex exec, and Copilot and Claude Code in their modes for scripts, say no within two milliseconds. */
const fastestPersonMs = 50;

/** Consent counts at any speed: users let programs give it. */
function markAutomatic(outcome: QuestionOutcome, afterMs: number): QuestionOutcome {
  const isNo = outcome.type === 'declined' || outcome.type === 'dismissed';
  return isNo && afterMs < fastestPersonMs ? { ...outcome, isAutomatic: true } : outcome;
}

type Waiting = {
  readonly question: Question;
  readonly fields: readonly QuestionField[];
  /** Settles when the earlier questions are over. */
  readonly before: Promise<unknown>;
};

const cancelled: QuestionOutcome = { type: 'unanswered', reason: 'cancelled' };
const timedOut: QuestionOutcome = { type: 'unanswered', reason: 'timed-out' };

function timeLeft({ deadlineAtMs = Number.MAX_SAFE_INTEGER }: Question, clock: Clock): number {
  return deadlineAtMs - clock.now();
}

/** The JSON-RPC code of a client that does not know the method. */
const methodNotFound = -32_601;

function readError(error: unknown): QuestionOutcome {
  const isUnknownMethod = error instanceof Error && isJsonObject(error) && error['code'] === methodNotFound;
  return isUnknownMethod ? cannotAsk('client-cannot') : { type: 'unanswered', reason: 'client-failed' };
}

const texts: Readonly<Record<CannotAskReason, string>> = {
  'client-cannot': 'This client cannot show questions: it does not offer elicitation with forms.',
  'transport-cannot': 'REST and HTTP without sessions cannot carry questions. Use stdio or HTTP with sessions.',
  'call-over': 'The call is over and cannot ask anything more.',
  'too-many-questions': 'This call has asked as many questions as a call may.',
  'invalid-question': 'The question cannot be shown: it does not fit an MCP form.',
};

/** The outcome of a question that is not sent to the client. */
export function cannotAsk(reason: CannotAskReason): Extract<QuestionOutcome, { type: 'cannot-ask' }> {
  return { type: 'cannot-ask', reason, text: texts[reason] };
}

type LinkedAborts = {
  readonly signal: AbortSignal;
  readonly abort: (reason: string) => void;
  /** Removes the listeners from the linked signals. */
  readonly release: () => void;
};

/** A signal that aborts synchronously with one of the others, or for a reason of its own. */
function linkedAborts(others: readonly AbortSignal[]): LinkedAborts {
  const controller = new AbortController();
  const abort = (reason: string): void => controller.abort(reason);
  const takeBack = (): void => abort('The call was cancelled');
  // A set, because a signal given twice would keep one of its listeners.
  const signals = [...new Set(others)];
  for (const each of signals) {
    each.addEventListener('abort', takeBack, { once: true });
  }
  if (signals.some(({ aborted }) => aborted)) {
    takeBack();
  }
  const release = (): void => {
    for (const each of signals) {
      each.removeEventListener('abort', takeBack);
    }
  };
  return { signal: controller.signal, abort, release };
}

/** Limits the label of a field or a choice. */
export const maxLabelCharacters = 500;

const usualMaxCharacters = 2_000;
const largestMaxCharacters = 10_000;

/** The maximum length of the answer to a text field, in characters. */
function maxCharactersOf({ maxCharacters = usualMaxCharacters }: { readonly maxCharacters?: number }): number {
  return Math.min(maxCharacters, largestMaxCharacters);
}

const maxMessageCharacters = 2_000;

/**
 * The question in the shape of MCP's elicitation. Text for the user is made safe to show and cut. No field has a default: some
 * clients would send it without asking.
 */
function elicitationOf(message: string, fields: readonly QuestionField[]): ElicitationForm {
  const required = fields.filter(({ isOptional }) => isOptional !== true).map(({ name }) => name);
  return {
    message: showable(message, maxMessageCharacters),
    requestedSchema: {
      type: 'object',
      properties: Object.fromEntries(fields.map((field) => [field.name, schemaOf(field)])),
      ...(required.length > 0 && { required }),
    },
  };
}

function schemaOf(field: QuestionField): JsonObject {
  const title = showable(field.label, maxLabelCharacters);
  switch (field.type) {
    case 'text':
      return {
        type: 'string',
        title,
        maxLength: maxCharactersOf(field),
        ...(field.format !== undefined && { format: field.format }),
      };
    case 'number': {
      const { min, max, isInteger } = field;
      const type = isInteger === true ? 'integer' : 'number';
      return { type, title, ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) };
    }
    case 'yes-no':
      return { type: 'boolean', title };
    case 'choice': {
      // Clients of both protocol revisions with elicitation know this form.
      const labels = field.choices.map(({ label }) => showable(label, maxLabelCharacters));
      return { type: 'string', title, enum: field.choices.map(({ name }) => name), enumNames: labels };
    }
  }
}

function showable(text: string, maxCharacters: number): string {
  const shown = escapeControls(text);
  return shown.length > maxCharacters ? `${shown.slice(0, maxCharacters - 1).replace(/\p{Cs}$/u, '')}…` : shown;
}

/** The name of the only field of a question with choices. */
const choiceField = 'choice';

const maxFields = 20;
const maxChoices = 50;

/** Names that every client can show and send back, and that no object has as an inherited property. */
const usableName = /^(?!__proto__$)[A-Za-z_][\w-]{0,63}$/;

/** The fields of a question's form. Null if an MCP form cannot hold them or the user could not tell them apart. */
function fieldsOf(question: Question): readonly QuestionField[] | null {
  const fields: readonly QuestionField[] =
    'fields' in question
      ? question.fields
      : [{ name: choiceField, label: 'Your choice', type: 'choice', choices: question.choices }];
  const isUsable =
    usableName.test(question.handle) &&
    question.message.trim() !== '' &&
    fields.length > 0 &&
    fields.length <= maxFields &&
    haveNames(fields) &&
    fields.every((field) => field.type !== 'choice' || areChoices(field.choices));
  return isUsable ? fields : null;
}

function areChoices(choices: readonly QuestionChoice[]): boolean {
  return choices.length > 0 && choices.length <= maxChoices && haveNames(choices);
}

function haveNames(items: readonly { readonly name: string }[]): boolean {
  return (
    items.every(({ name }) => usableName.test(name)) && new Set(items.map(({ name }) => name)).size === items.length
  );
}

const invalid: QuestionOutcome = { type: 'unanswered', reason: 'invalid-answer' };

/**
 * Reads a client's answer, which may be anything: an empty `accept`, values of other types, names that the question lacks. Takes over
 * only the fields of the question.
 */
export function readAnswer(question: Question, fields: readonly QuestionField[], answer: unknown): QuestionOutcome {
  const { action, content } = isJsonObject(answer) ? answer : {};
  switch (action) {
    case 'decline':
      return { type: 'declined' };
    case 'cancel':
      return { type: 'dismissed' };
    case 'accept':
      return isJsonObject(content) ? readContent(question, fields, content) : invalid;
    default:
      return invalid;
  }
}

function readContent(
  question: Question,
  fields: readonly QuestionField[],
  content: Readonly<Record<string, unknown>>,
): QuestionOutcome {
  const values: Record<string, QuestionValue> = {};
  for (const field of fields) {
    const given = Object.hasOwn(content, field.name) ? content[field.name] : undefined;
    const value = readValue(field, given);
    if (value !== null) {
      values[field.name] = value;
    } else if (given !== undefined || field.isOptional !== true) {
      return invalid;
    }
  }
  const choice = values[choiceField];
  return 'choices' in question && typeof choice === 'string'
    ? { type: 'chosen', choice }
    : { type: 'answered', values };
}

/** Null if the field does not accept the value. */
function readValue(field: QuestionField, given: unknown): QuestionValue | null {
  switch (field.type) {
    case 'text':
      return typeof given === 'string' && given.length <= maxCharactersOf(field) ? escapeControls(given) : null;
    case 'number':
      return typeof given === 'number' && isWithin(field, given) ? given : null;
    case 'yes-no':
      return typeof given === 'boolean' ? given : null;
    case 'choice':
      return field.choices.find(({ name }) => name === given)?.name ?? null;
  }
}

function isWithin(field: Extract<QuestionField, { type: 'number' }>, given: number): boolean {
  const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY, isInteger = false } = field;
  return Number.isFinite(given) && given >= min && given <= max && (!isInteger || Number.isInteger(given));
}
