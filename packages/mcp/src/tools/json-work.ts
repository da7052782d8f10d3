import type { AnswerForm, AnswerStore, AskForJson, AskRequest, FailureWords, JsonResult } from '@gemini-mcp/core';
import { escapeJson } from '@gemini-mcp/core/internal';
import type { ToolOutcome } from '../tool.ts';
import { describeAccountAsData } from './account-meta.ts';
import { fitText, type LongTexts } from './fit-result.ts';
import { showAnswer } from './present-answer.ts';
import { presentFailure } from './present-failure.ts';
import type { Work } from './work.ts';

export type JsonWorkOptions = {
  readonly askForJson: Pick<AskForJson, 'ask'>;
  readonly answers: AnswerStore;
  readonly request: AskRequest;
  readonly form: AnswerForm;
  readonly owner: string;
  /** What is asked, on one line. */
  readonly title: string;
  readonly keepsControls?: boolean | undefined;
  readonly failureWords?: FailureWords | undefined;
};

/** The work of asking Gemini for JSON: to the JSON alone, or to what went wrong. */
export function createJsonWork({ askForJson, request, form, ...longTexts }: JsonWorkOptions): Work {
  return async (onProgress, signal) => {
    const result = await askForJson.ask(request, form, onProgress, signal);
    return result.ok
      ? presentJson(result, longTexts)
      : presentFailure(result.failed, { ...longTexts, purpose: 'query' });
  };
}

async function presentJson(
  { answer: asked, value }: Extract<JsonResult, { readonly ok: true }>,
  longTexts: LongTexts,
): Promise<ToolOutcome> {
  const json = longTexts.keepsControls === true ? asked.text : escapeJson(asked.text);
  const answer = { ...(await showAnswer({ ...asked, text: '' }, longTexts)), text: json };
  return {
    // Nothing around it: a program reads this.
    text: await fitText(json, longTexts),
    isError: false,
    meta: describeAccountAsData(answer),
    detail: { type: 'answer', answer, json: { value } },
  };
}
