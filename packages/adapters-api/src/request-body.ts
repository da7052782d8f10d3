import { plainRunSettings, type RunRequest, systemPromptOf } from '@gemini-mcp/core';
import { toGeminiSchema } from '@gemini-mcp/core/internal';
import type { ApiLogin } from './api-login.ts';
import type { FunctionContext } from './function-calls/answer-with-tools.ts';
import { Base64Data } from './json-upload.ts';
import { thinkingConfigOf } from './thinking-config.ts';

/** A `GenerateContentRequest` of the Gemini API (v1beta), without its model. Holds media as `Base64Data`. */
export type RequestBody = Readonly<Record<string, unknown>>;

/** The body of `streamGenerateContent` for a request, and the turns after its message. */
export function requestBody(request: RunRequest, functions: FunctionContext | null = null): RequestBody {
  const { input, history = [], media = [], urls = [], settings = plainRunSettings } = request;
  const systemPrompt = systemPromptOf(settings);
  const inline = media.map(({ mediaType, bytes }) => ({
    inlineData: { mimeType: mediaType, data: new Base64Data(bytes) },
  }));
  const before = history.map(({ role, text }) => ({ role, parts: [{ text }] }));
  const generationConfig = generationConfigOf(request);
  const tools = [...toolsOf(request), ...(functions?.declarations ?? [])];
  return {
    // The stable parts come first: Google's cache only matches equal beginnings. The text ends with the prompt, so the media come before
    // it.
    ...(systemPrompt !== null && { systemInstruction: { parts: [{ text: systemPrompt }] } }),
    ...(tools.length > 0 && { tools }),
    contents: [
      ...before,
      { role: 'user', parts: [...inline, { text: input }, ...pagesPart(urls)] },
      ...(functions?.turns ?? []),
    ],
    ...(Object.keys(generationConfig).length > 0 && { generationConfig }),
    ...(settings.serviceTier === 'flexible' && { service_tier: 'flex' }),
  };
}

/** No sampling parameters: Gemini 4 ignores them, and every model is best with its own. */
function generationConfigOf({ model, answerSchema, settings = plainRunSettings }: RunRequest): object {
  const thinkingConfig = settings.thinking === undefined ? null : thinkingConfigOf(model, settings.thinking);
  return {
    ...(answerSchema !== undefined && {
      responseMimeType: 'application/json',
      responseJsonSchema: toGeminiSchema(answerSchema),
    }),
    ...(thinkingConfig !== null && { thinkingConfig }),
  };
}

function toolsOf({ settings = plainRunSettings, urls = [] }: RunRequest): readonly object[] {
  return [
    ...(settings.tools === 'web-search' ? [{ googleSearch: {} }] : []),
    ...(urls.length > 0 ? [{ urlContext: {} }] : []),
  ];
}

/** The tool reads addresses that it finds in the turn. They are a separate part, so that the message stays unchanged. */
function pagesPart(urls: readonly string[]): readonly object[] {
  return urls.length === 0 ? [] : [{ text: `Pages of the web to read for this:\n${urls.join('\n')}` }];
}

/** The members that `CountTokensRequest` of Vertex AI (v1beta1) shares with the counted request. */
const vertexFields: ReadonlySet<string> = new Set(['systemInstruction', 'contents', 'tools', 'generationConfig']);

/**
 * The body of `countTokens` for everything that `streamGenerateContent` would send. The Gemini API (v1beta) counts only `contents` unless
 * it gets the whole request, with its model, as `generateContentRequest`. Vertex AI lacks that field, and rejects unknown fields.
 */
export function countBody(request: RunRequest, { type }: ApiLogin): RequestBody {
  const body = requestBody(request);
  return type === 'gemini-key'
    ? { generateContentRequest: { model: `models/${request.model}`, ...body } }
    : Object.fromEntries(Object.entries(body).filter(([name]) => vertexFields.has(name)));
}
