import { getEventListeners } from 'node:events';
import type { JSONRPCMessage, RequestId } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import type { ConnectionRequests } from './connection-requests.ts';
import { PendingRequests } from './connection-requests.ts';
import type { GivenUp, RequestCarrier } from './ledger-entry.ts';
import { TrackingTransport } from './tracking-transport.ts';

/** A transport without a wire that records the messages sent over it. */
class NotingCarrier implements RequestCarrier {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly sent: JSONRPCMessage[] = [];

  start(): Promise<void> {
    return Promise.resolve();
  }

  send(message: JSONRPCMessage): Promise<void> {
    this.sent.push(message);
    return Promise.resolve();
  }

  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }
}

/** Such a transport that has a record of its own, as those over HTTP have. */
class HoldingCarrier extends NotingCarrier {
  readonly givenUp: GivenUp[] = [];

  giveUp(request: GivenUp): void {
    this.givenUp.push(request);
  }
}

type SetUp<CliTransport> = {
  readonly carrier: CliTransport;
  readonly page: ConnectionRequests;
  /** What the server gets. */
  readonly delivered: JSONRPCMessage[];
  readonly transport: TrackingTransport;
};

async function setUp<CliTransport extends NotingCarrier>(
  carrier: CliTransport,
  ledger: PendingRequests = new PendingRequests(),
): Promise<SetUp<CliTransport>> {
  const page = ledger.openPage({ client: 'alice' });
  const transport = new TrackingTransport(carrier, page);
  const delivered: JSONRPCMessage[] = [];
  transport.onmessage = (message) => delivered.push(message);
  await transport.start();
  return { carrier, page, delivered, transport };
}

const ping = (id: RequestId): JSONRPCMessage => ({ jsonrpc: '2.0', id, method: 'ping' });
const answer = (id: RequestId, word: string): JSONRPCMessage => ({ jsonrpc: '2.0', id, result: { word } });
const cancel = (requestId: RequestId): JSONRPCMessage => ({
  jsonrpc: '2.0',
  method: 'notifications/cancelled',
  params: { requestId },
});

/** The number under which the server has got its latest message. */
function lastNumber({ delivered }: Pick<SetUp<NotingCarrier>, 'delivered'>): RequestId {
  const last = delivered.at(-1);
  return last !== undefined && 'id' in last && last.id !== undefined ? last.id : 'none';
}

describe('the ids of requests', () => {
  it.each([0, 1, '', '1', 'x'])('come back unchanged: %j', async (id) => {
    const wire = await setUp(new NotingCarrier());
    wire.carrier.onmessage?.(ping(id));
    await wire.transport.send(answer(lastNumber(wire), 'pong'));
    expect(wire.carrier.sent).toEqual([answer(id, 'pong')]);
    expect(wire.page.size).toBe(0);
  });

  it('are refused a second time while the first waits for its answer, and not afterwards', async () => {
    const wire = await setUp(new NotingCarrier());
    const errors: Error[] = [];
    wire.transport.onerror = (error) => errors.push(error);
    wire.carrier.onmessage?.(ping(1));
    wire.carrier.onmessage?.(ping(1));
    wire.carrier.onmessage?.(ping('1'));
    expect(wire.carrier.sent).toMatchObject([{ id: 1, error: { code: -32600 } }]);
    expect([wire.delivered.length, errors.length]).toEqual([2, 1]);
    await wire.transport.send(answer(1, 'pong'));
    wire.carrier.onmessage?.(ping(1));
    expect(wire.delivered).toHaveLength(3);
  });

  it('CANCEL-05: are free at once after a cancellation, and the late answer to the first is not taken for that to the second', async () => {
    const wire = await setUp(new NotingCarrier());
    wire.carrier.onmessage?.(ping(0));
    const first = lastNumber(wire);
    wire.carrier.onmessage?.(cancel(0));
    wire.carrier.onmessage?.(ping(0));
    const second = lastNumber(wire);
    wire.carrier.onmessage?.(cancel('0'));
    await wire.transport.send(answer(first, 'first'));
    await wire.transport.send(answer(second, 'second'));
    expect(wire.carrier.sent).toEqual([answer(0, 'second')]);
  });

  it('stay taken after a cancellation if the transport has a record of its own', async () => {
    const wire = await setUp(new HoldingCarrier());
    wire.carrier.onmessage?.(ping(1));
    const first = lastNumber(wire);
    wire.carrier.onmessage?.(cancel(1));
    expect(wire.carrier.givenUp).toEqual([{ id: 1, reason: 'cancelled', isAlone: true }]);
    expect(wire.page.isTaken(1)).toBe(true);
    await wire.transport.send(answer(first, 'too late'));
    expect([wire.page.isTaken(1), wire.carrier.sent]).toEqual([false, []]);
  });
});

describe('a request that is cancelled', () => {
  it('before it is delivered does not reach the server', async () => {
    const wire = await setUp(new HoldingCarrier());
    wire.page.open([{ id: 1, method: 'ping' }], null);
    wire.carrier.onmessage?.(cancel(1));
    expect(wire.carrier.givenUp).toEqual([]);
    wire.carrier.onmessage?.(ping(1));
    expect(wire.delivered).toEqual([]);
    expect(wire.carrier.givenUp).toEqual([{ id: 1, reason: 'cancelled', isAlone: true }]);
    expect(wire.page.size).toBe(0);
  });

  it('before its handler begins never runs', async () => {
    const wire = await setUp(new HoldingCarrier());
    wire.carrier.onmessage?.(ping(1));
    wire.carrier.onmessage?.(cancel(1));
    const begun: unknown[] = [];
    const run = wire.page.run(lastNumber(wire), async (request) => begun.push(request));
    await expect(run).rejects.toThrow('The request was cancelled');
    expect(begun).toEqual([]);
  });

  it('is sent nothing more but the last word that its handler had when it was told', async () => {
    const wire = await setUp(new HoldingCarrier());
    wire.carrier.onmessage?.(ping(1));
    const number = lastNumber(wire);
    const say = (word: string): Promise<void> =>
      wire.transport.send(
        { jsonrpc: '2.0', method: 'notifications/message', params: { word } },
        { relatedRequestId: number },
      );
    const run = wire.page.run(number, async ({ signal }) => {
      signal.addEventListener('abort', () => void say('last word'));
      await say('first word');
    });
    await run;
    wire.carrier.onmessage?.(cancel(1));
    await say('too late');
    expect(wire.carrier.sent).toMatchObject([{ params: { word: 'first word' } }, { params: { word: 'last word' } }]);
  });

  it('is found on every page of its client, and on no page of another', async () => {
    const ledger = new PendingRequests();
    const [one, two] = [await setUp(new HoldingCarrier(), ledger), await setUp(new HoldingCarrier(), ledger)];
    const stranger = ledger.openPage({ client: 'bob' });
    const nameless = ledger.openPage({ client: null });
    for (const { page } of [one, two]) {
      page.open([{ id: 1, method: 'ping' }], null);
    }
    const [ofStranger, ofNameless] = [stranger, nameless].map((page) => page.open([{ id: 1, method: 'ping' }], null));
    two.carrier.onmessage?.(ping(1));
    nameless.cancel(1);
    one.carrier.onmessage?.(cancel(1));
    expect(two.carrier.givenUp).toHaveLength(1);
    one.carrier.onmessage?.(ping(1));
    expect(one.delivered).toEqual([]);
    const waiting = [ofStranger, ofNameless].map((arrival) => arrival?.entries.map(({ isWaiting }) => isWaiting));
    expect(waiting).toEqual([[true], [true]]);
  });
});

describe('a page that is closed', () => {
  it('aborts running requests, runs no others, and is in the ledger until the handlers have ended', async () => {
    const ledger = new PendingRequests();
    const wire = await setUp(new HoldingCarrier(), ledger);
    wire.carrier.onmessage?.(ping(1));
    let finish = (): void => undefined;
    const run = wire.page.run(lastNumber(wire), () => new Promise<void>((resolve) => (finish = resolve)));
    wire.carrier.onmessage?.(ping(2));
    const notBegun = lastNumber(wire);
    await wire.transport.close();
    expect(wire.carrier.givenUp.map(({ id, reason }) => [id, reason])).toEqual([
      [1, 'closed'],
      [2, 'closed'],
    ]);
    await expect(wire.page.run(notBegun, async () => 'begun')).rejects.toThrow('The request was cancelled');
    wire.carrier.onmessage?.(ping(3));
    expect(wire.delivered).toHaveLength(2);
    let hasEnded = false;
    const ended = ledger.callsEnded().then(() => {
      hasEnded = true;
    });
    await new Promise(setImmediate);
    expect([hasEnded, wire.page.size]).toEqual([false, 1]);
    finish();
    await Promise.all([run, ended]);
    expect(wire.page.size).toBe(0);
  });
});

describe('a connection', () => {
  it('has one listener for a batch, which goes with the last of it', async () => {
    const wire = await setUp(new HoldingCarrier());
    const connection = new AbortController();
    const { signal } = connection;
    wire.page.open(
      [1, 2].map((id) => ({ id, method: 'ping' })),
      signal,
    );
    for (const id of [1, 2]) {
      wire.carrier.onmessage?.(ping(id));
    }
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await wire.transport.send(answer(1, 'pong'));
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
    await wire.transport.send(answer(2, 'pong'));
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('that closes cancels what came on it, of which the last is alone', async () => {
    const wire = await setUp(new HoldingCarrier());
    const connection = new AbortController();
    wire.page.open(
      [1, 2, 3].map((id) => ({ id, method: 'ping' })),
      connection.signal,
    );
    for (const id of [1, 2, 3]) {
      wire.carrier.onmessage?.(ping(id));
    }
    await wire.transport.send(answer(1, 'pong'));
    connection.abort();
    expect(wire.carrier.givenUp).toEqual([
      { id: 2, reason: 'cancelled', isAlone: false },
      { id: 3, reason: 'cancelled', isAlone: true },
    ]);
  });

  it('that is closed already cancels what comes on it', async () => {
    const wire = await setUp(new HoldingCarrier());
    wire.page.open([{ id: 1, method: 'ping' }], AbortSignal.abort());
    wire.carrier.onmessage?.(ping(1));
    expect([wire.delivered, wire.page.size]).toEqual([[], 0]);
  });
});
