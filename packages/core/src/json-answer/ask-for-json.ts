import { type AskAnswer, type AskFailure, type AskResult, rejectAnswer } from '../answers/ask-result.ts';
import { askAgain } from '../ask-gemini/ask-again.ts';
import type { AskGemini } from '../ask-gemini/ask-gemini.ts';
import type { AskRequest, OnProgress } from '../ask-gemini/ask-request.ts';
import type { GeminiFailure } from '../failure/gemini-failure.ts';
import type { Clock } from '../ports/clock.ts';
import type { GeminiRunner } from '../ports/gemini-runner/gemini-runner.ts';
import { excerptFrom } from '../text/excerpt-from.ts';
import type { AnswerForm } from './answer-form.ts';
import { buildJsonRepairPrompt } from './json-prompt.ts';
import { readJsonAnswer } from './read-json-answer.ts';
import { isJsonByRunner, requestForJson } from './request-for-json.ts';

export type AskForJsonOptions = {
  readonly clock: Clock;
  readonly askGemini: Pick<AskGemini, 'ask'>;
  /** The runner that `askGemini` uses. */
  readonly runner: GeminiRunner;
};

export type JsonResult =
  | {
      readonly ok: true;
      /** Its text is only the JSON, as Gemini wrote it. */
      readonly answer: AskAnswer;
      readonly value: unknown;
    }
  | { readonly ok: false; readonly failed: AskFailure };

/** One question in progress. */
type Question = {
  readonly request: AskRequest;
  readonly form: AnswerForm;
  /** Whether the runner enforces the schema; otherwise the prompt asks for it. */
  readonly isByRunner: boolean;
  readonly deadlineAtMs: number;
  readonly onProgress: OnProgress;
};

/** Asks Gemini for an answer that is JSON in a form. */
export class AskForJson {
  readonly #options: AskForJsonOptions;

  constructor(options: AskForJsonOptions) {
    this.#options = options;
  }

  /**
   * Resolves to an answer that matches the form, or to the failure: `invalid-answer` if Gemini's answer does not match even at the second attempt, or
   * was cut. The runner enforces the schema if it can; otherwise, or if it refuses the schema, the prompt asks for it. Everything happens within the
   * deadline of the request. Otherwise like `AskGemini.ask`.
   */
  async ask(request: AskRequest, form: AnswerForm, onProgress: OnProgress, signal: AbortSignal): Promise<JsonResult> {
    const { clock, askGemini, runner } = this.#options;
    const isByRunner = isJsonByRunner(runner, request, form);
    const deadlineAtMs = clock.now() + request.timeoutMs;
    const question = { request, form, isByRunner, deadlineAtMs, onProgress };
    const asked = await askGemini.ask(requestForJson(question), onProgress, signal);
    if (isByRunner && !asked.ok && mayRefuseSchema(asked.failed.failure)) {
      const byPrompt = { ...question, isByRunner: false };
      const again = { ...this.#options, ...byPrompt, request: requestForJson(byPrompt), before: asked.failed };
      return this.#read(byPrompt, (await askAgain(again, signal)) ?? asked, signal);
    }
    return this.#read(question, asked, signal);
  }

  async #read(question: Question, asked: AskResult, signal: AbortSignal): Promise<JsonResult> {
    if (!asked.ok) {
      return asked;
    }
    const { answer } = asked;
    const read = readJsonAnswer(answer, question.form);
    if (read.ok) {
      return { ok: true, answer: { ...answer, text: read.json }, value: read.value };
    }
    const repaired = read.isRepairable ? await this.#repair(question, { answer, problem: read.problem }, signal) : null;
    return repaired ?? invalid(question, answer, read);
  }

  /** Null if no time is left for it. */
  async #repair(
    question: Question,
    { answer, problem }: { readonly answer: AskAnswer; readonly problem: string },
    signal: AbortSignal,
  ): Promise<JsonResult | null> {
    const prompt = buildJsonRepairPrompt(question.request.prompt, question.form, { answer: answer.text, problem });
    const request = { ...requestForJson(question), prompt, model: answer.model };
    const asked = await askAgain({ ...this.#options, ...question, request, before: answer }, signal);
    if (asked === null || !asked.ok) {
      return asked;
    }
    const read = readJsonAnswer(asked.answer, question.form);
    return read.ok
      ? { ok: true, answer: { ...asked.answer, text: read.json }, value: read.value }
      : invalid(question, asked.answer, read);
  }
}

/** The API reports a schema that is too complex like any other request that it refuses. */
function mayRefuseSchema(failure: GeminiFailure): boolean {
  return failure.kind === 'invalid-input' || (failure.kind === 'unsupported' && failure.feature === 'answer-schema');
}

function invalid(
  { request: { timeoutMs } }: Question,
  answer: AskAnswer,
  { problem, isRepairable }: { readonly problem: string; readonly isRepairable: boolean },
): JsonResult {
  const { text } = answer;
  // The caller has paid for an answer that was cut, and gets all of it.
  const [excerpt, partialText] = isRepairable ? [excerptFrom(text), ''] : ['', text];
  const failure = { kind: 'invalid-answer', problem, excerpt, saidBy: 'Gemini' } as const;
  return { ok: false, failed: rejectAnswer(answer, failure, { timeoutMs, partialText }) };
}
