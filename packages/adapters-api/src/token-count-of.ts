import { excerptFrom, readGoogleError, type TokenCount } from '@gemini-mcp/core';

/** The count in a body of `countTokens` (`CountTokensResponse` of the Gemini API, v1beta; Vertex AI has the same field). */
export function tokenCountOf(text: string): TokenCount {
  const value = parseJson(text);
  const tokens = typeof value === 'object' && value !== null && 'totalTokens' in value ? value.totalTokens : null;
  if (typeof tokens === 'number' && Number.isSafeInteger(tokens) && tokens >= 0) {
    return { ok: true, tokens };
  }
  const failure = readGoogleError(value) ?? {
    kind: 'malformed-output',
    excerpt: excerptFrom(`No count came: ${text}`),
  };
  return { ok: false, failure };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
