import type { ModelChain, RunnerCapabilities } from '@gemini-mcp/core';
import type { ApiLogin } from './api-login.ts';

/** Names of the logins for the reader of an answer. */
const loginNames: Readonly<Record<ApiLogin['type'], string>> = {
  'gemini-key': 'API key',
  'vertex-key': 'Vertex AI key',
  'vertex-project': 'Vertex AI project',
};

/** The capabilities of the Gemini API with this login; with null, only for requests that bring a key of their own. */
export function apiCapabilities(login: ApiLogin | null): RunnerCapabilities {
  return {
    name: 'api',
    // The API takes 100 MB at once, with media in base64. It counts tokens itself and rejects too many.
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
    // Vertex AI rejects the field. Without a login each call brings a key of the Gemini API.
    flexibleTier: login === null || login.type === 'gemini-key',
    grounding: true,
    offersTools: true,
    backend: { by: 'Gemini API', ...(login !== null && { login: loginNames[login.type] }) },
  };
}

/** Limits of the Gemini API and of Vertex AI, for every model of the chain (November 2026). */
const everywhere: readonly string[] = [
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/heic',
  'image/heif',
  'application/pdf',
  'audio/wav',
  'audio/mp3',
  'audio/ogg',
  'audio/flac',
  'video/mp4',
  'video/mpeg',
  'video/x-flv',
  'video/webm',
  'video/wmv',
  'video/3gpp',
];

/** The types that the Vertex AI documentation does not name. */
const ofGeminiApi: readonly string[] = ['audio/aiff', 'audio/aac', 'video/mov', 'video/avi'];

/**
 * The inline types that Google's documentation on images, documents, audio and video lists. It does not list GIFs, and Office documents
 * are for Gemini 4 alone: a fallback to another model could not take them. Without a login each call brings a key of the Gemini API.
 */
export function apiMediaTypes(login: ApiLogin | null): readonly string[] {
  return login === null || login.type === 'gemini-key' ? [...everywhere, ...ofGeminiApi] : everywhere;
}

/**
 * For callers who name no model, best first (November 2026). Gemini 4 is only for keys with billing: any other key gets a
 * quota of zero, after which `AskGemini` tries the next ones first for a while. The last two are on the free tier as well.
 * The CLI gets the same names when it takes over a request: 0.61.0 requests each of them by that name.
 */
export const apiModelChain: ModelChain = [
  'gemini-4-carbon',
  'gemini-4-argon',
  'gemini-3.8-flash',
  'gemini-3.5-flash-lite',
];
