import { plainRunSettings, type RunRequest, systemPromptOf } from '@gemini-mcp/core';
import { toGeminiSchema } from '@gemini-mcp/core/internal';
import type { ApiLogin } from './api-login.ts';
import { Base64Data } from './json-upload.ts';
import type { FunctionContext } from './lending/answer-with-tools.ts';
import { thinkingConfigOf } from './thinking-config.ts';

/** A `GenerateContentRequest` of the Gemini API (v1beta), without its model. Media are in it as `Base64Data`. */
export type RequestBody = Readonly<Record<string, unknown>>;

/** The body of `streamGenerateContent` for a request, and what has followed its message. */
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
    // What stays the same between calls comes first: Google's cache takes only equal beginnings. The text ends with the prompt,
    // so the media come before it.
    ...(systemPrompt !== null && { systemInstruction: { parts: [{ text: systemPrompt }] } }),
    ...(tools.length > 0 && { tools }),
    contents: [
      ...before,
      { role: 'user', parts: [...inline, { text: input }, ...pagesPart(urls)] },
      ...(functions?.turns ?? []),
    ],
    ...(Object.keys(generationConfig).length > 0 && { generationConfig }),
  };
}

/** No sampling parameters: Gemini 4 passes over them, and every model is best with its own. */
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

/** The tool reads addresses that it finds in the turn. They are a part of their own, so that the message stays as it is. */
function pagesPart(urls: readonly string[]): readonly object[] {
  return urls.length === 0 ? [] : [{ text: `Pages of the web to read for this:\n${urls.join('\n')}` }];
}

/** What `CountTokensRequest` of Vertex AI (v1beta1) has in common with the request that is counted. */
const vertexFields: ReadonlySet<string> = new Set(['systemInstruction', 'contents', 'tools', 'generationConfig']);

/**
 * The body of `countTokens` for all that `streamGenerateContent` would send. The Gemini API (v1beta) counts nothing but `contents`
 * unless it gets the whole request, with its model, as `generateContentRequest`. Vertex AI has no such field, and refuses fields
 * that it does not know.
 */
export function countBody(request: RunRequest, { type }: ApiLogin): RequestBody {
  const body = requestBody(request);
  return type === 'gemini-key'
    ? { generateContentRequest: { model: `models/${request.model}`, ...body } }
    : Object.fromEntries(Object.entries(body).filter(([name]) => vertexFields.has(name)));
}
