import { excerptFrom, readGoogleError, type TokenCount } from '@gemini-mcp/core';
import { hideSecret, readWithoutSecret, withoutSecret } from './hide-secret.ts';

/** The count in a body of `countTokens` (`CountTokensResponse` of the Gemini API, v1beta; Vertex AI has the same field). No failure holds the secret. */
export function tokenCountOf(text: string, secret: string): TokenCount {
  const value = readWithoutSecret(text, secret);
  const tokens = typeof value === 'object' && value !== null && 'totalTokens' in value ? value.totalTokens : null;
  if (typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens >= 0) {
    return { ok: true, tokens };
  }
  const failure = readGoogleError(value) ?? {
    kind: 'malformed-output',
    excerpt: excerptFrom(withoutSecret(`No count came: ${text}`, secret)),
  };
  return { ok: false, failure: hideSecret(failure, secret) };
}
