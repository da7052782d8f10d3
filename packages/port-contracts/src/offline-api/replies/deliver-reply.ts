import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { JsonRecord } from '../json-record.ts';
import type { RecordedRequest } from '../requests/recorded-request.ts';
import { buildStreamResponses, buildWholeResponse } from './answer-responses.ts';
import type { AnswerReply, Reply } from './reply.ts';

export type Delivery = {
  readonly reply: Reply;
  readonly request: RecordedRequest;
  readonly response: ServerResponse;
  /** The part of the request in the implicit cache; null if the cache had nothing. */
  readonly cachedTokens: number | null;
  /** Destroys the socket. */
  readonly cut: () => void;
};

/** Sends a reply. Rejects if `signal` is aborted while it waits. */
export async function deliverReply(delivery: Delivery, signal: AbortSignal): Promise<void> {
  const { reply, response } = delivery;
  switch (reply.kind) {
    case 'hang':
      return;
    case 'delayed':
      await delay(reply.delayMs, undefined, { signal });
      return deliverReply({ ...delivery, reply: reply.reply }, signal);
    case 'error':
      return sendJson(response, reply.status, reply.body);
    case 'answer':
      return deliverAnswer(reply, delivery, signal);
  }
}

/** Answers with one JSON document, pretty-printed like the API's. */
export function sendJson(response: ServerResponse, status: number, body: JsonRecord): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8' });
  response.end(`${toJson(body, 2)}\n`);
}

/** Escapes the line ends of some readers, as the API does. */
function toJson(body: JsonRecord, indent?: number): string {
  return JSON.stringify(body, null, indent).replace(/[\u2028\u2029]/g, (end) =>
    end === '\u2028' ? '\\u2028' : '\\u2029',
  );
}

async function deliverAnswer(reply: AnswerReply, delivery: Delivery, signal: AbortSignal): Promise<void> {
  const { request, response, cachedTokens, cut } = delivery;
  if (request.method === 'streamGenerateContent') {
    return streamAnswer(reply, delivery, signal);
  }
  await gate(Promise.all(reply.chunks.map(({ after }) => after)), signal);
  if (reply.isCut === true) {
    return cut();
  }
  const { status, body } = reply.error ?? { status: 200, body: buildWholeResponse(reply, request, cachedTokens) };
  sendJson(response, status, body);
}

async function streamAnswer(reply: AnswerReply, delivery: Delivery, signal: AbortSignal): Promise<void> {
  const { request, response, cachedTokens, cut } = delivery;
  const { contentType, before, after, end } = framingOf(request);
  const events = [
    ...buildStreamResponses(reply, request, cachedTokens),
    ...(reply.error === undefined ? [] : [reply.error.body]),
  ];
  response.setHeader('content-type', contentType);
  for (const [index, event] of events.entries()) {
    await gate(reply.chunks[index]?.after, signal);
    await write(response, `${before(index)}${toJson(event)}${after}`, signal);
  }
  if (reply.isCut === true) {
    return cut();
  }
  response.end(end(events.length));
}

type Framing = {
  readonly contentType: string;
  readonly before: (index: number) => string;
  readonly after: string;
  readonly end: (count: number) => string;
};

/** Server-sent events if requested; otherwise one streamed JSON array, as from the API. */
function framingOf({ path }: RecordedRequest): Framing {
  return new URLSearchParams(path.split('?')[1]).get('alt') === 'sse'
    ? { contentType: 'text/event-stream', before: () => 'data: ', after: '\r\n\r\n', end: () => '' }
    : {
        contentType: 'application/json; charset=UTF-8',
        before: (index) => (index === 0 ? '[' : ',\r\n'),
        after: '',
        end: (count) => (count === 0 ? '[]' : ']'),
      };
}

async function gate(after: Promise<unknown> | undefined, signal: AbortSignal): Promise<void> {
  if (after !== undefined) {
    await unlessAborted(after, signal);
  }
}

function write(response: ServerResponse, text: string, signal: AbortSignal): Promise<void> {
  // The callback comes when the text has left this process, so that a following cut cannot overtake it.
  const written = new Promise<void>((resolve, reject) => {
    response.write(text, (error) => (error ? reject(error) : resolve()));
  });
  return unlessAborted(written, signal);
}

/** Settles as `promise` does, or rejects with `signal.reason` if that comes first. Leaves no listener. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  return new Promise<T>((resolve, reject) => {
    const abort = (): void => reject(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
