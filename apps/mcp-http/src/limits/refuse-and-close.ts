import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { Clock } from '@gemini-mcp/core';
import { waitAtMost } from '@gemini-mcp/core/internal';
import type { Context } from 'hono';
import type { HttpEnv } from '../http-env.ts';
import { type Refusal, refuse } from '../refusal.ts';

/** How long a sender may go on sending what is no longer read. */
const lingerMs = 500;

/**
 * Refuses a request whose body has not been read, and closes the connection. The answer is whole at once, but the connection
 * stays a moment longer, and what still comes is thrown away: closed before, it would be reset, and many a sender would see
 * that instead of the answer (HTTP-09).
 */
export async function refuseAndClose(context: Context<HttpEnv>, refusal: Refusal, clock: Clock): Promise<Response> {
  const { headers, status, body } = refuse(context, refusal);
  const bytes = new Uint8Array(await new Response(body).arrayBuffer());
  headers.set('Connection', 'close');
  headers.set('Content-Length', String(bytes.length));
  const lingering = new ReadableStream<Uint8Array>({
    async start(controller) {
      controller.enqueue(bytes);
      await discardRest(context.env.incoming, clock);
      controller.close();
    },
  });
  return new Response(lingering, { status, headers });
}

async function discardRest(incoming: IncomingMessage, clock: Clock): Promise<void> {
  const ended = incoming.complete ? Promise.resolve() : once(incoming, 'close');
  incoming.on('error', () => undefined).resume();
  const event = ended.catch(() => undefined);
  await waitAtMost({ event, durationMs: lingerMs, clock }, new AbortController().signal);
}
