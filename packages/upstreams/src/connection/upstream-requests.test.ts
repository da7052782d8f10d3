import type { ServerAnswer, ServerQuestion, ServerQuestions } from '@gemini-mcp/core/internal';
import { FakeClock } from '@gemini-mcp/core/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { callTool, UpstreamPlace } from '../testing/upstream-place.ts';

let place: UpstreamPlace;

beforeEach(async () => {
  place = new UpstreamPlace();
  await place.open();
});

afterEach(() => place.close());

/** A user who gives one answer, or does not answer before the question is cancelled. */
class User implements ServerQuestions {
  readonly asked: ServerQuestion[] = [];
  takenBack = 0;
  readonly #answer: ServerAnswer | null;

  constructor(answer: ServerAnswer | null) {
    this.#answer = answer;
  }

  async ask(question: ServerQuestion, signal: AbortSignal): Promise<ServerAnswer> {
    this.asked.push(question);
    if (this.#answer === null) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
      this.takenBack += 1;
    }
    return this.#answer ?? { action: 'accept', content: { name: 'late' } };
  }
}

describe('What a server asks of us', () => {
  it('a question reaches the user with the name of the server in front and controls visible, and the answer the server', async () => {
    const questions = new User({ action: 'accept', content: { name: 'Ada' } });
    const answer = await callTool(place.odd('none'), 'ask', {}, { questions });
    expect(answer).toBe('{"action":"accept","content":{"name":"Ada"}}');
    expect(questions.asked).toEqual([
      {
        type: 'form',
        server: 'odd one',
        message: 'The MCP server "odd one" asks: Your\\u{202e} name?',
        schema: { type: 'object', properties: { name: { type: 'string' } } },
      },
    ]);
  });

  it('a question that is not answered in time is cancelled, and a late answer does not count', async () => {
    const clock = new FakeClock();
    const questions = new User(null);
    const called = callTool(place.odd('none', { clock, callTimeoutMs: 1_000 }), 'ask', {}, { questions });
    await expect.poll(() => questions.asked).toHaveLength(1);
    await clock.advance(300_000);
    expect(await called).toBe('{"action":"cancel"}');
    expect(questions.takenBack).toBe(1);
  });

  it.each(['sample', 'roots'])('%s: is an unknown method if no one can answer it', async (name) => {
    expect(await callTool(place.odd('none'), name)).toMatch(/"code":-32601/);
  });

  it('sends the current roots', async () => {
    let roots = ['file:///one'];
    const upstream = place.odd('none', { roots: async () => roots });
    expect(await callTool(upstream, 'roots')).toBe('{"roots":[{"uri":"file:///one"}]}');
    roots = [];
    expect(await callTool(upstream, 'roots')).toBe('{"roots":[]}');
  });

  it('notifies the server of changed roots while it runs, and of a change while it connects', async () => {
    let change = (): void => undefined;
    const upstream = place.odd('none', {
      roots: async () => [],
      reach: async () => {
        change();
        return { isKnown: true, transport: place.oddTransport('none'), fetch };
      },
    });
    upstream.rootsChanged();
    expect(await callTool(upstream, 'roots')).toBe('{"roots":[]}');
    expect(await place.heard()).not.toContain('roots changed');
    upstream.rootsChanged();
    await callTool(upstream, 'roots');
    expect((await place.heard()).filter((line) => line === 'roots changed')).toHaveLength(1);
    await callTool(upstream, 'crash');
    change = () => upstream.rootsChanged();
    await callTool(upstream, 'roots');
    await callTool(upstream, 'roots');
    expect((await place.heard()).filter((line) => line === 'roots changed')).toHaveLength(2);
  });

  it('caps its log, with its name and visible control characters', async () => {
    await callTool(place.odd('none'), 'log');
    await expect.poll(() => place.log.length).toBe(51);
    expect(place.log[0]).toBe('odd one: error: \\u{1b}[2Jline 0');
    expect(place.log[50]).toBe('odd one: More than 50 lines in a minute: the rest of this minute is left out.');
  });
});
