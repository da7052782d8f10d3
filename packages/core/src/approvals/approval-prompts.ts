import type { CommandRule } from '../commands/command-rule.ts';
import { canonicalJson } from '../json/canonical-json.ts';
import type { ApprovalStore } from '../ports/approval-store.ts';
import type {
  ApprovalAnswer,
  ApprovalOutcome,
  ApprovalQuestion,
  ApprovalSubject,
  Approver,
  StepToApprove,
} from '../ports/approver.ts';
import type { Clock } from '../ports/clock.ts';
import type { StepRefusal } from '../ports/workspace/step-result.ts';
import { KeyedLock } from '../waiting/keyed-lock.ts';
import { raceAbort } from '../waiting/race-abort.ts';
import { raceTimeout } from '../waiting/race-timeout.ts';
import { aborted } from '../waiting/unless-aborted.ts';
import { type BuiltQuestion, buildQuestion } from './build-question.ts';
import { describeSubject } from './describe-subject.ts';
import { type AskedPart, isCovered } from './lasting-match.ts';
import { offeredAnswers } from './offered-answers.ts';
import { presentApproval } from './present-approval.ts';

import type { Approval, ApprovalRecord } from './step-to-approve.ts';

const reasons = ['dismissed', 'timed-out', 'invalid-answer', 'cancelled', 'failed'] as const;

const goOn =
  'Do not try the same in another form. Go on without it, or say in the answer what you could not do and why.';

const invalid: ApprovalOutcome = { type: 'unanswered', reason: 'invalid-answer' };

const cancelled: Approval = refuse(refusalOfOutcome({ type: 'unanswered', reason: 'cancelled' }, ''));
const tooManyQuestions: Approval = refuse(
  needsApproval('The user has been asked as often as one run may ask, and is not asked again in this run.'),
);

/** The answer to steps that are too long to show whole, by kind. */
const tooLong: Readonly<Record<ApprovalSubject['type'], Approval>> = {
  command: refuseLong('it', 'Write it in fewer words: put long text into a file, and name that.'),
  change: refuseLong('this change', 'Write less at once: make it in several smaller changes.'),
  tool: refuseLong('this call', 'Call it with less at a time.'),
};

export type ApprovalPromptsOptions = {
  readonly approver: Approver;
  readonly store: ApprovalStore;
  readonly clock: Clock;
  /** The rules for commands of this run. */
  readonly rules: readonly CommandRule[];
  /** The real path of the run's working directory. */
  readonly directory: string;
  /** Whether commands of this run have network access. */
  readonly network: boolean;
  /** Whether the user of this run may allow permanently: users who share a server may not, because the approval would hold for all of them. */
  readonly offersLasting: boolean;
  /** As in `QuestionPlace`. */
  readonly program?: string | undefined;
  /** When the run ends, in milliseconds since the epoch. */
  readonly deadlineAtMs: number;
};

/** After this many, people say yes without reading. */
const maxQuestions = 20;
const maxAnswerMs = 300_000;
/** The Gemini CLI gives up a call after 600 s. */
const maxCallMs = 540_000;
/** Calls of one run that may wait for an answer; a model that makes more is out of control. */
const maxWaiting = 1_000;
const maxRecords = 100;

/** One question that several calls may wait for. */
type SharedQuestion = { readonly approval: Promise<Approval>; readonly cancellation: AbortController; waiting: number };

/**
 * Asks the user of one run, one question at a time, and remembers the answers. Only an explicit answer that was offered allows anything. An approval
 * covers that step or kind of command; roots, mode and sandbox stay as they are.
 */
export class ApprovalPrompts {
  readonly #options: ApprovalPromptsOptions;
  readonly #turns: KeyedLock;
  readonly #shared = new Map<string, SharedQuestion>();
  readonly #allowedParts = new Set<string>();
  readonly #refused = new Map<string, StepRefusal>();
  readonly #records: ApprovalRecord[] = [];
  #asked = 0;

  constructor(options: ApprovalPromptsOptions) {
    this.#options = options;
    this.#turns = new KeyedLock({ clock: options.clock, maxWaiting });
  }

  /** The questions, in order, with their outcomes, including each lasting approval that was used, once. */
  get records(): readonly ApprovalRecord[] {
    return [...this.#records];
  }

  /**
   * Resolves to whether a step that the rules want approved is allowed. Calls that wait for the same question share its answer. Never rejects;
   * resolves soon after an abort, which withdraws the question if no other call waits for it.
   */
  async ask(step: StepToApprove, signal: AbortSignal): Promise<Approval> {
    const { clock, deadlineAtMs } = this.#options;
    const nowMs = clock.now();
    const untilMs = Math.min(nowMs + maxAnswerMs, nowMs + maxCallMs - step.timeMs, deadlineAtMs);
    const built = buildQuestion(step, this.#options, untilMs);
    if (signal.aborted) {
      return cancelled;
    }
    const { handle } = built.question;
    const shared = this.#shared.get(handle) ?? this.#begin(built);
    shared.waiting += 1;
    // Synchronously with the abort: a moment later the connection to the client may be closed.
    const leave = (): void => this.#leave(handle, shared);
    signal.addEventListener('abort', leave, { once: true });
    const approval = await raceAbort(shared.approval, signal);
    signal.removeEventListener('abort', leave);
    return approval === aborted ? cancelled : approval;
  }

  #begin(built: BuiltQuestion): SharedQuestion {
    const cancellation = new AbortController();
    const { handle } = built.question;
    // Before any waiting call gets the result: a later call asks again.
    const approval = this.#settle(built, cancellation.signal).finally(() => this.#forget(handle, shared));
    const shared: SharedQuestion = { approval, cancellation, waiting: 0 };
    this.#shared.set(handle, shared);
    return shared;
  }

  #leave(handle: string, shared: SharedQuestion): void {
    shared.waiting -= 1;
    if (shared.waiting === 0) {
      this.#forget(handle, shared);
      shared.cancellation.abort();
    }
  }

  #forget(handle: string, shared: SharedQuestion): void {
    if (this.#shared.get(handle) === shared) {
      this.#shared.delete(handle);
    }
  }

  async #settle(built: BuiltQuestion, signal: AbortSignal): Promise<Approval> {
    const known = await this.#findAnswer(built, signal);
    if (known !== null) {
      return known;
    }
    const turn = await this.#turns.acquire('user', built.question.deadlineAtMs, signal);
    if (!turn.acquired) {
      const reason = turn.reason === 'cancelled' ? 'cancelled' : 'timed-out';
      return refuse(refusalOfOutcome({ type: 'unanswered', reason }, ''));
    }
    try {
      // The answers to other questions may have settled this one.
      return (await this.#findAnswer(built, signal)) ?? (await this.#put(built, signal));
    } finally {
      turn.release();
    }
  }

  /** Null if the user must be asked. */
  async #findAnswer({ question, parts, server }: BuiltQuestion, signal: AbortSignal): Promise<Approval | null> {
    const refusal = this.#refused.get(question.handle);
    if (refusal !== undefined) {
      return refuse(refusal);
    }
    if (server !== null && this.#allowedParts.has(canonicalJson(server))) {
      return { allowed: true, by: 'earlier-answer' };
    }
    const unanswered = parts?.filter((part) => !this.#allowedParts.has(canonicalJson(part))) ?? null;
    if (unanswered === null) {
      return null;
    }
    if (unanswered.length === 0) {
      return { allowed: true, by: 'earlier-answer' };
    }
    const lasting = await this.#options.store.list(signal).catch(() => []);
    if (!unanswered.every((part) => lasting.some((approval) => isCovered(part, approval)))) {
      return null;
    }
    this.#record(question, 'lasting-approval', '');
    return { allowed: true, by: 'lasting-approval' };
  }

  async #put(built: BuiltQuestion, signal: AbortSignal): Promise<Approval> {
    const { question } = built;
    if (presentApproval(question) === null) {
      return tooLong[question.subject.type];
    }
    if (this.#asked >= maxQuestions) {
      this.#record(question, 'too-many-questions', '');
      return tooManyQuestions;
    }
    const outcome = await putQuestion({ ...this.#options, question }, signal);
    if (outcome.type !== 'cannot-ask') {
      this.#asked += 1;
    }
    return this.#take(built, outcome, signal);
  }

  async #take(built: BuiltQuestion, outcome: ApprovalOutcome, signal: AbortSignal): Promise<Approval> {
    const { question } = built;
    if (outcome.type !== 'answered' || outcome.answer === 'no') {
      return this.#refuse(question, outcome);
    }
    for (const part of coveredBy(outcome.answer, built)) {
      this.#allowedParts.add(canonicalJson(part));
    }
    this.#record(question, outcome.answer, outcome.answer === 'always' ? await this.#keep(built, signal) : '');
    return { allowed: true, by: 'answer' };
  }

  #refuse(question: ApprovalQuestion, outcome: ApprovalOutcome): Approval {
    const refusal = refusalOfOutcome(outcome, question.reason);
    const note = outcome.type === 'cannot-ask' ? outcome.text : '';
    this.#record(question, resultOf(outcome), note);
    // If no user could be asked, an approval given at a terminal in the meantime counts the next time.
    if (refusal.code !== 'cancelled' && outcome.type !== 'cannot-ask') {
      this.#refused.set(question.handle, refusal);
    }
    return refuse(refusal);
  }

  /** Resolves to why the approval was not saved; empty if it was. */
  async #keep({ lasting }: BuiltQuestion, signal: AbortSignal): Promise<string> {
    const { store, clock } = this.#options;
    if (lasting === null) {
      return '';
    }
    try {
      return (await store.add({ ...lasting, allowedAtMs: clock.now() }, signal)) ?? '';
    } catch {
      return 'The approval could not be kept: it holds for this run alone.';
    }
  }

  #record({ subject, reason }: ApprovalQuestion, result: ApprovalRecord['result'], note: string): void {
    const record = { about: describeSubject(subject), reason, result, note };
    const isKnown =
      result === 'lasting-approval' && this.#records.some((one) => one.result === result && one.about === record.about);
    if (!isKnown && this.#records.length < maxRecords) {
      this.#records.push(record);
    }
  }
}

function coveredBy(answer: ApprovalAnswer, { parts, server }: BuiltQuestion): readonly AskedPart[] {
  if (answer === 'server') {
    return server === null ? [] : [server];
  }
  return answer === 'once' ? [] : (parts ?? []);
}

function resultOf(outcome: ApprovalOutcome): ApprovalRecord['result'] {
  switch (outcome.type) {
    case 'answered':
      return outcome.answer;
    case 'unanswered':
      return outcome.reason;
    case 'cannot-ask':
      return 'cannot-ask';
  }
}

/** Refuses the step. */
function refuse(refusal: StepRefusal): Approval {
  return { allowed: false, refusal };
}

function refuseLong(what: string, hint: string): Approval {
  return refuse(
    needsApproval(`The user would have to allow ${what}, which is too long to be shown to them whole.`, hint),
  );
}

type PutQuestionOptions = {
  readonly approver: Approver;
  readonly clock: Clock;
  readonly question: ApprovalQuestion;
};

/**
 * Asks one question, and ignores answers that are late, were not offered, or came after the abort, even from an approver that breaks its contract.
 * Never rejects.
 */
export async function putQuestion(
  { approver, clock, question }: PutQuestionOptions,
  signal: AbortSignal,
): Promise<ApprovalOutcome> {
  const durationMs = question.deadlineAtMs - clock.now();
  if (signal.aborted || durationMs <= 0) {
    return { type: 'unanswered', reason: signal.aborted ? 'cancelled' : 'timed-out' };
  }
  const takingBack = new AbortController();
  // Synchronously with the abort: a moment later the connection to the client may be closed.
  const takeBack = (): void => takingBack.abort();
  signal.addEventListener('abort', takeBack, { once: true });
  let outcome: ApprovalOutcome = { type: 'unanswered', reason: 'failed' };
  const event = askSafely(approver, question, takingBack.signal).then((told) => {
    outcome = told;
  });
  const end = await raceTimeout({ event, durationMs, clock }, signal);
  signal.removeEventListener('abort', takeBack);
  takeBack();
  if (signal.aborted) {
    return { type: 'unanswered', reason: 'cancelled' };
  }
  return end === 'happened' && clock.now() < question.deadlineAtMs
    ? outcome
    : { type: 'unanswered', reason: 'timed-out' };
}

async function askSafely(
  approver: Approver,
  question: ApprovalQuestion,
  signal: AbortSignal,
): Promise<ApprovalOutcome> {
  try {
    return checkOutcome(await approver.ask(question, signal), question);
  } catch {
    return { type: 'unanswered', reason: 'failed' };
  }
}

/** The approver's result as a valid outcome of the question: any other value, whatever its type says, becomes `invalid-answer`. */
function checkOutcome(told: ApprovalOutcome, question: ApprovalQuestion): ApprovalOutcome {
  switch (told?.type) {
    case 'answered': {
      const answer = offeredAnswers(question).find((offered) => offered === told.answer);
      return answer === undefined ? invalid : { type: 'answered', answer };
    }
    case 'cannot-ask':
      return { type: 'cannot-ask', text: String(told.text) };
    case 'unanswered':
      return { type: 'unanswered', reason: reasons.find((reason) => reason === told.reason) ?? 'invalid-answer' };
    default:
      return invalid;
  }
}

/** The refusal, for the model, of a step that needs the user's approval. */
function needsApproval(message: string, hint: string = goOn): StepRefusal {
  return { code: 'needs-approval', message, hint, retriable: false };
}

/** The refusal that the model gets if the outcome of a question is not consent. */
function refusalOfOutcome(outcome: ApprovalOutcome, reason: string): StepRefusal {
  switch (outcome.type) {
    case 'answered':
      return { code: 'denied-by-user', message: 'The user was asked, and said no.', hint: goOn, retriable: false };
    case 'cannot-ask':
      return needsApproval(`${reason} The user has to allow it, and cannot be asked. ${outcome.text}`);
    case 'unanswered':
      return refusalOfUnanswered(outcome.reason);
  }
}

function refusalOfUnanswered(reason: Extract<ApprovalOutcome, { type: 'unanswered' }>['reason']): StepRefusal {
  switch (reason) {
    case 'dismissed':
      return {
        code: 'denied-by-user',
        message: 'The user closed the question, which allows nothing.',
        hint: goOn,
        retriable: false,
      };
    case 'timed-out':
      return needsApproval('The user was asked, and did not answer in time.');
    case 'invalid-answer':
      return needsApproval('The client returned an answer that was not offered, which allows nothing.');
    case 'failed':
      return needsApproval('The user could not be asked: the client failed.');
    case 'cancelled':
      return {
        code: 'cancelled',
        message: 'The run was cancelled while the user was asked.',
        hint: '',
        retriable: false,
      };
  }
}
