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

type ReadJsonAnswer =
  | { readonly ok: true /** The JSON as Gemini wrote it. */; readonly json: string; readonly value: unknown }
  | {
      readonly ok: false;
      /** In our own words, one line for each problem. */
      readonly problem: string;
      /** Whether Gemini may do better if asked again. */
      readonly isRepairable: boolean;
    };

/** `JSON.stringify` and other programs recurse through a value, and overflow after a few thousand levels. */
const maxDepth = 500;

/** A line that begins or ends a code block. No line of JSON looks like this: its strings contain no line ends. */
const fenceLine = /^[ \t]*```(?:json)?[ \t]*\r?$/i;

/**
 * Parses an answer that should be JSON in a form: the whole text, or the content of its only code block. A cut answer is refused even if it is valid
 * JSON: the end of a list or a number may be missing.
 */
export function readJsonAnswer({ text, ending }: Pick<AskAnswer, 'text' | 'ending'>, form: AnswerForm): ReadJsonAnswer {
  if (ending?.type === 'output-limit') {
    const problem = 'The answer is cut: Gemini reached the limit of what it writes at once.';
    return { ok: false, problem, isRepairable: false };
  }
  const json = withoutFence(text).trim();
  const parsed = parse(json);
  if (parsed === null) {
    return { ok: false, problem: 'The answer is not JSON.', isRepairable: true };
  }
  const problem = isDeeperThan(maxDepth, parsed.value)
    ? `The answer is nested more than ${maxDepth} levels deep.`
    : form.findProblem(parsed.value);
  return problem === null ? { ok: true, json, value: parsed.value } : { ok: false, problem, isRepairable: true };
}

function isDeeperThan(levels: number, value: unknown): boolean {
  let inside = [value];
  for (let depth = 0; depth <= levels && inside.length > 0; depth += 1) {
    inside = inside.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
  }
  return inside.length > 0;
}

function withoutFence(text: string): string {
  const lines = text.split('\n');
  const first = lines.findIndex((line) => fenceLine.test(line));
  const last = lines.findLastIndex((line) => fenceLine.test(line));
  return first === last ? text : lines.slice(first + 1, last).join('\n');
}

function parse(json: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(json) };
  } catch {
    return null;
  }
}
