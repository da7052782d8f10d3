import { describe, expect, it } from 'vitest';
import { beginSession, extendSession } from './session-exchange.ts';

const known = { id: 'id', owner: 'ann', model: null, systemPrompt: null, workingDirectory: null, search: null };
const noChange = { model: null, systemPrompt: null, workingDirectory: null, search: null };
const session = beginSession(known, { prompt: 'one', askedAtMs: 1, answer: 'One.', answeredAtMs: 5 });

describe('extendSession', () => {
  it('puts an exchange after the others', () => {
    const exchange = { prompt: 'two', askedAtMs: 7, answer: 'Two.', answeredAtMs: 9 };
    expect(extendSession(session, noChange, exchange)).toEqual({
      ...session,
      updatedAtMs: 9,
      turns: [
        { role: 'user', text: 'one', atMs: 1 },
        { role: 'model', text: 'One.', atMs: 5 },
        { role: 'user', text: 'two', atMs: 7 },
        { role: 'model', text: 'Two.', atMs: 9 },
      ],
    });
  });

  it('makes no session older, though the clock of this process is late', () => {
    const exchange = { prompt: 'two', askedAtMs: 2, answer: 'Two.', answeredAtMs: 3 };
    expect(extendSession(session, noChange, exchange).updatedAtMs).toBe(5);
  });
});
