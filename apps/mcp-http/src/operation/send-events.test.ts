import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listen } from './listen.ts';
import { sendEvents } from './send-events.ts';

type Source = {
  readonly response: Response;
  readonly controller: ReadableStreamDefaultController<Uint8Array>;
  /** Resolves when the stream is cancelled. */
  readonly cancelled: Promise<void>;
};

function createSource(type = 'text/event-stream; charset=utf-8'): Source {
  let started: ReadableStreamDefaultController<Uint8Array> | undefined;
  let cancel: () => void = () => undefined;
  const cancelled = new Promise<void>((resolve) => {
    cancel = resolve;
  });
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      started = controller;
    },
    cancel,
  });
  if (started === undefined) {
    throw new Error('A stream starts as it is made');
  }
  const headers = { 'Content-Type': type, 'X-Kept': 'yes', Connection: 'keep-alive' };
  return { response: new Response(body, { status: 202, headers }), controller: started, cancelled };
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

let server: Server;
let port: number;
let errors: unknown[];
let source: Source;
let outgoing: Promise<ServerResponse>;

beforeEach(async () => {
  errors = [];
  source = createSource();
  server = createServer();
  ({ port } = await listen(server, { host: '127.0.0.1', port: 0 }));
  outgoing = once(server, 'request').then(([, response]) => response);
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Resolves when the head of the response has arrived. */
async function ask(): Promise<IncomingMessage> {
  const [incoming] = await once(get({ port, host: '127.0.0.1', path: '/' }), 'response');
  return incoming.setEncoding('utf8');
}

async function send(): Promise<Response> {
  return sendEvents(source.response, await outgoing, (error) => errors.push(error));
}

async function nextPiece(incoming: IncomingMessage): Promise<unknown> {
  const [piece] = await once(incoming, 'data');
  return piece;
}

describe('sendEvents', () => {
  it('sends the head at once, then each piece as it arrives, and the end', async () => {
    const asking = ask();
    await send();
    const incoming = await asking;
    const { 'x-kept': kept, 'transfer-encoding': encoding } = incoming.headers;
    expect([incoming.statusCode, kept, encoding]).toEqual([202, 'yes', 'chunked']);
    for (const text of ['one', 'two']) {
      source.controller.enqueue(bytes(text));
      expect(await nextPiece(incoming)).toBe(text);
    }
    source.controller.close();
    await once(incoming.resume(), 'end');
    expect(errors).toEqual([]);
  });

  it('reads no faster than the receiver, and continues with it', async () => {
    const piece = bytes('x'.repeat(65_536));
    let pulled = 0;
    let isEnough = false;
    const body = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          pulled += 1;
          controller.enqueue(piece);
          if (isEnough) {
            controller.close();
          }
        },
      },
      { highWaterMark: 0 },
    );
    source = { ...source, response: new Response(body, { headers: { 'Content-Type': 'text/event-stream' } }) };
    const asking = ask();
    await send();
    const response = await outgoing;
    const incoming = await asking;
    const full = once(response.socket ?? response, 'drain');
    expect(response.writableNeedDrain).toBe(true);
    const pulledWhenFull = pulled;
    let received = 0;
    incoming.on('data', (text: string) => {
      received += text.length;
    });
    await full;
    isEnough = true;
    await once(incoming, 'end');
    expect(pulled).toBeGreaterThan(pulledWhenFull);
    expect(received).toBe(pulled * piece.length);
  });

  it('cancels the stream when its receiver disconnects, without an error', async () => {
    const asking = ask();
    await send();
    (await asking).destroy();
    await source.cancelled;
    expect(errors).toEqual([]);
  });

  it('cancels the stream of a receiver that disconnected before', async () => {
    const request = get({ port, host: '127.0.0.1', path: '/' }).on('error', () => undefined);
    const response = await outgoing;
    request.destroy();
    await once(response, 'close');
    await send();
    await source.cancelled;
    expect(errors).toEqual([]);
  });

  it('reports an error in the middle, and sends nothing of it', async () => {
    const told = new Promise((resolve) => {
      const asked = outgoing.then((response) => sendEvents(source.response, response, resolve));
      void asked;
    });
    const incoming = await ask();
    source.controller.enqueue(bytes('one'));
    expect(await nextPiece(incoming)).toBe('one');
    source.controller.error(new Error('broken'));
    expect(await told).toMatchObject({ message: 'broken' });
    expect([(await outgoing).writableEnded, incoming.complete]).toEqual([false, false]);
  });

  it.each([
    ['no stream of events', createSource('application/json').response],
    ['empty', new Response(null, { status: 204 })],
  ])('leaves a response alone that is %s', async (_, response) => {
    source = { ...source, response };
    const asking = ask();
    expect(await send()).toBe(response);
    (await outgoing).end();
    expect((await asking).statusCode).toBe(200);
  });
});
