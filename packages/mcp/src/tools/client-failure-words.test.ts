import { expect, it } from 'vitest';
import { ConnectedTools } from '../testing/connected-tools.ts';

const failing = new ConnectedTools({
  script: () => ({ failure: { kind: 'authentication', problem: 'missing', excerpt: '' } }),
  failureWords: (clientName) => ({ advice: { authentication: `Advice for ${clientName}.` } }),
});

it.each([
  ['gemini_query', { prompt: 'x' }],
  ['geminiChat', { prompt: 'x' }],
  ['chat', { prompt: 'x' }],
  ['googleSearch', { query: 'x' }],
])('%s gives the advice for the client that called it', async (name, args) => {
  for (const clientName of ['alice', 'bob']) {
    const { text, isError } = await failing.call(name, args, { client: await failing.connect(clientName) });
    expect([isError, text]).toEqual([true, expect.stringContaining(`What to do: Advice for ${clientName}.`)]);
  }
});

it('chat-reply does so in the conversation of another call', async () => {
  const runs = [
    { chunks: ['Hello.'] },
    { failure: { kind: 'authentication', problem: 'missing', excerpt: '' } },
  ] as const;
  const tools = new ConnectedTools({
    script: (_, index) => runs[index] ?? runs[1],
    failureWords: (clientName) => ({ advice: { authentication: `Advice for ${clientName}.` } }),
  });
  const client = await tools.connect('alice');
  const { meta } = await tools.call('chat', { prompt: 'x' }, { client });
  const { text } = await tools.call('chat-reply', { sessionId: meta?.['sessionId'], prompt: 'x' }, { client });
  expect(text).toContain('What to do: Advice for alice.');
});
