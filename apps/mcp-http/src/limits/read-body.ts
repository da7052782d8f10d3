import type { IncomingMessage } from 'node:http';
import type { Clock } from '@gemini-mcp/core';
import type { Context, MiddlewareHandler } from 'hono';
import type { HttpEnv } from '../http-env.ts';
import { type Refusal, refuse } from '../refusal.ts';
import { BodyBudget } from './body-budget.ts';
import { parseBody } from './parse-body.ts';
import { type ReceivedBody, receiveBody } from './receive-body.ts';
import { refuseAndClose } from './refuse-and-close.ts';
import { refuseContent } from './refuse-content.ts';

export type ReadBodyOptions = {
  /** Of one body. */
  readonly maxBytes: number;
  /** Of all bodies that are being read at one time; half of it for one principal. 64 MiB, or four bodies, when it is missing. */
  readonly maxBytesAtOnce?: number;
  readonly clock: Clock;
};

const mebibyte = 1_048_576;

/**
 * Reads the body of a request as JSON into `body`; the route after it finds nothing left to read. What is no JSON by its
 * headers is refused unread, what is too large as soon as that is known, and then the connection is closed.
 */
export function readBody({ maxBytes, maxBytesAtOnce, clock }: ReadBodyOptions): MiddlewareHandler<HttpEnv> {
  const maxTotal = maxBytesAtOnce ?? Math.max(64 * mebibyte, 4 * maxBytes);
  const budget = new BodyBudget({ maxBytes: maxTotal, maxBytesOfOwner: Math.ceil(maxTotal / 2) });
  return async (context, next) => {
    const { incoming } = context.env;
    const refusal = refuseContent(incoming);
    if (refusal !== null) {
      return refuse(context, refusal);
    }
    const allowance = budget.open(context.get('principal').owner);
    try {
      const received = await receive(context, { maxBytes, take: allowance.take });
      if (received.type !== 'whole') {
        return refuseAndClose(context, unread(received.type, maxBytes), clock);
      }
      const parsed = parseBody(received.bytes);
      if (!parsed.ok) {
        return refuse(context, parsed.refusal);
      }
      context.set('body', parsed.value);
    } finally {
      allowance.release();
    }
    return next();
  };
}

type Bounds = {
  readonly maxBytes: number;
  readonly take: (bytes: number) => boolean;
};

function receive({ env }: Context<HttpEnv>, bounds: Bounds): Promise<ReceivedBody> {
  const { incoming, outgoing } = env;
  if (waitsForLeave(incoming) && Number(incoming.headers['content-length'] ?? 0) <= bounds.maxBytes) {
    outgoing.writeContinue();
  }
  return receiveBody({ incoming, ...bounds });
}

/** Read as Node reads it, which then leaves it to us to say so. */
function waitsForLeave({ headers, httpVersion }: IncomingMessage): boolean {
  return httpVersion === '1.1' && /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect ?? '');
}

function unread(reason: Exclude<ReceivedBody['type'], 'whole'>, maxBytes: number): Refusal {
  switch (reason) {
    case 'too-large':
      return { status: 413, code: 'body-too-large', message: `The body is larger than ${maxBytes} bytes.` };
    case 'no-room':
      return {
        status: 503,
        code: 'too-many-bodies',
        message: 'Too many large requests are arriving at once. Try again in a moment.',
        headers: { 'Retry-After': '1' },
      };
    case 'incomplete':
      return { status: 400, code: 'incomplete-body', message: 'The connection ended before the body did.' };
  }
}
