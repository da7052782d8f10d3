import { excerptFrom, type GeminiFailure } from '@gemini-mcp/core';
import { createRedactor } from '@gemini-mcp/core/internal';

/** The failure without the secret, or any other key, in what was said of it. An excerpt that may be cut has to be without it before. */
export function hideSecret(failure: GeminiFailure, secret: string): GeminiFailure {
  return 'excerpt' in failure ? { ...failure, excerpt: excerptFrom(withoutSecret(failure.excerpt, secret)) } : failure;
}

/** A text without the secret, plain, in base64 or escaped, and without whatever else has the shape of a key. */
export function withoutSecret(text: string, secret: string): string {
  return createRedactor([secret])(text);
}

/** The value of a JSON text, or the text itself where it is none, each text in it `withoutSecret`: also one that JSON had escaped. */
export function readWithoutSecret(text: string, secret: string): unknown {
  const redact = createRedactor([secret]);
  try {
    return JSON.parse(text, (_, value: unknown) => (typeof value === 'string' ? redact(value) : value));
  } catch {
    return redact(text);
  }
}
