import { plainRunSettings, type RunRequest, systemPromptOf } from '@gemini-mcp/core';
import type { CarriedContext } from '../gemini-runner/gemini-runner-harness.ts';

/** What a scripted runner would send to a model. */
export function carriedByRequest(request: RunRequest): CarriedContext {
  const { model, input, history = [], media = [], urls = [], settings = plainRunSettings, directory } = request;
  const systemPrompt = systemPromptOf(settings) ?? '';
  return {
    history,
    systemPrompt,
    media: media.map(({ mediaType, bytes }) => ({ mediaType, bytes })),
    urls,
    model,
    apiKey: settings.apiKey,
    tools: settings.tools,
    ...(request.answerSchema !== undefined && { answerSchema: request.answerSchema }),
    ...(settings.thinking !== undefined && { thinking: settings.thinking }),
    ...(settings.serviceTier !== undefined && { serviceTier: settings.serviceTier }),
    isInSandbox: settings.sandbox,
    whole: JSON.stringify({ input, history, systemPrompt, directory: directory?.path ?? null }),
  };
}
