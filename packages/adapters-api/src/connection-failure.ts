import { excerptFrom, type GeminiFailure } from '@gemini-mcp/core';

/** Codes by which Node says that the system, and not the network, has run out of something. */
const shortages: Readonly<Record<string, string>> = {
  EMFILE:
    'This server has no free file descriptors (EMFILE). Raise its limit (`ulimit -n`, LimitNOFILE= of systemd), or let fewer calls run at once.',
  ENFILE: 'This machine has no free file descriptors (ENFILE). Close programs, or raise fs.file-max.',
  ENOMEM: 'The system has no memory left for this (ENOMEM). End other programs, or let fewer calls run at once.',
};

/** Why no response came, or why it broke off. What undici and Node say of it holds an address, but no header. */
export function connectionFailure(error: unknown): GeminiFailure {
  const shortage = shortageOf(error);
  if (shortage !== null) {
    return { kind: 'resources-exhausted', detail: shortage };
  }
  return { kind: 'network', excerpt: excerptFrom(describe(error)) };
}

function shortageOf(error: unknown): string | null {
  if (!(error instanceof Error)) {
    return null;
  }
  const own = 'code' in error && typeof error.code === 'string' ? shortages[error.code] : undefined;
  return own ?? shortageOf(error.cause);
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
