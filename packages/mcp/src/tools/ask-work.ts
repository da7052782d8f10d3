import type { AnswerStore, AskGemini, AskRequest, CallPurpose, FailureWords } from '@gemini-mcp/core';
import { presentAnswer } from './present-answer.ts';
import { presentFailure } from './present-failure.ts';
import type { Work } from './work.ts';

export type AskWorkOptions = {
  readonly askGemini: Pick<AskGemini, 'ask'>;
  readonly answers: AnswerStore;
  readonly request: AskRequest;
  readonly owner: string;
  /** What is asked, on one line. */
  readonly title: string;
  readonly purpose: CallPurpose;
  readonly failureWords?: FailureWords | undefined;
};

/** The work of asking Gemini: to its answer, or to what went wrong. */
export function createAskWork({ askGemini, request, purpose, ...longTexts }: AskWorkOptions): Work {
  return async (onProgress, signal) => {
    const result = await askGemini.ask(request, onProgress, signal);
    if (!result.ok) {
      return presentFailure(result.failed, { ...longTexts, purpose });
    }
    return presentAnswer(result.answer, longTexts);
  };
}
