import type { RunnerCapabilities } from '@gemini-mcp/core';
import type { ApiLogin } from './api-login.ts';
import { apiMediaTypes } from './api-media-types.ts';
import { apiModelChain } from './api-model-chain.ts';

/** In words for a reader of an answer. */
const loginNames: Readonly<Record<ApiLogin['type'], string>> = {
  'gemini-key': 'API key',
  'vertex-key': 'Vertex AI key',
  'vertex-project': 'Vertex AI project',
};

/** What the Gemini API can carry with this login; with null, only for requests that bring a key of their own. */
export function apiCapabilities(login: ApiLogin | null): RunnerCapabilities {
  return {
    name: 'api',
    // What the API takes at once is 100 MB, with media in base64. Tokens are its own to count: it refuses what is too much.
    maxInputBytes: 16_000_000,
    maxInputCharacters: 8_000_000,
    maxMediaBytes: 50_000_000,
    mediaTypes: apiMediaTypes(login),
    tools: ['none', 'web-search'],
    resume: true,
    systemPrompt: true,
    keyOfCall: true,
    needsKeyOfCall: login === null,
    sandbox: false,
    streaming: true,
    usage: true,
    tokenCount: true,
    warmStart: true,
    direct: true,
    models: apiModelChain,
    urls: true,
    answerSchema: true,
    thinking: true,
    grounding: true,
    lendsTools: true,
    way: { by: 'Gemini API', ...(login !== null && { login: loginNames[login.type] }) },
  };
}
