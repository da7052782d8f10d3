import { type GeminiFailure, readGoogleError } from '@gemini-mcp/core';

/** A failure for an error of the API. */
export function failureByApi(code: number, message: string, details: readonly object[] = []): GeminiFailure {
  const failure = readGoogleError({ error: { code, message, details } });
  if (failure === null) {
    throw new Error(`HTTP ${code} is not an error of the API.`);
  }
  return failure;
}
