import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { BoundedFetch } from './bounded-fetch.ts';

const address = 'http://127.0.0.1/mcp';
const answer = { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id: 'of the server', result: {} }) };

/** Sends to a server whose streams are `stream`, and keeps the requests in order. */
function sendTo(stream: string): { readonly bounded: BoundedFetch; readonly sent: string[] } {
  const sent: string[] = [];
  const bounded = new BoundedFetch({
    fetch: async (_, init) => {
      sent.push(init?.method ?? 'GET');
      return new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
    },
    maxMessageBytes: 1_000_000,
    reopens: true,
    onAnswerEnd: () => undefined,
    onChannelEnd: () => undefined,
    onGiveUp: () => undefined,
    onFlood: () => undefined,
    onStatus: () => undefined,
  });
  return { bounded, sent };
}

/** Reads a stream as slowly as a flood of messages is read. */
async function readSlowly(response: Response): Promise<void> {
  for await (const piece of response.body ?? []) {
    const untilMs = performance.now() + (piece.length > 0 ? 30 : 0);
    while (performance.now() < untilMs) {
      // What a reader does with a piece.
    }
  }
}

describe('BoundedFetch', () => {
  it('UPSTREAM-M1: answers to a server that floods wait for its pace, and all go out', async () => {
    const { bounded, sent } = sendTo('data: {}\n\n');
    await readSlowly(await bounded.fetch(address));
    const answers = Promise.all([bounded.fetch(address, answer), bounded.fetch(address, answer)]);
    await nextTurn();
    expect(sent).toEqual(['GET']);
    await answers;
    expect(sent).toEqual(['GET', 'POST', 'POST']);
  });

  it('answers to a server that does not flood go out at once', async () => {
    const { bounded, sent } = sendTo('data: {}\n\n');
    await bounded.fetch(address, answer);
    const going = bounded.fetch(address, answer);
    await nextTurn();
    expect(sent).toEqual(['POST', 'POST']);
    await going;
  });
});
