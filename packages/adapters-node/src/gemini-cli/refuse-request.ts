import {
  type GeminiFailure,
  type InputRefusal,
  plainRunSettings,
  type RunEnd,
  type RunnerCapabilities,
  type RunRequest,
  refuseLacking as refuseUndeclared,
} from '@gemini-mcp/core';
import { failRun } from './fail-run.ts';
import { weighTexts } from './message/session-history.ts';
import { maxSystemPromptCharacters } from './message/system-prompt.ts';
import { offersTools } from './settings/model-tools.ts';

/** The end of a request that exceeds the declared capabilities, or that cannot be carried whole; null for any other. */
export function refuseForCli(request: RunRequest, capabilities: RunnerCapabilities): RunEnd | null {
  const failure =
    refuseTools(request) ?? refuseUndeclared(request, capabilities) ?? refuseWeight(request, capabilities);
  return failure && failRun(failure);
}

function refuseTools(request: RunRequest): GeminiFailure | null {
  const { settings = plainRunSettings } = request;
  if (!offersTools(request)) {
    return null;
  }
  // The CLI's own tools ignore the limits of model tools.
  if (settings.tools === 'everything') {
    return { kind: 'unsupported', feature: 'tools' };
  }
  // A container cannot reach the endpoint.
  return settings.sandbox ? { kind: 'unsupported', feature: 'sandbox' } : null;
}

/** No single message is too heavy on its own; after a long conversation the weight of its characters counts as well. */
function refuseWeight({ input, history = [], settings }: RunRequest, limits: RunnerCapabilities): GeminiFailure | null {
  const weight = history.length === 0 ? 0 : weighTexts([...history.map(({ text }) => text), input]);
  const refusals: readonly InputRefusal[] = [
    { measure: 'characters', actual: weight, limit: limits.maxInputCharacters },
    { measure: 'characters', actual: settings?.systemPrompt?.length ?? 0, limit: maxSystemPromptCharacters },
  ];
  const refusal = refusals.find(({ actual, limit }) => actual > limit);
  return refusal === undefined ? null : { kind: 'context-too-large', refusal, excerpt: '' };
}

/**
 * The end of a run whose key does not fit into a header; null for any other. With an empty key the CLI would use one that the user has
 * stored.
 */
export function refuseKey(apiKey: string | null): RunEnd | null {
  const isPlain = apiKey === null || /^[\x21-\x7e]+$/.test(apiKey);
  const excerpt = 'the API key is empty or has characters that are not allowed in a key';
  return isPlain ? null : failRun({ kind: 'crashed', detail: 'was not started', excerpt });
}
