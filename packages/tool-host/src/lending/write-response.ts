import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Clock } from '@gemini-mcp/core';
import { hasSlept } from '@gemini-mcp/core/internal';

/** The Gemini CLI gives up an answer of which it hears nothing for five minutes. */
const heartbeatMs = 20_000;

/** A comment, which readers of a stream of events skip. */
const heartbeat = ': \n\n';

export type WriteOptions = { readonly clock: Clock; readonly response: Response; readonly to: ServerResponse };

/**
 * Writes a response, its head at once, and something from time to time while a stream has nothing to say. Ends, without the rest, when `signal` is
 * aborted. Never rejects.
 */
export async function writeResponse({ clock, response, to }: WriteOptions, signal: AbortSignal): Promise<void> {
  to.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null) {
    to.end();
    return;
  }
  to.flushHeaders();
  const reader = response.body.getReader();
  const stop = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  const written = new AbortController();
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  const beating = isStream ? beat(to, clock, written.signal) : undefined;
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      if (!to.write(piece.value)) {
        await once(to, 'drain', { signal });
      }
    }
  } catch {
    // The reader of it has gone.
  } finally {
    written.abort();
    signal.removeEventListener('abort', stop);
    to.end();
    await beating;
  }
}

async function beat(to: ServerResponse, clock: Clock, signal: AbortSignal): Promise<void> {
  while (await hasSlept(clock, heartbeatMs, signal)) {
    to.write(heartbeat);
  }
}
