import { excerptFrom, type GeminiFailure } from '@gemini-mcp/core';

/** The failure without the secret in what was said of it. */
export function hideSecret(failure: GeminiFailure, secret: string): GeminiFailure {
  return 'excerpt' in failure && secret !== ''
    ? { ...failure, excerpt: excerptFrom(failure.excerpt.replaceAll(secret, '[key]')) }
    : failure;
}
