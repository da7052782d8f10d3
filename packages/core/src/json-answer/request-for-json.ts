import type { AskRequest } from '../ask-gemini/ask-request.ts';
import { capabilitiesFor } from '../ask-gemini/run-request-of.ts';
import type { GeminiRunner } from '../ports/gemini-runner/gemini-runner.ts';
import type { AnswerForm } from './answer-form.ts';
import { buildJsonPrompt } from './json-prompt.ts';

/** Whether the runner enforces a schema itself; otherwise the prompt asks for it. */
export function isJsonByRunner(
  runner: GeminiRunner,
  request: AskRequest,
  { schema }: Pick<AnswerForm, 'schema'>,
): boolean {
  return capabilitiesFor(runner, { ...request, answerSchema: schema }).answerSchema === true;
}

export type JsonQuestion = {
  readonly request: AskRequest;
  readonly form: Pick<AnswerForm, 'schema'>;
  readonly isByRunner: boolean;
};

/** The request for JSON that matches a schema. */
export function requestForJson({ request, form, isByRunner }: JsonQuestion): AskRequest {
  return isByRunner
    ? { ...request, answerSchema: form.schema }
    : { ...request, prompt: buildJsonPrompt(request.prompt, form) };
}
