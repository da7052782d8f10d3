import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';

/** Node itself reports whether the connection is kept, and knows when it is not. */
const ofConnection: ReadonlySet<string> = new Set(['connection', 'keep-alive']);

/** Content types whose head is sent at once and whose body follows piece by piece. */
const streamTypes = ['text/event-stream', 'application/x-ndjson'] as const;

/**
 * Sends a response that is a stream of events or of lines, and returns the value that marks it as sent for the listener;
 * returns any other response unchanged. The head leaves at once, each piece as soon as it arrives, no faster than the
 * receiver reads.
 *
 * An error in the middle of the stream goes only to `onError`, and nothing more is sent: the listener would put its message
 * on the wire and its stack on stderr. `onError` must close the connection, because a stream that merely ended would look
 * complete.
 */
export function sendEvents(response: Response, outgoing: ServerResponse, onError: (error: unknown) => void): Response {
  const { headers } = response;
  const type = headers.get('content-type') ?? '';
  // Only then the body: the listener's own Response becomes Node's much slower one by a look at it.
  const body = streamTypes.some((streamed) => type.startsWith(streamed)) ? response.body : null;
  if (body === null) {
    return response;
  }
  if (outgoing.destroyed) {
    void body.cancel().catch(() => undefined);
  } else {
    outgoing.writeHead(response.status, Object.fromEntries([...headers].filter(([name]) => !ofConnection.has(name))));
    pour(body, outgoing).catch(onError);
  }
  return RESPONSE_ALREADY_SENT;
}

/** Resolves when the stream has ended or its receiver has disconnected, which cancels it. Rejects if the stream fails. */
async function pour(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader();
  outgoing.once('close', () => void reader.cancel().catch(() => undefined));
  // An answer that is ready at once leaves together with its head, and after further requests are read: a client that wakes
  // up for each answer while they wait would take the processor from them.
  await nextTurn();
  const flushing = setImmediate(() => outgoing.flushHeaders());
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    clearImmediate(flushing);
    if (!outgoing.write(piece.value) && !outgoing.destroyed) {
      await taken(outgoing);
    }
  }
  clearImmediate(flushing);
  outgoing.end();
}

/** Resolves when a connection can take more, or is closed. */
function taken(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const settle = (): void => {
      outgoing.off('drain', settle).off('close', settle);
      resolve();
    };
    outgoing.once('drain', settle).once('close', settle);
  });
}
