import type { RunRequest } from '@gemini-mcp/core';
import type { ApiLogin } from './api-login.ts';
import { type RequestBody, requestBody } from './request-body.ts';

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
