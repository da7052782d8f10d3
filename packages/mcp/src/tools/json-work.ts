import {
  type AnswerForm,
  type AnswerStore,
  type AskForJson,
  type AskRequest,
  type FailureWords,
  formatAccount,
  type JsonResult,
} from '@gemini-mcp/core';
import { escapeJson } from '@gemini-mcp/core/internal';
import type { ToolOutcome } from '../tool.ts';
import { describeAccountAsData } from './account-meta.ts';
import { fitAlone, type LongTexts } from './fit-result.ts';
import { escapeAnswer } from './present-answer.ts';
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
  const json = escapeJson(asked.text);
  const answer = { ...(await escapeAnswer({ ...asked, text: '' })), text: json };
  return {
    ...(await fitAlone(json, longTexts)),
    isError: false,
    meta: describeAccountAsData(answer),
    detail: {
      type: 'answer',
      answer,
      account: formatAccount(answer, { words: longTexts.failureWords }),
      json: { value },
    },
  };
}
