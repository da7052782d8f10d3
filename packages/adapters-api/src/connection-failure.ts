import { excerptFrom, type GeminiFailure } from '@gemini-mcp/core';

/** Why no response came, or why it broke off. What undici and Node say of it holds an address, but no header. */
export function connectionFailure(error: unknown): GeminiFailure {
  return { kind: 'network', excerpt: excerptFrom(describe(error)) };
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  const code =
    'code' in error && typeof error.code === 'string' && !error.message.includes(error.code) ? ` (${error.code})` : '';
  // Where each of several addresses has failed, the error itself has no message.
  const causes = error instanceof AggregateError ? error.errors : error.cause === undefined ? [] : [error.cause];
  return [`${error.message || error.name}${code}`, ...causes.map(describe)].join(': ');
}
