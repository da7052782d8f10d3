import { EventQueue } from '@gemini-mcp/adapters-node/internal';
import type { AskProgress } from '@gemini-mcp/core';
import type { StreamPiece } from '../gemini-result.ts';

/** A call that reports its progress. */
export type ReportingCall<Result> = (
  onProgress: (progress: AskProgress) => void,
  signal: AbortSignal | undefined,
) => Promise<Result>;

/**
 * Streams the events of a call. The call starts when the first piece is read, and is cancelled if the reader stops before the last,
 * even while waiting for a piece; the call has then ended when the reader's loop has. Pieces wait for a slow reader.
 */
export function streamPieces<Result>(
  call: ReportingCall<Result>,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamPiece<Result>, void> {
  const stopping = new AbortController();
  const pieces = readPieces(call, stopping, signal);
  const end = pieces.return.bind(pieces);
  // A generator handles `return` only at its next piece, so a reader such as a destroyed stream would wait in vain.
  pieces.return = (value) => {
    stopping.abort();
    return end(value);
  };
  return pieces;
}

async function* readPieces<Result>(
  call: ReportingCall<Result>,
  stopping: AbortController,
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamPiece<Result>, void> {
  const pieces = new EventQueue<AskProgress>();
  const stop = (): void => stopping.abort(signal?.reason);
  if (signal?.aborted) {
    stop();
  }
  signal?.addEventListener('abort', stop, { once: true });
  const result = call((progress) => pieces.push(progress), stopping.signal).finally(() => pieces.close());
  try {
    yield* pieces;
    yield { type: 'result', result: await result };
  } finally {
    signal?.removeEventListener('abort', stop);
    stopping.abort();
    await result.catch(() => undefined);
  }
}
